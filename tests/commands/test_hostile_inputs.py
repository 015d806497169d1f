"""Files that block, never end or are damaged, through every command, and a full disk."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tatc.base.errors import OutputError
from tatc.evaluation.instances.instance_players import time_limit
from tatc.evaluation.runs.job_runners import JobResult
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_folder import RESULTS_FILE, RunFolder
from tatc.session.records import write_record
from tests.command_line import run_tatc
from tests.session.records.sample_record import sample_record

FIFO, ZERO = "{fifo}", "/dev/zero"
BLOCKING = [
    ["run", "--game", FIFO],
    *(["run", "--task", "coffee", "--map", path] for path in (FIFO, ZERO)),
    ["run", "--task", "coffee", "--room", "{fifo}.json"],
    ["run", "--task", "coffee", "--tasks", "{folder}"],
    ["run", "--task", "coffee", "--policies", "{folder}"],
    ["run", "--task", "coffee", "--follower", f"et:{FIFO}"],
    ["eval", "--room", "kitchen-01", "--follower", f"et:{FIFO}", "--out", "{out}"],
    ["eval", FIFO, "--kind", "edh", "--out", "{out}"],
    ["replay", FIFO],
    ["debug", "--task", "coffee", "--breakpoints", FIFO],
    ["look", FIFO, "--out", "{out}"],
    ["check", FIFO],
    ["instances", FIFO, "--out", "{out}"],
    ["report", "{folder}"],
    ["follower", "inspect", FIFO],
    ["train-et", "{folder}", "--visual", FIFO, "--out", "{out}"],
    ["train", FIFO, "--out", "{out}"],
]


@pytest.mark.parametrize("words", BLOCKING, ids=lambda words: " ".join(words[:3]))
def test_what_blocks_or_never_ends_is_one_line_at_once(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    fifo = tmp_path / "fifo"
    for path in (
        fifo,
        tmp_path / "fifo.json",
        *(folder / n for n in ("a.json", "a.py", "run.json")),
    ):
        os.mkfifo(path)
    names = {"fifo": fifo, "folder": folder, "out": tmp_path / "out"}
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    with time_limit(60, "the command"):
        done = run_tatc(*[word.format(**names) for word in words])
    assert done.exit_code in (1, 2), done.output
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.stdout == "" or done.exit_code == 1
    assert any(why in done.stderr for why in ("no regular file", "no instances", "needs torch"))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a folder with a good game and games damaged in each way that gzip knows."""
    folder = tmp_path / "games"
    folder.mkdir()
    write_record(sample_record(), folder / "good.game.json")
    document = json.loads((folder / "good.game.json").read_bytes())
    for name, damage in DAMAGES.items():
        document["tasks"][0]["episodes"][0]["episode_id"] = name
        whole = gzip.compress(json.dumps(document).encode())
        (folder / f"{name}.game.json.gz").write_bytes(damage(whole))
    return folder


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda whole: whole[: len(whole) // 2],
    "head": lambda whole: whole[:12],
    "flag": lambda whole: whole[:2] + b"\x09" + whole[3:],
    "bits": lambda whole: whole[:30] + bytes(9) + whole[39:],
    "late-bits": lambda whole: whole[:-900] + bytes(20) + whole[-880:],
    "crc": lambda whole: whole[:-8] + b"\1\2\3\4" + whole[-4:],
    "length": lambda whole: whole[:-4] + b"\1\2\3\4",
    "tail": lambda whole: whole + b"more",
}
DAMAGED = len(DAMAGES)


@pytest.mark.parametrize(
    "words",
    [
        ["check", "{games}"],
        ["fidelity", "{games}"],
        ["instances", "{games}", "--kind", "tfd", "--out", "{out}"],
        ["rooms", "import", "{games}", "--out", "{out}"],
        ["view", "{games}", "--export", "{out}", "--no-pictures"],
        ["eval", "{games}", "--out", "{out}"],
    ],
    ids=lambda words: words[0],
)
def test_damaged_gzip_leaves_the_other_files(
    words: list[str], games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    names = {"games": games, "out": tmp_path / "out"}
    done = run_tatc(*[word.format(**names) for word in words])
    assert done.exit_code == 1, done.output
    assert isinstance(done.exception, SystemExit), done.exception
    named = {
        line.split(".game.json.gz: ")[0] for line in done.stderr.splitlines() if ".gz: " in line
    }
    if words[0] == "eval":  # which names the first few, and counts the others
        assert f"skipped: {DAMAGED} files" in done.stderr and len(named) == 5
    else:
        assert len(named) == DAMAGED, done.stderr
    if words[0] == "instances":
        assert "1 instance from" in done.stdout
    elif words[0] == "eval":
        results = (tmp_path / "out" / "results.jsonl").read_text().splitlines()
        assert sum(bool(json.loads(line)["end"]) for line in results) == 1


FULL = Path("/dev/full")  # refuses every write, as a full disk does
on_a_full_disk = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


@on_a_full_disk
def test_a_result_that_finds_no_room_names_the_file(tmp_path: Path) -> None:
    (tmp_path / RESULTS_FILE).symlink_to(FULL)
    row = SessionRow(key="a", task="Coffee", params=(), place="kitchen-01", kind="", split="")
    with pytest.raises(OutputError, match=r"results\.jsonl: cannot be written: No space left"):
        RunFolder(tmp_path).add(JobResult(row), 0.0)


@on_a_full_disk
def test_a_list_of_instances_that_finds_no_room_is_named(
    tmp_path: Path, sample_games: list[Path]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".done.jsonl").symlink_to(FULL)
    words = ["instances", str(sample_games[0]), "--kind", "edh", "--out", str(out), "--force"]
    done = run_tatc(*words)
    assert done.exit_code == 2
    assert "/.done.jsonl: cannot be written: No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1


@on_a_full_disk
def test_stdout_that_finds_no_room_is_named() -> None:
    words = [sys.executable, "-m", "tatc", "--version"]
    with FULL.open("wb") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "error: stdout: No space left on device\n")
