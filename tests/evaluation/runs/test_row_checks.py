"""Rows that are forged, mixed in or impossible: never counted, and the report says why."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.runs.run_report import read_report
from tests.command_line import forget_marks, run_tatc
from tests.evaluation.runs.conftest import few_sessions, run, stable_contents

Row = dict[str, Any]


def _rows(folder: Path) -> list[Row]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def _write(folder: Path, rows: list[Row]) -> None:
    lines = (json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    (folder / "results.jsonl").write_text("".join(lines))


def _impossible(**fields: Any) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [rows[0] | fields, *rows[1:]]


MIXED_IN: dict[str, tuple[Callable[[list[Row]], list[Row]], str]] = {
    "another session": (lambda rows: [*rows, rows[0] | {"key": "x"}], "is of no session of this"),
    "another seed": (lambda rows: [*rows, rows[0] | {"key": "kitchen-01_coffee_9"}], "no session"),
    "the same twice": (lambda rows: [*rows, rows[0]], "is a second one of its session"),
    "changed": (_impossible(follower_actions=99), "is not as this run wrote it"),
    "another session's figures": (lambda rows: [rows[1] | {"key": rows[0]["key"]}], "not as this"),
}
IMPOSSIBLE: dict[str, tuple[Row, str]] = {
    "unmet": ({"after": {"total": 3, "met": 1}}, "success with 2 of 3 goal conditions unmet"),
    "no conditions": ({"after": {"total": 0, "met": 0}}, "a success without goal conditions"),
    "no counts": ({"before": {"total": 0, "met": 0}, "after": {"total": 0, "met": 0}}, "without"),
    "no action": ({"steps": 0, "opened": 0, "bumped": 0}, "a success without an action"),
    "more steps than actions": ({"steps": 500}, "an impossible count: steps"),
    "opened more": ({"opened": 400}, "an impossible count: opened + bumped"),
    "unmet, as if cascaded": ({"starts": 1, "after": {"total": 3, "met": 1}}, "count: starts"),
    "finished": ({"finished": 3}, "an impossible count: finished"),
    "failures": ({"failed_actions": 31}, "an impossible count: failed_actions"),
    "negative": ({"end": "gave_up", "after": {"total": 3, "met": -1}}, "after.met"),
    "another benchmark": ({"benchmark": "edh"}, "is of the benchmark edh"),
    "ALFRED's": ({"benchmark": "alfred", "after": {"total": 2, "met": 0}, "end": "success"}, ""),
    "ended, not begun": ({"skipped": "no room"}, "has an end, and could not start"),
}


@pytest.mark.parametrize(("change", "why"), MIXED_IN.values(), ids=MIXED_IN)
def test_a_row_that_is_mixed_in_does_not_count(
    finished: Path, tmp_path: Path, change: Callable[[list[Row]], list[Row]], why: str
) -> None:
    folder = tmp_path / "run"
    copytree(finished, folder)
    _write(folder, change(_rows(folder)))
    [fault] = read_report([RunFolder(folder)]).faults
    assert why in fault and "results.jsonl: line" in fault
    told = run_tatc("report", folder, "--html", tmp_path / "page.html")
    assert told.exit_code == 1
    for text in (told.stdout, (tmp_path / "page.html").read_text()):
        assert "1 left out (see below)" in text and why in text
    assert why in json.loads(run_tatc("report", folder, "--json").stdout)["left_out"][0]


def test_the_same_command_mends_a_run(finished: Path, tmp_path: Path) -> None:
    copytree(finished, tmp_path / "run")
    first, *others = _rows(finished)
    _write(tmp_path / "run", [*others, first | {"steps": 9}, first | {"key": "x"}])
    run(tmp_path / "run", few_sessions(seeds=(1, 2)))
    assert stable_contents(tmp_path / "run") == stable_contents(finished)


@pytest.mark.parametrize(("changes", "why"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_row_that_cannot_be_does_not_count(
    finished: Path, tmp_path: Path, changes: Row, why: str
) -> None:
    folder = tmp_path / "run"
    copytree(finished, folder)
    forget_marks(folder)
    rows = _rows(folder)
    assert all(row["end"] == "success" for row in rows)
    _write(folder, [rows[0] | changes, *rows[1:]])
    found = read_report([RunFolder(folder)])
    assert found.overall().successes == len(rows) - 1
    assert not why or (len(found.faults) == 1 and why in found.faults[0])


@pytest.mark.parametrize("name", ["contents.json", "timings.jsonl"])
def test_rows_that_cannot_be_told_from_others_do_not_count(
    finished: Path, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "run"
    copytree(finished, folder)
    (folder / name).write_text('{"sessions": ["other"], "files": {}}\n')
    found = read_report([RunFolder(folder)])
    assert not found.rows and found.faults


def test_rows_of_another_run_do_not_count_with_its_timings(finished: Path, tmp_path: Path) -> None:
    """The sessions have the same keys, and another Follower."""
    run(tmp_path / "random", few_sessions("never-opens", seeds=(1, 2)))
    for name in ("results.jsonl", "timings.jsonl"):
        (tmp_path / "random" / name).write_bytes((finished / name).read_bytes())
    found = read_report([RunFolder(tmp_path / "random")])
    assert (len(found.rows), len(found.faults)) == (0, 6)
