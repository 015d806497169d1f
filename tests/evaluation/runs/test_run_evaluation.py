"""Runs: nothing is dropped, and a run goes on where it was broken off."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import copytree
from time import monotonic, sleep

import pytest

from tatc.base.errors import BadInput, OutputError, UnknownName
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import read_record
from tests.command_line import run_tatc
from tests.evaluation.runs.conftest import TASKS, few_sessions, run, stable_contents

KILL_COUNT = 4  # `benchmarks/kills.py` kills more


def test_rows_say_what_was_done(finished: Path) -> None:
    rows = RunFolder(finished).rows()
    assert [row.key for row in rows] == sorted(row.key for row in rows)
    assert len(rows) == 2 * len(TASKS)
    solved = [row for row in rows if row.success]
    assert solved
    for row in solved:
        assert row.steps > 0 and row.follower_actions > row.steps
        assert row.after.unmet == 0 < row.before.unmet
        assert row.failure is None and row.record is None


def test_workers_make_no_difference(finished: Path, tmp_path: Path) -> None:
    run(tmp_path / "two", few_sessions(seeds=(1, 2)), workers=2)
    assert stable_contents(tmp_path / "two") == stable_contents(finished)


def test_an_exception_is_a_failure_with_its_traceback(tmp_path: Path) -> None:
    rows = run(tmp_path, few_sessions("tests.evaluation.runs.agents:Raises"))
    coffee = rows["Coffee"]
    assert (coffee.end, coffee.success) == ("crashed", False)
    assert coffee.failure and coffee.failure.reason == "RuntimeError: no coffee"
    assert coffee.before.total > 0 and coffee.after == coffee.before
    assert coffee.crash and "for you" in (tmp_path / coffee.crash).read_text()
    assert rows["Water Plant"].end == "success"


def test_a_dead_worker_costs_its_session_only(tmp_path: Path) -> None:
    rows = run(tmp_path, few_sessions("tests.evaluation.runs.agents:Dies"), workers=2)
    coffee = rows["Coffee"]
    assert coffee.end == "crashed"
    assert coffee.failure and "died" in coffee.failure.reason
    assert coffee.before.total > 0, "what was known at the start is kept"
    assert coffee.crash and (tmp_path / coffee.crash).exists()
    assert len(rows) == len(TASKS)
    assert rows["Water Plant"].end == "success"


def test_what_agents_print_harms_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = run(tmp_path, few_sessions("tests.evaluation.runs.agents:Talks", tasks=("Water Plant",)))
    assert rows["Water Plant"].end == "success"
    out, err = capfd.readouterr()
    assert out == "" and "thinking" in err and "loudly" in err


def test_failures_are_kept_and_can_be_read(tmp_path: Path) -> None:
    options = few_sessions("tests.evaluation.runs.agents:Stops", tasks=("Water Plant",))
    [row] = run(tmp_path, options).values()
    assert row.end == "gave_up" and row.record is not None
    record = read_record(tmp_path / row.record)
    assert record.task_name == "Water Plant" and not record.success
    assert dict(record.options)["commander"] == "tests.evaluation.runs.agents:Stops"


def test_a_room_that_cannot_hold_a_task_is_no_failure(tmp_path: Path) -> None:
    rows = run(tmp_path, few_sessions(rooms=("bathroom-01",), tasks=("Coffee",)))
    assert rows["Coffee"].skipped and not rows["Coffee"].end


def test_noise_is_drawn_by_the_seed(tmp_path: Path) -> None:
    noisy = replace(few_sessions(tasks=("Coffee",)), setup=SessionSetup(noise=0.2))
    one, two = run(tmp_path / "a", noisy), run(tmp_path / "b", noisy)
    assert one == two
    assert sum(row.failed_actions for row in one.values()) > 0


def test_a_torn_line_is_dropped(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "torn"
    copytree(finished, folder)
    results = folder / "results.jsonl"
    data = results.read_bytes()
    results.write_bytes(data[: len(data) - 40])
    (folder / "records").mkdir(exist_ok=True)
    (folder / "records" / ".tatc-draft").write_bytes(b"half")
    run(folder, few_sessions(seeds=(1, 2)))
    assert stable_contents(folder) == stable_contents(finished)


def test_a_damaged_line_is_named_and_its_session_runs_again(tmp_path: Path) -> None:
    options = few_sessions()
    run(tmp_path, options)
    whole, results = stable_contents(tmp_path), tmp_path / "results.jsonl"
    first, *others = results.read_bytes().splitlines(keepends=True)
    bad = first.replace(b'"steps":', b'"steps":-')
    results.write_bytes(b"".join((b"{\n", bad, *others)))
    faults = RunFolder(tmp_path).results().faults
    assert [fault.split(": ")[1:3] for fault in faults] == [
        ["line 1", "line 1 column 2"],
        ["line 2", "steps"],
    ]
    named: list[str] = []
    run(tmp_path, options, on_remark=named.append)
    assert named == [f"run again: {fault}" for fault in faults]
    assert stable_contents(tmp_path) == whole


def test_another_run_is_not_mixed_in(tmp_path: Path) -> None:
    run(tmp_path, few_sessions(tasks=("Water Plant",)))
    before = stable_contents(tmp_path)
    with pytest.raises(BadInput, match="options, sessions_hash differ"):
        run(tmp_path, few_sessions(tasks=("Coffee",)))
    assert stable_contents(tmp_path) == before
    rows = run(tmp_path, few_sessions(tasks=("Coffee",)), force=True)
    assert list(rows) == ["Coffee"]


@pytest.mark.parametrize(("field", "goes_on"), [("commit", True), ("code", False)])
def test_a_run_goes_on_with_the_code_that_began_it(
    tmp_path: Path, field: str, goes_on: bool
) -> None:
    options = few_sessions(tasks=("Water Plant",))
    run(tmp_path, options)
    held = json.loads((tmp_path / "run.json").read_bytes())
    (tmp_path / "run.json").write_text(json.dumps({**held, field: "0123456"}))
    if goes_on:
        assert list(run(tmp_path, options)) == ["Water Plant"]
    else:
        with pytest.raises(BadInput, match=f"its {field} differ"):
            run(tmp_path, options)


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    for force in (False, True):
        with pytest.raises(OutputError, match=r"thesis\.tex"):
            run(tmp_path, few_sessions(), force=force)
    assert stable_contents(tmp_path) == {"thesis.tex": b"years of work"}


def test_bad_agents_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'rule'"):
        run(tmp_path / "a", few_sessions("rul"))
    with pytest.raises(BadInput, match="cannot be imported"):
        run(tmp_path / "b", few_sessions("no.such:Thing"))


RUN = ("eval", "--room", "kitchen-01", "--seeds", "1-3", "--tasks", ",".join(TASKS), "--json")
RUN += ("--commander", "never-opens", "--save-records", "all", "--workers", "2", "--out")


def _start_run(folder: Path, stderr: int = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
    """Begin, or go on with, a run of a few sessions with two workers."""
    command = [sys.executable, "-c", "from tatc.cli import main; main()", *RUN, folder]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr)


def _count_results(folder: Path) -> int:
    try:
        return (folder / "results.jsonl").read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def _wait_for_results(folder: Path, wanted: int, process: "subprocess.Popen[bytes]") -> None:
    until = monotonic() + 300  # a guard against a hang
    while _count_results(folder) < wanted and process.poll() is None:
        assert monotonic() < until
        sleep(0.002)


def test_killed_at_random_moments_it_ends_the_same(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert run_tatc(*RUN, whole).exit_code == 0
    random, running = Random(7), 0
    for _ in range(KILL_COUNT):
        with _start_run(killed) as process:
            if random.random() < 0.5:
                _wait_for_results(killed, _count_results(killed) + 1, process)
                sleep(random.random() * 0.02)
            else:
                sleep(random.random() * 0.8)
            running += process.poll() is None
            process.kill()
    assert running >= KILL_COUNT / 2, "most kills should meet a run that is under way"
    assert run_tatc(*RUN, killed).exit_code == 0
    assert stable_contents(killed) == stable_contents(whole)
    rows = RunFolder(whole).rows()
    assert all((whole / row.record).exists() for row in rows if row.record)
    assert len(rows) == 3 * len(TASKS)


NESTED = """
import tatc
from tatc.follower import RuleFollower
class Mine(RuleFollower):
    {inside}
{after}
"""
EVALUATES = 'tatc.evaluate(rooms=["kitchen-01"], tasks=["coffee"], follower="nested:Mine", out="o")'
COMPARES = 'tatc.compare(["rule", "nested:Mine"], rooms=["kitchen-01"], tasks=["coffee"], out="o")'


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (EVALUATES, ["nested.py"]),
        (COMPARES, ["nested.py"]),
        (EVALUATES, ["-m", "tatc", "eval", "--room", "kitchen-01", "--follower", "nested:Mine"]),
    ],
)
def test_a_script_without_a_main_guard_is_one_error(
    what: str, words: list[str], tmp_path: Path
) -> None:
    (tmp_path / "nested.py").write_text(NESTED.format(inside="pass", after=what))
    done = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, timeout=30
    )
    last = done.stderr.splitlines()[-1]
    assert done.returncode != 0 and "an evaluation was started while nested was imported" in last
    assert "__name__ == '__main__'" in last and not (tmp_path / "o" / "results.jsonl").exists()


def test_a_worker_starts_no_evaluation(tmp_path: Path) -> None:
    code = NESTED.format(inside=f"def begin(self): {EVALUATES}", after="")
    (tmp_path / "nested.py").write_text(code)
    command = [sys.executable, "-m", "tatc", "eval", "--room", "kitchen-01", "--tasks", "coffee"]
    command += ["--follower", "nested:Mine", "--out", "run", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "an evaluation was started in a worker" in (tmp_path / "run/results.jsonl").read_text()


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    with _start_run(tmp_path, stderr=subprocess.PIPE) as process:
        _wait_for_results(tmp_path, 1, process)
        os.kill(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"this command continues:" in stderr
    assert b"eval --room kitchen-01" in stderr
    assert 1 <= _count_results(tmp_path) < 3 * len(TASKS)
