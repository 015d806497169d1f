"""`tatc eval`: many sessions, scored; it goes on where it was broken off."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.options import (
    AllRooms,
    Cascaded,
    CommanderName,
    FloorMap,
    FollowerName,
    Kind,
    Limit,
    Noise,
    OnlyPlans,
    PlannerName,
    Recorded,
    Seeds,
    SomeGames,
    SomeRooms,
    ThorCommit,
    ThorExecutable,
    WithoutPlans,
    WordingName,
    Workers,
    World,
)
from tatc.commands.output import examples, print_json, remark, tally

if TYPE_CHECKING:
    from tatc.evaluation.choice import Chosen
    from tatc.evaluation.folder import RunFolder
    from tatc.evaluation.options import Options
    from tatc.evaluation.rows import Row

EXAMPLES = examples(
    "tatc eval games/ --workers 2",
    "tatc eval games/ --limit 100 --tasks coffee,salad --json",
    "tatc eval --rooms --seeds 1-10 --out runs/rooms",
    "tatc eval games/ --controls --noise 0.05",
    "tatc eval games/ --shard 3/8 --out runs/train",
    "tatc eval edh/ --kind edh --games games/ --follower random",
    "tatc eval edh/ --kind edh --games games/ --follower my_models:MyModel",
)

_NAMED = 5  # skipped files that are named, at most


def evaluate(
    games: SomeGames = None,
    all_rooms: AllRooms = False,
    room: SomeRooms = None,
    seeds: Seeds = "1",
    tasks: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES|DIR",
            help="Only these tasks, by commas; a folder adds its definitions. "
            "Without names: all tasks of the games, in rooms the benchmark's twelve.",
        ),
    ] = None,
    limit: Limit = None,
    kind: Kind = "tatc",
    recorded: Recorded = None,
    model_args: Annotated[
        str, typer.Option(metavar="ARGS", help="What a model is made with.")
    ] = "",
    model_seconds: Annotated[
        float, typer.Option(min=0.1, help="What a model may take for each answer.")
    ] = 60.0,
    only_plans: OnlyPlans = None,
    without_plans: WithoutPlans = None,
    noise: Noise = 0.0,
    seed: Annotated[
        int, typer.Option(min=0, help="Draws the sample, and the noise in games.")
    ] = 1,
    floor_map: FloorMap = "boxes",
    commander: CommanderName = "rule",
    follower: FollowerName = "rule",
    planner: PlannerName = "policies",
    wording: WordingName = "actions",
    sim: World = "embedded",
    thor_executable: ThorExecutable = None,
    thor_commit: ThorCommit = None,
    policies: Annotated[
        list[str] | None,
        typer.Option(metavar="DIR", help="A folder of policies to add; repeats."),
    ] = None,
    controls: Annotated[
        bool,
        typer.Option(
            "--controls", help="Run the negative controls on the same sessions too."
        ),
    ] = False,
    cascaded: Cascaded = False,
    workers: Workers = 1,
    engine: Annotated[
        str,
        typer.Option(metavar="local|ray", help="Run here or on a Ray cluster."),
    ] = "local",
    shard: Annotated[
        str, typer.Option(metavar="I/N", help="Run the i-th of n parts.")
    ] = "1/1",
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The run's folder; one of its own if none."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Begin anew in a folder that holds a run.")
    ] = False,
    save_records: Annotated[
        str,
        typer.Option(metavar="failures|all|none", help="Whose records to keep."),
    ] = "failures",
    as_json: Annotated[
        bool, typer.Option("--json", help="End with one JSON object on stdout.")
    ] = False,
) -> None:
    """Run many sessions and score them.

    What is done is kept as it comes; the same command goes on where it was broken
    off.  Exit status 1 when some files could not be read as games.
    """
    from tatc.agents import with_planner
    from tatc.commands.ranges import names_of, numbers_of, plans_of, shard_of
    from tatc.commands.sessions import check_kind, check_places
    from tatc.errors import BadInput, UnknownName
    from tatc.evaluation.options import TATC, Keep, Options
    from tatc.runner import Setup
    from tatc.sim.thor import ThorBuild

    if save_records not in list(Keep):
        raise UnknownName("choice", save_records, Keep, fix="see --save-records")
    check_kind(kind, games, recorded)
    check_places(games, all_rooms, room)
    if controls and kind != TATC:
        why = "controls are Commanders, and instances have none"
        raise BadInput(why, fix="leave out --controls")
    folders = tuple(each for each in tasks or () if _is_folder(each))
    speaker = with_planner(commander, planner)
    build = ThorBuild(thor_executable, thor_commit)
    options = Options(
        games=tuple(games or ()),
        rooms=tuple(room or ()),
        seeds=numbers_of(seeds, "--seeds"),
        tasks=names_of([each for each in tasks or () if each not in folders]),
        limit=limit,
        only_plans=plans_of(only_plans, "--only-plans"),
        without_plans=plans_of(without_plans, "--without-plans"),
        seed=seed,
        shard=shard_of(shard),
        setup=Setup(floor_map, speaker, follower, noise, wording, sim, build),
        definitions=folders,
        policies=tuple(policies or ()),
        keep=Keep(save_records),
        kind=kind,
        recorded=tuple(recorded or ()),
        model_args=tuple(shlex.split(model_args)),
        model_seconds=model_seconds,
        cascaded=cascaded,
    )
    _evaluate(options, out, engine, workers, force, controls, as_json)


def _is_folder(text: str) -> bool:
    try:
        return Path(text).is_dir()
    except OSError:  # a list of many names is too long for a path
        return False


def _evaluate(
    options: "Options",
    out: Path | None,
    engine: str,
    workers: int,
    force: bool,
    controls: bool,
    as_json: bool,
) -> None:
    from tatc.agents import CONTROLS
    from tatc.commands.output import progress
    from tatc.evaluation.choice import choose
    from tatc.evaluation.run import run_folder
    from tatc.tdl import load_library

    library = load_library([Path(each) for each in options.definitions])
    chosen = choose(options, library, lambda paths: progress(paths, "reading games"))
    folder = run_folder(out, options)

    def run(into: "RunFolder", how: "Options", label: str) -> "tuple[Row, ...]":
        return _run(into, how, chosen, label, engine, workers, force)

    try:
        rows = run(folder, options, "sessions")
        for name in CONTROLS if controls else ():
            run(folder.control(name), _controlled(options, name), name)
    except KeyboardInterrupt:
        remark(f"what is done is kept in {folder.path}; the same command goes on:")
        remark(shlex.join(["tatc", *sys.argv[1:]]))
        raise
    _tell(folder, as_json)
    refused = [row for row in rows if row.skipped and options.games]
    if refused:
        for row in refused[:_NAMED]:
            remark(f"skipped: {row.skipped}")
        remark(f"{len(refused)} files were skipped")
        raise typer.Exit(1)


def _controlled(options: "Options", name: str) -> "Options":
    from dataclasses import replace

    from tatc.evaluation.options import Keep

    setup = replace(options.setup, commander=name)
    return replace(options, setup=setup, keep=Keep.NONE)


def _run(
    folder: "RunFolder",
    options: "Options",
    chosen: "Chosen",
    label: str,
    engine: str,
    workers: int,
    force: bool,
) -> "tuple[Row, ...]":
    from tatc.evaluation.run import evaluate as run

    total = len(chosen.jobs) + len(chosen.refused)
    with tally(total, label) as count:
        return run(
            folder,
            options,
            chosen,
            engine=engine,
            workers=workers,
            force=force,
            watch=_watcher(count),
        )


def _watcher(count: Callable[[str], None]) -> "Callable[[Row], None]":
    """Return what counts rows and says how many succeed so far."""
    ran = solved = 0

    def watch(row: "Row") -> None:
        nonlocal ran, solved
        ran += not row.skipped
        solved += row.success
        count(f"{solved / ran:.1%} solved" if ran else "")

    return watch


def _tell(folder: "RunFolder", as_json: bool) -> None:
    from tatc.commands.report import json_of
    from tatc.commands.report_text import tell
    from tatc.evaluation.report import read_report

    found = read_report([folder])
    if as_json:
        print_json({"folder": str(folder.path), **json_of(found)})
    else:
        tell(found)
        remark(f"run: {folder.path}")
