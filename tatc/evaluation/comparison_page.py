"""A comparison as one HTML page: no script, nothing fetched from anywhere."""

from collections.abc import Sequence
from html import escape

from tatc.evaluation.follower_comparison import FollowerComparison, PairComparison
from tatc.evaluation.html_parts import (
    card,
    format_interval,
    format_percent,
    format_ratio,
    format_whole,
    html_document,
    section,
    small_print,
    table,
)
from tatc.evaluation.run_report import RunReport
from tatc.evaluation.summary import ordered_tasks
from tatc.evaluation.svg_plots import RateBar, bar_chart

_MAX_LISTED = 20


def comparison_page(comparison: FollowerComparison) -> str:
    """Return the page."""
    first = next(iter(comparison.reports.values()))
    parts = [
        "<h1>Comparison</h1>",
        small_print(
            f"{len(first.executed_rows)} sessions, tatc {first.identity['tatc']}; "
            f"{first.identity['world']} world, map {first.identity['map']}"
        ),
        section("Success", card(bar_chart(_success_bars(comparison))), small_print(first.note())),
        section("Scores", _score_table(comparison)),
        section("One against the other, session by session", _pair_table(comparison)),
        section("Success by task, %", _success_by_task(comparison)),
    ]
    parts += [_differing_sessions(comparison, each) for each in comparison.pairs]
    parts += [_failure_table(label, report) for label, report in comparison.reports.items()]
    return html_document("tatc compare", parts)


def _success_bars(comparison: FollowerComparison) -> list[RateBar]:
    rows: list[RateBar] = []
    for label, report in comparison.reports.items():
        got = report.overall()
        note = f"{got.successes} of {got.sessions}"
        rows.append(RateBar(label, got.success_rate or 0.0, got.success_interval, note=note))
    return rows


def _score_table(comparison: FollowerComparison) -> str:
    heads = ("Follower", "sessions", "success %", "95 %", "goal conditions %")
    heads += ("path-weighted %", "actions", "/ recorded", "crashed")
    rows: list[Sequence[str]] = []
    for label, report in comparison.reports.items():
        got = report.overall()
        rows.append(
            (
                label,
                str(got.sessions),
                format_percent(got.success_rate),
                format_interval(got),
                format_percent(got.goal_condition_rate),
                format_percent(got.plw_success_rate),
                format_whole(got.actions),
                format_ratio(got.actions_ratio),
                str(got.crashes),
            )
        )
    return table(heads, rows)


def _pair_table(comparison: FollowerComparison) -> str:
    heads = ("first", "second", "both", "first alone", "second alone", "neither")
    heads += ("difference, points", "95 %", "p")
    rows: list[Sequence[str]] = []
    for each in comparison.pairs:
        pair, (low, high) = each.paired, each.paired.interval
        counts = (
            pair.both_succeeded,
            pair.only_first_succeeded,
            pair.only_second_succeeded,
            pair.neither_succeeded,
        )
        rows.append(
            (
                each.first,
                each.second,
                *map(str, counts),
                f"{100 * pair.difference:+.1f}",
                f"{100 * low:+.1f} to {100 * high:+.1f}",
                f"{pair.p_value:.2g}",
            )
        )
    how = "Newcombe's interval of paired rates, McNemar's exact test, two-sided."
    return table(heads, rows) + small_print(how)


def _success_by_task(comparison: FollowerComparison) -> str:
    rates = {label: dict(report.per_task()) for label, report in comparison.reports.items()}
    tasks = ordered_tasks(
        [row for each in comparison.reports.values() for row in each.executed_rows]
    )
    rows = [
        (
            task,
            *(
                format_percent(got[task].success_rate) if task in got else "-"
                for got in rates.values()
            ),
        )
        for task in tasks
    ]
    return table(("task", *rates), rows)


def _differing_sessions(comparison: FollowerComparison, pair: PairComparison) -> str:
    parts: list[str] = []
    for who, other, keys in (
        (pair.first, pair.second, pair.only_first_succeeded),
        (pair.second, pair.first, pair.only_second_succeeded),
    ):
        if keys:
            shown = "".join(_session_row(comparison, other, key) for key in keys[:_MAX_LISTED])
            more = f" (the first {_MAX_LISTED})" if len(keys) > _MAX_LISTED else ""
            parts.append(small_print(f"{who} alone: {len(keys)}{more}; how the other failed"))
            parts.append(f'<table class="words"><tbody>{shown}</tbody></table>')
    title = f"{pair.first} against {pair.second}"
    return section(title, *(parts or [small_print("They win and lose the same sessions.")]))


def _session_row(comparison: FollowerComparison, label: str, key: str) -> str:
    command = escape(comparison.command_to_open(label, key))
    return f"<tr><td></td><td>{escape(key)}<code>{command}</code></td></tr>"


def _failure_table(label: str, report: RunReport) -> str:
    rows = [
        (str(each.count), each.task, each.failure.skill, each.failure.reason)
        for each in report.troubles()[:_MAX_LISTED]
    ]
    heads = ("n", "task", "skill", "reason")
    body = table(heads, rows) if rows else small_print("Nothing failed.")
    return section(f"What failed with {label}", body)
