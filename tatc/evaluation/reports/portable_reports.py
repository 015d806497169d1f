"""Reports and comparisons to hand around: pages without paths of this machine, and CSV tables.

What they say of files is cut to what is the same on every machine (`PathShortener`).
"""

import csv
from collections.abc import Iterable
from dataclasses import replace
from io import StringIO
from pathlib import Path

from tatc.base.plain_text import PathShortener, printable, texts_in
from tatc.evaluation.runs.follower_comparison import Contender, FollowerComparison
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_report import RunReport

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\n")
CSV_COLUMNS = (
    *("key", "task", "params", "place", "kind", "split", "seed", "skipped", "end"),
    *("success", "gc_total_start", "gc_met_start", "gc_total_end", "gc_met_end"),
    *("commander_actions", "follower_actions", "steps", "failed_actions"),
    *("human_actions", "bound", "seconds", "problem", "skill", "reason"),
    *("perception", "understanding", "models", "model_calls", "model_tokens"),
)


def portable_report(report: RunReport) -> RunReport:
    """Return a report whose paths are those of no machine."""
    return _cut_report(report, PathShortener.of(_texts_of(report)))


def portable_comparison(comparison: FollowerComparison) -> FollowerComparison:
    """Return a comparison whose paths are those of no machine."""
    texts = [text for report in comparison.reports.values() for text in _texts_of(report)]
    paths = PathShortener.of(texts)
    contenders = {
        each.label: each for pair in comparison.pairs for each in (pair.first, pair.second)
    }
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


def _cut_report(report: RunReport, paths: PathShortener) -> RunReport:
    return replace(
        report,
        identity=paths.shorten_all(report.identity),
        rows=tuple(_cut_row(row, paths) for row in report.rows),
        folders={key: Path(paths.shorten(str(each))) for key, each in report.folders.items()},
    )


def _cut_row(row: SessionRow, paths: PathShortener) -> SessionRow:
    failure = row.failure
    if failure is not None:
        failure = replace(failure, reason=paths.shorten_in(failure.reason))
    source = None if row.source is None else paths.shorten(row.source)
    return replace(row, source=source, skipped=paths.shorten_in(row.skipped), failure=failure)


def _cut(contender: Contender, paths: PathShortener) -> Contender:
    return replace(contender, follower=paths.shorten(contender.follower))


def sessions_csv(report: RunReport) -> str:
    """Return a run as a table: one line of column names, then one line for each session.

    A text that a spreadsheet would take for a formula and compute gets an apostrophe in front.
    """
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
        *(row.seed, row.skipped, row.end, int(row.success)),
        *(row.before.total, row.before.met, row.after.total, row.after.met),
        *(row.commander_actions, row.follower_actions, row.steps, row.failed_actions),
        *(row.human_actions, row.bound, seconds, *about, row.perception, row.understanding),
        *(row.models, row.model_calls, row.model_tokens),
    ]
