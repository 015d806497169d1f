"""A report as one HTML page: no script, nothing fetched from anywhere."""

import json
from collections.abc import Iterable, Sequence
from html import escape

from tatc.evaluation.fidelity.fidelity_report import format_rates
from tatc.evaluation.html_parts import (
    card,
    format_interval,
    format_percent,
    format_ratio,
    format_share,
    format_whole,
    html_document,
    section,
    small_print,
    table,
    tiles,
)
from tatc.evaluation.run_report import RunReport
from tatc.evaluation.svg_plots import RateBar, ScatterPoint, bar_chart, scatter_plot
from tatc.scoring.group_scores import GroupScore
from tatc.scoring.published_results import PUBLISHED_BY_TASK

_LEGEND = (
    '<p class="faint key"><i style="background:var(--ours)"></i>tatc, with its 95 % '
    'interval<i style="background:var(--theirs)"></i>TEACh, Table 5</p>'
)


def report_page(report: RunReport, separate_places: frozenset[str] = frozenset()) -> str:
    """Return the page; `separate_places` get a line of their own."""
    groups = [*report.per_kind(), *report.per_split()]
    groups += report.scores_by_places(separate_places) if separate_places else ()
    body = (
        _heading(report),
        _figure_tiles(report),
        section("Success by task", _task_bar_chart(report), _LEGEND),
        section("Beside published figures", _task_table(report), small_print(report.note())),
        section("Where", _group_table(groups)),
        section("Against the recorded sessions", _length_plot(report)),
        section("Negative controls", _control_table(report)),
        section("What failed", _failure_table(report)),
        section("What was run", _run_details(report)),
    )
    return html_document("tatc report", body)


def _heading(report: RunReport) -> str:
    run = report.identity
    commit = f", commit {run['commit']}" if run["commit"] else ""
    world = f"{run['world']} world, map {run['map']} {run['map_hash']}".rstrip()
    skipped = len(report.rows) - len(report.executed_rows)
    missing = report.expected_sessions - len(report.rows)
    counts = [f"{len(report.executed_rows)} sessions"]
    counts += [f"{skipped} that could not start"] if skipped else []
    counts += [f"{missing} still to come"] if missing > 0 else []
    line = f"tatc {run['tatc']}{commit}; {world}; {', '.join(counts)}"
    return f"<h1>Evaluation</h1>{small_print(line)}"


def _figure_tiles(report: RunReport) -> str:
    got = report.overall()
    low, high = got.success_interval
    pairs = (
        (format_share(got.success_rate), f"success ({100 * low:.1f} to {100 * high:.1f})"),
        (format_share(got.goal_condition_rate), "goal conditions, pooled"),
        (format_share(got.plw_success_rate), "path-weighted success, pooled"),
        (format_ratio(got.actions_ratio), "actions over recorded ones"),
        (format_ratio(got.bound_ratio), "steps over their lower bound"),
        (str(got.crashes), "crashed"),
    )
    return tiles(pairs)


def _task_bar_chart(report: RunReport) -> str:
    rows = [
        RateBar(
            name,
            got.success_rate or 0.0,
            got.success_interval,
            PUBLISHED_BY_TASK[name].success_percent / 100 if name in PUBLISHED_BY_TASK else None,
            f"{got.successes} of {got.sessions}",
        )
        for name, got in (*report.per_task(), ("overall", report.overall()))
    ]
    return card(bar_chart(rows))


def _task_table(report: RunReport) -> str:
    heads = (
        *("task", "sessions", "success %", "95 %", "TEACh %", "goal cond. %"),
        *("path-w. %", "actions", "TEACh", "people", "/ recorded", "/ bound"),
    )
    rows: list[Sequence[str]] = []
    for name, got in (*report.per_task(), ("overall", report.overall())):
        theirs = PUBLISHED_BY_TASK.get(name)
        rows.append(
            (
                name,
                *(str(got.sessions), format_percent(got.success_rate), format_interval(got)),
                f"{theirs.success_percent:.2f}" if theirs else "",
                *(format_percent(got.goal_condition_rate), format_percent(got.plw_success_rate)),
                format_whole(got.actions),
                format_whole(theirs.actions if theirs else None),
                format_whole(theirs.human_actions if theirs else None),
                *(format_ratio(got.actions_ratio), format_ratio(got.bound_ratio)),
            )
        )
    return table(heads, rows, last_row_class="sum")


def _group_table(groups: Iterable[GroupScore]) -> str:
    heads = ("where", "sessions", "success %", "95 %", "goal cond. %", "/ recorded")
    rows = [
        (
            name,
            *(str(got.sessions), format_percent(got.success_rate), format_interval(got)),
            *(format_percent(got.goal_condition_rate), format_ratio(got.actions_ratio)),
        )
        for name, got in groups
    ]
    return table(heads, rows)


def _length_plot(report: RunReport) -> str:
    dots = [
        ScatterPoint(
            row.human_actions,
            row.commander_actions + row.follower_actions,
            f"{row.task}, {row.key}",
        )
        for row in report.executed_rows
        if row.success and row.human_actions
    ]
    if not dots:
        return small_print("These sessions have no recorded ones to compare with.")
    plot = scatter_plot(dots, "actions of two people", "actions of the agents")
    return card(plot) + small_print(
        "Each dot is a solved session; below the dashed line the agents took fewer "
        "actions than people did."
    )


def _control_table(report: RunReport) -> str:
    if not report.controls:
        return small_print("None were run; `tatc eval --controls` does.")
    heads = ("control", "sessions", "success %", "95 %", "where its fault matters")
    rows = [
        (
            each.name,
            str(each.overall.sessions),
            format_percent(each.overall.success_rate),
            format_interval(each.overall),
            f"{format_percent(each.relevant_score.success_rate)} % "
            f"of {each.relevant_score.sessions}: {each.relevant_where}",
        )
        for each in report.controls
    ]
    return table(heads, rows) + small_print(
        "Commanders made to fail: a world in which they succeed forgives too much."
    )


def _failure_table(report: RunReport) -> str:
    groups = report.troubles()
    if not groups:
        return small_print("Nothing.")
    rows = "".join(
        f"<tr><td>{each.count}</td><td>{escape(each.task)}</td>"
        f"<td>{escape(each.failure.problem)}</td><td>{escape(each.failure.skill)}</td>"
        f"<td>{escape(each.failure.reason)}<code>{escape(each.command)}</code></td></tr>"
        for each in groups
    )
    heads = "".join(f"<th>{name}</th>" for name in ("", "task", "problem", "skill", "reason"))
    return (
        '<div class="scroll"><table class="words">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _run_details(report: RunReport) -> str:
    run = json.dumps(report.identity, indent=1)
    agreement = (
        "How far the embedded world agrees with recordings was not measured here."
        if report.fidelity is None
        else f"Agreement with recordings: {format_rates(report.fidelity)}"
    )
    taken = sum(report.seconds.values())
    times = f"{taken:.0f} s of sessions in {report.wall_seconds:.0f} s."
    pre = f'<pre class="card scroll faint">{escape(run)}</pre>'
    return small_print(agreement) + small_print(times) + pre
