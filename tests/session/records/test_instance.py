"""EDH and TfD files: read as they are, and refused by field."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import GameFormatError
from tatc.base.json_fields import FieldError
from tatc.home.actions import Role
from tatc.session.records import Benchmark, read_instance
from tatc.session.records.instance import parse_instance, write_instance

HELLO = {"agent_id": 1, "action_id": 100, "time_start": 1.5, "success": 1, "utterance": "hello"}
EDH: dict[str, Any] = {
    "game_id": "0123_4567",
    "instance_id": "0123_4567.edh2",
    "pred_start_idx": 1,
    "dialog_history": [["Driver", "hello"], ["Commander", "make coffee"]],
    "driver_action_history": [],
    "driver_image_history": [],
    "driver_actions_future": [{}, {}, {}],
    "interactions": [HELLO | {"action_idx": 33}],
    "state_changes": {"agents": {}, "objects": {"Mug|1|2|3": {"isDirty": False}}},
    "expected_init_goal_conditions_total": 2,
    "expected_init_goal_conditions_satisfied": 1,
}


def _write(folder: Path, document: object, name: str = "0123_4567.edh2.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(document))
    return path


def test_an_edh_file_is_read(tmp_path: Path) -> None:
    read = read_instance(_write(tmp_path, EDH))
    assert (read.name, read.game_id) == ("0123_4567.edh2", "0123_4567")
    assert read.benchmark is Benchmark.EDH
    assert [each.text for each in read.history] == ["hello"]
    assert [each.speaker for each in read.dialogue] == [Role.FOLLOWER, Role.COMMANDER]
    assert read.reference_length == 3
    assert read.expected is not None and read.expected[1] == 1
    assert read.document == EDH


def test_a_tfd_file_and_withheld_futures_are_read(tmp_path: Path) -> None:
    kept = ("game_id", "dialog_history", "driver_action_history")
    tfd = {name: EDH[name] for name in kept}
    read = read_instance(_write(tmp_path, tfd, "0123_4567.tfd.json"))
    assert (read.benchmark, read.reference_length) == (Benchmark.TFD, 0)
    hidden = {k: v for k, v in EDH.items() if k != "driver_actions_future"}
    assert read_instance(_write(tmp_path, hidden)).reference_length == 0


def test_gzipped_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.edh1.json.gz"
    path.write_bytes(gzip.compress(json.dumps(EDH).encode()))
    assert read_instance(path).name == "a.edh1"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("game_id", 3, "game_id"),
        ("pred_start_idx", 9, "pred_start_idx"),
        ("pred_start_idx", "1", "pred_start_idx"),
        ("dialog_history", {}, "dialog_history"),
        ("dialog_history", [["Robot", "hello"]], "dialog_history[0]"),
        ("dialog_history", [[["Driver"], "hello"]], "dialog_history[0]"),
        ("dialog_history", [[{"Driver": 1}, "hello"]], "dialog_history[0]"),
        ("dialog_history", [[None, "hello"]], "dialog_history[0]"),
        ("dialog_history", [["Driver"]], "dialog_history[0]"),
        ("dialog_history", [["Driver", ["hello"]]], "dialog_history[0]"),
        ("dialog_history", [["Driver", "\ud800"]], "dialog_history[0]"),
        ("interactions", [{"agent_id": 1}], "interactions[0]"),
        ("state_changes", [], "state_changes"),
        ("driver_actions_future", 3, "driver_actions_future"),
        ("expected_init_goal_conditions_total", "2", "conditions_total"),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, field: str, value: object, said: str) -> None:
    path = _write(tmp_path, EDH | {field: value})
    with pytest.raises(GameFormatError) as caught:
        read_instance(path)
    assert said in str(caught.value) and path.name in str(caught.value)


def test_a_game_is_no_instance(tmp_path: Path) -> None:
    with pytest.raises(GameFormatError, match="no instance"):
        read_instance(_write(tmp_path, {"tasks": []}))


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "0123_4567.edh2.json"
    write_instance(EDH, path, force=False)
    assert read_instance(path) == read_instance(_write(tmp_path, EDH))


@pytest.mark.parametrize("start", [0, 1, 2])
def test_the_history_ends_where_the_prediction_starts(start: int) -> None:
    two = EDH | {"interactions": EDH["interactions"] * 2, "pred_start_idx": start}
    assert len(parse_instance(two, "a.edh1").history) == start


@pytest.mark.parametrize("start", [-1, 3])
def test_a_prediction_starts_within_the_interactions(start: int) -> None:
    two = EDH | {"interactions": EDH["interactions"] * 2, "pred_start_idx": start}
    with pytest.raises(FieldError, match=f"is {start}, but there are 2 interactions"):
        parse_instance(two, "a.edh1")


def test_what_is_no_edh_file_by_name_or_by_content_is_a_tfd_one() -> None:
    by_name = parse_instance(EDH, "a.tfd")
    lacking = {key: value for key, value in EDH.items() if key != "pred_start_idx"}
    by_content = parse_instance(lacking, "a.edh1")
    for read in (by_name, by_content):
        assert read.benchmark is Benchmark.TFD
        assert (read.history, read.state_changes, read.expected) == ((), None, None)
    whole = parse_instance(EDH, "a.edh1")
    assert whole.state_changes == EDH["state_changes"]
    assert whole.expected == (2, 1)
    for key in ("total", "satisfied"):
        one = {k: v for k, v in EDH.items() if not k.endswith(f"conditions_{key}")}
        assert parse_instance(one, "a.edh1").expected is None


def test_turns_may_say_more_than_who_and_what() -> None:
    turns = [["Driver", "hello", 3], ["Commander", ""]]
    read = parse_instance(EDH | {"dialog_history": turns}, "a.edh1")
    found = [(each.speaker, each.text, each.time) for each in read.dialogue]
    assert found == [(Role.FOLLOWER, "hello", 0.0), (Role.COMMANDER, "", 0.0)]
