"""Pages: everything inserted is escaped, and only pages need the template engine."""

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tatc.evaluation.fidelity.agreement_counts import AgreementCounts, Disagreement
from tatc.evaluation.fidelity.fidelity_report import FidelityReport
from tatc.evaluation.fidelity.game_fidelity import GameFidelity
from tatc.evaluation.page_templates import render_template
from tatc.evaluation.reports.report_page import (
    RateBar,
    ScatterPoint,
    fidelity_page,
    report_page,
    scatter_plot,
)
from tatc.evaluation.runs.rows import SessionFailure
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.runs.run_report import read_report

HOSTILE = "<script>alert('Mug')</script>"


def test_what_a_run_holds_cannot_become_markup(finished: Path) -> None:
    report = read_report([RunFolder(finished)])
    failure = SessionFailure(HOSTILE, HOSTILE, HOSTILE, None)
    [first, *others] = report.rows
    failed = replace(first, end="gave_up", task=HOSTILE, failure=failure)
    page = report_page(replace(report, rows=(failed, *others)))
    assert "<script" not in page
    assert page.count("&lt;script&gt;alert(&#39;Mug&#39;)") >= 4


def test_plots_escape_names_and_keep_marks_in_the_picture() -> None:
    bars = [RateBar(HOSTILE, 1.0, (0.5, 1.0), 0.25, HOSTILE)]
    svg = render_template("bar_chart.svg", bars=bars, row_height=34)
    assert "<script" not in svg and svg.count("&lt;script&gt;") == 2
    _check_marks_are_in_picture(svg, r'<text class="value" x="([\d.]+)" y="([\d.]+)"')
    plot = scatter_plot([ScatterPoint(12, 40, HOSTILE), ScatterPoint(0, 3, "")], "x", "y")
    svg = render_template("scatter_plot.svg", plot=plot)
    assert "<script" not in svg and svg.count("<circle") == 1
    _check_marks_are_in_picture(svg, r'cx="([\d.]+)" cy="([\d.]+)"')
    assert plot.ticks() == [10, 20, 50, 100]


def _check_marks_are_in_picture(svg: str, mark: str) -> None:
    [[width, height]] = re.findall(r'viewBox="0 0 (\d+) (\d+)"', svg)
    [[x, y]] = re.findall(mark, svg)
    [axis] = re.findall(r'<path class="grid" d="M[\d.]+ (\d+)V(\d+)', svg)[:1]
    assert 0.0 < float(x) < int(width) and int(axis[0]) < float(y) < int(axis[1]) < int(height)


def test_what_a_game_holds_cannot_become_markup_in_a_fidelity_page() -> None:
    apart = Disagreement("clicks", HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, 7)
    counts = AgreementCounts(Counter(clicks=3), Counter(clicks=2), [apart])
    report = FidelityReport()
    report.add(GameFidelity("a", HOSTILE, HOSTILE, counts))
    page = fidelity_page(report, HOSTILE, HOSTILE)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 5
    assert page.count("<rect") == 2  # measures without answers have no bar


def test_failures_link_to_the_sessions_that_are_named(finished: Path) -> None:
    report = read_report([RunFolder(finished)])
    [first, *others] = report.rows
    failed = replace(first, end="gave_up", failure=SessionFailure("", "", "why", 4))
    report = replace(report, rows=(failed, *others))
    assert "see it step by step" not in report_page(report)
    page = report_page(report, session_links={first.key: "site/session.html?s=1&a=2#step=4"})
    assert '<a href="site/session.html?s=1&amp;a=2#step=4">' in page


def test_a_session_does_not_import_the_template_engine() -> None:
    code = "import sys, tatc; tatc.run('coffee', room='kitchen-01'); print('jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
