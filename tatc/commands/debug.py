"""`tatc debug`: step through a session, forwards and backwards."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.options import (
    CommanderName,
    Definitions,
    FloorMap,
    FollowerName,
    GameFile,
    Noise,
    Params,
    PlannerName,
    Policies,
    Seed,
    WordingName,
)
from tatc.commands.output import console, examples

if TYPE_CHECKING:
    from tatc.debugger.breakpoints import Breakpoints
    from tatc.debugger.control import Debugger
    from tatc.opening import Opening
    from tatc.runner import Setup
    from tatc.timeline import Source

EXAMPLES = examples(
    "tatc debug --task coffee",
    "tatc debug --record coffee.game.json --at 40",
    "tatc debug --game games/coffee.game.json --commander my_agents:MyCommander",
    "tatc debug --task coffee --at 40 --print",
    "tatc debug --record coffee.game.json --at 40 --save-case test_coffee.py",
)


def debug(
    task: Annotated[
        str | None,
        typer.Option(help="Start a session of this task, as `tatc run` does."),
    ] = None,
    room: Annotated[
        str | None, typer.Option(help="Where: a shipped room or a room file.")
    ] = None,
    game: GameFile = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Open what was done: a record of `tatc run`, or what people did in a "
            "recorded TEACh game.",
        ),
    ] = None,
    at: Annotated[
        int, typer.Option(metavar="N", min=0, help="Begin at this step.")
    ] = 0,
    param: Params = None,
    seed: Seed = 1,
    breakpoints: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where breakpoints are kept; default: your own file."
        ),
    ] = None,
    tasks: Definitions = None,
    floor_map: FloorMap = "boxes",
    commander: CommanderName = "rule",
    follower: FollowerName = "rule",
    planner: PlannerName = "policies",
    policies: Policies = None,
    noise: Noise = 0.0,
    wording: WordingName = "actions",
    as_text: Annotated[
        bool, typer.Option("--print", help="Print the step as text and exit.")
    ] = False,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="Write the screen as SVG and exit."),
    ] = None,
    save_case: Annotated[
        Path | None,
        typer.Option(
            metavar="test_*.py",
            help="Write the session up to the step as a test of pytest's and exit.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that exist.")
    ] = False,
) -> None:
    """Step through a session, forwards and backwards.

    Each step shows what the task lacks and why, and why the Commander said what it
    said.  Keys: n and b step, r runs to a breakpoint, a acts by hand, x loads changed
    code, ? shows the rest.
    """
    from tatc.agents import with_planner
    from tatc.debugger.control import Debugger
    from tatc.runner import Setup

    speaker = with_planner(commander, planner)
    setup = Setup(floor_map, speaker, follower, noise, wording)
    setup.check()
    points, folders = _breakpoints(breakpoints), policies or ()
    if record is not None:
        _alone(task, room, game)
        source = _source(record, tasks, floor_map)
        debugger = Debugger.saved(
            source,
            setup=_agents(source, setup),
            policies=folders,
            breakpoints=points,
        )
    else:
        opening = _opening(task, room, game, param, seed, tasks)
        debugger = Debugger.live(opening, setup, policies=folders, breakpoints=points)
    try:
        told = debugger.jump(at).why
        if save_case is not None:
            _save_case(debugger, save_case, force)
        elif picture is not None:
            _picture(debugger, picture, force)
        elif as_text:
            _print(debugger)
        else:
            _open(debugger, told)
    finally:
        debugger.close()


def _open(debugger: "Debugger", told: str) -> None:
    import sys

    from tatc.debugger.app import DebuggerApp
    from tatc.errors import BadInput

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput(
            "the debugger needs a terminal", fix="--print tells a step as text"
        )
    DebuggerApp(debugger, told).run()


def _print(debugger: "Debugger") -> None:
    from tatc.debugger.panes import as_lines
    from tatc.debugger.sight import Sight

    sight = Sight(debugger.branch.timeline.opening.scene)
    out = console()
    for line in as_lines(debugger, sight):
        out.print(line)


def _picture(debugger: "Debugger", path: Path, force: bool) -> None:
    import asyncio

    from tatc.atomic import check_target, write_whole
    from tatc.debugger.app import picture

    check_target(path, force=force)
    svg = asyncio.run(picture(debugger))
    write_whole(svg.encode(), path, force=force)
    typer.echo(path)


def _save_case(debugger: "Debugger", path: Path, force: bool) -> None:
    from tatc.debugger.cases import write_case

    record = write_case(debugger, path, force=force)
    typer.echo(f"{path} and {record}: run them with pytest {path}")


def _breakpoints(path: Path | None) -> "Breakpoints":
    from platformdirs import user_config_path

    from tatc.debugger.breakpoints import Breakpoints

    return Breakpoints(path or user_config_path("tatc") / "breakpoints.txt")


def _opening(
    task: str | None,
    room: str | None,
    game: Path | None,
    param: list[str] | None,
    seed: int,
    tasks: list[Path] | None,
) -> "Opening":
    from tatc.runner import open_session

    return open_session(
        task=task,
        room=room,
        game=game,
        params=param or (),
        seed=seed,
        folders=tasks or (),
    )


def _alone(task: str | None, room: str | None, game: Path | None) -> None:
    from tatc.errors import BadInput

    if task is not None or room is not None or game is not None:
        fix = "leave out --task, --room and --game"
        raise BadInput("a record brings its own task and place", fix=fix)


def _source(record: Path, tasks: list[Path] | None, floor_map: str) -> "Source":
    from tatc.tdl import load_library
    from tatc.timeline import read_source

    return read_source(record, load_library(tasks or ()), floor_map=floor_map)


def _agents(source: "Source", setup: "Setup") -> "Setup":
    """Return the agents of a record, unless others are asked for."""
    from tatc.runner import Setup

    asked = setup != Setup(setup.floor_map)
    return setup if asked else source.setup
