"""The heading of a game: the same as the whole file says, from its beginning."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import GameFormatError
from tatc.session.records import read_game_header, read_start, write_record
from tatc.session.records.game_header import place_names
from tests.session.records.sample_record import sample_record

Json = dict[str, Any]


def test_it_is_what_the_whole_file_says(sample_games: list[Path]) -> None:
    for path in sample_games[::4]:
        head, start = read_game_header(path), read_start(path)
        assert (head.game_id, head.split) == (start.game_id, start.split)
        assert (head.task_name, head.task_params) == (start.task_name, start.task_params)
        assert (head.place, head.kind) == (start.scene.place, start.scene.kind)


@pytest.mark.parametrize("place", ["FloorPlan7", "kitchen-01"])
def test_it_reads_records_of_ours(tmp_path: Path, place: str) -> None:
    path = tmp_path / "saved.game.json.gz"
    write_record(sample_record(place), path)
    head = read_game_header(path)
    assert (head.task_name, head.place) == ("Coffee", place)


@pytest.mark.parametrize("text", ["", "[]", '{"tasks": []}', '"initial_state"', "\0"])
def test_what_is_no_game_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "strange.game.json"
    path.write_text(text)
    with pytest.raises(GameFormatError, match=r"strange\.game\.json"):
        read_game_header(path)


def test_a_number_is_the_floor_plan_with_it() -> None:
    places = {"FloorPlan7", "FloorPlan8", "kitchen-01"}
    assert place_names(["7", "FloorPlan8", "kitchen-01"]) == places


def test_who_wrote_a_file_is_in_its_comments(document: Json, tmp_path: Path) -> None:
    path = tmp_path / "valid" / "a.game.json"
    path.parent.mkdir()
    for comments, ours in ((document["comments"], True), ("by tatc 1", False), (None, False)):
        path.write_text(json.dumps(document | {"comments": comments}))
        header = read_game_header(path)
        assert header.written_by_tatc is ours
        assert (header.split, header.task_name, header.task_params) == ("valid", "Coffee", ())


def test_a_header_longer_than_what_is_read_first_is_read_whole(
    document: Json, tmp_path: Path
) -> None:
    path = tmp_path / "long.game.json"
    path.write_text(json.dumps({"padding": "x" * 300_000} | document))
    assert read_game_header(path).game_id == "0123456789abcdef_0123"
