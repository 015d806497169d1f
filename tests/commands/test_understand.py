"""`tatc understand`: one dialogue explained."""

import json
from pathlib import Path

import pytest
from typer.testing import Result

from tests.command_line import run_tatc

LINES = "Commander: put teh remotes on one sofa\nFollower: where?\nCommander: behind the tv\n"


def _tatc(*words: str | Path, stdin: str | None = None) -> Result:
    return run_tatc("understand", *words, input=stdin)


def test_a_dialogue_is_explained_in_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "dialogue.txt"
    path.write_text(LINES)
    done = _tatc(path, "--why")
    assert done.exit_code == 0
    assert "goal: Put All X In One Y RemoteControl on Sofa" in done.stdout
    assert '"teh remotes", "one sofa"' in done.stdout
    assert done.stdout.splitlines()[-1].split() == ["RemoteControl", "near", "Television", "2"]


def test_json_has_the_words_and_their_places() -> None:
    done = _tatc("-", "--json", stdin=LINES)
    found = json.loads(done.stdout)
    assert list(found) == ["goal", "hints", "evidence", "confidence", "questions"]
    assert found["goal"]["params"] == ["RemoteControl", "on", "Sofa"]
    first = found["evidence"][0]
    assert (first["utterance"], first["start"], first["end"]) == (0, 4, 15)
    said = LINES.splitlines()[0].removeprefix("Commander: ")
    assert said[first["start"] : first["end"]] == first["words"]


def test_only_the_first_utterances_are_read() -> None:
    text = "Commander: make a coffee\nCommander: sorry, boil a potato instead\n"
    assert "Coffee" in _tatc("-", "--upto", "1", stdin=text).stdout
    assert _tatc("-", "--upto", "0", stdin=text).stdout.startswith("goal: none")


def test_a_line_without_a_speaker_is_named() -> None:
    done = _tatc("-", stdin="hello\n")
    assert done.exit_code == 2
    assert done.stderr.startswith("error: stdin:1: does not name its speaker")


def test_a_goal_is_remembered_and_recalled(tmp_path: Path) -> None:
    memory = tmp_path / "mine.jsonl"
    taught = "Commander: make a sandwich with tomato. call it the Larry sandwich\n"
    done = _tatc("-", "--goals", memory, "--remember", stdin=taught)
    assert (done.exit_code, done.stderr) == (0, "remembered: Larry sandwich\n")
    asked = "Commander: the larry sandwich with 2 slices of lettuce\n"
    assert "goal: Sandwich 2 1" in _tatc("-", "--goals", memory, stdin=asked).stdout
    nameless = _tatc("-", "--goals", memory, "--remember", stdin="Commander: make a coffee\n")
    assert nameless.exit_code == 2 and "gives no name" in nameless.stderr
    memory.write_text('{"format": "tatc memory", "version": 7}\n')
    assert _tatc("-", "--goals", memory, stdin=asked).stderr.startswith(
        f"error: {memory}:1: version: is 7, and this tatc reads version 1"
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"Commander: make a coffee, call it the larry \xff drink\n", "is no text in UTF-8"),
        (b"Commander: coffee \xed\xa0\x80\n", "is no text in UTF-8"),
        (b"\0" * (2 << 20), "holds more than 1 MiB"),
        (b"Commander: coffee\n" * 70_000, "holds more than 1 MiB"),
    ],
)
def test_stdin_is_read_within_the_limits_of_files(tmp_path: Path, data: bytes, said: str) -> None:
    told = run_tatc("understand", "-", "--goals", tmp_path / "g.jsonl", "--remember", input=data)
    assert told.exit_code == 2 and f"stdin: {said}" in told.stderr
    assert len(told.stderr.splitlines()) == 1 and not list(tmp_path.iterdir())
