"""Demonstrations: what a line holds, that it plays again, and what is left out or refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.apps.export import chat_demonstration
from tatc.home.actions import Role
from tatc.session.text_world.model_agents import as_data
from tatc.session.text_world.wording import TEXT_WORLD_VERSION
from tatc.session.tool_session import ToolSession
from tests.command_line import run_tatc
from tests.session.text_world.sessions import opening

EXPORT = ("export", "--format", "chat")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a solved session, a lost one, and the solved one's demonstrations."""
    folder = tmp_path_factory.mktemp("chat")
    for name, words in {"solved": (), "lost": ("--follower", "random")}.items():
        run_tatc("run", "coffee", "--quiet", "--save", folder / f"{name}.game.json", *words)
    done = run_tatc(*EXPORT, folder / "solved.game.json", "--out", folder / "all.jsonl")
    assert done.exit_code == 0, done.output
    return folder


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def calls_of(line: dict[str, Any]) -> list[tuple[str, Any]]:
    made = [each for message in line["messages"] for each in message.get("tool_calls", ())]
    return [(each["function"]["name"], each["function"]["arguments"]) for each in made]


def test_a_line_is_a_conversation_of_either_role(folder: Path) -> None:
    lines = lines_of(folder / "all.jsonl")
    assert [line["tatc"]["role"] for line in lines] == ["commander", "follower"]
    for line in lines:
        system, first, *rest = line["messages"]
        assert (system["role"], first["role"]) == ("system", "user")
        assert [each["role"] for each in rest[1::2]] == ["tool"] * (len(rest) // 2)
        ids = [each["tool_calls"][0]["id"] for each in rest[::2]]
        assert [each["tool_call_id"] for each in rest[1::2]] == ids[:-1]
        offered = {each["function"]["name"] for each in line["tools"]}
        assert {name for name, _ in calls_of(line)} <= offered
        assert line["tatc"]["calls"] == len(ids)
        assert line["tatc"]["text_world"].startswith(f"{TEXT_WORLD_VERSION} ")
    commander, follower = ({name for name, _ in calls_of(line)} for line in lines)
    assert {"check", "search", "tell", "stop"} == commander
    assert {"ask", "move", "do", "stop"} <= follower


def test_the_texts_are_those_that_a_session_shows(folder: Path) -> None:
    for line in lines_of(folder / "all.jsonl"):
        role = Role[line["tatc"]["role"].upper()]
        if role is Role.COMMANDER:
            session = ToolSession(opening("coffee", "kitchen-01", 1), plays=(role,))
            read = [message["content"] for message in line["messages"][1::2]]
            shown = session.text(role)
            for text, (name, arguments) in zip(read, calls_of(line), strict=True):
                assert text == as_data(shown)
                shown = session.call(role, name, arguments)
            assert session.result().success


def test_a_file_that_was_cut_is_continued_to_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    whole, cut = (folder / "all.jsonl").read_bytes(), tmp_path / "cut.jsonl"
    words = (*EXPORT, folder / "solved.game.json", "--out", cut)
    for size in (0, 9, whole.index(b"\n") - 5, whole.index(b"\n") + 40, len(whole)):
        cut.write_bytes(whole[:size])
        (tmp_path / "cut.md").unlink(missing_ok=True)
        assert run_tatc(*words, *(["--force"] if size < 40 else [])).exit_code == 0
        assert cut.read_bytes() == whole
    card = (tmp_path / "cut.md").read_text()
    assert card.startswith("---\nlicense: mit\n") and "| demonstrations of Coffee | 2 |" in card
    assert "$" not in card


def test_one_role_alone_and_counts_as_json(folder: Path, tmp_path: Path) -> None:
    out, words = tmp_path / "a.jsonl", ("--role", "follower", "--json")
    done = run_tatc(*EXPORT, folder / "solved.game.json", "--out", out, *words)
    assert json.loads(done.stdout)["demonstrations of the Follower"] == 1
    assert lines_of(out) == lines_of(folder / "all.jsonl")[1:]
    assert run_tatc("check", out).exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('\\"times\\": 1', '\\"times\\": 2', "message "),
        ("Goal conditions met", "Goals met", "message "),
        ('"maximum": 12', '"maximum": 13', "tools is another one"),
        ('"record": "', '"record": "0', "record is another one"),
        ('"mistakes": 0', '"mistakes": 1', "mistakes is another one"),
        ('"arguments": "{}"', '"arguments": "{"', "cannot be played: "),
        ('"seed": 1', '"seed": "one"', "cannot be played: "),
        ('"tatc": {', '"tact": {', "cannot be played: "),
        ('"role": "follower"', '"role": "cook"', "unknown role"),
        ('"room": "kitchen-01"', '"room": "kitchen-99"', "cannot be played: "),
    ],
)
def test_a_damaged_line_is_found(
    folder: Path, tmp_path: Path, old: str, new: str, why: str
) -> None:
    text, bad = (folder / "all.jsonl").read_text(), tmp_path / "bad.jsonl"
    assert old in text
    bad.write_text(text.replace(old, new))
    done = run_tatc("check", bad)
    assert done.exit_code in (1, 2) and why in done.output
    assert "Traceback" not in done.output


