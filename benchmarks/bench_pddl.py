"""PDDL: writing, grounding, searching and replaying whole tasks, each apart.

The target is 50 ms for writing and search together, in the median over starts of
recorded games; a replay goes through pddlpy's parser and is no part of planning.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

from tatc.planners.pddl.aims import aims_of
from tatc.planners.pddl.grounding import ground
from tatc.planners.pddl.home import Home
from tatc.planners.pddl.language import bound, domain_text, parse, replay
from tatc.planners.pddl.problem import Problem, Verdict
from tatc.planners.pddl.search import search
from tatc.planners.pddl.writing import write_problem
from tatc.records import find_games, read_start
from tatc.state import Snapshot
from tatc.tdl import Task, assign_classes, load_library

GAMES = 120
SHELVES = (10, 20, 40)
"""Things to put away in the made-up problems."""

_T = TypeVar("_T")


def run(games: Path | None = None) -> Iterator[tuple[str, float, str]]:
    """Yield the figures; those of recorded starts need `games`."""
    took, _ = _timed(lambda: parse(_shelf(1).text(), domain_text()))
    yield "domain and a problem parsed", took, "ms"
    for count in SHELVES:
        problem = _shelf(count)
        took, found = _timed(lambda p=problem: search(ground(bound(p)), p.agenda))
        yield f"{count} things put away: ground and search", took, "ms"
        yield f"{count} things put away: plan", len(found.actions), "steps"
    if games is not None:
        yield from _recorded(games)


def _recorded(games: Path) -> Iterator[tuple[str, float, str]]:
    rows: list[tuple[float, float, float, float]] = []
    sizes: list[int] = []
    solved = 0
    starts = list(_starts(games))
    for task, snapshot in starts:
        writing, problem = _timed(lambda t=task, s=snapshot: _write(t, s))
        grounding, grounded = _timed(lambda p=problem: ground(bound(p)))
        seeking, found = _timed(lambda g=grounded, p=problem: search(g, p.agenda))
        if found.verdict is Verdict.FOUND:
            plan = tuple(action.step for action in found.actions)
            again, result = _timed(lambda p=problem, s=plan: replay(p.text(), s))
            solved += result.valid
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
    for path in paths[:: max(1, len(paths) // GAMES)][:GAMES]:
        game = read_start(path)
        start = game.scene.start
        things = assign_classes(start.objects)
        task = library.compile(game.task_name, game.task_params)
        yield task, Snapshot.of(things, start.commander, start.follower)


def _write(task: Task, snapshot: Snapshot) -> Problem:
    home = Home(snapshot)
    return write_problem(home, aims_of(task.definition, home))


def _shelf(count: int) -> Problem:
    """Return the problem of putting things from a table into a closed cabinet."""
    things = [f"thing-{i:02}" for i in range(count)]
    goal = tuple(("in", thing, "cabinet") for thing in things)
    return Problem(
        (*((thing, "solid") for thing in things), ("cabinet", "fixture")),
        (
            ("hand-free",),
            ("shut", "cabinet"),
            ("has-door", "cabinet"),
            ("roomy", "cabinet"),
            *(("aside", thing) for thing in things),
            *(("fits", thing, "cabinet") for thing in things),
        ),
        goal,
        tuple((atom,) for atom in goal),
    )


def _timed(work: Callable[[], _T]) -> tuple[float, _T]:
    """Return the milliseconds that some work took, and what came of it."""
    start = perf_counter()
    result = work()
    return (perf_counter() - start) * 1e3, result
