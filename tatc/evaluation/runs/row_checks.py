"""Which rows of a run are believed: those of its own sessions, that it wrote, and that can be.

A run lists its sessions in `contents.json`, and marks each row in `timings.jsonl` with a hash of
the row and of `run.json`.  They show rows that were mixed in or changed, and are no signature:
whoever may write into the folder can write these too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from tatc.evaluation.runs import eval_options, rows
from tatc.session.session_types import TATC_LIMITS


def mark_of(run_file: bytes, line: bytes) -> str:
    """Return the mark of a row's line in the run with this `run.json`."""
    return sha256(run_file + line).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class RowChecks:
    """What is known of a run's rows; older runs have no list of `keys`, and no `marks`."""

    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    run_file: bytes = b""
    keys: frozenset[str] | None = None
    marks: Mapping[str, set[str]] | None = None

    def fault(self, row: rows.SessionRow, line: bytes) -> str:
        """Return why a row does not count, "" if it does; `line` is what it was read from."""
        is_bad_file = bool(row.skipped) and not row.task  # which no list of sessions holds
        if self.keys is not None and row.key not in self.keys and not is_bad_file:
            return "is of no session of this run"
        marks = None if self.marks is None else self.marks.get(row.key, ())
        if marks is not None and mark_of(self.run_file, line) not in marks:
            return "is not as this run wrote it"
        return self._impossible(row)

    def _impossible(self, row: rows.SessionRow) -> str:
        """Return what of a row cannot be, "" if all can."""
        if row.skipped:
            return "has an end, and could not start" if row.end else ""
        kind = self.options.get("kind", eval_options.TATC)
        known = (kind, rows.ALFRED_BENCHMARK) if kind == eval_options.TATC else (kind,)
        if self.options and row.benchmark not in known:
            return f"is of the benchmark {row.benchmark}, and the run is not"
        sums = bool(self.options.get("cascaded") if self.options else row.starts)
        can_be = {
            "opened + bumped": row.opened + row.bumped <= row.steps,
            "steps": row.steps <= row.follower_actions,
            "finished": row.finished <= row.starts,
            "failed_actions": sums or row.failed_actions <= TATC_LIMITS.failures,
            "starts": sums or not row.starts,
            "after.met": sums or row.after.met >= 0,
            "before.met": sums or row.before.met >= 0,
        }
        for name, holds in can_be.items():
            if not holds:
                return f"has an impossible count: {name}"
        after, is_whole = row.after, not (sums or self.options.get("subgoals"))
        if row.success and after.unmet:
            return f"is a success with {after.unmet} of {after.total} goal conditions unmet"
        if row.success and not sums and not after.total:  # nothing may be left to a cascade
            return "is a success without goal conditions"
        if row.success and is_whole and row.before.unmet and not row.steps:
            return "is a success without an action"
        return ""
