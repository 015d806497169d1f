"""`--memory` in sessions: names are recalled, and a session that was right is remembered."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tatc.cli import app
from tatc.records import read_record
from tatc.understanding.memory import read_memory

COFFEE = ("run", "coffee", "--room", "kitchen-01", "--commander", "me", "--follower", "listener")


def _run(typed: str, *words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(each) for each in words], input=typed)


def test_a_session_that_was_right_is_remembered_and_recalled(tmp_path: Path) -> None:
    memory, record = tmp_path / "mine.jsonl", tmp_path / "second.game.json"
    words = "make me a coffee, call it the morning special\nthank you\n"
    first = _run(words, *COFFEE, "--memory", memory, "--no-save")
    assert first.exit_code == 0
    assert "remembered: morning special" in first.output
    again = _run(
        "the morning special please\nthanks\n", *COFFEE, "--memory", memory,
        "--remember", "my brew", "--save", record, "--quiet", "--json",
    )  # fmt: skip
    assert again.exit_code == 0
    assert json.loads(again.stdout)["remembered"] == "my brew"
    special, brew = read_memory(memory).entries
    assert (special.name, brew.name) == ("morning special", "my brew")
    assert special.content == brew.content
    name, _, digest = str(dict(read_record(record).options)["memory"]).partition(" ")
    assert (name, len(digest)) == ("mine.jsonl", 12)


def test_what_was_not_called_right_is_not_remembered(tmp_path: Path) -> None:
    memory = tmp_path / "mine.jsonl"
    done = _run("put the fork in the sink\n", *COFFEE, "--memory", memory, "--remember", "my lunch")
    assert done.exit_code == 1
    assert "not remembered" in done.output
    assert not memory.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--remember", "lunch"), "there is no file to remember in (name one with --memory)"),
        (("--memory", "mine.jsonl", "--remember", "!"), "--remember: should have letters"),
        (("--memory", "bad.jsonl"), "bad.jsonl:1"),
        (("--memory", "mine.jsonl", "--follower", "rule"), "--memory: the Follower rule reads no"),
    ],
)
def test_bad_input_is_one_line(
    words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.jsonl").write_text('{"format": "shopping list"}\n', encoding="utf-8")
    done = _run("", *COFFEE, "--no-save", *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_rows_and_runs_name_the_memory(tmp_path: Path) -> None:
    memory, out = tmp_path / "mine.jsonl", tmp_path / "run"
    assert (
        _run("make a coffee, call it the brew\nthanks\n", *COFFEE, "--memory", memory).exit_code
        == 0
    )
    words = ("eval", "--room", "kitchen-01", "--tasks", "Coffee", "--commander", "speaker")
    chosen = ("--follower", "listener", "--memory", memory, "--out", out)
    done = _run("", *words, *chosen)
    assert done.exit_code == 0
    row = json.loads((out / "results.jsonl").read_text("utf-8").splitlines()[-1])
    label = json.loads((out / "run.json").read_text("utf-8"))["options"]["setup"]["memory"]
    assert row["memory"] == label
    assert label.startswith("mine.jsonl ")
    missing = _run("", *words, "--follower", "listener", "--memory", tmp_path / "none.jsonl")
    assert missing.exit_code == 2
    assert "there is no such memory" in missing.stderr
