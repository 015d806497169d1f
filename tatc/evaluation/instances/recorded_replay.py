"""A recorded session replayed in the embedded world, for its states.

As in TEACh's replay, only actions that succeeded are done, with the recorded object (spec section
4.6).  An action that the embedded world would refuse is given its recorded effect, so that
the state is the one in which people acted.
"""

from collections.abc import Callable, Collection, Sequence

from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Role
from tatc.home.state import Snapshot
from tatc.session.records import Interaction
from tatc.session.records.recorded_steps import ObjectSubstitutes, agent_state_at
from tatc.sim.embedded.simulator import EmbeddedSimulator


class RecordedReplay:
    """Replays a session, step by step, in a world that was reset.

    `missing_objects` counts the interactions whose object the embedded world does not have.
    """

    def __init__(self, sim: EmbeddedSimulator) -> None:
        """Start from the present state of the world."""
        self._sim = sim
        self._stand_ins = ObjectSubstitutes()
        self.missing_objects = 0

    def apply(self, done: Interaction) -> None:
        """Replay one interaction."""
        if done.role is not Role.FOLLOWER or not done.success:
            return
        if done.verb in MOTION_VERBS and done.pose is not None:
            self._sim.put_follower(agent_state_at(done.pose))
        elif done.verb in INTERACTION_VERBS and done.object_id is not None:
            wanted = self._stand_ins.object_id_in(done.object_id, self._sim.snapshot())
            self.missing_objects += wanted is None
            if wanted is not None:
                self._sim.apply_recorded_effect(Action(done.verb, done.click), wanted)


def states_during_replay(
    sim: EmbeddedSimulator, done: Sequence[Interaction], wanted: Collection[int]
) -> dict[int, Snapshot]:
    """Return the states before the interactions with these indices.

    The world must be reset.  The number of interactions, as an index, stands for the final state.
    States are left out from the first interaction on whose object is missing.
    """
    found: dict[int, Snapshot] = {}
    course = RecordedReplay(sim)
    for i in range(len(done) + 1):
        if course.missing_objects:
            break
        if i in wanted:
            found[i] = sim.capture()
        if i < len(done):
            course.apply(done[i])
    return found


def replay_history(
    sim: EmbeddedSimulator,
    done: Sequence[Interaction],
    before_action: Callable[[Interaction], None] = lambda done: None,
) -> bool:
    """Replay a history; return whether all of it could be done.

    `before_action` is called before each action of the Follower, so that frames can be drawn.
    """
    course = RecordedReplay(sim)
    for each in done:
        if each.role is Role.FOLLOWER and each.success:
            before_action(each)
        course.apply(each)
    return not course.missing_objects
