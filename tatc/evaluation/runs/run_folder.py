"""A run's folder: each finished session is safe there, whatever happens to the program.

- `run.json`: the identity of the run; see `run_contents`.
- `contents.json`: the keys of its sessions, and the hashes of the files that it is made of.
- `results.jsonl`: a line for each finished session; sorted by key when all are, so that an
  interrupted run ends with the same bytes as an uninterrupted one.
- `records/`, `crashes/`: records and tracebacks; written before the line that names them.
- `timings.jsonl`: how long sessions took, and the marks of their rows (see `RowChecks`); the only
  file that differs from run to run.
- `blame.json`: what `tatc blame` found, if it was asked.
- `controls/NAME/`: the same sessions with a negative control.
"""

import json
import os
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path
from shutil import rmtree
from typing import Any

from tatc.base import errors, files, folder_lock, json_fields, json_lines
from tatc.evaluation.runs import job_runners, run_identity, run_inputs
from tatc.evaluation.runs.rows import RowChecks, SessionRow, mark_of, read_row

RESULTS_FILE, TIMINGS_FILE = "results.jsonl", "timings.jsonl"
CONTROLS_FOLDER = "controls"
CONTENTS_FILE, BLAME_FILE = "contents.json", "blame.json"
_RUN_ENTRIES = (
    *(run_identity.RUN_FILE, CONTENTS_FILE, RESULTS_FILE, TIMINGS_FILE),
    *("records", "crashes", CONTROLS_FOLDER, BLAME_FILE),
)
_MAX_SECONDS = 1e9
_TIMES = ("seconds", "at")
_MAX_NAMED = 3  # files that have changed
_HASHES_OF_FILES = ("own_code", "inputs_hash")


@dataclass(frozen=True, slots=True)
class RunResults:
    """The results of a run in the order of their keys, and a line for each bad one."""

    rows: tuple[SessionRow, ...] = ()
    faults: tuple[str, ...] = ()


