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
            continue
        home: tuple[str, ...] = ()
        if catalogue is not None:
            furniture = catalogue.find(trajectory.floor_plan, str(trajectory.path)).objects
            fixed = (obj.objectType for obj in furniture if not obj.affordances.pickupable)
            home = (*fixed, *(current_type(pose.type) for pose in trajectory.object_poses))
        yield from _scores_of(trajectory, trajectory.task, home)


def _scores_of(
    trajectory: Trajectory, task: TrajectoryTask, home: Collection[str]
) -> Iterator[DirectiveScore]:
    library, place = shipped_library(), "" if task.toggle else task.receptacle
    types = (current_type(task.object), place, task.movable, task.toggle, task.sliced)
    wanted = DirectiveGoal("", *types)
    for words in trajectory.annotations:
        for language in AnnotatedLanguage:
            steps = words.steps if language is AnnotatedLanguage.STEPS else ()
            found = read_directives(words.goal, steps, home)
            is_task = library.find(found.task).name == library.find(task.type.value).name
            is_exact = is_task and replace(found, task="") == wanted
            yield DirectiveScore(task.type.value, language, is_task, is_exact)


def summarize_directives(scores: Collection[DirectiveScore]) -> dict[str, Any]:
    """Return the shares for goal sentences and with steps, in all and for each type of task."""
    found: dict[str, Any] = {}
    for language in AnnotatedLanguage:
        own = [each for each in scores if not each.skipped and each.language is language]
        types = sorted({each.task for each in own})
        per_task = {name: _shares([each for each in own if each.task == name]) for name in types}
        found[language.value] = {**_shares(own), "per_task": per_task}
    return found


def _shares(scores: Sequence[DirectiveScore]) -> dict[str, Any]:
    n = len(scores)
    return {
        "n": n,
        "task": round(sum(each.is_task for each in scores) / n, 4) if n else None,
        "exact": round(sum(each.is_exact for each in scores) / n, 4) if n else None,
    }
