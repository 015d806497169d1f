"""A comparison as one HTML page: no script, nothing fetched from anywhere."""

from collections.abc import Sequence
from html import escape

from tatc.evaluation.comparing import Comparison, Match
from tatc.evaluation.markup import (
    card,
    document,
    faint,
    interval,
    percent,
    ratio,
    section,
    table,
    whole,
)
from tatc.evaluation.plots import Bar, bars
from tatc.evaluation.report import Report
from tatc.evaluation.summary import tasks_in

_SHOWN = 20


def compare_page(found: Comparison) -> str:
    """Return the page."""
    first = next(iter(found.reports.values()))
    parts = [
        "<h1>Comparison</h1>",
        faint(
            f"{len(first.ran)} sessions, tatc {first.identity['tatc']}; "
            f"{first.identity['world']} world, map {first.identity['map']}"
        ),
        section("Success", card(bars(_bars(found))), faint(first.note())),
        section("Scores", _scores(found)),
        section("One against the other, session by session", _matches(found)),
        section("Success by task, %", _by_task(found)),
    ]
    parts += [_sessions(found, each) for each in found.matches]
    parts += [_failures(label, report) for label, report in found.reports.items()]
    return document("tatc compare", parts)


def _bars(found: Comparison) -> list[Bar]:
    rows: list[Bar] = []
    for label, report in found.reports.items():
        got = report.overall()
        note = f"{got.successes} of {got.sessions}"
        rows.append(Bar(label, got.success_rate or 0.0, got.interval, note=note))
    return rows


def _scores(found: Comparison) -> str:
    heads = ("Follower", "sessions", "success %", "95 %", "goal conditions %")
    heads += ("path-weighted %", "actions", "/ recorded", "crashed")
    rows: list[Sequence[str]] = []
    for label, report in found.reports.items():
        got = report.overall()
        rows.append(
            (
                label,
                str(got.sessions),
                percent(got.success_rate),
                interval(got),
                percent(got.goal_condition_rate),
                percent(got.plw_success_rate),
                whole(got.actions),
                ratio(got.actions_ratio),
                str(got.crashed),
            )
        )
    return table(heads, rows)


def _matches(found: Comparison) -> str:
    heads = ("first", "second", "both", "first alone", "second alone", "neither")
    heads += ("difference, points", "95 %", "p")
    rows: list[Sequence[str]] = []
    for each in found.matches:
        pair, (low, high) = each.paired, each.paired.interval
        counts = (pair.both, pair.first, pair.second, pair.neither)
        rows.append(
            (
                each.first,
                each.second,
                *map(str, counts),
                f"{100 * pair.difference:+.1f}",
                f"{100 * low:+.1f} to {100 * high:+.1f}",
                f"{pair.p:.2g}",
            )
        )
    how = "Newcombe's interval of paired rates, McNemar's exact test, two-sided."
    return table(heads, rows) + faint(how)


def _by_task(found: Comparison) -> str:
    rates = {label: dict(report.per_task()) for label, report in found.reports.items()}
    tasks = tasks_in([row for each in found.reports.values() for row in each.ran])
    rows = [
        (
            task,
            *(
                percent(got[task].success_rate) if task in got else "-"
                for got in rates.values()
            ),
        )
        for task in tasks
    ]
    return table(("task", *rates), rows)


def _sessions(found: Comparison, each: Match) -> str:
    parts: list[str] = []
    for who, other, keys in (
        (each.first, each.second, each.won),
        (each.second, each.first, each.lost),
    ):
        if keys:
            shown = "".join(_session(found, other, key) for key in keys[:_SHOWN])
            more = f" (the first {_SHOWN})" if len(keys) > _SHOWN else ""
            parts.append(faint(f"{who} alone: {len(keys)}{more}; how the other failed"))
            parts.append(f'<table class="words"><tbody>{shown}</tbody></table>')
    title = f"{each.first} against {each.second}"
    return section(title, *(parts or [faint("They win and lose the same sessions.")]))


def _session(found: Comparison, label: str, key: str) -> str:
    command = escape(found.command(label, key))
    return f"<tr><td></td><td>{escape(key)}<code>{command}</code></td></tr>"


def _failures(label: str, report: Report) -> str:
    rows = [
        (str(each.count), each.task, each.failure.skill, each.failure.reason)
        for each in report.troubles()[:_SHOWN]
    ]
    heads = ("n", "task", "skill", "reason")
    body = table(heads, rows) if rows else faint("Nothing failed.")
    return section(f"What failed with {label}", body)
