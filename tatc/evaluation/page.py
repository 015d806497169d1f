"""A report as one HTML page: no script, nothing fetched from anywhere."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from tatc.evaluation.plots import Bar, Dot, bars, scatter
from tatc.evaluation.report import Report
from tatc.scoring import Score
from tatc.scoring.published import BY_TASK
from tatc.scoring.tables import Group

_KEY = (
    '<p class="faint key"><i style="background:var(--ours)"></i>tatc, with its 95 % '
    'interval<i style="background:var(--theirs)"></i>TEACh, Table 5</p>'
)


def page(report: Report, places: frozenset[str] = frozenset()) -> str:
    """Return the page; `places` get a line of their own."""
    style = files("tatc.evaluation").joinpath("page.css").read_text("utf-8")
    groups = [*report.per_kind(), *report.per_split()]
    groups += report.apart(places) if places else ()
    body = (
        _head(report),
        _tiles(report),
        _section("Success by task", _task_bars(report), _KEY),
        _section(
            "Beside published figures", _task_table(report), _faint(report.note())
        ),
        _section("Where", _group_table(groups)),
        _section("Against the recorded sessions", _lengths(report)),
        _section("Negative controls", _controls(report)),
        _section("What failed", _troubles(report)),
        _section("What was run", _identity(report)),
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>tatc report</title><style>{style}</style></head><body>"
        f"{''.join(body)}</body></html>\n"
    )


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
    return f"<h1>Evaluation</h1>{_faint(line)}"


def _tiles(report: Report) -> str:
    got = report.overall()
    low, high = got.interval
    tiles = (
        (_share(got.success_rate), f"success ({100 * low:.1f} to {100 * high:.1f})"),
        (_share(got.goal_condition_rate), "goal conditions, pooled"),
        (_share(got.plw_success_rate), "path-weighted success, pooled"),
        (_ratio(got.actions_ratio), "actions over recorded ones"),
        (_ratio(got.bound_ratio), "steps over their lower bound"),
        (str(got.crashed), "crashed"),
    )
    cells = "".join(
        f'<div class="tile"><b>{escape(value)}</b>{escape(name)}</div>'
        for value, name in tiles
    )
    return f'<div class="tiles">{cells}</div>'


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
    return _card(bars(rows))


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
                *(str(got.sessions), _percent(got.success_rate), _interval(got)),
                f"{theirs.success:.2f}" if theirs else "",
                *(_percent(got.goal_condition_rate), _percent(got.plw_success_rate)),
                _whole(got.actions),
                _whole(theirs.actions if theirs else None),
                _whole(theirs.human_actions if theirs else None),
                *(_ratio(got.actions_ratio), _ratio(got.bound_ratio)),
            )
        )
    return _table(heads, rows, last="sum")


def _group_table(groups: Iterable[Group]) -> str:
    heads = ("where", "sessions", "success %", "95 %", "goal cond. %", "/ recorded")
    rows = [
        (
            name,
            *(str(got.sessions), _percent(got.success_rate), _interval(got)),
            *(_percent(got.goal_condition_rate), _ratio(got.actions_ratio)),
        )
        for name, got in groups
    ]
    return _table(heads, rows)


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
        return _faint("These sessions have no recorded ones to compare with.")
    plot = scatter(dots, "actions of two people", "actions of the agents")
    return _card(plot) + _faint(
        "Each dot is a solved session; below the dashed line the agents took fewer "
        "actions than people did."
    )


def _controls(report: Report) -> str:
    if not report.controls:
        return _faint("None were run; `tatc eval --controls` does.")
    heads = ("control", "sessions", "success %", "95 %", "where its fault matters")
    rows = [
        (
            each.name,
            str(each.overall.sessions),
            _percent(each.overall.success_rate),
            _interval(each.overall),
            f"{_percent(each.matters.success_rate)} % of {each.matters.sessions}: "
            f"{each.where}",
        )
        for each in report.controls
    ]
    return _table(heads, rows) + _faint(
        "Commanders made to fail: a world in which they succeed forgives too much."
    )


def _troubles(report: Report) -> str:
    found = report.troubles()
    if not found:
        return _faint("Nothing.")
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
        else f"Agreement with recordings: {json.dumps(report.fidelity)}"
    )
    taken = sum(report.seconds.values())
    times = f"{taken:.0f} s of sessions in {report.wall_seconds:.0f} s."
    pre = f'<pre class="card scroll faint">{escape(run)}</pre>'
    return _faint(agreement) + _faint(times) + pre


def _section(title: str, *parts: str) -> str:
    return f"<h2>{escape(title)}</h2>{''.join(parts)}"


def _card(content: str) -> str:
    return f'<div class="card">{content}</div>'


def _faint(text: str) -> str:
    return f'<p class="faint">{escape(text)}</p>'


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], last: str = "") -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    marks = [""] * (len(rows) - 1) + [f' class="{last}"' if last else ""]
    body = "".join(
        f"<tr{mark}>{line}</tr>" for mark, line in zip(marks, lines, strict=False)
    )
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.2f}"


def _share(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f} %"


def _interval(got: Score) -> str:
    low, high = got.interval
    return f"{100 * low:.1f}-{100 * high:.1f}" if got.sessions else "-"


def _whole(number: float | None) -> str:
    return "-" if number is None else f"{number:.0f}"


def _ratio(number: float | None) -> str:
    return "-" if number is None else f"{number:.2f}"
