"""`tatc compare`: several Followers in the same sessions."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.commands.exit_status import exit_for_rows
from tatc.commands.output import examples_epilog, print_json, print_table, progress_counter, remark
from tatc.commands.shared_options import (
    AllRoomsOption,
    CascadedOption,
    FailOnCrashOption,
    FloorMapOption,
    KindOption,
    LimitOption,
    OnlyPlansOption,
    OptionalGamesArgument,
    RecordedGamesOption,
    RoomsOption,
    SeedsOption,
    WithoutPlansOption,
    WorkersOption,
)

if TYPE_CHECKING:
    from tatc.evaluation.eval_options import EvalOptions
    from tatc.evaluation.follower_comparison import Contender, FollowerComparison
    from tatc.evaluation.rows import SessionRow

EXAMPLES = examples_epilog(
    "tatc compare --rooms --seeds 1-3 --tasks coffee --follower rule --follower et",
    "tatc compare games/ --limit 100 --follower rule --follower et --wording steps",
    "tatc compare edh/ --kind edh --games games/ --follower et --follower random",
    "tatc compare --room kitchen-01 --follower rule --follower random --html both.html",
)

_MAX_LISTED = 5


def compare(
    games: OptionalGamesArgument = None,
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
    all_rooms: AllRoomsOption = False,
    room: RoomsOption = None,
    seeds: SeedsOption = "1",
    tasks: Annotated[
        list[str] | None, typer.Option(metavar="NAMES", help="Only these tasks, by commas.")
    ] = None,
    kind: KindOption = "tatc",
    recorded: RecordedGamesOption = None,
    limit: LimitOption = None,
    only_plans: OnlyPlansOption = None,
    without_plans: WithoutPlansOption = None,
    seed: Annotated[int, typer.Option(min=0, help="Draws the sample.")] = 1,
    floor_map: FloorMapOption = "boxes",
    cascaded: CascadedOption = False,
    workers: WorkersOption = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of the runs; one of its own.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Begin anew; replace the page.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with plots, all in one file.")
    ] = None,
    fail_on_crash: FailOnCrashOption = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="End with one JSON object on stdout.")
    ] = False,
) -> None:
    """Compare Followers in the same sessions, pair by pair.

    What is done is kept as it comes; the same command goes on where it was broken
    off.  Exit status 0, whatever the agents solved; 1 when inputs were skipped; 3 with
    --fail-on-crash when an agent crashed.
    """
    from tatc.atomic_files import check_writable
    from tatc.commands.list_parsing import parse_names, parse_numbers, parse_plans
    from tatc.commands.option_checks import check_kind, check_places
    from tatc.evaluation.eval_options import EvalOptions, SaveRecords
    from tatc.session.runner import SessionSetup

    check_kind(kind, games, recorded)
    check_places(games, all_rooms, room)
    contenders = _expand_contenders(follower or [], wording or [], kind)
    if html is not None:
        check_writable(html, force=force)
    options = EvalOptions(
        games=tuple(games or ()),
        rooms=tuple(room or ()),
        seeds=parse_numbers(seeds, "--seeds"),
        tasks=parse_names(tasks),
        limit=limit,
        only_plans=parse_plans(only_plans, "--only-plans"),
        without_plans=parse_plans(without_plans, "--without-plans"),
        seed=seed,
        setup=SessionSetup(floor_map),
        keep=SaveRecords.FAILURES,
        kind=kind,
        recorded=tuple(recorded or ()),
        cascaded=cascaded,
    )
    found = _run_comparison(options, contenders, out, workers, force)
    if html is not None:
        _write_page(found, html, force)
    if as_json:
        print_json(comparison_json(found))
    else:
        _print_comparison(found)
    rows = [row for report in found.reports.values() for row in report.rows]
    exit_for_rows(rows, from_files=bool(options.games), fail_on_crash=fail_on_crash)


def _expand_contenders(followers: list[str], wordings: list[str], kind: str) -> "list[Contender]":
    """Return who is compared: those named, and beside learned ones their forms."""
    from tatc.errors import BadInput
    from tatc.evaluation.eval_options import TATC
    from tatc.evaluation.follower_comparison import Contender
    from tatc.session.agents import (
        INSTANCE_ABLATIONS,
        SESSION_ABLATIONS,
        ablation_names,
        wording_for_follower,
    )

    if len(wordings) not in (0, 1, len(followers)):
        why = f"{len(wordings)} wordings for {len(followers)} Followers"
        raise BadInput(why, fix="give --wording once, or once for each")
    given = wordings * len(followers) if len(wordings) == 1 else wordings
    given = given or [wording_for_follower(name) for name in followers]
    forms = SESSION_ABLATIONS if kind == TATC else INSTANCE_ABLATIONS
    found: dict[Contender, None] = {}
    for name, grain in zip(followers, given, strict=True):
        for form in (name, *ablation_names(name, forms)):
            found[Contender(form, grain)] = None
    if len(found) < 2:
        raise BadInput("a comparison takes two", fix="name another --follower")
    return list(found)


def _run_comparison(
    options: "EvalOptions",
    contenders: "list[Contender]",
    out: Path | None,
    workers: int,
    force: bool,
) -> "FollowerComparison":
    from tatc.commands.output import progress_bar
    from tatc.evaluation.follower_comparison import compare_followers as run
    from tatc.evaluation.run_evaluation import locate_run_folder
    from tatc.evaluation.session_selection import select_sessions
    from tatc.tdl import shipped_library

    chosen = select_sessions(
        options, shipped_library(), lambda paths: progress_bar(paths, "reading")
    )
    folder = out if out is not None else locate_run_folder(None, options).path
    total = len(contenders) * (len(chosen.jobs) + len(chosen.skipped_rows))
    try:
        with progress_counter(total, "sessions") as count:

            def watch(contender: "Contender", row: "SessionRow") -> None:
                count(contender.label)

            found = run(
                folder, options, chosen, contenders, workers=workers, force=force, watch=watch
            )
    except KeyboardInterrupt:
        remark(f"what is done is kept in {folder}; the same command goes on")
        raise
    remark(f"runs: {folder}")
    return found


def _write_page(found: "FollowerComparison", html: Path, force: bool) -> None:
    from tatc.atomic_files import write_atomically
    from tatc.evaluation.comparison_page import comparison_page

    write_atomically(comparison_page(found).encode(), html, force=force)


def comparison_json(found: "FollowerComparison") -> dict[str, Any]:
    """Return a comparison as JSON.

    `followers` has each one's figures under its name (with its wording, where one
    name stands there twice); `paired` is the first against the second, `pairs` the
    first against each of the others; a difference is first less second.
    """
    from tatc.commands.report import report_json as report_json

    left_out = ("controls", "per_kind", "per_split")
    names = _display_names(found)
    followers = {
        names[label]: {
            name: value for name, value in report_json(report).items() if name not in left_out
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
            "p": each.paired.p_value,
            "both": each.paired.both_succeeded,
            "neither": each.paired.neither_succeeded,
            "first_alone": list(each.only_first_succeeded),
            "second_alone": list(each.only_second_succeeded),
        }
        for each in found.pairs
    ]
    return {"followers": followers, "paired": pairs[0], "pairs": pairs}


def _display_names(found: "FollowerComparison") -> dict[str, str]:
    """Return each Follower's name by its label; the label where it is not enough."""
    short = {label: label.rpartition(" (")[0] for label in found.reports}
    counts = Counter(short.values())
    return {label: name if counts[name] == 1 else label for label, name in short.items()}


