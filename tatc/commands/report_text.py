"""A run's report in a terminal: tables of scores, notes, and what failed."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

from tatc.commands.output import print_table, remark

if TYPE_CHECKING:
    from tatc.evaluation.report import Report
    from tatc.scoring import Score
    from tatc.scoring.tables import Group

_SHOWN = 25


def tell(found: "Report", places: frozenset[str] = frozenset()) -> None:
    """Print a report as text."""
    from tatc.evaluation.options import TATC

    typer.echo(_head(found))
    typer.echo("")
    if found.kind == TATC:
        _tell_tasks(found)
    else:
        _tell_instances(found)
    typer.echo("")
    for line in (*_cascade(found), *_lines(found.overall())):
        typer.echo(line)
    typer.echo("")
    groups = [*found.per_kind(), *found.per_split()]
    groups += found.apart(places) if places else ()
    _tell_groups(groups)
    typer.echo("")
    typer.echo(found.note())
    typer.echo(_fidelity(found))
    _tell_controls(found)
    _tell_troubles(found)
    _tell_skipped(found)


def _head(found: "Report") -> str:
    run = found.identity
    commit = f", commit {run['commit']}" if run["commit"] else ""
    world = f"{run['world']} world, map {run['map']} {run['map_hash']}".rstrip()
    skipped = len(found.rows) - len(found.ran)
    counts = f"{len(found.ran)} sessions"
    if skipped:
        counts += f", {skipped} that could not start"
    if found.expected > len(found.rows):
        counts += f"; {found.expected - len(found.rows)} are still to come"
    return f"tatc {run['tatc']}{commit}; {world}; {counts}"


def _tell_skipped(found: "Report") -> None:
    """Say why sessions could not start, most frequent first."""
    reasons = Counter(row.skipped for row in found.rows if row.skipped)
    if reasons:
        typer.echo()
        print_table(
            ("n", "could not start because"),
            [(count, why) for why, count in reasons.most_common(_SHOWN)],
        )


def _tell_tasks(found: "Report") -> None:
    from tatc.scoring.published import BY_TASK

    rows: list[tuple[object, ...]] = []
    for name, got in (*found.per_task(), ("overall", found.overall())):
        theirs = BY_TASK.get(name)
        rows.append(
            (
                name,
                got.sessions,
                percent(got.success_rate),
                interval(got),
                f"{theirs.success:.2f}" if theirs else "",
                whole(got.actions),
                whole(theirs.actions if theirs else None),
                whole(theirs.human_actions if theirs else None),
                ratio(got.actions_ratio),
                ratio(got.bound_ratio),
                got.crashed,
            )
        )
    columns = ("task", "sessions", "success %", "95 %", "TEACh %", "actions")
    print_table((*columns, "TEACh", "people", "/ recorded", "/ bound", "crashed"), rows)


def _tell_instances(found: "Report") -> None:
    rows = [
        (
            name,
            got.sessions,
            percent(got.success_rate),
            interval(got),
            percent(got.plw_success_rate),
            percent(got.goal_condition_rate),
            percent(got.plw_goal_condition_rate),
            got.crashed,
        )
        for name, got in (*found.per_task(), ("overall", found.overall()))
    ]
    columns = ("task", "instances", "success %", "95 %", "path-weighted %")
    columns += ("goal conditions %", "path-weighted %", "crashed")
    print_table(columns, rows)


def _cascade(found: "Report") -> Iterable[str]:
    starts = sum(row.starts for row in found.ran)
    if starts:
        finished = sum(row.finished for row in found.ran)
        reached = percent(found.overall().goal_condition_rate)
        yield (
            f"Cascaded: from {starts} instructions, {reached} % of the goal conditions "
            f"left there were reached; {finished} times all of them"
        )


def _lines(got: "Score") -> Iterable[str]:
    yield (
        f"Goal conditions: {percent(got.goal_condition_rate)} % pooled (TEACh's code), "
        f"{percent(got.macro_goal_condition_rate)} % mean (TEACh's paper)"
    )
    if got.plw_success_rate is None:
        return
    yield (
        f"Path-length-weighted success: {percent(got.plw_success_rate)} % pooled, "
        f"{percent(got.macro_plw_success_rate)} % mean; goal conditions: "
        f"{percent(got.plw_goal_condition_rate)} % pooled, "
        f"{percent(got.macro_plw_goal_condition_rate)} % mean"
    )


def _tell_groups(groups: Iterable["Group"]) -> None:
    rows = [
        (name, got.sessions, percent(got.success_rate), interval(got))
        for name, got in groups
    ]
    print_table(("where", "sessions", "success %", "95 %"), rows)


def _fidelity(found: "Report") -> str:
    if found.fidelity is None:
        return (
            "How far the embedded world agrees with recordings was not measured here."
        )
    from tatc.evaluation.fidelity.report import in_words

    figures = in_words(found.fidelity)
    return f"Agreement of the embedded world with recordings: {figures}"


def _tell_controls(found: "Report") -> None:
    if not found.controls:
        return
    typer.echo("\nNegative controls, on the same sessions")
    rows = [
        (
            each.name,
            each.overall.sessions,
            percent(each.overall.success_rate),
            interval(each.overall),
            each.where,
            each.matters.sessions,
            percent(each.matters.success_rate),
        )
        for each in found.controls
    ]
    columns = ("control", "sessions", "success %", "95 %", "where it matters")
    print_table((*columns, "sessions", "success %"), rows)


def _tell_troubles(found: "Report") -> None:
    troubles = found.troubles()
    if not troubles:
        return
    failed = sum(each.count for each in troubles)
    typer.echo(f"\nFailures: {failed} sessions, {len(troubles)} kinds")
    for each in troubles[:_SHOWN]:
        about = (each.failure.problem, each.failure.skill, each.failure.reason)
        typer.echo(f"{each.count:>4}  {each.task}: {'; '.join(filter(None, about))}")
        typer.echo(f"      {each.command}")
    if len(troubles) > _SHOWN:
        remark(f"{len(troubles) - _SHOWN} more kinds: see --json or --html")


def percent(rate: float | None) -> str:
    """Return a fraction in percent, a dash where there is none."""
    return "-" if rate is None else f"{100 * rate:.2f}"


def interval(got: "Score") -> str:
    """Return the 95 % interval of success in percent."""
    low, high = got.interval
    return f"{100 * low:.1f}-{100 * high:.1f}" if got.sessions else "-"


def whole(number: float | None) -> str:
    """Return a number without its decimals, a dash where there is none."""
    return "-" if number is None else f"{number:.0f}"


def ratio(number: float | None) -> str:
    """Return a ratio, a dash where there is none."""
    return "-" if number is None else f"{number:.2f}"
