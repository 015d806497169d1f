"""The sessions of a run as a CSV table, for spreadsheets and data frames.

A spreadsheet takes a text that begins like a formula for one and computes it.  Such texts
come from the records and games that were run, so they get an apostrophe in front, which
spreadsheets read as "this is text".
"""

import csv
from io import StringIO

from tatc.base.plain_text import printable
from tatc.evaluation.reports.portable_reports import portable_report
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


def sessions_csv(report: RunReport) -> str:
    """Return the table: one line of column names, then one line for each session."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for row in portable_report(report).rows:
        cells = _row_cells(row, report.seconds.get(row.key))
        writer.writerow(_plain_text(cell) if isinstance(cell, str) else cell for cell in cells)
    return text.getvalue()


def _plain_text(text: str) -> str:
    """Return a text that a spreadsheet shows as it is."""
    text = printable(text)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _row_cells(row: SessionRow, seconds: float | None) -> tuple[object, ...]:
    failure = row.failure
    about = (failure.problem, failure.skill, failure.reason) if failure else ("",) * 3
    return (
        *(row.key, row.task, " ".join(row.params), row.place, row.kind, row.split),
        *(row.seed, row.skipped, row.end, int(row.success)),
        *(row.before.total, row.before.met, row.after.total, row.after.met),
        *(row.commander_actions, row.follower_actions, row.steps, row.failed_actions),
        *(row.human_actions, row.bound, seconds, *about, row.perception, row.understanding),
        *(row.models, row.model_calls, row.model_tokens),
    )