def _print_comparison(found: "FollowerComparison") -> None:
    first = next(iter(found.reports.values()))
    _print_scores(found)
    typer.echo("")
    for each in found.pairs:
        pair, (low, high) = each.paired, each.paired.interval
        typer.echo(
            f"{each.first} less {each.second}: {100 * pair.difference:+.1f} points "
            f"({100 * low:+.1f} to {100 * high:+.1f}, 95 %), p = {pair.p_value:.2g}; "
            f"both {pair.both_succeeded}, the first alone {pair.only_first_succeeded}, "
            f"the second alone {pair.only_second_succeeded}, neither {pair.neither_succeeded}"
        )
        for label, keys in (
            (each.second, each.only_first_succeeded),
            (each.first, each.only_second_succeeded),
        ):
            for key in keys[:_MAX_LISTED]:
                typer.echo(f"  {label} fails: {found.command_to_open(label, key)}")
    typer.echo("")
    typer.echo(first.note())
    for label, report in found.reports.items():
        for trouble in report.troubles()[:_MAX_LISTED]:
            what = "; ".join(
                part for part in (trouble.failure.problem, trouble.failure.reason) if part
            )
            typer.echo(f"{label}: {trouble.count} x {trouble.task}: {what}")


def _print_scores(found: "FollowerComparison") -> None:
    from tatc.commands.report_text import (
        format_interval,
        format_percent,
        format_ratio,
        format_whole,
    )

    rows: list[tuple[object, ...]] = []
    for label, report in found.reports.items():
        got = report.overall()
        rows.append(
            (
                label,
                got.sessions,
                format_percent(got.success_rate),
                format_interval(got),
                format_percent(got.goal_condition_rate),
                format_percent(got.plw_success_rate),
                format_whole(got.actions),
                format_ratio(got.actions_ratio),
                got.crashes,
            )
        )
    columns = ("Follower", "sessions", "success %", "95 %", "goal conditions %")
    columns += ("path-weighted %", "actions", "/ recorded", "crashed")
    print_table(columns, rows)
