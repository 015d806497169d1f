"""Reports and comparisons for pages and tables that are handed around.

What they say of files is cut to what is the same on every machine (`tatc.base.short_paths`).
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from tatc.base.short_paths import PathShortener, texts_in
from tatc.evaluation.runs.follower_comparison import Contender, FollowerComparison, PairComparison
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_report import RunReport


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
    labels = {label: _cut_contender(each, paths).label for label, each in contenders.items()}
    return FollowerComparison(
        {labels[label]: _cut_report(each, paths) for label, each in comparison.reports.items()},
        tuple(_cut_pair(each, paths) for each in comparison.pairs),
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


def _cut_pair(pair: PairComparison, paths: PathShortener) -> PairComparison:
    first, second = (_cut_contender(each, paths) for each in (pair.first, pair.second))
    return replace(pair, first=first, second=second)


def _cut_contender(contender: Contender, paths: PathShortener) -> Contender:
    return replace(contender, follower=paths.shorten(contender.follower))
