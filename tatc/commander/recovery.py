"""Recovery: what a failure teaches, and what to do when every plan is in trouble.

Two tables.  `BUDGETS` goes from the words of the world's own answer, which the Follower
reports (spec section 2.15), to how often the step may be tried from other places.
`ALTERNATIVES` goes from the reason of a trouble to plans that take it away: what hides
a thing or fills a place is set aside.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import dist

from tatc.actions import MOTIONS, TRANSLATIONS, Verb
from tatc.commander.draft import Draft, Plan
from tatc.commander.knowledge import Knowledge, cell_of
from tatc.commander.memory import Try
from tatc.commander.skills.hold import Open, SetAside
from tatc.commander.skills.space import least_to_clear, radius
from tatc.commander.skills.switch import Swing
from tatc.commander.trouble import Reason, Trouble
from tatc.language import Report, Step
from tatc.planners.hiding import hiders
from tatc.state import ObjectState, Pose, Vec3, turned
from tatc.tdl import ProblemKey

STAND_ELSEWHERE = 3
"""Tries of a step from different places before it is ruled out."""

FULL = "No valid positions to place"
IN_THE_WAY = "is in its way"
"""Fragments of answers that teach more than that a step failed (spec section 2.15)."""

BUDGETS: tuple[tuple[str, int], ...] = (
    (FULL, 2),
    (IN_THE_WAY, 6),
    ("NOT a receptacle", 1),
    ("not a valid Object Type to be placed", 1),
    ("CanPickup to be", 1),
    ("is not an Openable object", 1),
    ("not toggleable", 1),
    ("Does not have the CanBeSliced", 1),
)
"""Fragments of answers that more standing places will hardly change."""


AREA = 0.8
"""Metres across up to which AI2-THOR tries all of a place from any click on it."""
FEW = 4
"""Things that are set aside together."""
NEAR = 0.4
"""Metres within which a thing may hide another."""
BEHIND = 0.8
"""Metres from an open drawer within which what it left behind lies."""


Remedy = Callable[[Trouble, ProblemKey, Knowledge], tuple[Plan, ...]]
"""Plans against a trouble that the plans for a problem key have met."""


def _uncovered(trouble: Trouble, key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Take away what hides a thing that cannot be clicked.

    What it is closed in is opened first, to see; what an open drawer has left behind is
    in it again once that is closed; then what is seen in its place is closed again or
    set aside, and what stands near it, nearest first; at last the dish or box in which
    it lies is taken elsewhere.
    """
    thing = known.snapshot.get(trouble.object_id)
    if thing is None:
        return ()
    around = [(Open(case.objectId),) for case in known.closed_around(thing)]
    if around:
        return tuple(around)
    near = known.all(that=lambda t: t is not thing and _may_hide(t, thing))
    ranked = sorted(near, key=lambda t: dist(t.box.center, thing.box.center))
    others = dict.fromkeys((*_in_front(thing, known), *ranked))
    plans = [(Swing(name, is_open=False),) for name in _left_behind_by(thing, known)]
    plans += [_out_of_sight(other, thing, known) for other in others]
    plans += [
        (SetAside(dish.objectId),)
        for dish in known.parents(thing)
        if dish.affordances.pickupable
    ]
    return tuple(plan for plan in plans if plan)


def _left_behind_by(thing: ObjectState, known: Knowledge) -> tuple[str, ...]:
    """Return the open drawers near a thing that lies in nothing."""
    if known.parents(thing):
        return ()
    drawers = known.all("Drawer", that=lambda t: t.isOpen)
    away = {t.objectId: dist(t.box.center, thing.box.center) for t in drawers}
    return tuple(sorted((n for n in away if away[n] < BEHIND), key=away.__getitem__))


