"""`tatc debug`: step through a session, forwards and backwards."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.exit_status import exit_for_end
from tatc.commands.output import console, examples_epilog
from tatc.commands.shared_options import (
    CommanderOption,
    FloorMapOption,
    FollowerOption,
    GameOption,
    NoiseOption,
    ParamsOption,
    PlannerOption,
    PoliciesOption,
    SeedOption,
    TaskFoldersOption,
    WordingOption,
)

if TYPE_CHECKING:
    from tatc.debugger.breakpoints import Breakpoints
    from tatc.debugger.debugger import Debugger
    from tatc.session.runner import SessionSetup
    from tatc.session.start import SessionStart
    from tatc.timeline import FinishedSession

EXAMPLES = examples_epilog(
    "tatc debug --task coffee",
    "tatc debug --record coffee.game.json --at 40",
    "tatc debug --game games/coffee.game.json --commander my_agents:MyCommander",
    "tatc debug --task coffee --at 40 --print",
    "tatc debug --record coffee.game.json --at 40 --save-case test_coffee.py",
)


def debug(
    task: Annotated[
        str | None, typer.Option(help="Start a session of this task, as `tatc run` does.")
    ] = None,
    room: Annotated[str | None, typer.Option(help="Where: a shipped room or a room file.")] = None,
    game: GameOption = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Open what was done: a record of `tatc run`, or what people did in a "
            "recorded TEACh game.",
        ),
    ] = None,
    at: Annotated[int, typer.Option(metavar="N", min=0, help="Begin at this step.")] = 0,
    param: ParamsOption = None,
    seed: SeedOption = 1,
    breakpoints: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where breakpoints are kept; default: your own file."),
    ] = None,
    tasks: TaskFoldersOption = None,
    floor_map: FloorMapOption = "boxes",
    commander: CommanderOption = "rule",
    follower: FollowerOption = "rule",
    planner: PlannerOption = "policies",
    policies: PoliciesOption = None,
    noise: NoiseOption = 0.0,
    wording: WordingOption = "actions",
    as_text: Annotated[
        bool, typer.Option("--print", help="Print the step as text and exit.")
    ] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Write the screen as SVG and exit.")
    ] = None,
    save_case: Annotated[
        Path | None,
        typer.Option(
            metavar="test_*.py",
            help="Write the session up to the step as a test of pytest's and exit.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Step through a session, forwards and backwards.

    Each step shows what the task lacks and why, and why the Commander said what it
    said.  Keys: n and b step, r runs to a breakpoint, a acts by hand, x loads changed
    code, ? shows the rest.

    At the end of a session, exit status 1 when the task was not solved and 3 when an
    agent crashed; else 0.
    """
    from tatc.debugger.debugger import Debugger
    from tatc.session.agents import commander_with_planner
    from tatc.session.runner import SessionSetup

    commander_name = commander_with_planner(commander, planner)
    setup = SessionSetup(floor_map, commander_name, follower, noise, wording)
    setup.validate()
    points, folders = _load_breakpoints(breakpoints), policies or ()
    if record is not None:
        _refuse_task_and_place(task, room, game)
        session = _read_session(record, tasks, floor_map)
        debugger = Debugger.open_finished(
            session, setup=_choose_agents(session, setup), policies=folders, breakpoints=points
        )
    else:
        opening = _session_start(task, room, game, param, seed, tasks)
        debugger = Debugger.start_live(opening, setup, policies=folders, breakpoints=points)
    try:
        message = debugger.go_to(at).reason
        if save_case is not None:
            _write_pytest_case(debugger, save_case, force)
        elif picture is not None:
            _write_screenshot(debugger, picture, force)
        elif as_text:
            _print_step(debugger)
        else:
            _open_terminal(debugger, message)
        if debugger.at_end is not None:
            exit_for_end(debugger.at_end)
    finally:
        debugger.close()


def _open_terminal(debugger: "Debugger", message: str) -> None:
    import sys

    from tatc.debugger.terminal_app import DebuggerApp
    from tatc.errors import BadInput

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("the debugger needs a terminal", fix="--print tells a step as text")
    DebuggerApp(debugger, message).run()


def _print_step(debugger: "Debugger") -> None:
    from tatc.debugger.follower_camera import FollowerCamera
    from tatc.debugger.pane_texts import all_pane_texts

    camera = FollowerCamera(debugger.branch.timeline.opening.scene)
    out = console()
    for line in all_pane_texts(debugger, camera):
        out.print(line)


def _write_screenshot(debugger: "Debugger", path: Path, force: bool) -> None:
    import asyncio

    from tatc.atomic_files import check_writable, write_atomically
    from tatc.debugger.terminal_app import screenshot_svg

    check_writable(path, force=force)
    svg = asyncio.run(screenshot_svg(debugger))
    write_atomically(svg.encode(), path, force=force)
    typer.echo(path)


def _write_pytest_case(debugger: "Debugger", path: Path, force: bool) -> None:
    from tatc.debugger.pytest_cases import write_pytest_case

    record = write_pytest_case(debugger, path, force=force)
    typer.echo(f"{path} and {record}: run them with pytest {path}")


def _load_breakpoints(path: Path | None) -> "Breakpoints":
    from platformdirs import user_config_path

    from tatc.debugger.breakpoints import Breakpoints

    return Breakpoints(path or user_config_path("tatc") / "breakpoints.txt")


def _session_start(
    task: str | None,
    room: str | None,
    game: Path | None,
    param: list[str] | None,
    seed: int,
    tasks: list[Path] | None,
) -> "SessionStart":
    from tatc.session.runner import find_session_start

    return find_session_start(
        task=task, room=room, game=game, params=param or (), seed=seed, task_folders=tasks or ()
    )


def _refuse_task_and_place(task: str | None, room: str | None, game: Path | None) -> None:
    from tatc.errors import BadInput

    if task is not None or room is not None or game is not None:
        fix = "leave out --task, --room and --game"
        raise BadInput("a record brings its own task and place", fix=fix)


def _read_session(record: Path, tasks: list[Path] | None, floor_map: str) -> "FinishedSession":
    from tatc.tdl import load_library
    from tatc.timeline import read_finished_session

    return read_finished_session(record, load_library(tasks or ()), floor_map=floor_map)


def _choose_agents(source: "FinishedSession", setup: "SessionSetup") -> "SessionSetup":
    """Return the agents of a record, unless others are asked for."""
    from tatc.session.runner import SessionSetup

    asked = setup != SessionSetup(setup.floor_map)
    return setup if asked else source.setup
