"""`tatc export`: each format from the command line, and what keeps it from a file."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import Result

from tatc.cli import EXIT_INTERRUPTED
from tatc.session.records import read_record
from tests.command_line import run_tatc


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("session") / "coffee.game.json"
    done = run_tatc("run", "--task", "coffee", "--save", path, "--quiet")
    assert done.exit_code == 0, done.output
    return path


def _export(record: Path, out: Path, *words: str) -> Result:
    return run_tatc("export", record, "--out", out, *words)


def test_a_gif_of_some_steps(record: Path, tmp_path: Path):
    out = tmp_path / "coffee.gif"
    words = ("--size", "96", "--from", "8", "--to", "12", "--fps", "10")
    done = _export(record, out, *words)
    assert (done.exit_code, done.stdout) == (0, f"{out}\n"), done.output
    with Image.open(out) as image:
        assert image.format == "GIF" and image.width > 2 * 96


def test_a_transcript_of_the_whole_session(record: Path, tmp_path: Path):
    out = tmp_path / "coffee.md"
    assert _export(record, out, "--format", "txt").exit_code == 0
    told = run_tatc("replay", record).stdout.splitlines()
    # Who planned the session, and what the replay is worth, are in the replay alone.
    told = {line for line in told if not line.startswith(("policies: ", "Not verified: "))}
    assert told <= set(out.read_text().splitlines())


def test_a_recorded_game_is_exported_too(sample_games: list[Path], tmp_path: Path):
    out = tmp_path / "game.txt"
    done = _export(sample_games[0], out)
    assert done.exit_code == 0, done.output
    assert "Commander  " in out.read_text()


def test_a_file_that_exists_is_replaced_by_force_alone(record: Path, tmp_path: Path):
    out = tmp_path / "coffee.txt"
    out.write_text("mine")
    done = _export(record, out)
    assert done.exit_code == 2 and "--force" in done.stderr
    assert out.read_text() == "mine"
    assert _export(record, out, "--force").exit_code == 0
    assert out.read_text() != "mine"


def test_the_session_itself_is_never_written(record: Path, tmp_path: Path):
    own, link = tmp_path / "own.game.json", tmp_path / "link.txt"
    own.write_bytes(record.read_bytes())
    link.symlink_to(own)
    for out in (own, link):
        done = _export(own, out, "--format", "txt", "--force")
        assert done.exit_code == 2 and "is the session itself" in done.stderr
    assert own.read_bytes() == record.read_bytes()


@pytest.mark.parametrize("words", [("--from", "999"), ("--from", "9", "--to", "8")])
def test_steps_that_are_not_there(record: Path, tmp_path: Path, words: tuple[str, ...]):
    done = _export(record, tmp_path / "x.txt", *words)
    last = len(read_record(record).interactions)
    assert done.exit_code == 2
    assert f"(name steps from 0 to {last})" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_missing_extra_is_named_with_its_remedy(record: Path, tmp_path: Path, monkeypatch: Any):
    monkeypatch.setitem(sys.modules, "av", None)
    done = _export(record, tmp_path / "x.mp4")
    assert done.exit_code == 2 and "(extra video)" in done.stderr
    assert "-m pip install" in done.stderr and '"tatc[' not in done.stderr
    assert done.stderr.count("\n") == 1 and not list(tmp_path.iterdir())


def _screen(terminal: int) -> Iterator[bytes]:
    """Yield what a terminal shows until nothing holds it any more."""
    while True:
        try:
            yield os.read(terminal, 4096)
        except OSError:  # how Linux says that the other end is closed
            return


def test_ctrl_c_leaves_no_file(record: Path, tmp_path: Path):
    """The real script, stopped once its bar is on the screen."""
    ours, theirs = pty.openpty()
    script = Path(sys.executable).with_name("tatc")
    out = tmp_path / "coffee.gif"
    words = ["export", record, "--out", out, "--size", "480"]
    with subprocess.Popen([script, *words], stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        for part in _screen(ours):
            if b"frames" in part and b"frames" not in seen:
                process.send_signal(signal.SIGINT)
            seen += part
    os.close(ours)
    assert process.returncode == EXIT_INTERRUPTED and b"interrupted" in seen
    assert not list(tmp_path.iterdir())
