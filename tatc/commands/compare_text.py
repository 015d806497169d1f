"""A comparison of Followers in a terminal: the verdict first, then scores and failures."""

from typing import TYPE_CHECKING

import typer

from tatc.commands.output import print_table

if TYPE_CHECKING:
    from tatc.evaluation.follower_comparison import FollowerComparison, PairComparison

_MAX_LISTED = 5


def print_comparison(found: "FollowerComparison") -> None:
    """Print a comparison as text."""
    for pair in found.pairs:
        typer.echo(f"{pair.verdict()}.")
        if pair.wording_warning():
            typer.echo(f"Warning: {pair.wording_warning()}.")
    typer.echo("")
    _print_scores(found)
    typer.echo(f"\n{found.note()}\n")
    for pair in found.pairs:
        _print_pair(found, pair)
    for label, report in found.reports.items():
        for group in report.failure_groups()[:_MAX_LISTED]:
            about = filter(None, (group.failure.problem, group.failure.reason))
            typer.echo(f"{label}: {group.count} x {group.task}: {'; '.join(about)}")
            typer.echo(f"  {group.command}")


def _print_pair(found: "FollowerComparison", pair: "PairComparison") -> None:
    paired, (low, high) = pair.paired, pair.paired.interval
    first, second = pair.first.label, pair.second.label
    typer.echo(
        f"{first} minus {second}: {100 * paired.difference:+.1f} points "
        f"({100 * low:+.1f} to {100 * high:+.1f}, 95 %), p = {paired.p_value:.2g}; solved by "
        f"both {paired.both_succeeded}, only the first {paired.only_first_succeeded}, "
        f"only the second {paired.only_second_succeeded}, neither {paired.neither_succeeded}"
    )
    for label, keys in (
        (second, pair.only_first_succeeded),
        (first, pair.only_second_succeeded),
    ):
        for key in keys[:_MAX_LISTED]:
            typer.echo(f"  {label} fails: {found.command_to_open(label, key)}")


def _print_scores(found: "FollowerComparison") -> None:
    from tatc.evaluation.score_formats import (
        format_interval,
        format_percent,
        format_ratio,
        format_whole,
    )

    rows: list[tuple[object, ...]] = []
    for label, report in found.reports.items():
        score = report.overall()
        rows.append(
            (
                label,
                score.sessions,
                format_percent(score.success_rate),
                format_interval(score),
                format_percent(score.goal_condition_rate),
                format_percent(score.plw_success_rate),
                format_whole(score.actions),
                format_ratio(score.actions_ratio),
                score.crashes,
            )
        )
    columns = ("Follower", "sessions", "success %", "95 %", "goal conditions %")
    columns += ("path-weighted %", "actions", "/ recorded", "crashed")
    print_table(columns, rows)
