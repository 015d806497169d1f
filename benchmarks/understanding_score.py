"""Scores of understanding: the goal of a recorded game's dialogue beside the game's own task.

*Exact*: the same task with the same parameters, as far as they matter: prepositions do not, nor a
dish that is asked for zero times.  *Task*: the same task.  *Sufficient*: the rule pair, given the
understood goal, ends with the game's task done.  "Put All X In One Y" counts for "Put All X On Y",
which it fulfils, where nobody said whether one place is meant; `named` counts names alone.

Of ALFRED's directives, each annotator's words once, *task* is the type of the trajectory's task,
and *exact* also object, receptacle, container and lamp, whole or sliced.
"""

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput, TatcError
from tatc.base.process_pool import map_in_processes
from tatc.language.understanding import Understanding, goals, understand
from tatc.language.understanding.alfred.directive_goal import DirectiveGoal, read_directives
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.alfred.floor_plan_files import FurnitureCatalogue
from tatc.session.play import prepare, run_from_start
from tatc.session.records import game, read_game, trajectory as trajectories
from tatc.session.start import AnnotatedLanguage, SessionStart, start_from_game
from tatc.tdl import Task, shipped_library

_IN_ONE, _ON = "Put All X In One Y", "Put All X On Y"
# Of Breakfast: a count, and the parameters that matter only if it is not 0.
_MATTERS_IF = {2: (3,), 4: (5,), 6: (7, 8), 9: (10, 11, 12)}
_PREPOSITION_PLACES = {_IN_ONE: 1, _ON: 1, "N Slices Of X In Y": 2, "N Cooked Slices Of X In Y": 2}


@dataclass(frozen=True, slots=True)
class UnderstandingScore:
    """The score of one game; `skipped` says why the file could not be scored, "" if it was.

    `understood` is the shipped task that was understood, "composed" for another goal, "none" for
    none. `is_solvable` says whether the rule pair does the game's task, given its true goal;
    `is_sufficient` is False where it does not.
    """

    path: str
    task: str = ""
    understood: str = "none"
    is_named: bool = False
    is_task: bool = False
    is_exact: bool = False
    is_solvable: bool = False
    is_sufficient: bool = False
    confidence: float = 0.0
    skipped: str = ""


def score_games(
    paths: Sequence[Path],
    workers: int = 1,
    *,
    other_dialogue: bool = False,
    quick: bool = False,
) -> Generator[UnderstandingScore]:
    """Yield the score of each game in the order given.

    With `other_dialogue`, each gets another's, as a control; with `quick`, no sessions run.
    """
    shift = max(1, len(paths) // 2) if other_dialogue else 0
    jobs = [(each, paths[(k + shift) % len(paths)]) for k, each in enumerate(paths)]
    yield from map_in_processes(
        partial(_score, quick=quick), jobs, workers,
        lambda job, why: UnderstandingScore(str(job[0]), skipped=f"{job[0]}: {why}"),
    )  # fmt: skip


def _score(job: tuple[Path, Path], *, quick: bool) -> UnderstandingScore:
    path, dialogue = job
    try:
        start = start_from_game(path, shipped_library(), None, (), 0)
        understood = understand(game.dialogue_of(read_game(dialogue)))
    except BadInput as fault:
        return UnderstandingScore(str(path), skipped=fault.one_line)
    score = _compare(UnderstandingScore(str(path)), start.task, understood)
    if quick:
        return score
    is_solvable = _reaches(start, start.task)
    is_sufficient = False
    if is_solvable and understood.goal is not None:
        goal = understood.goal.task
        is_sufficient = goal.definition == start.task.definition or _reaches(start, goal)
    return replace(score, is_solvable=is_solvable, is_sufficient=is_sufficient)


def summarize(scores: Sequence[UnderstandingScore], *, quick: bool = False) -> dict[str, Any]:
    """Return the shares of scored games, null of nothing, in all and for each task.

    `sufficient` is a share of the `solvable` games.  `confident` has the shares of the most
    confident nine tenths of dialogues.
    """
    scored = [each for each in scores if not each.skipped]
    by_task: dict[str, list[UnderstandingScore]] = {}
    for each in scored:
        by_task.setdefault(each.task, []).append(each)
    surest = sorted(scored, key=lambda each: -each.confidence)[: -(-len(scored) * 9 // 10)]
    return {
        **_shares(scored, quick),
        "confident": _shares(surest, quick),
        "per_task": {name: _shares(by_task[name], quick) for name in sorted(by_task)},
    }


def _shares(scores: Sequence[UnderstandingScore], quick: bool) -> dict[str, Any]:
    n, solvable = len(scores), [each for each in scores if each.is_solvable]
    sufficient = sum(each.is_sufficient for each in solvable)
    return {
        "n": n,
        "task": _share(sum(each.is_task for each in scores), n),
        "exact": _share(sum(each.is_exact for each in scores), n),
        "sufficient": None if quick else _share(sufficient, len(solvable)),
        "named": _share(sum(each.is_named for each in scores), n),
        "solvable": None if quick else len(solvable),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _compare(score: UnderstandingScore, task: Task, found: Understanding) -> UnderstandingScore:
    score = replace(score, task=task.name, confidence=found.confidence)
    if found.goal is None:
        return score
    form = found.goal.library_task
    if form is None:
        return replace(score, understood="composed")
    name, params = form
    is_open = any(each.about == goals.OpenPart.ONE_PLACE for each in found.questions)
    is_task = name == task.name or (is_open and (name, task.name) == (_IN_ONE, _ON))
    return replace(
        score,
        understood=name,
        is_named=name == task.name,
        is_task=is_task,
        is_exact=is_task and _that_matter(name, params) == _that_matter(task.name, task.params),
    )


def _that_matter(name: str, params: Sequence[str]) -> tuple[str, ...]:
    """Return the parameters with those that do not matter made empty."""
    values = list(params)
    if name in _PREPOSITION_PLACES:
        values[_PREPOSITION_PLACES[name]] = ""
    if name == "Breakfast":
        for count, places in _MATTERS_IF.items():
            if values[count] == "0":
                for place in places:
                    values[place] = ""
    return tuple(values)


def _reaches(start: SessionStart, goal: Task) -> bool:
    """Return whether the rule pair, given a goal, ends with the true task done."""
    try:
        result, _ = run_from_start(replace(start, task=goal), prepare(SessionSetup()))
    except TatcError:  # of an agent: no session
        return False
    return start.task.check(result.final).success


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

    With a `catalogue` of furniture they are read by the types that the home has: those of the
    furniture and of what lies about, not those that the task or the expert's actions name.
    """
    for path in paths:
        try:
            trajectory = trajectories.read_trajectory(path)
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
            home = (
                *fixed,
                *(trajectories.current_type(pose.type) for pose in trajectory.object_poses),
            )
        yield from _scores_of(trajectory, trajectory.task, home)


def _scores_of(
    trajectory: trajectories.Trajectory, task: trajectories.TrajectoryTask, home: Collection[str]
) -> Iterator[DirectiveScore]:
    library, place = shipped_library(), "" if task.toggle else task.receptacle
    types = (trajectories.current_type(task.object), place, task.movable, task.toggle, task.sliced)
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
        per_task = {
            name: _directive_shares([each for each in own if each.task == name]) for name in types
        }
        found[language.value] = {**_directive_shares(own), "per_task": per_task}
    return found


def _directive_shares(scores: Sequence[DirectiveScore]) -> dict[str, Any]:
    n = len(scores)
    task, exact = sum(each.is_task for each in scores), sum(each.is_exact for each in scores)
    return {"n": n, "task": _share(task, n), "exact": _share(exact, n)}
