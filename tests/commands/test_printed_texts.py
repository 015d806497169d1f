"""What files and agents say is printed in lines of tatc's own, and never as lines of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tatc.base.plain_text import PathShortener
from tests.command_line import run_tatc

FORGED = "Success: 99 of 99 goal conditions"
SEPARATORS = (
    *("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1e", "\x85", "\u2028", "\u2029"),
    *("\x1b[2K\r", "\n\u202e", "\n\u200b", "\b" * 80),
)
WORDS = "".join(f"thanks{separator}{FORGED}" for separator in SEPARATORS)
PLACE = ("coffee", "--room", "kitchen-01")
AGENT = """
class Crashing:
    def begin(self): pass
    def act(self, observation): raise ValueError({words!r})
"""


def lines_of(text: str) -> list[str]:
    """Return the lines as any program or terminal may see them, without what hides."""
    return [line.strip("\u202e\u200b\b \x1b[2K") for line in text.splitlines()]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("own") / "own.game.json"
    assert run_tatc("run", *PLACE, "--quiet", "--save", path).exit_code == 0
    return json.loads(path.read_text())


def forged(document: dict[str, Any], path: Path) -> Path:
    """Write a record each of whose free texts holds lines of tatc's."""
    found = json.loads(json.dumps(document))
    (task,) = found["tasks"]
    for done in task["episodes"][0]["interactions"]:
        if "utterance" in done:
            done["utterance"] = WORDS
    found["tatc"]["options"]["note"] = WORDS
    for decision in found["tatc"]["decisions"]:
        decision |= {"reason": WORDS, "skill": WORDS}
    path.write_text(json.dumps(found))
    return path


def test_a_records_texts_are_no_lines_of_tatcs(document: dict[str, Any], tmp_path: Path) -> None:
    path, text = forged(document, tmp_path / "x.game.json"), tmp_path / "x.txt"
    told = run_tatc("replay", path)
    told_again = run_tatc("debug", "--record", path, "--at", "1", "--print")
    assert FORGED in told.output and "99 of 99" in told_again.output
    assert run_tatc("export", path, "--out", text).exit_code == 0
    listed = run_tatc("check", path).output
    for shown in (told.output, told_again.output, text.read_text(), listed):
        assert not [line for line in lines_of(shown) if line.startswith("Success: 99")]


def test_what_an_agent_raises_is_no_line_of_tatcs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crashing.py").write_text(AGENT.format(words=WORDS))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    agent = ("--follower", "crashing:Crashing")
    told = run_tatc("run", *PLACE, "--no-save", *agent, "--traceback")
    assert told.exit_code == 3 and "act(self" in told.output
    run_tatc("eval", "--room", "kitchen-01", "--tasks", "coffee", *agent, "--out", "run")
    shown = told.output + run_tatc("report", "run").output
    assert FORGED in shown
    assert not [line for line in lines_of(shown) if line.startswith("Success: 99")]


@pytest.mark.parametrize(
    "words",
    [
        ("replay", f"a\n{FORGED}.game.json"),
        ("run", f"coffee\u2029{FORGED}"),
        ("run", "coffee", f"--x\n{FORGED}"),
        ("rooms", "show", f"a\x85{FORGED}"),
    ],
)
def test_an_error_is_one_line(words: tuple[str, ...]) -> None:
    assert len(run_tatc(*words).output.splitlines()) == 1


SECRET = "/home/alice/secret-project/model.pt"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (f"no such file: '{SECRET}'", "no such file: 'model.pt'"),
        ("'/home/alice smith/my data/x.pt' is gone", "'x.pt' is gone"),
        ("error:/Users/alice/a.py:7: no", "error:a.py:7: no"),
        (r"cannot open C:\Users\alice\x.pt", "cannot open x.pt"),
        ("file:///home/alice/x and ~alice/y.pt", "file:x and y.pt"),
        ("in /home/alice, (/home/alice)", "in ~, (~)"),
        ("see http://localhost:8080/v1, runs/a.json, 3/4 and/or a / b, cmd /C", None),
    ],
)
def test_no_folder_of_a_machine_is_left_in_a_text(words: str, shown: str | None) -> None:
    assert PathShortener.of(()).shorten_in(words) == (words if shown is None else shown)


def test_exports_do_not_name_the_folders_in_an_agents_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaking.py").write_text(AGENT.format(words=f"cannot open {SECRET!r}"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    options = ("--follower", "leaking:Crashing", "--out", "run")
    run_tatc("eval", "--room", "kitchen-01", "--tasks", "coffee", *options)
    run_tatc("report", "run", "--html", "r.html", "--csv", "r.csv")
    assert run_tatc("view", "run", "--export", "site", "--no-pictures").exit_code == 0
    files = [Path("r.html"), Path("r.csv"), *(p for p in Path("site").rglob("*") if p.is_file())]
    assert len(files) > 5 and "model.pt" in Path("r.csv").read_text()
    assert not [path for path in files if b"alice" in path.read_bytes()]


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("-", "does not go to stdout"),
        ("", "is a folder"),
        (".", "is a folder"),
        ("/", "is a folder"),
        ("/dev/full", "is no plain file"),
        ("own.game.json/x.txt", "it is a file"),
        ("x" * 300, "File name too long"),
        ("nowhere/x.txt", "mkdir -p nowhere"),
    ],
)
def test_what_is_no_place_for_a_file_is_refused_before_the_work(
    document: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.game.json").write_text(json.dumps(document))
    before = sorted(tmp_path.iterdir())
    told = run_tatc("export", "own.game.json", "--out", out, "--format", "txt")
    assert told.exit_code == 2 and said in told.stderr
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "words",
    [
        ("eval", "--room", "kitchen-01", "--tasks", "coffee", "--out"),
        ("run", *PLACE, "--save"),
        ("view", "own.game.json", "--export"),
        ("rooms", "new", "--kind", "kitchen", "--seed", "1", "--out"),
    ],
)
def test_nothing_is_named_after_stdout(
    document: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.game.json").write_text(json.dumps(document))
    told = run_tatc(*words, "-")
    assert told.exit_code == 2 and "does not go to stdout" in told.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["own.game.json"]


@pytest.mark.parametrize("words", ["run coffee --no-save", "replay x.game.json"])
def test_a_current_folder_that_is_gone_is_named(tmp_path: Path, words: str) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f"cd {gone} && rmdir {gone} && {sys.executable} -P -m tatc {words}"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    told = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment)
    assert told.returncode == 2
    assert told.stderr == "error: the current folder is gone (change to another: cd FOLDER)\n"


@pytest.mark.parametrize("reader", ["2>&1 | true", "| head -1"])
def test_a_reader_that_leaves_early_is_no_fault(reader: str) -> None:
    command = f"{sys.executable} -P -X dev -m tatc rooms list {reader}"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    told = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment)
    assert told.stderr == ""
