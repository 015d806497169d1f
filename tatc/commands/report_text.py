"""A run's report in a terminal: tables of scores, notes, and what failed."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

from tatc.commands.output import print_table, remark

if TYPE_CHECKING:
    from tatc.evaluation.run_report import RunReport
    from tatc.scoring import AggregateScore
    from tatc.scoring.group_scores import GroupScore

_MAX_LISTED = 25


def print_report(found: "RunReport", places: frozenset[str] = frozenset()) -> None:
    """Print a report as text."""
    from tatc.evaluation.eval_options import TATC

    typer.echo(_header(found))
    typer.echo("")
    if found.kind == TATC:
        _print_tasks(found)
    else:
        _print_instances(found)
    typer.echo("")
    for line in (*_cascade_lines(found), *_score_lines(found.overall())):
        typer.echo(line)
    typer.echo("")
    groups = [*found.per_kind(), *found.per_split()]
    groups += found.scores_by_places(places) if places else ()
    _print_groups(groups)
    typer.echo("")
    typer.echo(found.note())
    typer.echo(_fidelity_line(found))
    _print_controls(found)
    _print_failures(found)
    _print_skipped(found)


def _header(found: "RunReport") -> str:
    run = found.identity
    commit = f", commit {run['commit']}" if run["commit"] else ""
    world = f"{run['world']} world, map {run['map']} {run['map_hash']}".rstrip()
    skipped = len(found.rows) - len(found.executed_rows)
    counts = f"{len(found.executed_rows)} sessions"
    if skipped:
        counts += f", {skipped} that could not start"
    if found.expected_sessions > len(found.rows):
        counts += f"; {found.expected_sessions - len(found.rows)} are still to come"
    return f"tatc {run['tatc']}{commit}; {world}; {counts}"


def _print_skipped(found: "RunReport") -> None:
    """Say why sessions could not start, most frequent first."""
    reasons = Counter(row.skipped for row in found.rows if row.skipped)
    if reasons:
        typer.echo()
        print_table(
            ("n", "could not start because"),
            [(count, why) for why, count in reasons.most_common(_MAX_LISTED)],
        )


def _print_tasks(found: "RunReport") -> None:
    from tatc.scoring.published_results import PUBLISHED_BY_TASK

    rows: list[tuple[object, ...]] = []
    for name, got in (*found.per_task(), ("overall", found.overall())):
        theirs = PUBLISHED_BY_TASK.get(name)
        rows.append(
            (
                name,
                got.sessions,
                format_percent(got.success_rate),
                format_interval(got),
                f"{theirs.success_percent:.2f}" if theirs else "",
                format_whole(got.actions),
                format_whole(theirs.actions if theirs else None),
                format_whole(theirs.human_actions if theirs else None),
                format_ratio(got.actions_ratio),
                format_ratio(got.bound_ratio),
                got.crashes,
            )
        )
    columns = ("task", "sessions", "success %", "95 %", "TEACh %", "actions")
    print_table((*columns, "TEACh", "people", "/ recorded", "/ bound", "crashed"), rows)


def _print_instances(found: "RunReport") -> None:
    rows = [
        (
            name,
            got.sessions,
            format_percent(got.success_rate),
            format_interval(got),
            format_percent(got.plw_success_rate),
            format_percent(got.goal_condition_rate),
            format_percent(got.plw_goal_condition_rate),
            got.crashes,
        )
        for name, got in (*found.per_task(), ("overall", found.overall()))
    ]
    columns = ("task", "instances", "success %", "95 %", "path-weighted %")
    columns += ("goal conditions %", "path-weighted %", "crashed")
    print_table(columns, rows)


def _cascade_lines(found: "RunReport") -> Iterable[str]:
    starts = sum(row.starts for row in found.executed_rows)
    if starts:
        finished = sum(row.finished for row in found.executed_rows)
        reached = format_percent(found.overall().goal_condition_rate)
        yield (
            f"Cascaded: from {starts} instructions, {reached} % of the goal conditions "
            f"left there were reached; {finished} times all of them"
        )


def _score_lines(got: "AggregateScore") -> Iterable[str]:
    yield (
        f"Goal conditions: {format_percent(got.goal_condition_rate)} % pooled (TEACh's code), "
        f"{format_percent(got.macro_goal_condition_rate)} % mean (TEACh's paper)"
    )
    if got.plw_success_rate is None:
        return
    yield (
        f"Path-length-weighted success: {format_percent(got.plw_success_rate)} % pooled, "
        f"{format_percent(got.macro_plw_success_rate)} % mean; goal conditions: "
        f"{format_percent(got.plw_goal_condition_rate)} % pooled, "
        f"{format_percent(got.macro_plw_goal_condition_rate)} % mean"
    )


def _print_groups(groups: Iterable["GroupScore"]) -> None:
    rows = [
        (name, got.sessions, format_percent(got.success_rate), format_interval(got))
        for name, got in groups
    ]
    print_table(("where", "sessions", "success %", "95 %"), rows)


def _fidelity_line(found: "RunReport") -> str:
    if found.fidelity is None:
        return "How far the embedded world agrees with recordings was not measured here."
    from tatc.evaluation.fidelity.fidelity_report import format_rates

    figures = format_rates(found.fidelity)
    return f"Agreement of the embedded world with recordings: {figures}"


def _print_controls(found: "RunReport") -> None:
    if not found.controls:
        return
    typer.echo("\nNegative controls, on the same sessions")
    rows = [
        (
            each.name,
            each.overall.sessions,
            format_percent(each.overall.success_rate),
            format_interval(each.overall),
            each.relevant_where,
            each.relevant_score.sessions,
            format_percent(each.relevant_score.success_rate),
        )
        for each in found.controls
    ]
    columns = ("control", "sessions", "success %", "95 %", "where it matters")
    print_table((*columns, "sessions", "success %"), rows)


def _print_failures(found: "RunReport") -> None:
    troubles = found.troubles()
    if not troubles:
        return
    failed = sum(each.count for each in troubles)
    typer.echo(f"\nFailures: {failed} sessions, {len(troubles)} kinds")
    for each in troubles[:_MAX_LISTED]:
        about = (each.failure.problem, each.failure.skill, each.failure.reason)
        typer.echo(f"{each.count:>4}  {each.task}: {'; '.join(filter(None, about))}")
        typer.echo(f"      {each.command}")
    if len(troubles) > _MAX_LISTED:
        remark(f"{len(troubles) - _MAX_LISTED} more kinds: see --json or --html")


def format_percent(rate: float | None) -> str:
    """Return a fraction in percent, a dash where there is none."""
    return "-" if rate is None else f"{100 * rate:.2f}"


def format_interval(got: "AggregateScore") -> str:
    """Return the 95 % interval of success in percent."""
    low, high = got.success_interval
    return f"{100 * low:.1f}-{100 * high:.1f}" if got.sessions else "-"


def format_whole(number: float | None) -> str:
    """Return a number without its decimals, a dash where there is none."""
    return "-" if number is None else f"{number:.0f}"


def format_ratio(number: float | None) -> str:
    """Return a ratio, a dash where there is none."""
    return "-" if number is None else f"{number:.2f}"
