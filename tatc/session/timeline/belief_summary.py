"""A belief in words, as the debugger and the viewer tell it."""

from dataclasses import dataclass
from itertools import groupby

from tatc.follower.listener.belief import BelievedGoal, GoalSource
from tatc.home.actions import PrimitiveStep
from tatc.home.state import ShortNames
from tatc.language.understanding import PlaceHint
from tatc.language.understanding.goal_json import evidence_words, goal_lines
from tatc.session.timeline.belief_in_world import BeliefInWorld
from tatc.session.transcript import short_task_title
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
