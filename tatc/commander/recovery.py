"""Recovery: what a reported failure teaches, as a table from its words to a lesson.

The Follower reports the world's own answer (AI2-THOR's wording, spec section 2.15).  A
lesson says how often the same step may be tried from other places before the Commander
turns to another alternative: another spot, receptacle or instance.
"""

from dataclasses import dataclass

from tatc.actions import MOTIONS, TRANSLATIONS, Verb
from tatc.commander.knowledge import Knowledge, cell_of
from tatc.commander.memory import Try
from tatc.language import Report, Step
from tatc.state import Pose, turned

STAND_ELSEWHERE = 3
"""Tries of a step from different places before it is ruled out."""

BUDGETS: tuple[tuple[str, int], ...] = (
    ("No valid positions to place", 2),
    ("NOT a receptacle", 1),
    ("not a valid Object Type to be placed", 1),
    ("CanPickup to be", 1),
    ("is not an Openable object", 1),
    ("not toggleable", 1),
    ("Does not have the CanBeSliced", 1),
)
"""Fragments of answers that more standing places will hardly change."""


@dataclass(frozen=True, slots=True)
class Said:
    """A step of the last stretch: where it was to be done, and on what."""

    step: Step
    attempt: Try | None
    pose: Pose


def learn(report: Report, said: tuple[Said, ...], known: Knowledge) -> str:
    """Note in the memory what a failed step teaches; return it as a short clause."""
    if report.step.verb in MOTIONS:
        return _learn_motion(report.step.verb, known)
    failed = next((s for s in said if s.step == report.step and s.attempt), None)
    if failed is None or failed.attempt is None:
        return f"{report.step.verb} failed: {report.why}"
    budget = next((n for text, n in BUDGETS if text in report.why), STAND_ELSEWHERE)
    known.memory.refuse(failed.attempt, failed.pose, budget=budget)
    return f"{report.step.verb} on {failed.attempt[1]} failed: {report.why}"


def _learn_motion(verb: Verb, known: Knowledge) -> str:
    if verb not in TRANSLATIONS:
        return f"{verb} failed"
    pose = known.pose
    sine, cosine = turned(pose.yaw)
    ahead, right = {
        Verb.FORWARD: (1, 0),
        Verb.BACKWARD: (-1, 0),
        Verb.PAN_RIGHT: (0, 1),
        Verb.PAN_LEFT: (0, -1),
    }[verb]
    x, z = cell_of(pose)
    cell = (
        x + round(ahead * sine + right * cosine),
        z + round(ahead * cosine - right * sine),
    )
    known.memory.blocked.add(cell)
    return f"the way to cell {cell} is blocked"
