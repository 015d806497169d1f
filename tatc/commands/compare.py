"""`tatc compare`: several Followers in the same sessions."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.commands.options import (
    AllRooms,
    Cascaded,
    FloorMap,
    Kind,
    Limit,
    OnlyPlans,
    Recorded,
    Seeds,
    SomeGames,
    SomeRooms,
    WithoutPlans,
    Workers,
)
from tatc.commands.output import examples, print_json, print_table, remark, tally

if TYPE_CHECKING:
    from tatc.evaluation.comparing import Comparison, Contender
    from tatc.evaluation.options import Options
    from tatc.evaluation.rows import Row

EXAMPLES = examples(
    "tatc compare --rooms --seeds 1-3 --tasks coffee --follower rule --follower et",
    "tatc compare games/ --limit 100 --follower rule --follower et --wording steps",
    "tatc compare edh/ --kind edh --games games/ --follower et --follower random",
    "tatc compare --room kitchen-01 --follower rule --follower random --html both.html",
)

_SHOWN = 5


def compare(
    games: SomeGames = None,
    follower: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|MODULE:CLASS",
            help="A Follower; at least two, the first is what others are held "
            "against.  Beside a learned one stand its lesser forms: with less sight, "
            "and in instances without words too.",
        ),
    ] = None,
    wording: Annotated[
        list[str] | None,
        typer.Option(
            metavar="actions|steps|goals",
            help="How the Commander speaks to all; given as often as --follower, to "
            "each. Without it, as each Follower was made for.",
        ),
    ] = None,
    all_rooms: AllRooms = False,
    room: SomeRooms = None,
    seeds: Seeds = "1",
    tasks: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="Only these tasks, by commas."),
    ] = None,
    kind: Kind = "tatc",
    recorded: Recorded = None,
    limit: Limit = None,
    only_plans: OnlyPlans = None,
    without_plans: WithoutPlans = None,
    seed: Annotated[int, typer.Option(min=0, help="Draws the sample.")] = 1,
    floor_map: FloorMap = "boxes",
    cascaded: Cascaded = False,
    workers: Workers = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder of the runs; one of its own."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Begin anew; replace the page.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page with plots, all in one file."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="End with one JSON object on stdout.")
    ] = False,
) -> None:
    """Compare Followers in the same sessions, pair by pair.

    What is done is kept as it comes; the same command goes on where it was broken
    off.
    """
    from tatc.atomic import check_target
    from tatc.commands.ranges import names_of, numbers_of, plans_of
    from tatc.commands.sessions import check_kind, check_places
    from tatc.evaluation.options import Keep, Options
    from tatc.runner import Setup

    check_kind(kind, games, recorded)
    check_places(games, all_rooms, room)
    contenders = _contenders(follower or [], wording or [], kind)
    if html is not None:
        check_target(html, force=force)
    options = Options(
        games=tuple(games or ()),
        rooms=tuple(room or ()),
        seeds=numbers_of(seeds, "--seeds"),
        tasks=names_of(tasks),
        limit=limit,
        only_plans=plans_of(only_plans, "--only-plans"),
        without_plans=plans_of(without_plans, "--without-plans"),
        seed=seed,
        setup=Setup(floor_map),
        keep=Keep.FAILURES,
        kind=kind,
        recorded=tuple(recorded or ()),
        cascaded=cascaded,
    )
    found = _compare(options, contenders, out, workers, force)
    if html is not None:
        _write_page(found, html, force)
    if as_json:
        print_json(json_of(found))
    else:
        _tell(found)


def _contenders(
    followers: list[str], wordings: list[str], kind: str
) -> "list[Contender]":
    """Return who is compared: those named, and beside learned ones their forms."""
    from tatc.agents import FORMS, INSTANCE_FORMS, forms_of, wording_of
    from tatc.errors import BadInput
    from tatc.evaluation.comparing import Contender
    from tatc.evaluation.options import TATC

    if len(wordings) not in (0, 1, len(followers)):
        why = f"{len(wordings)} wordings for {len(followers)} Followers"
        raise BadInput(why, fix="give --wording once, or once for each")
    given = wordings * len(followers) if len(wordings) == 1 else wordings
    given = given or [wording_of(name) for name in followers]
    forms = FORMS if kind == TATC else INSTANCE_FORMS
    found: dict[Contender, None] = {}
    for name, grain in zip(followers, given, strict=True):
        for form in (name, *forms_of(name, forms)):
            found[Contender(form, grain)] = None
    if len(found) < 2:
        raise BadInput("a comparison takes two", fix="name another --follower")
    return list(found)


def _compare(
    options: "Options",
    contenders: "list[Contender]",
    out: Path | None,
    workers: int,
    force: bool,
) -> "Comparison":
    from tatc.commands.output import progress
    from tatc.evaluation.choice import choose
    from tatc.evaluation.comparing import compare as run
    from tatc.evaluation.run import run_folder
    from tatc.tdl import shipped_library

    chosen = choose(
        options, shipped_library(), lambda paths: progress(paths, "reading")
    )
    folder = out if out is not None else run_folder(None, options).path
    total = len(contenders) * (len(chosen.jobs) + len(chosen.refused))
    try:
        with tally(total, "sessions") as count:

            def watch(contender: "Contender", row: "Row") -> None:
                count(contender.label)

            found = run(
                folder,
                options,
                chosen,
                contenders,
                workers=workers,
                force=force,
                watch=watch,
            )
    except KeyboardInterrupt:
        remark(f"what is done is kept in {folder}; the same command goes on")
        raise
    remark(f"runs: {folder}")
    return found


def _write_page(found: "Comparison", html: Path, force: bool) -> None:
    from tatc.atomic import write_whole
    from tatc.evaluation.compare_page import compare_page

    write_whole(compare_page(found).encode(), html, force=force)


def json_of(found: "Comparison") -> dict[str, Any]:
    """Return a comparison as JSON.

    `followers` has each one's figures under its name (with its wording, where one
    name stands there twice); `paired` is the first against the second, `pairs` the
    first against each of the others; a difference is first less second.
    """
    from tatc.commands.report import json_of as report_json

    left_out = ("controls", "per_kind", "per_split")
    names = _names(found)
    followers = {
        names[label]: {
            name: value
            for name, value in report_json(report).items()
            if name not in left_out
        }
        for label, report in found.reports.items()
    }
    pairs = [
        {
            "first": names[each.first],
            "second": names[each.second],
            "sessions": each.paired.sessions,
            "difference": each.paired.difference,
            "interval": list(each.paired.interval),
            "p": each.paired.p,
            "both": each.paired.both,
            "neither": each.paired.neither,
            "first_alone": list(each.won),
            "second_alone": list(each.lost),
        }
        for each in found.matches
    ]
    return {"followers": followers, "paired": pairs[0], "pairs": pairs}


def _names(found: "Comparison") -> dict[str, str]:
    """Return each Follower's name by its label; the label where it is not enough."""
    short = {label: label.rpartition(" (")[0] for label in found.reports}
    counts = Counter(short.values())
    return {
        label: name if counts[name] == 1 else label for label, name in short.items()
    }


