"""The Python API: run a session, evaluate many, load a recorded game.

These three and what they return are stable; `docs/guides/python.md` shows them.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from tatc.evaluation.eval_options import EvalOptions, SaveRecords
from tatc.evaluation.rows import SessionRow
from tatc.evaluation.run_evaluation import locate_run_folder
from tatc.evaluation.run_evaluation import run_evaluation as _evaluate
from tatc.evaluation.run_folder import RunFolder
from tatc.evaluation.run_report import RunReport, read_report
from tatc.evaluation.session_selection import select_sessions
from tatc.records import Game, Record, read_game
from tatc.session import SessionEvent
from tatc.session.agent_makers import (
    AgentMakers,
    CommanderArgument,
    FollowerArgument,
    agent_maker,
    agent_name,
)
from tatc.session.runner import (
    MAP_FROM_BOXES,
    SessionSetup,
    find_session_start,
    make_record,
    run_from_start,
)
from tatc.session.user_policies import user_policies
from tatc.tdl import load_library

__all__ = ["evaluate", "load_game", "run"]


def run(
    task: str | None = None,
    *,
    room: str | None = None,
    game: str | Path | None = None,
    params: Sequence[str] = (),
    seed: int = 1,
    commander: CommanderArgument = "rule",
    follower: FollowerArgument = "rule",
    noise: float = 0.0,
    wording: str = "actions",
    floor_map: str = MAP_FROM_BOXES,
    definitions: Sequence[str | Path] = (),
    policies: Sequence[str | Path] = (),
    watch: Callable[[SessionEvent], None] | None = None,
) -> Record:
    """Run one session, as `tatc run` does, and return its record; nothing is saved.

    Args:
        task: a name or a number; with a game, its own task where none is named.
        room: a shipped room or a room file; the first that can hold the task if none.
        game: a recorded game whose start to take, in place of a room.
        params: parameters of the task, "NAME=VALUE" or in order; the rest are drawn.
        seed: draws start and parameters.
        commander: "rule", the name of an entry point, or "module:Class"; or a class, a
            function that makes a Commander, or an instance.
        follower: likewise; also "random", "et" or "et:FILE".
        noise: the probability with which each primitive fails.
        wording: the grain at which the Commander speaks: actions, steps or goals.
        floor_map: "boxes" or a map file.
        definitions: folders of task definitions to add.
        policies: folders of subgoal policies to add.
        watch: called with every logged action as it happens.

    Raises:
        BadInput: something that was named does not exist or does not fit.

    """
    opening = find_session_start(
        task=task,
        room=room,
        game=None if game is None else Path(game),
        params=params,
        seed=seed,
        task_folders=_as_paths(definitions),
    )
    names = agent_name(commander), agent_name(follower)
    setup = SessionSetup(floor_map, *names, noise, wording)
    makers = AgentMakers(agent_maker(commander, "Commander"), agent_maker(follower, "Follower"))
    setup.validate(makers)
    with user_policies(_as_paths(policies)):
        result, used = run_from_start(opening, setup, makers=makers, watch=watch)
    return make_record(opening, result, used, setup)


def evaluate(
    games: Sequence[str | Path] = (),
    *,
    rooms: Sequence[str] = (),
    seeds: Sequence[int] = (1,),
    tasks: Sequence[str] = (),
    limit: int | None = None,
    seed: int = 1,
    commander: str = "rule",
    follower: str = "rule",
    noise: float = 0.0,
    wording: str = "actions",
    floor_map: str = MAP_FROM_BOXES,
    definitions: Sequence[str | Path] = (),
    policies: Sequence[str | Path] = (),
    workers: int = 1,
    out: str | Path | None = None,
    save_records: str = "failures",
    watch: Callable[[SessionRow], None] = lambda row: None,
) -> RunReport:
    """Run many sessions, as `tatc eval` does, and return the report.

    Without games it runs in rooms: all that are shipped, or those named.  What is
    done is kept in the folder `out` (one in the user's data folder if none), and the
    same call goes on where it was broken off.  `watch` is told of each session.

    Raises:
        BadInput: something that was named does not exist, or `out` holds another run.
        OutputError: `out` cannot be made.

    """
    options = EvalOptions(
        games=tuple(map(str, games)),
        rooms=tuple(rooms),
        seeds=tuple(seeds),
        tasks=tuple(tasks),
        limit=limit,
        seed=seed,
        setup=SessionSetup(floor_map, commander, follower, noise, wording),
        definitions=tuple(map(str, definitions)),
        policies=tuple(map(str, policies)),
        keep=SaveRecords(save_records),
    )
    chosen = select_sessions(options, load_library(_as_paths(definitions)))
    folder: RunFolder = locate_run_folder(None if out is None else Path(out), options)
    _evaluate(folder, options, chosen, workers=workers, on_row=watch)
    return read_report([folder])


def load_game(path: str | Path) -> Game:
    """Read a recorded TEACh game, or a record of tatc's; the end when it is asked for.

    Raises:
        BadInput: there is no such file, or it is no game.

    """
    return read_game(path)


def _as_paths(given: Sequence[str | Path]) -> list[Path]:
    return [Path(each) for each in given]
