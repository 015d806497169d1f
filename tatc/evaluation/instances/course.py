"""The world along a recorded course: what people did, done again for its states.

As in TEACh's replay only what succeeded is done, with the recorded object (spec
section 4.6); what our world would refuse is done all the same, so that the state is
the one people acted in.
"""

from collections.abc import Callable, Collection, Sequence

from tatc.actions import INTERACTIONS, MOTIONS, Action, Role
from tatc.records import Interaction
from tatc.records.course import body_at
from tatc.records.stand_ins import StandIns
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import Snapshot


class Course:
    """A session that is done again, step by step, in a world that was reset.

    `lost` counts the interactions whose object our world does not have.
    """

    def __init__(self, sim: EmbeddedSimulator) -> None:
        """Start where the world is."""
        self._sim = sim
        self._stand_ins = StandIns()
        self.lost = 0

    def follow(self, done: Interaction) -> None:
        """Do what was done."""
        if done.role is not Role.FOLLOWER or not done.success:
            return
        if done.verb in MOTIONS and done.pose is not None:
            self._sim.put_follower(body_at(done.pose))
        elif done.verb in INTERACTIONS and done.object_id is not None:
            wanted = self._stand_ins.of(done.object_id, self._sim.snapshot())
            self.lost += wanted is None
            if wanted is not None:
                self._sim.impose(Action(done.verb, done.click), wanted)


def states_along(
    sim: EmbeddedSimulator, done: Sequence[Interaction], wanted: Collection[int]
) -> dict[int, Snapshot]:
    """Return the states before the interactions of these indices.

    The world is reset already.  An index as long as the session stands for its end;
    states from which on an object is lacking are left out.
    """
    found: dict[int, Snapshot] = {}
    course = Course(sim)
    for i in range(len(done) + 1):
        if course.lost:
            break
        if i in wanted:
            found[i] = sim.capture()
        if i < len(done):
            course.follow(done[i])
    return found


def replay(
    sim: EmbeddedSimulator,
    done: Sequence[Interaction],
    before: Callable[[Interaction], None] = lambda done: None,
) -> bool:
    """Do a history again; return whether all of it could be done.

    `before` is called ahead of each of the Follower's actions, for its frames.
    """
    course = Course(sim)
    for each in done:
        if each.role is Role.FOLLOWER and each.success:
            before(each)
        course.follow(each)
    return not course.lost
