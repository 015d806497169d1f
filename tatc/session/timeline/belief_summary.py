"""A belief beside the world and in words, as the debugger and the viewer tell it.

A belief has no ids of the world.  Each believed object is paired with the nearest object of its
type that is not paired yet, what is held first, so that it has the name that it has elsewhere.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from math import dist

from tatc.follower.listener.belief import START_HEIGHT_METRES, Belief, BelievedGoal, GoalSource
from tatc.home.actions import GRID_SIZE_METRES, Cell, cell_of
from tatc.home.state import AgentState, ObjectState, ShortNames, Snapshot, Vec3, type_in_id
from tatc.language.object_names import preposition_for
from tatc.language.understanding.goal_json import evidence_words, goal_lines
from tatc.session.timeline.moment import Moment, have_same_objects, last_belief
from tatc.session.transcript import short_task_title
from tatc.sim.perception import FollowerFrame
from tatc.sim.top_view.plan_model import BACKDROP_TYPES, state_words
from tatc.tdl import Progress

_MAX_PAIR_METRES = 1.0
"""A believed object and a true one whose middles are farther apart are not the same, metres.

Large furniture may be half its size apart, because a belief may know only a part of it.
"""
_MAX_DONE_STRETCHES = 8
MOVED_METRES = 0.25
"""An object that is farther than this from where it is believed is believed elsewhere, metres."""


@dataclass(frozen=True, slots=True)
class BeliefInWorld:
    """A belief in the world's coordinates.

    `snapshot` has the believed objects with the ids of the objects that they are paired with;
    one that is paired with none keeps its own, which the world has not.  `seen_cells` are cells
    of the world's grid.  The objects are the same tuple for as long as neither they nor the
    world's have changed.  `world` is the state of the world as the belief was held, and `index`
    that of the moment.
    """

    index: int
    belief: Belief
    world: Snapshot
    snapshot: Snapshot
    seen_cells: frozenset[Cell]


class BeliefPlacer:
    """Places the beliefs of one session in its world."""

    def __init__(self, start: AgentState) -> None:
        """Take the Follower's body at the start of the session, in the world."""
        self._frame = FollowerFrame(start)
        self._placed: dict[str, tuple[ObjectState, ObjectState]] = {}
        self._last: BeliefInWorld | None = None

    def place_last(self, moments: Sequence[Moment], at: int) -> BeliefInWorld | None:
        """Return the last belief up to a moment in the world of its own moment; None for none."""
        found = last_belief(moments, at)
        if found is None:
            return None
        index, belief = found
        if self._last is None or self._last.belief is not belief or self._last.index != index:
            self._last = self._place(index, belief, moments[index].snapshot)
        return self._last

    def _place(self, index: int, belief: Belief, world: Snapshot) -> BeliefInWorld:
        body = belief.snapshot.follower
        follower = self._frame.body_in_world(replace(body, position=_lowered(body.position)))
        last = self._last
        if (
            last is not None
            and have_same_objects(last.belief.snapshot, belief.snapshot)
            and have_same_objects(last.world, world)
        ):
            snapshot = replace(last.snapshot, commander=world.commander, follower=follower)
        else:
            objects = [self._in_world(obj) for obj in belief.snapshot.objects]
            ids = _pair_ids(objects, world)
            paired = [_renamed(obj, ids) for obj in objects]
            snapshot = Snapshot.from_objects(paired, world.commander, follower)
        cells = frozenset(map(self._cell, belief.seen_cells))
        return BeliefInWorld(index, belief, world, snapshot, cells)

    def _in_world(self, obj: ObjectState) -> ObjectState:
        """Return a believed object in the world's frame, the same value until it changes."""
        known = self._placed.get(obj.objectId)
        if known is not None and known[0] is obj:
            return known[1]
        moved = replace(
            obj,
            position=self._frame.point_in_world(_lowered(obj.position)),
            box=self._frame.box_in_world(obj.box.translate(0.0, -START_HEIGHT_METRES, 0.0)),
        )
        self._placed[obj.objectId] = obj, moved
        return moved

    def _cell(self, cell: Cell) -> Cell:
        x, z = (index * GRID_SIZE_METRES for index in cell)
        x, _, z = self._frame.point_in_world((x, 0.0, z))
        return cell_of(x, z)


