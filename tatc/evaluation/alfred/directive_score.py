"""Scores of directives: the goal that annotators' words ask for beside the trajectory's own task.

*Task*: the same of ALFRED's seven types.  *Exact*: also the same object, receptacle, container and
lamp, and whole or sliced.  Each annotator's words count once.

With the furniture of floor plans it is known which types the home has: those of the furniture and
of the objects that lie about, not those that the task or the expert's actions name.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput
from tatc.language.understanding.alfred.directive_goal import read_directives
from tatc.language.understanding.alfred.directive_sentence import DirectiveGoal
from tatc.session.alfred.floor_plan_files import FurnitureCatalogue
from tatc.session.directives import AnnotatedLanguage
from tatc.session.records.trajectory import (
    Trajectory,
    TrajectoryTask,
    current_type,
    read_trajectory,
)
from tatc.tdl import shipped_library


@dataclass(frozen=True, slots=True)
class DirectiveScore:
    """How one annotator's words were read; `skipped` says why a file has none, "" if it has."""

    task: str
    language: AnnotatedLanguage = AnnotatedLanguage.GOAL
    is_task: bool = False
    is_exact: bool = False
    skipped: str = ""


def score_directives(
    paths: Iterable[Path], catalogue: FurnitureCatalogue | None = None
) -> Iterator[DirectiveScore]:
    """Yield the scores of the words of each trajectory: of goal sentences, and with the steps.

    With a `catalogue` of furniture they are read by the types that the home has.
    """
    for path in paths:
        try:
            trajectory = read_trajectory(path)
        except BadInput as fault:
            yield DirectiveScore("", skipped=fault.one_line)
            continue
        if trajectory.task is None:
            yield DirectiveScore("", skipped=f"{path}: has no task, as none of the test folds has")
        else:
            home = () if catalogue is None else _types_in(trajectory, catalogue)
            yield from _scores_of(trajectory, trajectory.task, home)


def _types_in(trajectory: Trajectory, catalogue: FurnitureCatalogue) -> tuple[str, ...]:
    """Return the type of each object of a trajectory's home at its start."""
    furniture = catalogue.find(trajectory.floor_plan, str(trajectory.path)).objects
    fixed = (obj.objectType for obj in furniture if not obj.affordances.pickupable)
    return (*fixed, *(current_type(pose.type) for pose in trajectory.object_poses))


def _scores_of(
    trajectory: Trajectory, task: TrajectoryTask, home: Collection[str]
) -> Iterator[DirectiveScore]:
    library, wanted = shipped_library(), _types_of(task)
    for words in trajectory.annotations:
        for language in AnnotatedLanguage:
            steps = words.steps if language is AnnotatedLanguage.STEPS else ()
            found = read_directives(words.goal, steps, home)
            is_task = library.find(found.task).name == library.find(task.type.value).name
            is_exact = is_task and replace(found, task="") == wanted
            yield DirectiveScore(task.type.value, language, is_task, is_exact)


def _types_of(task: TrajectoryTask) -> DirectiveGoal:
    """Return the types of a trajectory's task as a goal of directives without a task."""
    place = "" if task.toggle else task.receptacle
    return DirectiveGoal(
        "", current_type(task.object), place, task.movable, task.toggle, task.sliced
    )


def summarize_directives(scores: Collection[DirectiveScore]) -> dict[str, Any]:
    """Return the shares for goal sentences and with steps, in all and for each type of task."""
    kept = [each for each in scores if not each.skipped]
    return {language.value: _summary(kept, language) for language in AnnotatedLanguage}


def _summary(scores: Sequence[DirectiveScore], language: AnnotatedLanguage) -> dict[str, Any]:
    own = [each for each in scores if each.language is language]
    types = dict.fromkeys(sorted(each.task for each in own))
    per_task = {name: _shares([each for each in own if each.task == name]) for name in types}
    return {**_shares(own), "per_task": per_task}


def _shares(scores: Sequence[DirectiveScore]) -> dict[str, Any]:
    n = len(scores)
    return {
        "n": n,
        "task": round(sum(each.is_task for each in scores) / n, 4) if n else None,
        "exact": round(sum(each.is_exact for each in scores) / n, 4) if n else None,
    }
