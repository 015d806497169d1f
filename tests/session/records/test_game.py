"""Recorded games: what is read, and which traps of the format are stepped around."""

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import BadInput, GameFormatError
from tatc.home.actions import Role
from tatc.home.state import RoomKind
from tatc.session.records import Game, GameStart, floor_plan_room_kind, read_game, read_start
from tests.session.records.conftest import written
from tests.session.records.damaged_files import without_tatc_key
from tests.session.records.sample_record import (
    FOLLOWER,
    sample_final,
    sample_interactions,
    sample_start,
)

Json = dict[str, Any]


def _episode(document: Json) -> Json:
    return document["tasks"][0]["episodes"][0]


def test_a_game_is_read_whole(game_file: Path) -> None:
    game = read_game(game_file)
    assert (game.game_id, game.split) == ("0123456789abcdef_0123", "train")
    assert (game.task_name, game.task_params) == ("Coffee", ())
    assert (game.world, game.floor_plan) == ("FloorPlan7_physics", "FloorPlan7")
    assert game.scene.kind is RoomKind.KITCHEN
    assert game.n_actions == len(game.interactions) == 10
    assert game.interactions == sample_interactions()
    assert game.scene.initial.follower == FOLLOWER
    for obj, wanted in zip(game.final.objects, sample_final().objects, strict=True):
        assert obj.simbotIsFilledWithCoffee == wanted.simbotIsFilledWithCoffee


def test_a_start_is_the_game_without_what_followed(game_file: Path) -> None:
    start, game = read_start(game_file), read_game(game_file)
    assert not isinstance(start, Game)
    names = GameStart.__dataclass_fields__
    assert all(getattr(start, name) == getattr(game, name) for name in names)
    assert not hasattr(start, "final") and not hasattr(start, "interactions")


def test_a_packed_file_is_known_by_its_content(document: Json, game_file: Path) -> None:
    packed = game_file.with_name("packed.game.json")
    packed.write_bytes(gzip.compress(game_file.read_bytes()))
    assert read_start(packed) == read_start(game_file)


def test_of_two_episodes_the_first_counts(document: Json, tmp_path: Path) -> None:
    document["tasks"][0]["episodes"].append({"episode_id": "a second one"})
    assert read_game(written(document, tmp_path)).n_actions == 10


def test_an_end_saved_into_the_start_is_not_believed(document: Json, tmp_path: Path) -> None:
    """TEACh's custom metadata of the start are those of the end (trap 24)."""
    episode = _episode(document)
    episode["initial_state"]["custom_object_metadata"] = episode["final_state"][
        "custom_object_metadata"
    ]
    [mug] = read_start(written(document, tmp_path)).scene.initial.of_type("Mug")
    [clean] = sample_start().of_type("Mug")
    assert mug.simbotIsFilledWithCoffee is clean.simbotIsFilledWithCoffee
    assert mug.simbotPickedUp is clean.simbotPickedUp


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("world_type", None),
        ("world_type", "Kitchen"),
        ("commander_embodied", "False"),
        ("commander_embodied", False),
        ("world", "FloorPlan7"),
    ],
)
def test_a_place_and_truth_may_be_spelled_otherwise(
    document: Json, game_file: Path, tmp_path: Path, field: str, value: object
) -> None:
    _episode(document)[field] = value
    start = read_start(written(document, tmp_path))
    assert start.scene.kind is RoomKind.KITCHEN
    assert start.floor_plan == read_start(game_file).floor_plan


def test_agents_are_put_on_the_grid_at_the_start_alone(document: Json, tmp_path: Path) -> None:
    for name in ("initial_state", "final_state"):
        agent = _episode(document)[name]["agents"][1]
        agent["cameraHorizon"] = 30.000024795532227
        agent["position"]["x"] = 1.0000001192092896
    game = read_game(written(document, tmp_path))
    assert game.scene.initial.follower == FOLLOWER
    assert game.final.follower.horizon == 30.000024795532227


def test_a_room_of_ours_is_known_in_our_records_alone(document: Json, tmp_path: Path) -> None:
    _episode(document)["world"] = "kitchen-03"
    start = read_start(written(document, tmp_path))
    assert (start.floor_plan, start.scene.kind) == ("kitchen-03", RoomKind.KITCHEN)
    with pytest.raises(GameFormatError, match=r"unknown floor plan.*FloorPlan1-30"):
        read_start(written(without_tatc_key(document), tmp_path))
    _episode(document)["world_type"] = None
    with pytest.raises(GameFormatError, match="world_type"):
        read_start(written(document, tmp_path))
    _episode(document).update(world="FloorPlan7_physics", world_type="Bedroom")
    with pytest.raises(GameFormatError, match=r"'Kitchen' or null for FloorPlan7\b"):
        read_start(written(document, tmp_path))


def test_the_end_is_read_once(game_file: Path) -> None:
    game = read_game(game_file)
    assert game.final is game.final
    assert game.interactions is game.interactions


def test_there_are_120_plans() -> None:
    kinds = Counter(floor_plan_room_kind(number) for number in range(-1, 1000))
    assert [kinds[kind] for kind in RoomKind] == [30] * 4
    ends = {1: RoomKind.KITCHEN, 230: RoomKind.LIVING_ROOM, 301: RoomKind.BEDROOM}
    ends |= {430: RoomKind.BATHROOM, 0: None, 31: None, 101: None, 200: None, 231: None, 501: None}
    assert {number: floor_plan_room_kind(number) for number in ends} == ends


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none.json: there is no such file \(.+\)"):
        read_game(tmp_path / "none.json")
    with pytest.raises(BadInput, match="is a folder"):
        read_game(tmp_path)
    with pytest.raises(BadInput, match="cannot be read: File name too long"):
        read_game(tmp_path / ("x" * 300))


def test_sample_games_are_read(sample_games: list[Path], half_of_the_games: list[Game]) -> None:
    for path, game in zip(sample_games[::2], half_of_the_games, strict=True):
        assert path.name.startswith(game.game_id)
        assert game.split == "sample-games"
        assert game.n_actions == len(game.interactions)
        assert {done.role for done in game.interactions} <= set(Role)
        start = game.scene.initial
        assert start.follower.horizon == 30.0
        assert start.follower.yaw in (0.0, 90.0, 180.0, 270.0)
        assert all(value % 0.25 == 0 for value in start.follower.position[::2])
        assert all(obj.simbotObjectClass for obj in start.objects)
        assert len(game.final.objects) >= len(start.objects)
