"""What models answer, and what becomes of models that misbehave."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tatc.base.errors import TatcError
from tatc.evaluation.instances.instance_players import (
    MAX_CLICK_FRACTION,
    HttpModel,
    InvalidAnswer,
    TimeLimitExceeded,
    parse_answer,
    time_limit,
)
from tatc.home.actions import Action, Click, Verb
from tests.command_line import run_tatc
from tests.evaluation.instances.http_server import QuietHandler, serve_in_background

MODELS = "tests.evaluation.instances.models"


def test_clicks_are_row_then_column() -> None:
    assert parse_answer(("Pickup", (0.25, 0.5))) == Action(Verb.PICKUP, Click(0.5, 0.25))
    assert parse_answer(["Forward", None]) == Action(Verb.FORWARD)
    assert parse_answer(("Open", [1.0, 0.0])).click == Click(0.0, MAX_CLICK_FRACTION)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "Forward",
        ("Fly", None),
        ("Pickup", 0.5),
        ("Pickup", (0.5,)),
        ("Pickup", (0.5, 1.5)),
        ("Pickup", (0.5, float("nan"))),
        ("Pickup", ("a", "b")),
        ("Pickup", (10**400, 0.5)),
    ],
)
def test_nonsense_is_called_so(answer: object) -> None:
    with pytest.raises(InvalidAnswer):
        parse_answer(answer)


def test_a_time_limit_breaks_off_what_takes_too_long() -> None:
    with pytest.raises(TimeLimitExceeded, match=r"counting took more than 0\.05 s"):
        with time_limit(0.05, "counting"):
            while True:
                pass
    with time_limit(5, "nothing"):
        pass


def _run_eval(cut: Path, played_game: Path, out: Path, *words: str) -> dict[str, Any]:
    given = ["eval", str(cut), "--kind", "edh", "--games", str(played_game)]
    done = run_tatc(*given, "--out", out, "--json", *words)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_model_that_copies_people_does_what_they_did(
    cut: Path, played_game: Path, tmp_path: Path
) -> None:
    found = _run_eval(cut, played_game, tmp_path, "--follower", f"{MODELS}:Copying")
    assert found["sessions"] > 0
    assert found["success_rate"] == 1.0
    assert found["official"]["num_predicted_stops"] == found["sessions"]
    assert 0.5 < found["plw_success_rate"] < 1  # Stop counts in theirs alone


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Raising", "ValueError: it fell over"),
        ("Hanging", "get_next_action took more than 0.2 s"),
        ("Silent", "start_new_edh_instance answered False, not True"),
        ("Babbling", "'straight on' is no (row, column)"),
    ],
)
def test_a_model_that_fails_costs_its_instance_and_nothing_else(
    cut: Path, played_game: Path, tmp_path: Path, name: str, why: str
) -> None:
    words = ("--follower", f"{MODELS}:{name}", "--model-seconds", "0.2")
    found = _run_eval(cut, played_game, tmp_path, *words)
    assert found["crashed"] == found["sessions"] == found["expected"] > 0
    assert {each["failure"]["reason"] for each in found["failures"]} == {why}


def test_refused_actions_end_an_instance_at_thirty(
    cut: Path, played_game: Path, tmp_path: Path
) -> None:
    found = _run_eval(cut, played_game, tmp_path, "--follower", f"{MODELS}:Stubborn")
    assert found["official"]["num_fails_by_api_limit"] == found["sessions"] > 0
    assert found["crashed"] == 0


def test_followers_play_instances_too(cut: Path, played_game: Path, tmp_path: Path) -> None:
    found = _run_eval(cut, played_game, tmp_path / "rule", "--follower", "rule")
    # It does what the last utterance says, and asks for more: that is its Stop.
    assert found["official"]["num_predicted_stops"] == found["sessions"]
    assert found["success_rate"] > 0
    chance = _run_eval(cut, played_game, tmp_path / "random", "--follower", "random")
    assert chance["success_rate"] == 0
    assert chance["not_fulfilled_at_start"]["sessions"] == chance["sessions"]


class _TeachServer(QuietHandler):
    """Answers as TEACh's server does, from what it was sent."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/start_new_edh_instance":
            assert b'name="edh_instance"' in body
            self.send_answer(b"success", "text/html")
        else:
            assert b'name="img"' in body and b'name="img_name"' in body
            answer = {"action": "Stop", "obj_relative_coord": None}
            self.send_answer(json.dumps(answer).encode())


def test_a_model_behind_http_plays(first: Path, played_game: Path, tmp_path: Path) -> None:
    with serve_in_background(_TeachServer) as address:
        found = _run_eval(first, played_game, tmp_path, "--follower", address)
    assert found["official"]["num_predicted_stops"] == found["sessions"] == 1
    assert found["crashed"] == 0


class _ListServer(QuietHandler):
    """Answers each question with a list in place of an object."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_answer(b'["Forward", null]')


def test_a_server_that_answers_no_object_is_said_so() -> None:
    with serve_in_background(_ListServer) as address:
        model = HttpModel(address, 60.0)
        with pytest.raises(TatcError, match="answers with no object that has `action`"):
            model.get_next_action(Image.new("RGB", (4, 4)), {}, None, None, "an instance")


def test_a_server_that_is_down_is_said_so(first: Path, played_game: Path, tmp_path: Path) -> None:
    words = ("--follower", "http://127.0.0.1:9")
    found = _run_eval(first, played_game, tmp_path, *words)
    [failure] = found["failures"]
    assert found["crashed"] == 1
    assert "does not answer" in failure["failure"]["reason"]
