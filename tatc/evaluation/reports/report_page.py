"""A report as one HTML page: without scripts, and complete without the network."""

import json
from collections.abc import Mapping

from tatc.evaluation.fidelity.fidelity_report import format_rates
from tatc.evaluation.page_templates import render_template
from tatc.evaluation.reports.portable_reports import portable_report
from tatc.evaluation.reports.svg_plots import (
    BarChart,
    RateBar,
    ScatterPlot,
    ScatterPoint,
    scatter_plot,
)
from tatc.evaluation.runs.run_report import RunReport, TaskScore


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
    points = [
        ScatterPoint(
            row.human_actions,
            row.commander_actions + row.follower_actions,
            f"{row.task}, {row.key}",
        )
        for row in report.executed_rows
        if row.success and row.human_actions
    ]
    if not points:
        return None
    recorded = "actions of ALFRED's expert" if report.is_of_alfred else "actions of two people"
    return scatter_plot(points, recorded, "actions of the agents")
