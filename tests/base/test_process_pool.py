"""Processes that die cost their own call and no other, and nothing waits for them."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tatc.base.errors import BadInput, OutputError, TatcError, UnknownName
from tatc.base.process_pool import (
    ProcessPool,
    Report,
    WorkerDied,
    interrupts_blocked,
    map_in_processes,
)


def _work(argument: str) -> int:
    match argument:
        case "exit":
            os._exit(7)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "memory":
            raise MemoryError
        case "interrupt":
            raise KeyboardInterrupt
        case "abort":
            os.abort()
        case "print":
            sys.stdout.write("harmless\n")
        case "bad input":
            raise UnknownName("task", "cofee", ["coffee"], fix="")
        case "disk full":
            raise OutputError("is full", where="here", fix="make room")
        case "bug":
            raise ZeroDivisionError("of a bug")
    return 2 * int(argument) if argument.isdecimal() else 0


def _dead(argument: str, why: str) -> str:
    return f"{argument}: {why}"


def _run(*arguments: str, workers: int = 2) -> Iterator[int | str]:
    return map_in_processes(_work, arguments, workers, _dead)  # type: ignore[arg-type]


def test_results_come_in_order_without_what_is_printed_and_the_dead_are_counted(
    capfd: pytest.CaptureFixture[str],
):
    died = "its process died, status"
    found = list(_run("1", "exit", "2", "kill", "memory", "print", "3", "abort", "interrupt"))
    dead = f"exit: {died} 7", f"kill: {died} -9", f"memory: {died} 137", f"abort: {died} -6"
    assert found == [2, dead[0], 4, dead[1], dead[2], 0, 6, dead[3], f"interrupt: {died} 130"]
    out, err = capfd.readouterr()
    assert out == "" and "harmless" in err and "Traceback" not in err


def test_a_pool_whose_workers_all_die_comes_to_its_end():
    found = list(_run(*["kill"] * 5))
    assert len(found) == 5 and all("status -9" in str(each) for each in found)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("argument", "kind", "message"),
    [
        ("bad input", TatcError, "unknown task 'cofee' (did you mean 'coffee'? )"),
        ("disk full", OutputError, "here: is full (make room)"),
        ("bug", ZeroDivisionError, "of a bug"),
    ],
)
def test_what_a_function_raises_is_raised_here(
    argument: str, kind: type[Exception], message: str, workers: int
):
    with pytest.raises(kind) as caught:
        list(_run("1", argument, "2", workers=workers))
    assert str(caught.value) == message
    if workers == 2:
        assert "in _work" in caught.value.__notes__[0]


def test_one_worker_is_this_process():
    assert list(map_in_processes(_process_id, [0, 1], 1, _dead)) == [os.getpid()] * 2  # type: ignore
    found = set(map_in_processes(_process_id, range(4), 2, _dead))  # type: ignore
    assert os.getpid() not in found and 1 <= len(found) <= 2


def _process_id(_argument: int) -> int:
    return os.getpid()


def _reporting(job: str, report: Report) -> str:
    report(f"{job} has begun")
    if job == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    return f"{job} is done by {sys.argv}"


def _make_reporting() -> object:
    return _reporting


def test_what_was_reported_before_a_death_is_kept():
    with ProcessPool(_make_reporting, 1) as pool:  # type: ignore[arg-type]
        done, dead = pool.submit("a"), pool.submit("kill")
        assert done.result() == "a is done by ['-c']"
        with pytest.raises(WorkerDied) as caught:
            dead.result()
    assert caught.value.last_report == "kill has begun" and caught.value.seconds > 0


def _cannot_be_made(fault: str) -> object:
    if fault == "exit":
        os._exit(3)
    raise BadInput("there is no such agent")


@pytest.mark.parametrize(
    ("fault", "message"),
    [("exit", "a worker cannot start: its process died, status 3"), ("raise", "no such agent")],
)
def test_a_worker_that_cannot_start_is_one_error(fault: str, message: str):
    with ProcessPool(partial(_cannot_be_made, fault), 2) as pool:  # type: ignore[arg-type]
        futures = [pool.submit(job) for job in range(4)]
        with pytest.raises(TatcError, match=message):
            futures[0].result()


def test_a_pool_that_is_left_early_ends_its_processes():
    results = _run("1", "2", "3", "4")
    assert next(results) == 2
    results.close()  # type: ignore[attr-defined]


ROOT = Path(__file__).parents[2]

# What Python imports as it starts a worker, what the standard library imports later, what tatc
# imports in a worker, and what it looks for and may not find.
STAND_INS = ("heapq", "struct", "pickle", "random", "numba", "torch", "colorsys")
_STAND_IN = "import pathlib; pathlib.Path({mark!r}).touch()\nraise SystemExit({name!r})\n"
_OWN_FOLLOWER = """
import colorsys, own_helper
from tatc.follower import RuleFollower

class Own(RuleFollower):
    colour = colorsys.rgb_to_hls(0, 0, 0)
"""


@pytest.fixture
def hostile_folder(tmp_path: Path) -> Path:
    """Return a folder with files named as modules; whichever runs makes the file `mark`."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in STAND_INS:
        code = _STAND_IN.format(mark=str(tmp_path / "mark"), name=name)
        (folder / f"{name}.py").write_text(code)
    return folder


def _run_python(*words: str | Path, folder: Path) -> tuple[str, str]:
    """Run Python in a folder with files named as modules, none of which it runs."""
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not (folder.parent / "mark").exists()
    return done.stdout, done.stderr


def test_a_class_that_the_user_names_is_found_there_and_replaces_nothing(
    hostile_folder: Path,
) -> None:
    (hostile_folder / "own.py").write_text(_OWN_FOLLOWER)
    (hostile_folder / "own_helper.py").write_text("")
    words = ("-m", "tatc", "eval", "--room", "kitchen-01", "--tasks", "coffee", "--seeds", "1-2")
    more = ("--follower", "own:Own", "--workers", "2", "--out", "run", "--fail-on-crash")
    _run_python(*words, *more, folder=hostile_folder)


def test_the_processes_of_a_pool_search_no_current_folder(hostile_folder: Path) -> None:
    script = hostile_folder.parent / "script.py"  # as the script `tatc` lies elsewhere
    script.write_text(
        "from tatc.base.process_pool import map_in_processes\n"
        "if __name__ == '__main__':\n    print(*map_in_processes(abs, [-1, -2, 3], 2, max))\n"
    )
    assert _run_python(script, folder=hostile_folder) == ("1 2 3\n", "")


def test_ctrl_c_is_left_to_the_process_that_starts_others() -> None:
    with interrupts_blocked():
        child = subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
        )
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    child.send_signal(signal.SIGINT)
    _, stderr = child.communicate(b"\n", timeout=60)
    assert (child.returncode, stderr) == (0, b"")
