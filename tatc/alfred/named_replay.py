"""Replays a trajectory's recorded actions in tatc's world, each on the object that it names.

As in AI2-THOR, an action on a named object needs the object in view and within reach; where on
it the action is done is not recorded.  So an interaction is tried at some of the pixels that
show the object, those in its middle first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tatc.actions import GRID_SIZE_METRES, INTERACTION_REACH_METRES, Action, Click, Role, Verb
from tatc.alfred.recorded_ids import find_recorded
from tatc.alfred.visibility import AgentsView
from tatc.camera.clicks import eye_of
from tatc.camera.rays import FRAME_PIXELS
from tatc.camera.visible_part import visible_part
from tatc.records.trajectory_plan import LowAction
from tatc.sim.embedded.motion import cell_ahead
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.maps.recorded_map import RecordedMap
from tatc.state import ObjectState, Scene, Snapshot
from tatc.tdl.properties import parent_receptacles_of

MAX_POINTS = 12
"""Points of an object at which an interaction is tried, at most."""
_SAMPLE_STEP_PIXELS = 9  # of TEACh's frame of 900: every third pixel of ALFRED's 300


class NamedReplay:
    """A scene in which recorded actions are done one after the other."""

    def __init__(self, scene: Scene, recorded_map: RecordedMap | None = None) -> None:
        """Load the scene."""
        self.sim = EmbeddedSimulator(recorded_map)
        self.start = self.sim.reset(scene)

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
        target = self.target_of(action)
        if target is None:
            return False
        clicks = self._clicks_on(target)
        if action.verb is Verb.PLACE:
            return self._place(target, tuple(clicks))
        return any(self._try(action.verb, click, target) for click in clicks)

    def _try(self, verb: Verb, click: Click, target: ObjectState) -> bool:
        action = Action(verb, click)
        return self.sim.step_on_object(Role.FOLLOWER, action, target.objectId).success

    def _place(self, target: ObjectState, clicks: Sequence[Click]) -> bool:
        """Put what is held where it stays in view, or else where it comes to rest in the target.

        AI2-THOR tries the places of a receptacle that are nearest to the agent first.
        """
        before, held = self.now, self.now.held_object()
        hidden: Snapshot | None = None
        for click in clicks:
            if held is not None and self._try(Verb.PLACE, click, target):
                after = self.now
                placed = after.get(held.objectId)
                if placed and target.objectId in parent_receptacles_of(placed, after):
                    if self.view().shows(placed):
                        return True
                    hidden = hidden or after
                self.sim.restore(before)
        if hidden is not None:
            self.sim.restore(hidden)
        return hidden is not None

    def _impose_step(self) -> None:
        body = self.now.follower
        x, z = cell_ahead(body, Verb.FORWARD)
        there = (x * GRID_SIZE_METRES, body.position[1], z * GRID_SIZE_METRES)
        self.sim.put_follower(replace(body, position=there))

    def _clicks_on(self, target: ObjectState) -> Iterator[Click]:
        """Yield clicks on visible points of an object within reach, the inner ones first."""
        now = self.now
        geometry, eye = self.sim.geometry, eye_of(now.follower)
        index = now.object_index.by_id[target.objectId]
        window = geometry.bounding_window(eye, index)
        step = max(1, min(_SAMPLE_STEP_PIXELS, (window.right - window.left) // 8))
        columns = np.arange(window.left, window.right, step)
        rows = np.arange(window.top, window.bottom, max(1, min(step, _SAMPLE_STEP_PIXELS)))
        shown = visible_part(geometry, eye, index, columns, rows)
        if not len(shown.rows):
            return
        x, _, z = now.follower.position
        points = shown.points(eye)
        away = np.hypot(points[:, 0] - x, points[:, 2] - z)
        near = np.flatnonzero(away <= INTERACTION_REACH_METRES)
        if not len(near):
            return
        right, down = columns[shown.columns[near]], rows[shown.rows[near]]
        order = np.hypot(right - right.mean(), down - down.mean()).argsort(kind="stable")
        for i in order[:: max(1, len(order) // MAX_POINTS)][:MAX_POINTS].tolist():
            yield Click(float(right[i]) / FRAME_PIXELS, float(down[i]) / FRAME_PIXELS)
