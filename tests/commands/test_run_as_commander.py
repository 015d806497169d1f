"""`tatc run --commander me`: typed at a terminal, and from a pipe."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from tatc.home.actions import PRIMITIVE_VERBS, Role, Verb
from tatc.session.records import read_record
from tests.command_line import run_tatc

COMMANDER = ("--commander", "me", "--follower", "listener")
COFFEE = ("coffee", "--room", "kitchen-01", *COMMANDER)
CTRL_C, CTRL_D = "\x03", "\x04"
TIMEOUT_SECONDS = 60


def _run(typed: str | bytes, *words: str | Path) -> Result:
    return run_tatc("run", *words, input=typed)


class Terminal:
    """A `tatc run` in a terminal of its own."""

    def __init__(self, folder: Path, *words: str | Path) -> None:
        self._master, slave = pty.openpty()
        self._shown = ""
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name("tatc"), "run", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
            cwd=folder,
            start_new_session=True,
        )
        os.close(slave)

    def wait_for(self, text: str) -> None:
        """Read on until a text is shown after what was waited for before."""
        until = time.monotonic() + TIMEOUT_SECONDS
        while text not in self._shown and time.monotonic() < until and self._read():
            pass
        before, found, self._shown = self._shown.partition(text)
        assert found, before

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def status(self) -> int:
        until = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < until and self._read():
            pass
        return self.process.wait(1.0)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def _read(self) -> bool:
        """Read what is shown; return False once the program has ended."""
        ready, _, _ = select.select([self._master], [], [], 1.0)
        if not ready:
            return self.process.poll() is None
        try:
            data = os.read(self._master, 4096)
        except OSError:  # its last process has closed the terminal
            return False
        self._shown += data.decode("utf-8", "replace")
        return bool(data)


@pytest.fixture
def coffee(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path, *COFFEE, "--save", "coffee.game.json")
    yield terminal
    terminal.close()


def test_a_person_types_watches_corrects_and_leaves(coffee: Terminal, tmp_path: Path) -> None:
    coffee.wait_for("What shall I do?")
    coffee.type("please wash all the plates\r")
    coffee.wait_for("I am looking for a plate.")
    coffee.type("sorry, I would like a slice of toast")
    coffee.type("\r")
    coffee.wait_for("do this: toast")
    coffee.type(CTRL_D)
    assert coffee.status() == 1
    record = read_record(tmp_path / "coffee.game.json")
    assert (record.end, dict(record.options)["commander"]) == ("gave_up", "me")
    done = record.interactions
    assert [each.role for each in done[:2]] == [Role.FOLLOWER, Role.COMMANDER]
    later = [k for k, each in enumerate(done) if each.text.startswith("sorry")]
    assert len(later) == 1 and done[later[0]].verb is Verb.TEXT
    assert {each.verb for each in done[2 : later[0]]} <= {*PRIMITIVE_VERBS, Verb.TEXT}
    replayed = run_tatc("replay", tmp_path / "coffee.game.json")
    assert "sorry, I would like" in replayed.stdout


def test_ctrl_c_leaves_at_once_and_saves(coffee: Terminal, tmp_path: Path) -> None:
    coffee.wait_for("What shall I do?")
    coffee.type(CTRL_C)
    assert coffee.status() == 130
    assert (tmp_path / "coffee.game.json").exists()


def test_the_lines_of_a_pipe_give_the_same_bytes_however_fast_they_come(tmp_path: Path) -> None:
    typed = b"make me a coffee \xff in a clean mug\n?\nthank you\n"
    done = _run(typed, *COFFEE, "--save", tmp_path / "fast.json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "do this: coffee in 1 clean mug" in done.stdout
    slow = subprocess.Popen(
        [Path(sys.executable).with_name("tatc"), "run", *COFFEE, "--save", "slow.json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        cwd=tmp_path,
    )
    assert slow.stdin is not None
    for line in typed.splitlines(keepends=True):
        time.sleep(0.3)
        slow.stdin.write(line)
        slow.stdin.flush()
    slow.stdin.close()
    assert slow.wait(TIMEOUT_SECONDS) == 0
    assert (tmp_path / "fast.json").read_bytes() == (tmp_path / "slow.json").read_bytes()


def test_a_person_without_words_gives_up() -> None:
    done = _run("", *COFFEE, "--no-save")
    assert done.exit_code == 1
    assert "Your task: " in done.stdout and "No success (gave up)" in done.stdout


def test_a_check_says_what_is_not_met() -> None:
    assert "not met: " in _run("?\n", *COFFEE, "--no-save").stdout
