"""PLANS: every kind of file gives the furniture of its floor plan."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import BadInput
from tatc.session.alfred.floor_plan_files import read_furniture
from tatc.session.records import write_record
from tatc.sim.rooms import format_room, load_room
from tests.session.records.sample_record import sample_record
from tests.session.records.sample_trajectory import sample_furniture

DUMP = sample_furniture()
BY_ID = {raw["objectId"]: raw for raw in DUMP["objects"]}
PROCTHOR: dict[str, Any] = {
    "kitchens": [[], DUMP["objects"]],
    "living_rooms": [],
    "bedrooms": [],
    "bathrooms": [[]],
    "robothor": [[{"objectId": "not read"}]],
}


def _plans(folder: Path) -> dict[str, int]:
    found = read_furniture((str(folder),)).plans
    return {name: len(each.objects) for name, each in found.items()}


def test_dump_is_read_as_a_list_and_by_id(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(DUMP))
    (tmp_path / "FloorPlan12_physics.json").write_text(json.dumps(BY_ID))
    assert _plans(tmp_path) == {"FloorPlan7": len(BY_ID), "FloorPlan12": len(BY_ID)}


def test_procthors_file_numbers_the_plans_by_their_place(tmp_path: Path) -> None:
    (tmp_path / "ai2thor-object-metadata.json").write_text(json.dumps(PROCTHOR))
    assert _plans(tmp_path) == {"FloorPlan1": 0, "FloorPlan2": len(BY_ID), "FloorPlan401": 0}


def test_rooms_and_games_are_furniture_too(tmp_path: Path) -> None:
    write_record(sample_record(), tmp_path / "a.game.json")
    room = load_room("kitchen-01")
    (tmp_path / "room.json").write_text(format_room(room))
    found = _plans(tmp_path)
    assert found["kitchen-01"] == len(room.objects)
    assert found["FloorPlan7"] == len(sample_record().scene.initial.objects)


def test_first_file_by_name_serves_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(json.dumps(DUMP))
    (tmp_path / "a.json").write_text(json.dumps({**DUMP, "objects": DUMP["objects"][:3]}))
    found = read_furniture((str(tmp_path),)).find("FloorPlan7", "x")
    assert (found.source, len(found.objects), len(found.hash)) == ("a.json", 3, 12)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (BY_ID, "does not say which floor plan"),
        ({"sceneName": "FloorPlan1", "objects": [{"objectId": "a"}]}, r"objects\[0\]"),
        ([], "should be"),
    ],
)
def test_file_that_is_no_furniture_is_one_line(tmp_path: Path, raw: object, why: str) -> None:
    path = tmp_path / "some.json"
    path.write_text(json.dumps(raw))
    with pytest.raises(BadInput, match=why) as caught:
        read_furniture((str(path),))
    assert str(caught.value).startswith(str(path))


def test_the_shipped_scenes_are_the_furniture_where_no_plans_are_named(tmp_path: Path) -> None:
    shipped = read_furniture(())
    found = shipped.find("FloorPlan201", "traj_data.json")
    assert len(shipped.plans) == 120 and found.objects == load_room("FloorPlan201").objects
    assert (found.source, len(found.hash)) == ("ithor", 12)
    (tmp_path / "a.json").write_text(json.dumps(DUMP))
    with pytest.raises(BadInput, match=r"FloorPlan9.*--plans"):
        read_furniture((str(tmp_path),)).find("FloorPlan9", "traj_data.json")
