"""Commands that open a session of a run again."""

from pathlib import Path
from typing import Any

import pytest

from tatc.evaluation.runs.debug_commands import debug_command
from tatc.evaluation.runs.rows import SessionFailure, SessionRow

SETUP: dict[str, Any] = {
    "floor_map": "shipped",
    "commander": "rule",
    "follower": "rule",
    "noise": 0.0,
    "wording": "actions",
    "sim": "embedded",
}
RECORDED = {"record": "records/one.game.json.gz"}
AT_7 = {"failure": SessionFailure("", "", "why", 7)}


def _command(row: dict[str, Any], setup: dict[str, Any], world: str = "embedded") -> str:
    options = {"kind": "tatc", "setup": SETUP | setup, "definitions": (), "policies": ("mine",)}
    session = SessionRow(**{"key": "one", "task": "Coffee", "place": "kitchen-01"} | row)
    return debug_command(session, {"world": world, "options": options}, Path("run"))


@pytest.mark.parametrize(
    ("row", "setup", "command"),
    [
        (
            RECORDED | AT_7,
            {},
            "tatc debug --record run/records/one.game.json.gz --policies mine --at 7",
        ),
        (
            RECORDED | {"commander_actions": 3, "follower_actions": 9},
            {},
            "tatc debug --record run/records/one.game.json.gz --policies mine --at 12",
        ),
        (
            AT_7 | {"game": "abc", "source": "games/abc.game.json"},
            {"follower": "et", "wording": "steps", "noise": 0.1},
            "tatc debug --game games/abc.game.json --seed 1 --follower et --noise 0.1 "
            "--wording steps --policies mine --at 7",
        ),
        (
            {"game": "abc", "source": "games/abc.game.json"},
            {"floor_map": "boxes"},
            "tatc debug --game games/abc.game.json --seed 1 --map boxes --policies mine",
        ),
        (
            RECORDED,
            {"floor_map": "boxes"},
            "tatc debug --record run/records/one.game.json.gz --policies mine",
        ),
        (
            {"seed": 4},
            {"floor_map": "my map.json"},
            "tatc debug --room kitchen-01 --task Coffee --seed 4 --map 'my map.json' "
            "--policies mine",
        ),
        (
            {"seed": 4},
            {
                "commander": "speaker",
                "follower": "listener",
                "perception": "masks",
                "questions": 2,
                "speaking": {"seed": 5, "typo_rate": 0.1},
            },
            "tatc debug --room kitchen-01 --task Coffee --seed 4 --commander speaker "
            "--follower listener --perception masks --questions 2 --speaker-seed 5 --typos 0.1 "
            "--policies mine",
        ),
        (
            RECORDED | AT_7,
            {
                "follower": "listener",
                "goals": "mine.jsonl 0123",
                "goals_file": "my goals.jsonl",
                "floor_map": "people.json",
            },
            "tatc debug --record run/records/one.game.json.gz --map people.json "
            "--goals 'my goals.jsonl' --policies mine --at 7",
        ),
        (
            {"seed": 4},
            {
                "follower": "llm",
                "model": {"name": "qwen3", "seed": 1, "endpoint": "0"},
                "play": {
                    "calls": 20,
                    "tokens": 500_000,
                    "seed": 1,
                    "tool_calling": "json",
                    "speech": None,
                },
            },
            "tatc debug --room kitchen-01 --task Coffee --seed 4 --follower llm --model qwen3 "
            "--max-calls 20 --session-tokens 500000 --tool-calls json --policies mine",
        ),
    ],
)
def test_the_debugger_opens_a_session_where_it_failed(
    row: dict[str, Any], setup: dict[str, Any], command: str
) -> None:
    assert _command(row, setup) == command


def test_sessions_in_ai2thor_are_replayed_or_run_again() -> None:
    replayed = _command(RECORDED | AT_7, {"sim": "thor"}, "thor")
    assert replayed == "tatc replay run/records/one.game.json.gz --from 7"
    assert _command(AT_7, {"sim": "thor"}, "thor") == (
        "tatc run --room kitchen-01 --task Coffee --seed 1 --sim thor --policies mine"
    )


def test_an_instance_is_played_again_under_its_conditions() -> None:
    options = {
        "kind": "tfd",
        "setup": SETUP | {"follower": "listener", "perception": "truth"},
        "recorded": ["games"],
        "model_args": ["--temperature", "0"],
        "model_seconds": 5.0,
        "goal": "true",
        "feedback": 2,
        "dialogue": "empty",
    }
    session = SessionRow(key="one", task="Coffee", place="kitchen-01", source="tfd/one.json")
    assert debug_command(session, {"world": "embedded", "options": options}, Path("run")) == (
        "tatc eval tfd/one.json --kind tfd --games games --follower listener --perception truth "
        "--model-args '--temperature 0' --model-seconds 5 --goal true --feedback 2 --dialogue empty"
    )
