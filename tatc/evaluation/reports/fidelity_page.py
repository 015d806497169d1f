"""A fidelity report as one HTML page: without scripts, and complete without the network."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tatc.base.short_paths import PathShortener
from tatc.evaluation.fidelity.agreement_counts import FIDELITY_MEASURES
from tatc.evaluation.fidelity.fidelity_report import (
    FidelityReport,
    disagreement_command,
    format_rate_interval,
)
from tatc.evaluation.fidelity.session_rates import MeasureRates
from tatc.evaluation.page_templates import render_template
from tatc.evaluation.reports.svg_plots import BarChart, RateBar

_ROW_HEIGHT_PIXELS = 28


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
                yield RateBar(
                    name, estimate.rate, estimate.interval, note=note, css_class=css_class
                )
