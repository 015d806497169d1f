"""Recovery: what a failure teaches, and what to do when every plan is in trouble.

Two tables.  `BUDGETS` goes from the words of the world's own answer, which the Follower
reports (spec section 2.15), to how often the step may be tried from other places.
`ALTERNATIVES` goes from the reason of a trouble to plans that take it away: what hides
a thing or fills a place is set aside.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import dist

from tatc.actions import MOTIONS, TRANSLATIONS, Verb
from tatc.commander.draft import Plan
from tatc.commander.knowledge import Knowledge, cell_of
from tatc.commander.memory import Try
from tatc.commander.skills.hold import SetAside
from tatc.commander.skills.space import radius
from tatc.commander.trouble import Reason, Trouble
from tatc.language import Report, Step
from tatc.state import ObjectState, Pose, Vec3, turned
from tatc.tdl import ProblemKey

STAND_ELSEWHERE = 3
"""Tries of a step from different places before it is ruled out."""

BUDGETS: tuple[tuple[str, int], ...] = (
    ("No valid positions to place", 3),
    ("NOT a receptacle", 1),
    ("not a valid Object Type to be placed", 1),
    ("CanPickup to be", 1),
    ("is not an Openable object", 1),
    ("not toggleable", 1),
    ("Does not have the CanBeSliced", 1),
)
"""Fragments of answers that more standing places will hardly change."""


FEW = 4
"""Things that are set aside together."""
NEAR = 0.4
"""Metres within which a thing may hide another."""


Remedy = Callable[[Trouble, ProblemKey, Knowledge], tuple[Plan, ...]]
"""Plans against a trouble that the plans for a problem key have met."""


def _uncovered(trouble: Trouble, key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Set aside what stands near a thing that cannot be clicked, nearest first."""
    thing = known.snapshot.get(trouble.object_id)
    if thing is None:
        return ()
    near = known.all(that=lambda t: t is not thing and _may_hide(t, thing))
    ranked = sorted(near, key=lambda t: dist(t.box.center, thing.box.center))
    return tuple((SetAside(other.objectId),) for other in ranked)


def _cleared(trouble: Trouble, key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Set aside what a full place holds: all of a few things, else the largest first.

    What has been put there for the key's sake stays.
    """
    place = known.snapshot.get(trouble.object_id)
    if place is None:
        return ()
    inside = [
        t
        for t in known.contents(place)
        if t.affordances.pickupable and not _belongs(t, key)
    ]
    if not inside:
        return _uncovered(trouble, key, known)
    inside.sort(key=radius, reverse=True)
    aside = tuple(SetAside(other.objectId) for other in inside)
    if len(aside) <= FEW:
        return (aside, *((each,) for each in aside))
    return tuple((each,) for each in aside)


def _belongs(thing: ObjectState, key: ProblemKey) -> bool:
    placing = key.property_name == "parentReceptacles"
    return placing and thing.objectType == key.object_type


ALTERNATIVES: dict[Reason, Remedy] = {
    Reason.NO_VIEW: _uncovered,
    Reason.NO_ROOM: _cleared,
    Reason.REFUSED: _cleared,
}
"""What to do about a trouble, by its reason."""


def alternatives(
    trouble: Trouble, key: ProblemKey, known: Knowledge
) -> tuple[Plan, ...]:
    """Return plans that may take a trouble away, while its budget lasts."""
    if not known.memory.may_recover(kind_of(trouble, known)):
        return ()
    found = ALTERNATIVES.get(trouble.reason)
    return found(trouble, key, known) if found else ()


def kind_of(trouble: Trouble, known: Knowledge) -> str:
    """Return the type of the object that a trouble is about; "" for none."""
    thing = known.snapshot.get(trouble.object_id)
    return "" if thing is None else thing.objectType


def _may_hide(other: ObjectState, thing: ObjectState) -> bool:
    return (
        other.affordances.pickupable
        and not other.isPickedUp
        and dist(other.box.center, thing.box.center) < NEAR + radius(thing)
    )


@dataclass(frozen=True, slots=True)
class Said:
    """A step of the last stretch: where it was to be done, and on what."""

    step: Step
    attempt: Try | None
    pose: Pose
    point: Vec3 | None = None


def learn(report: Report, said: tuple[Said, ...], known: Knowledge) -> str:
    """Note in the memory what a failed step teaches; return it as a short clause."""
    if report.step.verb in MOTIONS:
        return _learn_motion(report.step.verb, known)
    failed = next((s for s in said if s.step == report.step and s.attempt), None)
    if failed is None or failed.attempt is None:
        return f"{report.step.verb} failed: {report.why}"
    budget = next((n for text, n in BUDGETS if text in report.why), STAND_ELSEWHERE)
    known.memory.refuse(failed.attempt, failed.pose, failed.point, budget=budget)
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
