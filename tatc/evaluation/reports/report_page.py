"""Reports as HTML pages without scripts, whose plots are computed here, and as CSV tables."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

from tatc.base.plain_text import PathShortener, printable, texts_in
from tatc.evaluation.blame.blame_run import Share
from tatc.evaluation.fidelity import agreement_counts, fidelity_report
from tatc.evaluation.page_templates import render_template
from tatc.evaluation.runs.follower_comparison import Contender, FollowerComparison
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_report import RunReport, ordered_tasks
from tatc.evaluation.scoring.published_results import PublishedResult
from tatc.evaluation.scoring.scores import AggregateScore

_MAX_LISTED = 20


@dataclass(frozen=True, slots=True)
class RateBar:
    """A rate (0 to 1) with its 95 % interval, and perhaps a published rate beside it."""

    name: str
    rate: float
    interval: tuple[float, float] | None
    published_rate: float | None = None
    note: str = ""
    css_class: str = "ours"


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """One session: the actions that were recorded, and those that the agents took."""

    x: int
    y: int
    note: str


@dataclass(frozen=True, slots=True)
class ScatterPlot:
    """Points on two logarithmic axes from `low` to `high`, which hold all of them."""

    points: Sequence[ScatterPoint]
    x_label: str
    y_label: str
    low: float
    high: float

    def ticks(self) -> list[int]:
        """Return the values that get a line: 1, 2 and 5 times each power of ten."""
        decades = range(round(log10(self.low)), round(log10(self.high)) + 1)
        ticks = [m * 10**d for d in decades for m in (1, 2, 5)]
        return [tick for tick in ticks if self.low <= tick <= self.high]

    def fraction(self, value: float) -> float:
        """Return where a value lies on an axis, from 0 to 1."""
        return log10(value / self.low) / log10(self.high / self.low)


def scatter_plot(points: Sequence[ScatterPoint], x_label: str, y_label: str) -> ScatterPlot:
    """Return a plot whose axes hold all points; those with a number below 1 are left out."""
    kept = [point for point in points if point.x > 0 and point.y > 0]
    values = [value for point in kept for value in (point.x, point.y)]
    low = 10 ** floor(log10(min(values, default=1)))
    high = 10 ** ceil(log10(max(values, default=10) * 1.05))
    return ScatterPlot(kept, x_label, y_label, low, high)


def report_page(
    report: RunReport,
    separate_places: frozenset[str] = frozenset(),
    session_links: Mapping[str, str] | None = None,
    blame: Sequence[Sequence[Share]] = (),
) -> str:
    """Return the page, on which no path leads into the folders of this machine.

    `separate_places` get their own line; failures link to the addresses in `session_links`, by key.
    `blame` has the shares by agent and by kind of step.
    """
    report = portable_report(report)
    places = [*report.per_kind(), *report.per_split()]
    places += report.scores_by_places(separate_places) if separate_places else ()
    task_scores = report.scores_beside_published()
    return render_template(
        "report.html",
        report=report,
        task_scores=task_scores,
        place_scores=places,
        failure_groups=report.failure_groups(),
        session_links=session_links or {},
        blame=blame,
        bars=[_rate_bar(each.name, each.score, each.published) for each in task_scores],
        plot=_length_plot(report),
        fidelity=fidelity_report.format_rates(report.fidelity) if report.fidelity else "",
        identity=json.dumps(report.identity, indent=1),
    )


def _rate_bar(
    name: str, score: AggregateScore, published: PublishedResult | None = None
) -> RateBar:
    theirs = published.success_percent / 100 if published else None
    note = f"{score.successes} of {score.sessions}"
    return RateBar(name, score.success_rate or 0.0, score.success_interval, theirs, note)


def _length_plot(report: RunReport) -> ScatterPlot | None:
    points: list[ScatterPoint] = []
    for row in report.executed_rows:
        if row.success and row.human_actions:
            actions = row.commander_actions + row.follower_actions
            points.append(ScatterPoint(row.human_actions, actions, f"{row.task}, {row.key}"))
    if not points:
        return None
    recorded = "actions of ALFRED's expert" if report.is_of_alfred else "actions of two people"
    return scatter_plot(points, recorded, "actions of the agents")


def fidelity_page(report: fidelity_report.FidelityReport, floor_map: str, map_label: str) -> str:
    """Return the page without paths of this machine; commands name the map as `floor_map`."""
    measures, causes = report.measures(), report.most_frequent_causes()
    paths = PathShortener.of((floor_map, *(each.game for each, _ in causes)))
    causes = [(replace(each, game=paths.shorten(each.game)), n) for each, n in causes]
    floor_map = paths.shorten(floor_map)
    return render_template(
        "fidelity.html",
        report=report,
        map_label=map_label,
        bars=list(_rate_bars(measures)),
        rates=[*measures, *report.refusal_measures()],
        interval=fidelity_report.format_rate_interval,
        causes=[
            (n, each, fidelity_report.disagreement_command(each, floor_map)) for each, n in causes
        ],
        plans={
            plan: [counts.rate(name) for name in agreement_counts.FIDELITY_MEASURES]
            for plan, counts in report.by_plan().items()
        },
        measure_names=agreement_counts.FIDELITY_MEASURES,
    )


def _rate_bars(measures: Sequence[fidelity_report.MeasureRates]) -> Iterator[RateBar]:
    for each in measures:
        for name, estimate, noun, css_class in (
            (each.measure, each.per_action, "actions", "ours"),
            ("per session", each.per_session, "sessions", "theirs"),
        ):
            if estimate.rate is not None:
                note = f"{each.measure}: {estimate.n} {noun}"
                yield RateBar(name, estimate.rate, estimate.interval, None, note, css_class)


def comparison_page(comparison: FollowerComparison, site: Mapping[str, Any]) -> str:
    """Return the page, on which no path leads into the folders of this machine.

    The `site` beside it has ids of sessions by side and key, its folder as commands name it, and
    as a link; its `root` leads from the page to where commands are typed, one of which made it.
    """
    ids = [
        {key: name for (side, key), name in site["ids"].items() if side == label}
        for label in comparison.reports
    ]
    shown = zip(comparison.reports.items(), ids, strict=True)
    moved = {label: _with_records_in(each, site["folder"], own) for (label, each), own in shown}
    comparison = portable_comparison(replace(comparison, reports=moved))
    reports = [*comparison.reports.values()]
    by_task = [dict(each.per_task()) for each in reports]
    of_each = [{row.key: row for row in each.executed_rows} for each in reports]
    keys = sorted({key for rows in of_each for key in rows})
    return render_template(
        "comparison.html",
        comparison=comparison,
        first_report=reports[0],
        bars=[_rate_bar(label, each.overall()) for label, each in comparison.reports.items()],
        scores_by_task={
            task: [scores.get(task) for scores in by_task]
            for task in ordered_tasks(row for rows in of_each for row in rows.values())
        },
        sessions={key: [rows.get(key) for rows in of_each] for key in keys},
        ids=dict(zip(comparison.reports, ids, strict=True)),
        site=site,
        max_listed=_MAX_LISTED,
    )


def _with_records_in(report: RunReport, folder: str, ids: Mapping[str, str]) -> RunReport:
    """Return a report whose commands open the records of a site."""
    records = {key: f"records/{name}.game.json.gz" for key, name in ids.items()}
    rows = (replace(row, record=records.get(row.key, row.record)) for row in report.rows)
    folders = {**report.folders, **dict.fromkeys(ids, Path(folder))}
    return replace(report, rows=tuple(rows), folders=folders)


# Reports to hand around: what they say of files is cut to what is the same on every machine.

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\n")
CSV_COLUMNS = (
    *("key", "task", "params", "place", "kind", "split", "seed", "skipped", "unanswered"),
    "end",
    *("success", "gc_total_start", "gc_met_start", "gc_total_end", "gc_met_end"),
    *("commander_actions", "follower_actions", "steps", "failed_actions"),
    *("human_actions", "bound", "seconds", "problem", "skill", "reason"),
    *("perception", "models", "model_calls", "model_tokens"),
)


def portable_report(report: RunReport) -> RunReport:
    """Return a report whose paths are those of no machine."""
    return _cut_report(report, PathShortener.of(_texts_of(report)))


def portable_comparison(comparison: FollowerComparison) -> FollowerComparison:
    """Return a comparison whose paths are those of no machine."""
    texts = [text for report in comparison.reports.values() for text in _texts_of(report)]
    paths = PathShortener.of(texts)
    contenders = {c.label: c for pair in comparison.pairs for c in (pair.first, pair.second)}
    labels = {label: _cut(each, paths).label for label, each in contenders.items()}
    return FollowerComparison(
        {labels[label]: _cut_report(each, paths) for label, each in comparison.reports.items()},
        tuple(
            replace(pair, first=_cut(pair.first, paths), second=_cut(pair.second, paths))
            for pair in comparison.pairs
        ),
    )


def _texts_of(report: RunReport) -> Iterable[str]:
    yield from texts_in(report.identity)
    yield from (str(folder) for folder in report.folders.values())
    yield from (row.source for row in report.rows if row.source is not None)
    yield from report.faults


def _cut_report(report: RunReport, paths: PathShortener) -> RunReport:
    return replace(
        report,
        identity=paths.shorten_all(report.identity),
        rows=tuple(_cut_row(row, paths) for row in report.rows),
        folders={key: Path(paths.shorten(str(each))) for key, each in report.folders.items()},
        faults=tuple(map(paths.shorten_in, report.faults)),
    )


def _cut_row(row: SessionRow, paths: PathShortener) -> SessionRow:
    failure = row.failure
    if failure is not None:
        failure = replace(failure, reason=paths.shorten_in(failure.reason))
    source = None if row.source is None else paths.shorten(row.source)
    skipped, unanswered = map(paths.shorten_in, (row.skipped, row.unanswered))
    return replace(row, source=source, skipped=skipped, unanswered=unanswered, failure=failure)


def _cut(contender: Contender, paths: PathShortener) -> Contender:
    agents = {"follower": contender.follower, "commander": contender.commander}
    short = {name: paths.shorten(each) for name, each in (agents | {"run": contender.run}).items()}
    return replace(contender, policies=tuple(map(paths.shorten, contender.policies)), **short)


def sessions_csv(report: RunReport) -> str:
    """Return a run as a table of its sessions; what looks like a formula gets an apostrophe."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for row in portable_report(report).rows:
        cells = _row_cells(row, report.seconds.get(row.key))
        for k, cell in enumerate(cells):
            if isinstance(cell, str):
                shown = printable(cell)
                cells[k] = f"'{shown}" if shown.startswith(_FORMULA_STARTS) else shown
        writer.writerow(cells)
    return text.getvalue()


def _row_cells(row: SessionRow, seconds: float | None) -> list[object]:
    failure = row.failure
    about = (failure.problem, failure.skill, failure.reason) if failure else ("",) * 3
    return [
        *(row.key, row.task, " ".join(row.params), row.place, row.kind, row.split),
        *(row.seed, row.skipped, row.unanswered, row.end, int(row.success)),
        *(row.before.total, row.before.met, row.after.total, row.after.met),
        *(row.commander_actions, row.follower_actions, row.steps, row.failed_actions),
        *(row.human_actions, row.bound, seconds, *about, row.perception),
        *(row.models, row.model_calls, row.model_tokens),
    ]
