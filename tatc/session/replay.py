"""Checks a record: repeats its actions and compares their results with the logged ones.

The agents do not take part: each logged primitive is carried out from the recorded start,
in any world, up to the first difference.  `tatc.session.timeline.moment` in contrast
replays a whole session in the embedded world and corrects its differences.
"""

from dataclasses import dataclass, fields

from tatc.home.actions import PRIMITIVE_VERBS, Action, ActionResult, Role
from tatc.home.state import HISTORY_MARKS, Snapshot
from tatc.session.records import Interaction, Record, logged_pose
from tatc.sim.protocol import Simulator


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """The first difference of a replay from its record.

    `index` is that of the interaction, None if only the final states differ.
    """

    index: int | None
    description: str


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """How many primitives were repeated, and the first difference, None if there is none."""

    action_count: int
    difference: ReplayDifference | None

    @property
    def is_same(self) -> bool:
        """Whether all results and the final state are as recorded."""
        return self.difference is None


def replay_record(record: Record, sim: Simulator) -> ReplayResult:
    """Repeat the primitives of a record in a world like the one where it was made.

    The replay stops at the first action with another result.
    """
    sim.reset(record.scene)
    actions = 0
    for index, interaction in enumerate(record.interactions):
        if interaction.verb not in PRIMITIVE_VERBS:
            continue
        actions += 1
        result = sim.step(interaction.role, Action(interaction.verb, interaction.click))
        what = _result_difference(interaction, result, sim)
        if what:
            return ReplayResult(actions, ReplayDifference(index, what))
    what = _state_difference(record.final, sim.capture())
    return ReplayResult(actions, ReplayDifference(None, what) if what else None)


def _result_difference(interaction: Interaction, result: ActionResult, sim: Simulator) -> str:
    """Return how a result differs from the logged one, "" if it does not."""
    if result.success is not interaction.success:
        came = "succeeds" if result.success else f"fails ({result.message})"
        return f"{interaction.verb} {came} now"
    if result.object_id != interaction.object_id and interaction.click is not None:
        return f"{interaction.verb} acts on {result.object_id}, not {interaction.object_id}"
    if interaction.pose is not None and interaction.role is Role.FOLLOWER:
        pose = logged_pose(sim.snapshot().follower)
        if pose != interaction.pose:
            return f"{interaction.verb} leads to the pose {pose}, not {interaction.pose}"
    return ""


def _state_difference(expected: Snapshot, actual: Snapshot) -> str:
    """Return the first difference of two states, "" if there is none.

    ALFRED's marks are left out, because no record holds them.
    """
    if expected.follower != actual.follower:
        return f"the Follower ends at {actual.follower}, not {expected.follower}"
    if len(expected.objects) != len(actual.objects):
        return f"{len(actual.objects)} objects at the end, not {len(expected.objects)}"
    for one, other in zip(expected.objects, actual.objects, strict=True):
        if one == other:
            continue
        for field in fields(one):
            a, b = getattr(one, field.name), getattr(other, field.name)
            if a != b and field.name not in HISTORY_MARKS:
                return f"{one.objectId}: {field.name} is {b} at the end, not {a}"
    return ""