class RunFolder:
    """Reads and adds to the folder of one run."""

    def __init__(self, path: Path) -> None:
        """Name the folder; nothing is made or read yet."""
        self.path = path

    @contextmanager
    def held(self) -> Generator[None]:
        """Make the folder, unless it holds other files, and hold it; see `folder_lock.held`."""
        fix = "name another folder with --out"
        files.make_folder(self.path, fix=fix)
        strange = [p.name for p in self.path.iterdir() if not p.name.startswith(".")]
        if strange and not exists(self.path / run_identity.RUN_FILE):
            why = f"is a folder with other files in it: {sorted(strange)[0]}"
            raise errors.OutputError(why, where=str(self.path), fix=fix)
        with folder_lock.held(self.path):
            yield

    def create_or_resume(self, contents: run_identity.RunContents, *, force: bool = False) -> None:
        """Start a run, or continue in a folder that holds this very run; it is to be `held`."""
        data = json.dumps(contents.identity, indent=1).encode() + b"\n"
        if force:
            self._clear()
        if exists(self.path / run_identity.RUN_FILE):
            self._check_same_run(json.loads(data), contents.files)
        else:
            files.write_atomically(data, self.path / run_identity.RUN_FILE, force=True)
        for folder in ("", "records", "crashes"):  # the controls' have locks of their own
            for draft in (self.path / folder).glob(".tatc-*"):
                draft.unlink(missing_ok=True)
        listed = {"sessions": contents.keys, "files": contents.files}
        data = json.dumps(listed, indent=1).encode() + b"\n"
        files.write_atomically(data, self.path / CONTENTS_FILE, force=True)
        self._drop_partial_line()

    def identity(self) -> dict[str, Any]:
        """Return the content of `run.json`."""
        return run_identity.read_run_file(self.path)

    def results(self) -> RunResults:
        """Return the results so far that count; a torn last line is ignored."""
        rows: dict[str, SessionRow] = {}
        checks, faults = self._checks()
        path = self.path / RESULTS_FILE
        for number, line in enumerate(files.read_lines(path, files.RESULT_LINE), 1):
            where = f"{path}: line {number}"
            try:
                parsed = files.parse_json(line, where, files.RESULT_LINE, files.FINITE_NUMBERS)
                row = read_row(parsed)
            except errors.BadInput as fault:
                faults.append(fault.one_line)
            except json_fields.FieldError as fault:
                faults.append(f"{where}: {fault}")
            else:
                why = checks.fault(row, line)
                if not why and row.key in rows:
                    why = "is a second one of its session; the last counts"
                if why:
                    faults.append(f"{where}: {row.key} {why}")
                if not why or row.key in rows:
                    rows[row.key] = row
        return RunResults(tuple(rows[key] for key in sorted(rows)), tuple(faults))

    def rows(self) -> tuple[SessionRow, ...]:
        """Return the results so far that can be read, in the order of their keys."""
        return self.results().rows

    def add(self, done: job_runners.JobResult, elapsed_seconds: float) -> None:
        """Save a finished session; `elapsed_seconds` is the time since this invocation began."""
        row = done.row
        if done.record is not None and row.record is not None:
            self._write_file(row.record, done.record)
        if row.crash is not None:
            text = done.crash.encode("utf-8", "backslashreplace")
            self._write_file(row.crash, text[: files.MEBIBYTE])
        seconds = {"key": row.key, "seconds": round(done.seconds, 3)}
        mark = mark_of(self._run_file(), _json_line(row.to_json()).encode()[:-1])
        self._append(TIMINGS_FILE, seconds | {"at": round(elapsed_seconds, 3), "row": mark})
        self._append(RESULTS_FILE, row.to_json())

    def sort_results(self) -> tuple[SessionRow, ...]:
        """Sort the results by key, and drop lines that cannot be read; return them."""
        return self._write_rows(self.rows())

    def drop_to_repeat(self, *, crashed: bool = False) -> None:
        """Drop the rows of sessions that run again: an outage ended them or, if so, a crash."""
        rows = self.rows()
        kept = [row for row in rows if not row.unanswered and not (crashed and row.crashed)]
        if len(kept) < len(rows):
            self._write_rows(tuple(kept))

    def _write_rows(self, rows: tuple[SessionRow, ...]) -> tuple[SessionRow, ...]:
        lines = "".join(_json_line(row.to_json()) for row in rows)
        files.write_atomically(lines.encode(), self.path / RESULTS_FILE, force=True)
        return rows

    def session_seconds(self) -> dict[str, float]:
        """Return the seconds that each session took, by key."""
        return {each["key"]: each["seconds"] for each in self._read_timings()}

    def wall_seconds(self) -> float:
        """Return the seconds that the run took, summed over all invocations."""
        total = last = 0.0
        for each in self._read_timings():
            if each["at"] < last:  # another invocation
                total, last = total + last, 0.0
            last = each["at"]
        return total + last

    def control_folders(self) -> dict[str, "RunFolder"]:
        """Return the folders of the negative controls by name."""
        found = sorted((self.path / CONTROLS_FOLDER).glob(f"*/{run_identity.RUN_FILE}"))
        return {path.parent.name: RunFolder(path.parent) for path in found}

    def control_folder(self, name: str) -> "RunFolder":
        """Return the folder of one negative control."""
        return RunFolder(self.path / CONTROLS_FOLDER / name)

    def _read_timings(self) -> Iterator[dict[str, Any]]:
        """Yield what can be read of the timings: keys, marks of rows, and seconds."""
        return json_lines.read_entries(self.path / TIMINGS_FILE, files.RESULT_LINE, _read_timing)

    def _run_file(self) -> bytes:
        path = self.path / run_identity.RUN_FILE
        return files.read_bytes(path, files.RUN) if exists(path) else b""

    def _checks(self) -> tuple[RowChecks, list[str]]:
        """Return what is known of the rows, and why less is known than should be."""
        try:
            identity, run_file = self.identity(), self._run_file()
        except errors.BadInput:  # its readers say so
            return RowChecks(), []
        if identity.get("format") != run_identity.RUN_FORMAT:
            return RowChecks(identity["options"]), []
        marks: defaultdict[str, set[str]] = defaultdict(set)
        for each in self._read_timings():
            marks[each["key"]].add(each["row"])
        keys, faults = frozenset[str](), list[str]()
        try:
            listed, _ = self._contents()
            if run_identity.hash_of_keys(listed) != identity.get("sessions_hash"):
                raise errors.BadInput("does not list the run's sessions", where=CONTENTS_FILE)
            keys = frozenset(listed)
        except errors.BadInput as fault:
            faults.append(fault.one_line)
        return RowChecks(identity["options"], run_file, keys, marks), faults

    def _contents(self) -> tuple[list[str], run_inputs.HashByPath]:
        path = self.path / CONTENTS_FILE
        raw: Any = files.read_json(path, files.RUN_CONTENTS)
        with json_fields.errors_in(path, errors.BadInput, files.RUN_CONTENTS.fix):
            listed = json_fields.as_mapping(raw, "")
            keys = json_fields.as_list(listed.get("sessions"), "sessions")
            hashes = json_fields.as_mapping(listed.get("files"), "files")
            return [json_fields.as_text(each, "sessions") for each in keys], hashes

    def _append(self, name: str, value: Mapping[str, Any]) -> None:
        files.append_text(_json_line(value), self.path / name, fix=files.FIX_MAKE_ROOM)

    def _write_file(self, name: str, data: bytes) -> None:
        path = self.path / name
        files.make_folder(path.parent, fix=files.FIX_MAKE_ROOM)
        files.write_atomically(data, path, force=True)

    def _check_same_run(self, wanted: dict[str, Any], now: run_inputs.HashByPath) -> None:
        held = self.identity()
        # Which commit it was only tells people; the code's own hash decides.
        decisive = [name for name in wanted if name != "commit"]
        other = [name for name in decisive if held.get(name) != wanted[name]]
        if other:
            before = now
            with suppress(errors.BadInput):  # older runs have no such list
                _, before = self._contents()
            changed = run_inputs.changes_between(before, now)
            others = [name for name in other if name not in _HASHES_OF_FILES or not changed]
            found = [f"its {', '.join(others)} differ"] if others else []
            found += changed[:_MAX_NAMED]
            found += [f"{len(changed) - _MAX_NAMED} more files"] if changed[_MAX_NAMED:] else []
            why = f"holds another run: {'; '.join(found)}"
            fix = "name another folder with --out, or give --force to start again"
            raise errors.BadInput(why, where=str(self.path), fix=fix)

    def _clear(self) -> None:
        """Delete the files of a run, and nothing else."""
        if not exists(self.path / run_identity.RUN_FILE):
            return
        for name in _RUN_ENTRIES:
            path = self.path / name
            if path.is_dir():
                rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def _drop_partial_line(self) -> None:
        for name in (RESULTS_FILE, TIMINGS_FILE):
            path = self.path / name
            if exists(path) and files.check_file(path, files.LINES_FILE):
                with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
                    end = data.rfind(b"\n") + 1
                os.truncate(path, end)


