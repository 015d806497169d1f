"""Do a record's actions again, and say whether the same comes of them.

The agents do not take part: what was done is done again, one action after the other,
from the recorded start, and compared with what was logged.
"""

from dataclasses import dataclass, fields

from tatc.actions import INTERACTIONS, MOTIONS, Action, ActionResult, Role
from tatc.records import Interaction, Record, logged_pose
from tatc.sim.protocol import Simulator
from tatc.state import Snapshot

_PRIMITIVES = frozenset(MOTIONS + INTERACTIONS)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a rerun first departs from its record.

    `index` is that of the interaction, None where only the end states differ.
    """

    index: int | None
    what: str


@dataclass(frozen=True, slots=True)
class Rerun:
    """How many primitives were done again, and the first difference, None if none."""

    actions: int
    difference: Difference | None

    @property
    def same(self) -> bool:
        """Whether results and end state came out as recorded."""
        return self.difference is None


def rerun(record: Record, sim: Simulator) -> Rerun:
    """Do the primitives of a record again in a world like the one it was made in.

    It stops at the first action that comes out otherwise.
    """
    sim.reset(record.scene)
    actions = 0
    for index, done in enumerate(record.interactions):
        if done.verb not in _PRIMITIVES:
            continue
        actions += 1
        result = sim.step(done.role, Action(done.verb, done.click))
        what = _departs(done, result, sim)
        if what:
            return Rerun(actions, Difference(index, what))
    what = _states_differ(record.final, sim.capture())
    return Rerun(actions, Difference(None, what) if what else None)


def _departs(done: Interaction, result: ActionResult, sim: Simulator) -> str:
    """Return how a result is not the logged one, or nothing."""
    if result.success is not done.success:
        came = "succeeds" if result.success else f"fails ({result.message})"
        return f"{done.verb} {came} now"
    if result.object_id != done.object_id and done.click is not None:
        return f"{done.verb} meets {result.object_id}, not {done.object_id}"
    if done.pose is not None and done.role is Role.FOLLOWER:
        pose = logged_pose(sim.snapshot().follower)
        if pose != done.pose:
            return f"{done.verb} leads to the pose {pose}, not {done.pose}"
    return ""


def _states_differ(wanted: Snapshot, came: Snapshot) -> str:
    """Return the first thing in which two states differ, or nothing."""
    if wanted.follower != came.follower:
        return f"the Follower ends at {came.follower}, not {wanted.follower}"
    if len(wanted.objects) != len(came.objects):
        return f"{len(came.objects)} objects at the end, not {len(wanted.objects)}"
    for one, other in zip(wanted.objects, came.objects, strict=True):
        if one == other:
            continue
        for field in fields(one):
            a, b = getattr(one, field.name), getattr(other, field.name)
            if a != b:
                return f"{one.objectId}: {field.name} is {b} at the end, not {a}"
    return ""
