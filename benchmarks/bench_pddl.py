"""PDDL: writing, grounding, searching and replaying whole tasks, each timed separately.

The target is 50 ms for writing and search together, in the median over the starts of recorded
games.  A replay uses pddlpy's parser and is not a part of planning.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

from benchmarks.plan_validation import parse, validate_plan
from tatc.home.state import Snapshot
from tatc.planners.pddl.goal_selection import select_goals
from tatc.planners.pddl.pddlpy_adapter import ground_task, to_domain_problem
from tatc.planners.pddl.problem import PddlProblem, SearchVerdict, domain_text
from tatc.planners.pddl.problem_writer import write_problem
from tatc.planners.pddl.search import search_plan
from tatc.planners.snapshot_view import PlanningView
from tatc.session.records import find_games, read_start
from tatc.tdl import Task, assign_classes, load_library

GAME_COUNT = 120
OBJECT_COUNTS = (10, 20, 40)
"""The numbers of objects to put away in the made-up problems."""

_T = TypeVar("_T")


def run(games: Path | None = None) -> Iterator[tuple[str, float, str]]:
    """Yield the figures; those of recorded starts need `games`."""
    took, _ = _time_call(lambda: parse(_put_away_problem(1).pddl_text(), domain_text()))
    yield "domain and a problem parsed", took, "ms"
    for count in OBJECT_COUNTS:
        problem = _put_away_problem(count)
        took, found = _time_call(
            lambda p=problem: search_plan(ground_task(to_domain_problem(p)), p.agenda)
        )
        yield f"{count} objects put away: ground and search", took, "ms"
        yield f"{count} objects put away: plan", len(found.actions), "steps"
    if games is not None:
        yield from _recorded_figures(games)


def _recorded_figures(games: Path) -> Iterator[tuple[str, float, str]]:
    rows: list[tuple[float, float, float, float]] = []
    sizes: list[int] = []
    solved = 0
    starts = list(_starts(games))
    for task, snapshot in starts:
        writing, problem = _time_call(lambda t=task, s=snapshot: _write(t, s))
        grounding, grounded = _time_call(lambda p=problem: ground_task(to_domain_problem(p)))
        seeking, found = _time_call(lambda g=grounded, p=problem: search_plan(g, p.agenda))
        if found.verdict is SearchVerdict.PLAN_FOUND:
            plan = tuple(action.step for action in found.actions)
            again, result = _time_call(lambda p=problem, s=plan: validate_plan(p.pddl_text(), s))
            solved += result.is_valid
            rows.append((writing, grounding, seeking, again))
            sizes.append(len(plan))
    yield "recorded starts", len(starts), "games"
    yield "planned, and the plan replays", solved, "games"
    if rows:
        planning = [sum(row[:3]) for row in rows]
        for i, name in enumerate(("write", "ground", "search", "replay")):
            yield f"{name}, median", median(row[i] for row in rows), "ms"
        yield "write, ground and search, median", median(planning), "ms"
        yield "write, ground and search, longest", max(planning), "ms"
        yield "plan, median", median(sizes), "steps"
        yield "plan, longest", max(sizes), "steps"


def _starts(games: Path) -> Iterator[tuple[Task, Snapshot]]:
    library = load_library()
    paths = find_games([games])
    for path in paths[:: max(1, len(paths) // GAME_COUNT)][:GAME_COUNT]:
        game = read_start(path)
        start = game.scene.initial
        objects = assign_classes(start.objects)
        task = library.compile(game.task_name, game.task_params)
        yield task, Snapshot.from_objects(objects, start.commander, start.follower)


def _write(task: Task, snapshot: Snapshot) -> PddlProblem:
    home = PlanningView(snapshot)
    return write_problem(home, select_goals(task.definition, home))


def _put_away_problem(count: int) -> PddlProblem:
    """Return the problem of putting objects from a table into a closed cabinet."""
    objects = [f"object-{i:02}" for i in range(count)]
    goal = tuple(("in", obj, "cabinet") for obj in objects)
    return PddlProblem(
        (*((obj, "solid") for obj in objects), ("cabinet", "fixture")),
        (
            ("hand-free",),
            ("shut", "cabinet"),
            ("has-door", "cabinet"),
            ("roomy", "cabinet"),
            *(("aside", obj) for obj in objects),
            *(("fits", obj, "cabinet") for obj in objects),
        ),
        goal,
        tuple((atom,) for atom in goal),
    )


def _time_call(work: Callable[[], _T]) -> tuple[float, _T]:
    """Return the milliseconds that a call takes, and its result."""
    start = perf_counter()
    result = work()
    return (perf_counter() - start) * 1e3, result
