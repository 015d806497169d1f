"""`tatc eval`: many sessions, scored; it goes on where it was broken off."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.exit_status import exit_for_rows
from tatc.commands.output import examples_epilog, print_json, progress_counter, remark
from tatc.commands.shared_options import (
    AllRoomsOption,
    CascadedOption,
    CommanderOption,
    FailOnCrashOption,
    FloorMapOption,
    FollowerOption,
    KindOption,
    LimitOption,
    NoiseOption,
    OnlyPlansOption,
    OptionalGamesArgument,
    PlannerOption,
    RecordedGamesOption,
    RoomsOption,
    SeedsOption,
    SimOption,
    ThorCommitOption,
    ThorExecutableOption,
    WithoutPlansOption,
    WordingOption,
    WorkersOption,
)

if TYPE_CHECKING:
    from tatc.evaluation.eval_options import EvalOptions
    from tatc.evaluation.rows import SessionRow
    from tatc.evaluation.run_folder import RunFolder
    from tatc.evaluation.session_selection import SessionSelection

EXAMPLES = examples_epilog(
    "tatc eval games/ --workers 2",
    "tatc eval games/ --limit 100 --tasks coffee,salad --json",
    "tatc eval --rooms --seeds 1-10 --out runs/rooms",
    "tatc eval games/ --controls --noise 0.05",
    "tatc eval games/ --shard 3/8 --out runs/train",
    "tatc eval edh/ --kind edh --games games/ --follower random",
    "tatc eval edh/ --kind edh --games games/ --follower my_models:MyModel",
)

_MAX_SKIPPED_NAMED = 5  # skipped files that are named, at most


def evaluate(
    games: OptionalGamesArgument = None,
    all_rooms: AllRoomsOption = False,
    room: RoomsOption = None,
    seeds: SeedsOption = "1",
    tasks: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES|DIR",
            help="Only these tasks, by commas; a folder adds its definitions. "
            "Without names: all tasks of the games, in rooms the benchmark's twelve.",
        ),
    ] = None,
    limit: LimitOption = None,
    kind: KindOption = "tatc",
    recorded: RecordedGamesOption = None,
    model_args: Annotated[
        str, typer.Option(metavar="ARGS", help="What a model is made with.")
    ] = "",
    model_seconds: Annotated[
        float, typer.Option(min=0.1, help="What a model may take for each answer.")
    ] = 60.0,
    only_plans: OnlyPlansOption = None,
    without_plans: WithoutPlansOption = None,
    noise: NoiseOption = 0.0,
    seed: Annotated[int, typer.Option(min=0, help="Draws the sample, and the noise in games.")] = 1,
    floor_map: FloorMapOption = "boxes",
    commander: CommanderOption = "rule",
    follower: FollowerOption = "rule",
    planner: PlannerOption = "policies",
    wording: WordingOption = "actions",
    sim: SimOption = "embedded",
    thor_executable: ThorExecutableOption = None,
    thor_commit: ThorCommitOption = None,
    policies: Annotated[
        list[str] | None, typer.Option(metavar="DIR", help="A folder of policies to add; repeats.")
    ] = None,
    controls: Annotated[
        bool, typer.Option("--controls", help="Run the negative controls on the same sessions too.")
    ] = False,
    cascaded: CascadedOption = False,
    workers: WorkersOption = 1,
    engine: Annotated[
        str, typer.Option(metavar="local|ray", help="Run here or on a Ray cluster.")
    ] = "local",
    shard: Annotated[str, typer.Option(metavar="I/N", help="Run the i-th of n parts.")] = "1/1",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The run's folder; one of its own if none.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Begin anew in a folder that holds a run.")
    ] = False,
    save_records: Annotated[
        str, typer.Option(metavar="failures|all|none", help="Whose records to keep.")
    ] = "failures",
    fail_on_crash: FailOnCrashOption = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="End with one JSON object on stdout.")
    ] = False,
) -> None:
    """Run many sessions and score them.

    What is done is kept as it comes; the same command goes on where it was broken
    off.  Exit status 0, whatever the agents solved; 1 when inputs were skipped; 3 with
    --fail-on-crash when an agent crashed.
    """
    from tatc.commands.list_parsing import parse_names, parse_numbers, parse_plans, parse_shard
    from tatc.commands.option_checks import check_kind, check_places
    from tatc.errors import BadInput, UnknownName
    from tatc.evaluation.eval_options import TATC, EvalOptions, SaveRecords
    from tatc.session.agents import commander_with_planner
    from tatc.session.runner import SessionSetup
    from tatc.sim.thor_build import ThorBuild

    if save_records not in list(SaveRecords):
        raise UnknownName("choice", save_records, SaveRecords, fix="see --save-records")
    check_kind(kind, games, recorded)
    check_places(games, all_rooms, room)
    if controls and kind != TATC:
        why = "controls are Commanders, and instances have none"
        raise BadInput(why, fix="leave out --controls")
    folders = tuple(each for each in tasks or () if _is_existing_folder(each))
    commander_name = commander_with_planner(commander, planner)
    build = ThorBuild(thor_executable, thor_commit)
    options = EvalOptions(
        games=tuple(games or ()),
        rooms=tuple(room or ()),
        seeds=parse_numbers(seeds, "--seeds"),
        tasks=parse_names([each for each in tasks or () if each not in folders]),
        limit=limit,
        only_plans=parse_plans(only_plans, "--only-plans"),
        without_plans=parse_plans(without_plans, "--without-plans"),
        seed=seed,
        shard=parse_shard(shard),
        setup=SessionSetup(floor_map, commander_name, follower, noise, wording, sim, build),
        definitions=folders,
        policies=tuple(policies or ()),
        keep=SaveRecords(save_records),
        kind=kind,
        recorded=tuple(recorded or ()),
        model_args=tuple(shlex.split(model_args)),
        model_seconds=model_seconds,
        cascaded=cascaded,
    )
    rows = _run_evaluation(options, out, engine, workers, force, controls, as_json)
    exit_for_rows(rows, from_files=bool(options.games), fail_on_crash=fail_on_crash)


def _is_existing_folder(text: str) -> bool:
    try:
        return Path(text).is_dir()
    except OSError:  # a list of many names is too long for a path
        return False


def _run_evaluation(
    options: "EvalOptions",
    out: Path | None,
    engine: str,
    workers: int,
    force: bool,
    controls: bool,
    as_json: bool,
) -> "tuple[SessionRow, ...]":
    from tatc.commands.output import progress_bar
    from tatc.evaluation.run_evaluation import locate_run_folder
    from tatc.evaluation.session_selection import select_sessions
    from tatc.session.agents import CONTROL_COMMANDERS
    from tatc.tdl import load_library

    library = load_library([Path(each) for each in options.definitions])
    chosen = select_sessions(options, library, lambda paths: progress_bar(paths, "reading games"))
    folder = locate_run_folder(out, options)

    def run(into: "RunFolder", how: "EvalOptions", label: str) -> "tuple[SessionRow, ...]":
        return _run_sessions(into, how, chosen, label, engine, workers, force)

    try:
        rows = run(folder, options, "sessions")
        for name in CONTROL_COMMANDERS if controls else ():
            run(folder.control_folder(name), _control_options(options, name), name)
    except KeyboardInterrupt:
        remark(f"what is done is kept in {folder.path}; the same command goes on:")
        remark(shlex.join(["tatc", *sys.argv[1:]]))
        raise
    _print_report(folder, as_json)
    refused = [row for row in rows if row.skipped and options.games]
    if refused:
        for row in refused[:_MAX_SKIPPED_NAMED]:
            remark(f"skipped: {row.skipped}")
        remark(f"{len(refused)} files were skipped")
    return rows


def _control_options(options: "EvalOptions", name: str) -> "EvalOptions":
    from dataclasses import replace

    from tatc.evaluation.eval_options import SaveRecords

    setup = replace(options.setup, commander=name)
    return replace(options, setup=setup, keep=SaveRecords.NONE)


def _run_sessions(
    folder: "RunFolder",
    options: "EvalOptions",
    chosen: "SessionSelection",
    label: str,
    engine: str,
    workers: int,
    force: bool,
) -> "tuple[SessionRow, ...]":
    from tatc.evaluation.run_evaluation import run_evaluation as run

    total = len(chosen.jobs) + len(chosen.skipped_rows)
    with progress_counter(total, label) as count:
        return run(
            folder,
            options,
            chosen,
            engine=engine,
            workers=workers,
            force=force,
            on_row=_row_counter(count),
        )


def _row_counter(count: Callable[[str], None]) -> "Callable[[SessionRow], None]":
    """Return what counts rows and says how many succeed so far."""
    ran = solved = 0

    def watch(row: "SessionRow") -> None:
        nonlocal ran, solved
        ran += not row.skipped
        solved += row.success
        count(f"{solved / ran:.1%} solved" if ran else "")

    return watch


def _print_report(folder: "RunFolder", as_json: bool) -> None:
    from tatc.commands.report import report_json
    from tatc.commands.report_text import print_report
    from tatc.evaluation.run_report import read_report

    found = read_report([folder])
    if as_json:
        print_json({"folder": str(folder.path), **report_json(found)})
    else:
        print_report(found)
        remark(f"run: {folder.path}")