def _read_timing(entry: Mapping[str, Any]) -> dict[str, Any]:
    times = {name: json_fields.as_number(entry.get(name), name, _MAX_SECONDS) for name in _TIMES}
    if min(times.values()) < 0:
        raise json_fields.FieldError("seconds", "are negative")
    mark = json_fields.as_text(entry.get("row", ""), "row")
    return {"key": json_fields.get_text(entry, "key"), "row": mark, **times}


def _json_line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False) + "\n"


def holds_runs(path: Path) -> bool:
    """Return whether this is the folder of a run, or of several."""
    return exists(path / run_identity.RUN_FILE) or any(path.glob(f"*/{run_identity.RUN_FILE}"))


def find_runs(paths: Sequence[Path]) -> list[RunFolder]:
    """Return the runs in these folders, or in their subfolders as shards; sorted, each once."""
    found: dict[Path, RunFolder] = {}
    for path in paths:
        inside = sorted(each.parent for each in path.glob(f"*/{run_identity.RUN_FILE}"))
        folders = [path] if exists(path / run_identity.RUN_FILE) else inside
        if not folders:
            fix = "name a folder that `tatc eval` made"
            raise errors.BadInput("is no run and contains none", where=str(path), fix=fix)
        for folder in folders:
            found.setdefault(folder.resolve(), RunFolder(folder))
    return [found[key] for key in sorted(found)]
