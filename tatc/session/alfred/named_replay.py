"""Replays a trajectory's recorded actions in tatc's world, each on the object that it names."""

from dataclasses import replace

from tatc.home.actions import GRID_SIZE_METRES, Action, Role, Verb
from tatc.home.state import ObjectState, Scene, Snapshot
from tatc.session.alfred.masks import AgentsView
from tatc.session.alfred.named_actions import NamedActions
from tatc.session.alfred.recorded_ids import all_recorded, find_recorded
from tatc.session.records.trajectory_plan import LowAction
from tatc.sim.embedded.motion import cell_ahead
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.maps.recorded_map import RecordedMap


class NamedReplay:
    """A scene in which recorded actions are done one after the other."""

    def __init__(self, scene: Scene, recorded_map: RecordedMap | None = None) -> None:
        """Load the scene."""
        self.sim = EmbeddedSimulator(recorded_map)
        self.start = self.sim.reset(scene)
        self._actions = NamedActions(self.sim)

    @property
    def now(self) -> Snapshot:
        """The present state."""
        return self.sim.snapshot()

    def do(self, action: LowAction) -> bool:
        """Do an action, and return whether the world allowed it.

        A step that is refused is done all the same, since the recording took it; an interaction
        that is refused is not.
        """
        if action.object_id is not None:
            return self.interact(action)
        done = self.sim.step(Role.FOLLOWER, Action(action.verb)).success
        if not done and action.verb is Verb.FORWARD:
            self._impose_step()
        return done

    def view(self) -> AgentsView:
        """Return what the agent sees now."""
        return AgentsView(self.now, self.sim.geometry)

    def target_of(self, action: LowAction) -> ObjectState | None:
        """Return the object that an interaction is done to, or None where the scene lacks it."""
        return find_recorded(action.target_id or "", self.now)

    def interact(self, action: LowAction) -> bool:
        """Try an interaction on the object that it names, and return whether it succeeded."""
        targets = all_recorded(action.target_id or "", self.now)
        return any(self._actions.act(action.verb, each.objectId).success for each in targets)

    def impose(self, action: LowAction) -> bool:
        """Do an action as recorded, even where this world refuses it.

        Returns:
            False if it is an interaction whose object the scene lacks: then nothing changes.

        """
        if self.do(action) or action.object_id is None:
            return True
        target = self.target_of(action)
        if target is not None:
            self.sim.apply_recorded_effect(Action(action.verb), target.objectId)
        return target is not None

    def _impose_step(self) -> None:
        body = self.now.follower
        x, z = cell_ahead(body, Verb.FORWARD)
        there = (x * GRID_SIZE_METRES, body.position[1], z * GRID_SIZE_METRES)
        self.sim.put_follower(replace(body, position=there))