def _tell(found: "Comparison") -> None:
    first = next(iter(found.reports.values()))
    _tell_scores(found)
    typer.echo("")
    for each in found.matches:
        pair, (low, high) = each.paired, each.paired.interval
        typer.echo(
            f"{each.first} less {each.second}: {100 * pair.difference:+.1f} points "
            f"({100 * low:+.1f} to {100 * high:+.1f}, 95 %), p = {pair.p:.2g}; "
            f"both {pair.both}, the first alone {pair.first}, the second alone "
            f"{pair.second}, neither {pair.neither}"
        )
        for label, keys in ((each.second, each.won), (each.first, each.lost)):
            for key in keys[:_SHOWN]:
                typer.echo(f"  {label} fails: {found.command(label, key)}")
    typer.echo("")
    typer.echo(first.note())
    for label, report in found.reports.items():
        for trouble in report.troubles()[:_SHOWN]:
            what = "; ".join(
                part
                for part in (trouble.failure.problem, trouble.failure.reason)
                if part
            )
            typer.echo(f"{label}: {trouble.count} x {trouble.task}: {what}")


def _tell_scores(found: "Comparison") -> None:
    from tatc.commands.report_text import interval, percent, ratio, whole

    rows: list[tuple[object, ...]] = []
    for label, report in found.reports.items():
        got = report.overall()
        rows.append(
            (
                label,
                got.sessions,
                percent(got.success_rate),
                interval(got),
                percent(got.goal_condition_rate),
                percent(got.plw_success_rate),
                whole(got.actions),
                ratio(got.actions_ratio),
                got.crashed,
            )
        )
    columns = ("Follower", "sessions", "success %", "95 %", "goal conditions %")
    columns += ("path-weighted %", "actions", "/ recorded", "crashed")
    print_table(columns, rows)
