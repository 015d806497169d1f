"""Commands whose worker processes are killed: each loss is one line, and none waits for ever."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest

from tatc.session.records import write_record
from tests.command_line import run_tatc
from tests.session.records.sample_record import sample_record

GAMES, WORKERS = 4, 2
_SECONDS_TO_WORK = 1.5


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    for i in range(GAMES):
        record = replace(sample_record(), seed=i)
        write_record(record, folder / f"{i}.game.json")
        document = json.loads((folder / f"{i}.game.json").read_bytes())
        document["tasks"][0]["episodes"][0]["episode_id"] = f"game-{i}"
        (folder / f"{i}.game.json").write_text(json.dumps(document))
    return folder


def _children(process: "subprocess.Popen[str]") -> set[int]:
    """Return the ids of the processes that any thread of a process has started."""
    found: set[int] = set()
    for path in Path(f"/proc/{process.pid}/task").glob("*/children"):
        with suppress(OSError):
            found.update(map(int, path.read_text().split()))
    return found


def _run_and_kill(words: list[str]) -> tuple[int, str, str]:
    """Run a command whose first workers are killed as they work; return what it ends with."""
    command = [
        sys.executable,
        "-c",
        "from tatc.cli import main; main()",
        *words,
        f"--workers={WORKERS}",
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        began, killed = dict[int, float](), set[int]()
        while process.poll() is None and len(killed) < WORKERS:
            for child in _children(process) - killed:
                age = monotonic() - began.setdefault(child, monotonic())
                if age > _SECONDS_TO_WORK:
                    os.kill(child, signal.SIGKILL)
                    killed.add(child)
            sleep(0.005)
        out, err = process.communicate(timeout=300)
    return process.returncode, out, err


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux")
@pytest.mark.parametrize("command", ["fidelity", "instances", "train"])
def test_killed_workers_are_counted_and_the_others_go_on(
    command: str, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    words = [command, str(games), "--json"]
    if command == "train":
        pytest.importorskip("torch", reason="needs the extra: learned")
        words += ["--out", str(tmp_path / "out"), "--rounds", "1", "--batches", "0"]
    elif command == "instances":
        words += ["--kind", "tfd", "--out", str(tmp_path / "out")]
    status, out, err = _run_and_kill(words)
    assert "Traceback" not in err
    lost = [line for line in err.splitlines() if "its process died, status -9" in line]
    assert len(lost) <= 2
    for line in lost:
        assert line.startswith(f"skipped: {games}/") and line.count(".game.json: ") == 1
    assert status == (1 if lost else 0)
    found = json.loads(out)
    if command == "instances":
        assert (found["made"], found["skipped"]) == (GAMES - len(lost), len(lost))
    # What was lost is made by the same command, and nothing else.
    again = run_tatc(*words)
    assert (again.exit_code, "skipped" in again.stderr) == (0, False)
    if command == "instances":
        assert json.loads(again.stdout)["kept"] == GAMES - len(lost)