def _lowered(point: Vec3) -> Vec3:
    x, y, z = point
    return x, y - START_HEIGHT_METRES, z


def _pair_ids(objects: Iterable[ObjectState], world: Snapshot) -> Mapping[str, str]:
    """Return the id that each believed object gets, by the id that it has in the belief."""
    by_type: dict[str, list[ObjectState]] = {}
    for obj in objects:
        by_type.setdefault(obj.objectType, []).append(obj)
    ids: dict[str, str] = {}
    for kind, believed in by_type.items():
        ids |= {obj.objectId: obj.objectId for obj in believed}
        ids |= _pairs(believed, world.of_type(kind))
    return ids


def _pairs(believed: list[ObjectState], true: tuple[ObjectState, ...]) -> dict[str, str]:
    distances = sorted(
        (dist(a.box.center, b.box.center) * (not (a.isPickedUp and b.isPickedUp)), i, k)
        for i, a in enumerate(believed)
        for k, b in enumerate(true)
    )
    found: dict[int, int] = {}
    taken: set[int] = set()
    for metres, i, k in distances:
        limit = max(_MAX_PAIR_METRES, max(true[k].box.size) / 2)
        if metres <= limit and i not in found and k not in taken:
            found[i] = k
            taken.add(k)
    return {believed[i].objectId: true[k].objectId for i, k in found.items()}


def _renamed(obj: ObjectState, ids: Mapping[str, str]) -> ObjectState:
    parents = tuple(ids.get(name, name) for name in obj.parentReceptacles or ())
    name = ids[obj.objectId]
    return replace(obj, objectId=name, name=name, parentReceptacles=parents)


@dataclass(frozen=True, slots=True)
class GoalSummary:
    """The goal in words.

    `lines` are its parts, which can be edited one by one; `evidence` has pairs of a part and the
    words that it rests on.  `confidence` is None where nothing was understood.  `met` of `total`
    goal conditions are fulfilled as far as the Follower believes.
    """

    task: str
    source: GoalSource
    lines: tuple[str, ...]
    evidence: tuple[tuple[str, str], ...]
    confidence: float | None
    met: int
    total: int


@dataclass(frozen=True, slots=True)
class BeliefSummary:
    """What a belief does not hold in words itself.

    `done` are the last stretches before the present one, `doing` is the present one ("" for none),
    and `to_do` what the goal lacks then, as far as the Follower believes.
    """

    goal: GoalSummary | None
    hints: tuple[str, ...]
    done: tuple[str, ...]
    doing: str
    to_do: tuple[str, ...]


def summarize_belief(placed: BeliefInWorld) -> BeliefSummary:
    """Return a belief in words; objects have the names that they have in the world."""
    belief = placed.belief
    progress = None if belief.goal is None else belief.goal.task.check(placed.snapshot)
    begun = [words for words, _ in groupby(belief.stretches)]
    doing = begun.pop() if begun and belief.next_steps else ""
    return BeliefSummary(
        None if belief.goal is None else _goal_summary(belief.goal, progress),
        tuple(f"{hint.things} {hint.relation} {hint.place}" for hint in belief.hints),
        tuple(begun[-_MAX_DONE_STRETCHES:]),
        doing,
        () if progress is None else tuple(_unmet_steps(progress, ShortNames(placed.world))),
    )


def _goal_summary(goal: BelievedGoal, progress: Progress | None) -> GoalSummary:
    total = 0 if progress is None else progress.goal_conditions_total
    met = 0 if progress is None else min(progress.goal_conditions_satisfied, total)
    return GoalSummary(
        short_task_title(goal.task),
        goal.source,
        () if goal.content is None else goal_lines(goal.content),
        tuple((each.part, evidence_words(each)) for each in goal.evidence),
        goal.confidence,
        met,
        total,
    )


