"""A comparison as one HTML page: without scripts, and complete without the network."""

from tatc.evaluation.page_templates import render_template
from tatc.evaluation.reports.portable_reports import portable_comparison
from tatc.evaluation.reports.svg_plots import BarChart, RateBar
from tatc.evaluation.runs.follower_comparison import FollowerComparison
from tatc.evaluation.runs.run_report import RunReport
from tatc.evaluation.runs.summary import ordered_tasks
from tatc.evaluation.scoring import AggregateScore

_MAX_LISTED = 20


def comparison_page(comparison: FollowerComparison) -> str:
    """Return the page, on which no path leads into the folders of this machine."""
    comparison = portable_comparison(comparison)
    first_report = next(iter(comparison.reports.values()))
    return render_template(
        "comparison.html",
        comparison=comparison,
        first_report=first_report,
        chart=BarChart([_rate_bar(label, report) for label, report in comparison.reports.items()]),
        scores_by_task=_scores_by_task(comparison),
        max_listed=_MAX_LISTED,
    )


def _rate_bar(label: str, report: RunReport) -> RateBar:
    score = report.overall()
    note = f"{score.successes} of {score.sessions}"
    return RateBar(label, score.success_rate or 0.0, score.success_interval, note=note)


def _scores_by_task(comparison: FollowerComparison) -> dict[str, list[AggregateScore | None]]:
    """Return each task's scores in the order of the Followers, None where one did not run it."""
    by_task = [dict(report.per_task()) for report in comparison.reports.values()]
    rows = [row for report in comparison.reports.values() for row in report.executed_rows]
    return {task: [scores.get(task) for scores in by_task] for task in ordered_tasks(rows)}
