"""`tatc play`: calls in, texts out, and a record at the end."""

import json
from pathlib import Path

from tatc.session.text_world.wording import TEXT_WORLD_VERSION
from tests.command_line import run_tatc


def test_wrong_lines_are_answered_and_the_session_goes_on(tmp_path: Path) -> None:
    lines = [
        "junk",
        "[1]",
        "",
        '{"name": 3}',
        '{"name": "turn", "arguments": {"direction": "left"}}',
    ]
    path = tmp_path / "one.game.json"
    done = run_tatc("play", "coffee", "--json", "--save", path, input="\n".join(lines))
    assert done.exit_code == 1  # the task was not solved
    texts = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(texts) == 5  # the first observation, and an answer to each line but the empty one
    assert ["refused" in each["text"] for each in texts] == [False, True, True, True, False]
    assert all(0 < each["tokens"] < 1500 and each["end"] is None for each in texts)
    assert 'is not JSON: Expecting value (write a call such as {"name": "ask"})' in texts[1]["text"]
    assert "Last: turn left: done" in texts[-1]["text"].splitlines()
    record = json.loads(path.read_text())
    assert record["tatc"]["options"]["text_world"].startswith(f"{TEXT_WORLD_VERSION} ")


def test_numbers_and_nulls_are_taken_and_long_texts_refused() -> None:
    calls = [
        ("move", {"direction": "left", "times": 2.0}, "Last: move left 2: done"),
        ("ask", {"question": None}, ""),
        ("say", {"words": "x" * 1001}, "words is too long: it may have at most 1000 characters"),
        ("say", {"words": " "}, "words is empty"),
        ("stop", None, "Last: stop: done"),
    ]
    lines = [json.dumps({"name": name, "arguments": given}) for name, given, _ in calls]
    done = run_tatc("play", "coffee", "--room", "kitchen-01", "--json", input="\n".join(lines))
    texts = [json.loads(line)["text"] for line in done.stdout.splitlines()[1:]]
    assert [wanted in text for text, (*_, wanted) in zip(texts, calls, strict=True)] == [True] * 5
    assert ["refused" in text for text in texts] == [False, False, True, True, False]


def test_both_agents_are_played_in_turn() -> None:
    lines = ['{"name": "ask"}', '{"name": "say", "arguments": {"words": "Go on."}}']
    done = run_tatc("play", "coffee", "--as", "both", "--json", input="\n".join(lines))
    roles = [json.loads(line)["role"] for line in done.stdout.splitlines()]
    assert roles == ["follower", "commander", "follower"]


def test_tools_are_printed_with_their_schemas() -> None:
    done = run_tatc("play", "coffee", "--as", "both", "--print-tools")
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["role"] for each in printed] == ["commander", "follower"]
    assert all(tool["parameters"]["type"] == "object" for each in printed for tool in each["tools"])
