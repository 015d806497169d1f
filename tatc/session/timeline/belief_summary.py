"""A belief in words, as the debugger and the viewer tell it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from math import dist

from tatc.follower.listener.belief import BelievedGoal, GoalSource
from tatc.home.actions import PrimitiveStep
from tatc.home.state import ObjectState, ShortNames, Snapshot, type_in_id
from tatc.language.object_names import preposition_for
from tatc.language.understanding import PlaceHint
from tatc.language.understanding.goal_json import evidence_words, goal_lines
from tatc.session.timeline.belief_in_world import BeliefInWorld
from tatc.session.transcript import short_task_title
from tatc.sim.top_view.plan_model import BACKDROP_TYPES, state_words
from tatc.tdl import Progress

_MAX_DONE_STRETCHES = 8


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
    """A belief in words; fields as in `tatc.follower.listener.belief.Belief`.

    `done` are the last stretches before the present one, `doing` is the present one ("" for none),
    and `to_do` what the goal lacks then, as far as the Follower believes.
    """

    goal: GoalSummary | None
    open_questions: tuple[str, ...]
    hints: tuple[str, ...]
    said: tuple[str, ...]
    utterances_left: int
    done: tuple[str, ...]
    doing: str
    next_steps: tuple[PrimitiveStep, ...]
    to_do: tuple[str, ...]
    end: str


def summarize_belief(placed: BeliefInWorld) -> BeliefSummary:
    """Return a belief in words; objects have the names that they have in the world."""
    belief = placed.belief
    progress = None if belief.goal is None else belief.goal.task.check(placed.snapshot)
    begun = [words for words, _ in groupby(each.words for each in belief.stretches)]
    doing = begun.pop() if begun and belief.next_steps else ""
    return BeliefSummary(
        None if belief.goal is None else _goal_summary(belief.goal, progress),
        belief.open_questions,
        tuple(map(_hint_words, belief.hints)),
        belief.said,
        belief.utterances_left,
        tuple(begun[-_MAX_DONE_STRETCHES:]),
        doing,
        belief.next_steps,
        () if progress is None else tuple(_unmet_steps(progress, ShortNames(placed.world))),
        belief.end,
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


def _hint_words(hint: PlaceHint) -> str:
    return f"{hint.things} {hint.relation} {hint.place}"


def _unmet_steps(progress: Progress, names: ShortNames) -> dict[str, None]:
    """Return what the goal lacks, each once and in order."""
    found: dict[str, None] = {}
    for subgoal in progress.subgoals:
        for step in subgoal.steps:
            if not step.success and step.text:
                name = names.name_of(step.object_id) if step.object_id else ""
                found[f"{step.text} ({name})" if name else step.text] = None
        if not subgoal.success and not subgoal.steps and subgoal.description:
            found[subgoal.description] = None
    return found


# Where a belief and the world differ: what a Follower takes wrongly, and what it does not know.

MOVED_METRES = 0.25
"""An object that is farther than this from where it is believed is believed elsewhere, metres."""


class DifferenceKind(StrEnum):
    """How a belief differs from the world."""

    WRONG = "wrong"
    NOT_THERE = "not there"
    UNSEEN = "unseen"


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
            text = f"{believed.objectType}: believed{where}, and is not there"
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
        yield ", ".join(filter(None, (extra and f"believed {extra}", lacking and f"is {lacking}")))
    if believed.isPickedUp or true.isPickedUp or not believed.affordances.pickupable:
        return
    inside, around = believed.parentReceptacles or (), true.parentReceptacles
    if around is not None and not set(inside) & set(around) and (inside or around):
        yield f"believed {_place(believed, names)}, is {_place(true, names)}"
    elif (apart := dist(believed.box.center, true.box.center)) > MOVED_METRES:
        yield f"{apart:.1f} m from where it is believed"


def _place(obj: ObjectState, names: ShortNames) -> str:
    if obj.isPickedUp:
        return "in the hand"
    parents = obj.parentReceptacles or ()
    if not parents:
        return "by itself"
    return f"{preposition_for(type_in_id(parents[0]))} {names.name_of(parents[0])}"