def _in_front(thing: ObjectState, known: Knowledge) -> Iterator[ObjectState]:
    """Yield what is seen where a thing should be, and open doors in the way there."""
    known.wake()
    found = hiders(
        known.geometry,
        known.snapshot.roster.index[thing.objectId],
        known.stands(thing, known.pose),
        known.snapshot.follower.position[1],
    )
    yield from (known.snapshot.objects[i] for i in found)
    doors = (known.snapshot.get(name) for name in known.memory.walls.values())
    yield from (door for door in doors if door is not None)


def _out_of_sight(other: ObjectState, thing: ObjectState, known: Knowledge) -> Plan:
    """Return a plan after which a thing is out of the way of another, or none."""
    within = {parent.objectId for parent in known.parents(thing)}
    if other.affordances.pickupable and not other.isPickedUp:
        return (
            ()
            if other.objectId in within
            else (SetAside(other.objectId, thing.objectId),)
        )
    if other.affordances.openable and other.isOpen and other.objectId not in within:
        return (Swing(other.objectId, is_open=False),)
    return ()


def _cleared(trouble: Trouble, key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Set aside what a full place holds.

    First the fewest things that make room, then all of a few things, then the largest
    one after the other.  What has been put there for the key's sake stays.
    """
    place = known.snapshot.get(trouble.object_id)
    if place is None:
        return ()
    plans: list[Plan] = []
    thing = known.snapshot.get(trouble.held)
    if thing is not None:
        draft = Draft(known)
        few = least_to_clear(draft, place, thing, lambda other: _belongs(other, key))
        plans.append(tuple(SetAside(other.objectId, place.objectId) for other in few))
    inside = [
        t
        for t in known.contents(place)
        if t.affordances.pickupable and not _belongs(t, key)
    ]
    if not inside:
        return _uncovered(trouble, key, known)
    inside.sort(key=radius, reverse=True)
    aside = tuple(SetAside(other.objectId, place.objectId) for other in inside)
    if len(aside) <= FEW:
        plans.append(aside)
    plans += [(each,) for each in aside]
    return tuple(plan for plan in plans if plan)


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
        return _learn_motion(report, known)
    failed = next((s for s in said if s.step == report.step and s.attempt), None)
    if failed is None or failed.attempt is None:
        _learn_miss(report, said, known)
        return f"{report.step.verb} failed: {report.why}"
    memory = known.memory
    budget = next((n for text, n in BUDGETS if text in report.why), STAND_ELSEWHERE)
    if FULL in report.why and not _is_broad(known.snapshot.get(failed.attempt[1])):
        budget = 1
    memory.refuse(failed.attempt, failed.pose, failed.point, budget=budget)
    if IN_THE_WAY in report.why:
        memory.stands.add((failed.attempt, cell_of(failed.pose)))
    if FULL in report.why:
        memory.kinds[known.kind_of(failed.attempt)] += 1
    return f"{report.step.verb} on {failed.attempt[1]} failed: {report.why}"


def _learn_miss(report: Report, said: tuple[Said, ...], known: Knowledge) -> None:
    """Note a failure of a Follower that found its click itself.

    That says less than a refusal of a click that was told: nothing is ruled out.
    """
    clicks = [s for s in said if s.attempt is not None]
    same = [s for s in clicks if s.step.noun == report.step.noun]
    same = same or [s for s in clicks if s.step.verb is report.step.verb]
    if same and same[0].attempt is not None:
        known.memory.miss(same[0].attempt, same[0].pose)


def _is_broad(place: ObjectState | None) -> bool:
    """Whether a place is more than one area, so that another click may find room."""
    if place is None or place.objectType == "Floor":
        return True
    return min(place.box.size[0], place.box.size[2]) > AREA


def _learn_motion(report: Report, known: Knowledge) -> str:
    verb = report.step.verb
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
    blocker = known.snapshot.get(report.why.partition(" is blocking")[0])
    door = blocker is not None and blocker.affordances.openable and blocker.isOpen
    known.memory.walls[(x, z), cell] = blocker.objectId if blocker and door else ""
    return f"the way to cell {cell} is blocked"
