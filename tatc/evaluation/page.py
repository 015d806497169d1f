"""A report as one HTML page: no script, nothing fetched from anywhere."""

import json
from collections.abc import Iterable, Sequence
from html import escape

from tatc.evaluation.fidelity.report import in_words
from tatc.evaluation.markup import (
    card,
    document,
    faint,
    interval,
    percent,
    ratio,
    section,
    share,
    table,
    tiles,
    whole,
)
from tatc.evaluation.plots import Bar, Dot, bars, scatter
from tatc.evaluation.report import Report
from tatc.scoring.published import BY_TASK
from tatc.scoring.tables import Group

_KEY = (
    '<p class="faint key"><i style="background:var(--ours)"></i>tatc, with its 95 % '
    'interval<i style="background:var(--theirs)"></i>TEACh, Table 5</p>'
)


def page(report: Report, places: frozenset[str] = frozenset()) -> str:
    """Return the page; `places` get a line of their own."""
    groups = [*report.per_kind(), *report.per_split()]
    groups += report.apart(places) if places else ()
    body = (
        _head(report),
        _tiles(report),
        section("Success by task", _task_bars(report), _KEY),
        section("Beside published figures", _task_table(report), faint(report.note())),
        section("Where", _group_table(groups)),
        section("Against the recorded sessions", _lengths(report)),
        section("Negative controls", _controls(report)),
        section("What failed", _troubles(report)),
        section("What was run", _identity(report)),
    )
    return document("tatc report", body)


def _head(report: Report) -> str:
    run = report.identity
    commit = f", commit {run['commit']}" if run["commit"] else ""
    world = f"{run['world']} world, map {run['map']} {run['map_hash']}".rstrip()
    skipped = len(report.rows) - len(report.ran)
    missing = report.expected - len(report.rows)
    counts = [f"{len(report.ran)} sessions"]
    counts += [f"{skipped} that could not start"] if skipped else []
    counts += [f"{missing} still to come"] if missing > 0 else []
    line = f"tatc {run['tatc']}{commit}; {world}; {', '.join(counts)}"
    return f"<h1>Evaluation</h1>{faint(line)}"


def _tiles(report: Report) -> str:
    got = report.overall()
    low, high = got.interval
    pairs = (
        (share(got.success_rate), f"success ({100 * low:.1f} to {100 * high:.1f})"),
        (share(got.goal_condition_rate), "goal conditions, pooled"),
        (share(got.plw_success_rate), "path-weighted success, pooled"),
        (ratio(got.actions_ratio), "actions over recorded ones"),
        (ratio(got.bound_ratio), "steps over their lower bound"),
        (str(got.crashed), "crashed"),
    )
    return tiles(pairs)


def _task_bars(report: Report) -> str:
    rows = [
        Bar(
            name,
            got.success_rate or 0.0,
            got.interval,
            BY_TASK[name].success / 100 if name in BY_TASK else None,
            f"{got.successes} of {got.sessions}",
        )
        for name, got in (*report.per_task(), ("overall", report.overall()))
    ]
    return card(bars(rows))


def _task_table(report: Report) -> str:
    heads = (
        *("task", "sessions", "success %", "95 %", "TEACh %", "goal cond. %"),
        *("path-w. %", "actions", "TEACh", "people", "/ recorded", "/ bound"),
    )
    rows: list[Sequence[str]] = []
    for name, got in (*report.per_task(), ("overall", report.overall())):
        theirs = BY_TASK.get(name)
        rows.append(
            (
                name,
                *(str(got.sessions), percent(got.success_rate), interval(got)),
                f"{theirs.success:.2f}" if theirs else "",
                *(percent(got.goal_condition_rate), percent(got.plw_success_rate)),
                whole(got.actions),
                whole(theirs.actions if theirs else None),
                whole(theirs.human_actions if theirs else None),
                *(ratio(got.actions_ratio), ratio(got.bound_ratio)),
            )
        )
    return table(heads, rows, last="sum")


def _group_table(groups: Iterable[Group]) -> str:
    heads = ("where", "sessions", "success %", "95 %", "goal cond. %", "/ recorded")
    rows = [
        (
            name,
            *(str(got.sessions), percent(got.success_rate), interval(got)),
            *(percent(got.goal_condition_rate), ratio(got.actions_ratio)),
        )
        for name, got in groups
    ]
    return table(heads, rows)


def _lengths(report: Report) -> str:
    dots = [
        Dot(
            row.human_actions,
            row.commander_actions + row.follower_actions,
            f"{row.task}, {row.key}",
        )
        for row in report.ran
        if row.success and row.human_actions
    ]
    if not dots:
        return faint("These sessions have no recorded ones to compare with.")
    plot = scatter(dots, "actions of two people", "actions of the agents")
    return card(plot) + faint(
        "Each dot is a solved session; below the dashed line the agents took fewer "
        "actions than people did."
    )


def _controls(report: Report) -> str:
    if not report.controls:
        return faint("None were run; `tatc eval --controls` does.")
    heads = ("control", "sessions", "success %", "95 %", "where its fault matters")
    rows = [
        (
            each.name,
            str(each.overall.sessions),
            percent(each.overall.success_rate),
            interval(each.overall),
            f"{percent(each.matters.success_rate)} % of {each.matters.sessions}: "
            f"{each.where}",
        )
        for each in report.controls
    ]
    return table(heads, rows) + faint(
        "Commanders made to fail: a world in which they succeed forgives too much."
    )


def _troubles(report: Report) -> str:
    found = report.troubles()
    if not found:
        return faint("Nothing.")
    rows = "".join(
        f"<tr><td>{each.count}</td><td>{escape(each.task)}</td>"
        f"<td>{escape(each.failure.problem)}</td><td>{escape(each.failure.skill)}</td>"
        f"<td>{escape(each.failure.reason)}<code>{escape(each.command)}</code></td></tr>"
        for each in found
    )
    heads = "".join(
        f"<th>{name}</th>" for name in ("", "task", "problem", "skill", "reason")
    )
    return (
        '<div class="scroll"><table class="words">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _identity(report: Report) -> str:
    run = json.dumps(report.identity, indent=1)
    agreement = (
        "How far the embedded world agrees with recordings was not measured here."
        if report.fidelity is None
        else f"Agreement with recordings: {in_words(report.fidelity)}"
    )
    taken = sum(report.seconds.values())
    times = f"{taken:.0f} s of sessions in {report.wall_seconds:.0f} s."
    pre = f'<pre class="card scroll faint">{escape(run)}</pre>'
    return faint(agreement) + faint(times) + pre
