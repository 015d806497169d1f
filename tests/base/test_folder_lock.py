"""One process at a time writes into a folder; the others are told who does."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

from tatc.base import folder_lock
from tatc.base.errors import BadInput
from tatc.session.records import write_record
from tests.command_line import run_tatc
from tests.session.records.sample_record import sample_record

_HOLD = (
    "import sys, time; from pathlib import Path; from tatc.base.folder_lock import held\n"
    "sys.argv = ['tatc', 'eval', '--out', 'a b']\n"
    "with held(Path({place!r})):\n    print('held', flush=True); time.sleep(60)\n"
)
_FOREVER = """\
class Forever:
    def begin(self): pass
    def act(self, seen):
        while True: pass
"""


def _holder(place: Path) -> "subprocess.Popen[str]":
    code = _HOLD.format(place=str(place))
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


@pytest.mark.parametrize(
    "words",
    [
        ("eval", "--room", "kitchen-01", "--tasks", "coffee"),
        ("eval", "--room", "kitchen-01", "--tasks", "coffee", "--force"),
        ("alfred", "generate", "--rooms", "--type", "simple", "--count", "1"),
        ("instances", "GAME"),
        ("train", "--lessons", "1"),
    ],
)
def test_a_second_command_says_who_holds_the_folder(tmp_path: Path, words: tuple[str, ...]) -> None:
    if words[0] == "train":
        pytest.importorskip("torch", reason="needs the extra: learned")
    out, game = tmp_path / "out", tmp_path / "a.game.json"
    out.mkdir()
    write_record(sample_record(), game)
    process = _holder(out)
    try:
        done = run_tatc(*(str(game) if word == "GAME" else word for word in words), "--out", out)
        assert done.exit_code == 2
        assert f"out: is in use by process {process.pid} since 20" in done.stderr
        assert "tatc eval --out 'a b' (wait for it to end" in done.stderr
    finally:
        process.kill()
        process.communicate()
    with folder_lock.held(out):  # a crash leaves no lock
        pass


def test_the_same_thread_may_hold_a_folder_twice_and_no_other(tmp_path: Path) -> None:
    found: list[str] = []

    def other() -> None:
        with pytest.raises(BadInput, match="is in use by process"), folder_lock.held(tmp_path, 0.1):
            pass
        found.append("refused")

    with folder_lock.held(tmp_path), folder_lock.held(tmp_path):
        thread = Thread(target=other)
        thread.start()
        thread.join()
    assert found == ["refused"]
    assert not (tmp_path / ".lock-holder").exists()


def test_a_looping_worker_ends_with_its_command(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(_FOREVER)
    words = ["eval", "--room", "kitchen-01", "--tasks", "coffee", "--follower", "loop:Forever"]
    command = [sys.executable, "-m", "tatc", *words, "--out", "run"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
    children = Path(f"/proc/{process.pid}/task")
    try:
        worker = ""
        for _ in range(600):
            assert process.poll() is None  # it plays for ever
            lists = [each / "children" for each in children.glob("*")]
            worker = " ".join(each.read_text() for each in lists if each.exists()).strip()
            if worker and _cpu_ticks(int(worker)) > 100:
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        process.wait()
        for _ in range(100):
            if not os.path.exists(f"/proc/{worker}"):
                return
            time.sleep(0.1)
        os.kill(int(worker), signal.SIGKILL)
        pytest.fail("the worker goes on")
    finally:
        process.kill()


def _cpu_ticks(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])
    except OSError:
        return 0