def _unmet_steps(progress: Progress, names: ShortNames) -> dict[str, None]:
    found: dict[str, None] = {}
    for subgoal in progress.subgoals:
        for step in subgoal.steps:
            if not step.success and step.text:
                name = names.name_of(step.object_id) if step.object_id else ""
                found[f"{step.text} ({name})" if name else step.text] = None
        if not subgoal.success and not subgoal.steps and subgoal.description:
            found[subgoal.description] = None
    return found


class DifferenceKind(StrEnum):
    """How a belief differs from the world."""

    WRONG = "believed wrongly"
    NOT_THERE = "believed, and not there"
    UNSEEN = "not seen yet"


@dataclass(frozen=True, slots=True)
class Difference:
    """One object about which a belief and the world differ.

    `object_id` is that of the world, or for `NOT_THERE` that of the belief in the world.  `text`
    says what differs: "Mug 2: believed dirty, is clean".
    """

    kind: DifferenceKind
    object_id: str
    text: str


def find_differences(placed: BeliefInWorld) -> tuple[Difference, ...]:
    """Return what a belief takes wrongly, then what is not there, then what was not seen.

    Walls and floor, and what has been cut up, do not count, nor what a thing is in where the world
    does not say.  Of what was not seen, things that can be carried come first.
    """
    world = placed.world
    names = ShortNames(world)
    wrong, absent = list[Difference](), list[Difference]()
    for believed in placed.snapshot.objects:
        if believed.objectType in BACKDROP_TYPES or believed.isSliced:
            continue
        true = world.get(believed.objectId)
        if true is None:
            where = f" {_place(believed, names)}" if believed.parentReceptacles else ""
            text = f"{believed.objectType}: it thinks there is one{where}; there is none"
            absent.append(Difference(DifferenceKind.NOT_THERE, believed.objectId, text))
        elif what := "; ".join(_faults(believed, true, names)):
            text = f"{names.name_of(true.objectId)}: {what}"
            wrong.append(Difference(DifferenceKind.WRONG, true.objectId, text))
    return (*wrong, *absent, *_unseen(placed.snapshot, world, names))


def _unseen(believed: Snapshot, world: Snapshot, names: ShortNames) -> Iterator[Difference]:
    unseen = [
        obj
        for obj in world.objects
        if obj.objectType not in BACKDROP_TYPES
        and not obj.isSliced
        and believed.get(obj.objectId) is None
    ]
    for obj in sorted(unseen, key=lambda each: not each.affordances.pickupable):
        name = names.name_of(obj.objectId)
        text = f"{name} {_place(obj, names)}" if obj.parentReceptacles else name
        yield Difference(DifferenceKind.UNSEEN, obj.objectId, text)


def _faults(believed: ObjectState, true: ObjectState, names: ShortNames) -> Iterator[str]:
    ours, theirs = state_words(believed), state_words(true)
    extra = ", ".join(word for word in ours if word not in theirs)
    lacking = ", ".join(word for word in theirs if word not in ours)
    if extra or lacking:
        told = (
            extra and f"it thinks {extra}",
            lacking and f"{'really' if extra else 'is'} {lacking}",
        )
        yield "; ".join(filter(None, told))
    if believed.isPickedUp or true.isPickedUp or not believed.affordances.pickupable:
        return
    inside, around = believed.parentReceptacles or (), true.parentReceptacles
    if around is not None and not set(inside) & set(around) and (inside or around):
        yield f"it thinks {_place(believed, names)}; really {_place(true, names)}"
    elif (apart := dist(believed.box.center, true.box.center)) > MOVED_METRES:
        yield f"really {apart:.1f} m from where it thinks"


def _place(obj: ObjectState, names: ShortNames) -> str:
    if obj.isPickedUp:
        return "in the hand"
    parents = obj.parentReceptacles or ()
    if not parents:
        return "by itself"
    return f"{preposition_for(type_in_id(parents[0]))} {names.name_of(parents[0])}"
