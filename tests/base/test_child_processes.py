"""Processes that tatc starts: nothing of the current folder runs in them unless it is named."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tatc.base.process_pool import interrupts_blocked

ROOT = Path(__file__).parents[2]
TATC = [sys.executable, "-m", "tatc"]

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


def _tatc(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TATC, *map(str, words)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_workers_of_a_run_search_no_current_folder(hostile_folder: Path) -> None:
    words = ("eval", "--room", "kitchen-01", "--tasks", "coffee", "--seeds", "1-2")
    done = _tatc(*words, "--workers", "2", "--out", "run", folder=hostile_folder)
    assert done.returncode == 0, done.stderr
    assert not (hostile_folder.parent / "mark").exists()


def test_a_class_that_the_user_names_is_found_there_and_replaces_nothing(
    hostile_folder: Path,
) -> None:
    (hostile_folder / "own.py").write_text(_OWN_FOLLOWER)
    (hostile_folder / "own_helper.py").write_text("")
    words = ("eval", "--room", "kitchen-01", "--tasks", "coffee", "--seeds", "1-2")
    more = ("--follower", "own:Own", "--workers", "2", "--out", "run", "--fail-on-crash")
    done = _tatc(*words, *more, folder=hostile_folder)
    assert done.returncode == 0, done.stderr
    assert not (hostile_folder.parent / "mark").exists()


def test_the_processes_of_a_pool_search_no_current_folder(hostile_folder: Path) -> None:
    script = hostile_folder.parent / "script.py"  # as the script `tatc` lies elsewhere
    script.write_text(
        "from tatc.base.process_pool import map_in_processes\n"
        "if __name__ == '__main__':\n    print(*map_in_processes(abs, [-1, -2, 3], 2, max))\n"
    )
    done = subprocess.run(
        [sys.executable, script],
        cwd=hostile_folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("1 2 3\n", "")
    assert not (hostile_folder.parent / "mark").exists()


def test_ctrl_c_is_left_to_the_process_that_starts_others() -> None:
    with interrupts_blocked():
        child = subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
        )
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    child.send_signal(signal.SIGINT)
    _, stderr = child.communicate(b"\n", timeout=60)
    assert (child.returncode, stderr) == (0, b"")