def test_what_shows_nothing_good_is_counted(folder: Path, tmp_path: Path) -> None:
    done = run_tatc(*EXPORT, folder / "lost.game.json", "--out", tmp_path / "lost.jsonl")
    assert done.exit_code == 1
    assert "2 left out: the task was not done" in done.output
    done = run_tatc(*EXPORT, folder, "--out", tmp_path / "both.jsonl", "--role", "commander")
    assert done.exit_code == 0 and len(lines_of(tmp_path / "both.jsonl")) == 1


def test_sessions_with_failed_calls_are_kept_if_asked() -> None:
    found: dict[bool, tuple[dict[str, Any] | None, str]] = {}
    for with_refusals in (True, False):
        pair = chat_demonstration.checked_pair("commander", "rule", "rule", None)
        *_, job = chat_demonstration.jobs_of_split("train", 17, [pair]).items()
        found[with_refusals] = chat_demonstration.demonstrate(with_refusals, job)
    assert found[False] == (None, "a call failed")
    line, why = found[True]
    assert line is not None and not why and line["tatc"]["mistakes"] > 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--split", "nix"), "unknown split 'nix'"),
        ((), "nothing, or two things"),
        (("--split", "train", "--role", "cook"), "unknown role 'cook'"),
        (("--split", "train", "--commander", "speaker"), "the pair speaker and rule cannot be"),
        (("--split", "train", "--follower", "random"), "the pair rule and random cannot be"),
        (("--split", "train", "--wording", "loud"), "unknown wording 'loud'"),
        (("nowhere",), "there is no such file"),
    ],
)
def test_wrong_options_are_one_line(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    done = run_tatc(*EXPORT, *words, "--out", tmp_path / "a.jsonl")
    assert done.exit_code == 2 and why in done.stderr
    assert len(done.stderr.splitlines()) == 1 and not list(tmp_path.glob("*.jsonl"))


def test_files_of_others_and_missing_folders_are_refused(folder: Path, tmp_path: Path) -> None:
    other, session = tmp_path / "b.jsonl", folder / "solved.game.json"
    other.write_text("hello\n")
    done = run_tatc(*EXPORT, session, "--out", other)
    assert done.exit_code == 2 and "there is a file already" in done.stderr
    assert other.read_text() == "hello\n"
    done = run_tatc(*EXPORT, session, "--out", folder / "all.jsonl", "--role", "commander")
    assert done.exit_code == 2 and "this command would not make" in done.stderr
    done = run_tatc(*EXPORT, session, "--out", tmp_path / "none" / "a.jsonl")
    assert done.exit_code == 2 and "there is no such folder" in done.stderr
    done = run_tatc("export", session, "--out", tmp_path / "a.txt", "--role", "both", "--count", 3)
    assert done.exit_code == 2 and "--format chat" in done.stderr
