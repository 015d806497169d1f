"""`tatc fidelity`: how far the embedded world answers as recordings say it should."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.commands.options import FloorMap, OnlyPlans, SomeGames, WithoutPlans
from tatc.commands.output import examples, print_json, print_table, remark, tally

if TYPE_CHECKING:
    from tatc.evaluation.fidelity.kept import Kept
    from tatc.evaluation.fidelity.measure import Measured
    from tatc.evaluation.fidelity.report import Report

EXAMPLES = examples(
    "tatc fidelity games/ --workers 2",
    "tatc fidelity games/ --map people.map.json --json",
    "tatc fidelity games/ --out runs/mine",
    "tatc fidelity games/train/0008f3c95e006303_2053.game.json --at 290",
    "tatc fidelity --steps recordings/",
)

_SHOWN = 5


def fidelity(
    games: SomeGames = None,
    only_plans: OnlyPlans = None,
    without_plans: WithoutPlans = None,
    floor_map: FloorMap = "boxes",
    workers: Annotated[int, typer.Option(min=1, help="Games at a time.")] = 1,
    at: Annotated[
        int | None,
        typer.Option(
            metavar="INDEX", min=0, help="Look closely at one action of one game."
        ),
    ] = None,
    steps: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE|DIR",
            help="Recordings with the state after each step, instead of games.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE|RUN",
            help="Where the report is saved; in a run's folder, for `tatc report`.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the report if it exists.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object on stdout.")
    ] = False,
) -> None:
    """Compare the world's answers with those that people got.

    Each translation and interaction is answered one by one from the recorded course;
    then each game is replayed to its end by its clicks, and once more with the
    recorded objects.  Goes on past files that are no games, names them, and ends with
    status 1.  Broken off, it goes on when it is started again.
    """
    from tatc.atomic import check_target
    from tatc.errors import BadInput
    from tatc.evaluation.fidelity.measure import BOXES
    from tatc.evaluation.report import FIDELITY

    if not games and not steps:
        fix = "name games, or recordings with --steps"
        raise BadInput("there is nothing to compare", fix=fix)
    given = {
        "games": bool(games),
        "--at": at is not None,
        "--out": out is not None,
        "--map": floor_map != BOXES,
        "--only-plans": bool(only_plans),
        "--without-plans": bool(without_plans),
        "--json": as_json,
    }
    if steps:
        _alone("--steps", given, but=("--json",))
    elif at is not None:
        _alone("--at", given, but=("games", "--at", "--map"))
    if out is not None:
        out = out / FIDELITY if out.is_dir() else out
        check_target(out, force=force)
    if steps:
        _steps(steps, as_json)
    elif at is not None:
        _closer(games or (), at, floor_map)
    else:
        _games(games or (), only_plans, without_plans, floor_map, workers, out, as_json)


def _alone(option: str, given: Mapping[str, bool], but: Sequence[str]) -> None:
    """Refuse the options given that say nothing beside another."""
    from tatc.errors import BadInput

    for name, is_given in given.items():
        if is_given and name not in but:
            raise BadInput(f"{option} does not go with {name}", fix=f"take {name} away")


def _games(
    games: Sequence[str],
    only_plans: list[str] | None,
    without_plans: list[str] | None,
    floor_map: str,
    workers: int,
    out: Path | None,
    as_json: bool,
) -> None:
    from tatc.commands.ranges import plans_of
    from tatc.errors import BadInput
    from tatc.evaluation.fidelity.kept import Kept
    from tatc.evaluation.fidelity.measure import choose, map_name
    from tatc.evaluation.fidelity.report import Report, saved_at

    name = map_name(floor_map)
    chosen = choose(
        games,
        plans_of(only_plans, "--only-plans"),
        plans_of(without_plans, "--without-plans"),
    )
    kept, report, skipped = Kept(chosen.paths, name), Report(), list(chosen.skipped)
    for measured in _each(kept, chosen.paths, floor_map, workers):
        if measured.skipped:
            skipped.append(measured.skipped)
        else:
            report.add(measured)
    for line in skipped:
        remark(f"skipped: {line}")
    if not report.games:
        raise BadInput("none of these is a game", fix="name recorded games")
    if as_json:
        print_json(report.summary())
    else:
        _print(report, floor_map)
    path = saved_at(report.whole(floor_map, name), out)
    kept.finish()
    remark(f"{report.games} games, map {name}; report: {path}")
    if skipped:
        remark(f"{len(skipped)} files were skipped")
        raise typer.Exit(1)


def _each(
    kept: "Kept", paths: Sequence[Path], floor_map: str, workers: int
) -> "Iterator[Measured]":
    """Yield what came of each game, those first that had been compared before."""
    from tatc.evaluation.fidelity.measure import measure_all

    known = kept.known()
    yield from known.values()
    if known:
        remark(f"goes on: {len(known)} of {len(paths)} games had been compared")
    others = [path for path in paths if path not in known]
    try:
        with tally(len(others), "comparing games") as count:
            for measured in measure_all(others, floor_map, workers):
                kept.add(measured)
                yield measured
                count("")
    except KeyboardInterrupt:
        remark("what has been compared is kept; the same command goes on")
        raise


def _print(report: "Report", floor_map: str) -> None:
    from tatc.evaluation.fidelity.report import command_for, lines_of, percent
    from tatc.evaluation.fidelity.tally import MEASURES

    details = report.failures()
    rows: list[tuple[str, int, str]] = lines_of(report.summary(), MEASURES)
    rows += [(name, rate["n"], percent(rate["rate"])) for name, rate in details.items()]
    print_table(("answers compared", "n", "agree"), rows)
    typer.echo()
    kinds = report.kinds(_SHOWN)
    columns = ("n", "answers", "verb", "held", "target", "here")
    print_table(
        columns, [(n, e.measure, e.verb, e.held, e.target, e.why) for e, n in kinds]
    )
    typer.echo()
    typer.echo("One of each:")
    for each, _ in kinds:
        typer.echo(f"  {command_for(each, floor_map)}")


def _closer(games: Sequence[str], at: int, floor_map: str) -> None:
    from tatc.errors import BadInput
    from tatc.evaluation.fidelity.closer import look_at
    from tatc.evaluation.fidelity.measure import world_for
    from tatc.records import find_games, read_game

    paths = find_games(games)
    if len(paths) != 1:
        raise BadInput("--at looks at one game", fix="name one game file")
    game = read_game(paths[0])
    for line in look_at(world_for(game, floor_map), game, at):
        typer.echo(line)


def _steps(given: Sequence[Path], as_json: bool) -> None:
    from tatc.commands.inputs import Inputs
    from tatc.errors import BadInput
    from tatc.evaluation.fidelity.report import percent
    from tatc.evaluation.fidelity.steps import FIELDS, RECORDINGS, measure_steps
    from tatc.evaluation.fidelity.tally import Tally, kinds_of
    from tatc.records import find_files

    inputs, total = Inputs(find_files(given, RECORDINGS)), Tally()
    for one in inputs.read(measure_steps, "comparing steps"):
        total.add(one)
    if not total.asked:
        fix = f"name {RECORDINGS.noun} as AI2-THOR's controller gives them"
        raise BadInput("nothing of these can be compared", fix=fix)
    total.asked["all"], total.agreed["all"] = total.asked.total(), total.agreed.total()
    rates: dict[str, Any] = total.rates(("all", *FIELDS))
    if as_json:
        print_json(rates)
    else:
        rows = [(name, r["n"], percent(r["rate"])) for name, r in rates.items()]
        print_table(("field", "n", "agree"), rows)
        typer.echo()
        kinds = [
            (n, e.measure, e.verb, e.target, e.why, e.game, e.index)
            for e, n in kinds_of(total.apart)[: 2 * _SHOWN]
        ]
        columns = ("n", "field", "action", "object", "here", "first in", "step")
        print_table(columns, kinds)
    inputs.finish()
