"""Reports of runs, of comparisons and of fidelity as HTML pages, without scripts or network."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tatc.base.plain_text import PathShortener
from tatc.evaluation.fidelity.agreement_counts import FIDELITY_MEASURES
from tatc.evaluation.fidelity.fidelity_report import (
    FidelityReport,
    disagreement_command,
    format_rate_interval,
    format_rates,
)
from tatc.evaluation.fidelity.session_rates import MeasureRates
from tatc.evaluation.page_templates import render_template
from tatc.evaluation.reports.portable_reports import portable_comparison, portable_report
from tatc.evaluation.reports.svg_plots import (
    BarChart,
    RateBar,
    ScatterPlot,
    ScatterPoint,
    scatter_plot,
)
from tatc.evaluation.runs.follower_comparison import FollowerComparison
from tatc.evaluation.runs.run_report import RunReport, TaskScore, ordered_tasks

_ROW_HEIGHT_PIXELS = 28
_MAX_LISTED = 20


def report_page(
    report: RunReport,
    separate_places: frozenset[str] = frozenset(),
    session_links: Mapping[str, str] | None = None,
) -> str:
    """Return the page, on which no path leads into the folders of this machine.

    Args:
        report: the run.
        separate_places: floor plans that get a line of their own.
        session_links: addresses of pages that show single sessions, by the session's key;
            groups of failures link to them.

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
        chart=BarChart([_rate_bar(each) for each in task_scores]),
        plot=_length_plot(report),
        fidelity=format_rates(report.fidelity) if report.fidelity is not None else "",
        identity=json.dumps(report.identity, indent=1),
    )


def _rate_bar(task: TaskScore) -> RateBar:
    score, published = task.score, task.published
    return RateBar(
        task.name,
        score.success_rate or 0.0,
        score.success_interval,
        published.success_percent / 100 if published else None,
        f"{score.successes} of {score.sessions}",
    )


def _length_plot(report: RunReport) -> ScatterPlot | None:
    """Return the agents' actions against the recorded ones, None without recorded sessions."""
    points: list[ScatterPoint] = []
    for row in report.executed_rows:
        if row.success and row.human_actions:
            actions = row.commander_actions + row.follower_actions
            points.append(ScatterPoint(row.human_actions, actions, f"{row.task}, {row.key}"))
    if not points:
        return None
    recorded = "actions of ALFRED's expert" if report.is_of_alfred else "actions of two people"
    return scatter_plot(points, recorded, "actions of the agents")


def fidelity_page(report: FidelityReport, floor_map: str, map_label: str) -> str:
    """Return the page, on which no path leads into the folders of this machine.

    Args:
        report: the games' fidelity.
        floor_map: the map as a command names it.
        map_label: the map's name and hash.

    """
    measures, causes = report.measures(), report.most_frequent_causes()
    paths = PathShortener.of((floor_map, *(each.game for each, _ in causes)))
    causes = [(replace(each, game=paths.shorten(each.game)), n) for each, n in causes]
    floor_map = paths.shorten(floor_map)
    return render_template(
        "fidelity.html",
        report=report,
        map_label=map_label,
        chart=BarChart(list(_rate_bars(measures)), row_height=_ROW_HEIGHT_PIXELS),
        rates=[*measures, *report.refusal_measures()],
        interval=format_rate_interval,
        causes=[(n, each, disagreement_command(each, floor_map)) for each, n in causes],
        plans={
            plan: [counts.rate(name) for name in FIDELITY_MEASURES]
            for plan, counts in report.by_plan().items()
        },
        measure_names=FIDELITY_MEASURES,
    )


def _rate_bars(measures: Sequence[MeasureRates]) -> Iterator[RateBar]:
    """Yield two bars for each measure that has answers: per action, and per session."""
    for each in measures:
        kinds = (
            (each.measure, each.per_action, "actions", "ours"),
            ("per session", each.per_session, "sessions", "theirs"),
        )
        for name, estimate, noun, css_class in kinds:
            if estimate.rate is not None:
                note = f"{each.measure}: {estimate.n} {noun}"
                yield RateBar(name, estimate.rate, estimate.interval, None, note, css_class)


def comparison_page(comparison: FollowerComparison) -> str:
    """Return the page, on which no path leads into the folders of this machine."""
    comparison = portable_comparison(comparison)
    reports = [*comparison.reports.values()]
    bars: list[RateBar] = []
    for label, score in zip(comparison.reports, (each.overall() for each in reports), strict=True):
        note = f"{score.successes} of {score.sessions}"
        bars.append(RateBar(label, score.success_rate or 0.0, score.success_interval, note=note))
    by_task = [dict(each.per_task()) for each in reports]
    rows = [row for each in reports for row in each.executed_rows]
    return render_template(
        "comparison.html",
        comparison=comparison,
        first_report=reports[0],
        chart=BarChart(bars),
        scores_by_task={
            task: [scores.get(task) for scores in by_task] for task in ordered_tasks(rows)
        },
        max_listed=_MAX_LISTED,
    )
