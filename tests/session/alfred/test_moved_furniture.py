"""Furniture that stood elsewhere when the experts acted, and what later versions of it are like."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tatc.home.state import Affordances, ObjectState, Vec3
from tatc.session.alfred.carried_objects import ModelTable
from tatc.session.alfred.scene import with_moved_furniture
from tatc.session.records.trajectory import Trajectory, parse_trajectory
from tests.object_factory import PORTABLE, make_object
from tests.session.records.sample_trajectory import sample_trajectory

_RECEPTACLE = Affordances(receptacle=True)
_SIZE: Vec3 = (0.6, 0.7, 0.6)


def _piece(kind: str, x: float = 0.0, z: float = 0.0) -> ObjectState:
    name = f"{kind}|{x:+06.2f}|+00.00|{z:+06.2f}"
    obj = make_object(kind, (x, 0.35, z), _SIZE, affordances=_RECEPTACLE, objectId=name)
    return replace(obj, position=(x, 0.0, z))


def _naming(object_id: str) -> Trajectory:
    raw: dict[str, Any] = json.loads(json.dumps(sample_trajectory()))
    action: Mapping[str, Any] = {
        "action": "PutObject", "objectId": "Apple|+00.00|+00.00|+00.00",
        "receptacleObjectId": object_id, "forceAction": True, "placeStationary": True,
    }  # fmt: skip
    raw["plan"]["low_actions"] = [
        {
            "api_action": action,
            "discrete_action": {"action": "PutObject", "args": {"mask": [[0, 10]]}},
            "high_idx": 0,
        }
    ]
    return parse_trajectory(raw, Path("train/a/b/traj_data.json"))


def _moved(
    object_id: str, *fixed: ObjectState, carried: tuple[ObjectState, ...] = ()
) -> list[ObjectState]:
    return list(with_moved_furniture(fixed, carried, _naming(object_id)))


def test_a_bin_stands_where_the_actions_say() -> None:
    found, other = _moved(
        "GarbageCan|+00.20|+00.03|-00.10", _piece("GarbageCan"), _piece("GarbageCan", 2.0)
    )
    assert found.objectId == "GarbageCan|+00.20|+00.03|-00.10"
    assert found.position == pytest.approx((0.2, 0.0, -0.1))
    assert found.box.center == pytest.approx((0.2, 0.35, -0.1))
    assert other == _piece("GarbageCan", 2.0)


@pytest.mark.parametrize(
    ("kind", "away", "moves"),
    [("Desk", 0.2, False), ("Desk", 0.5, True), ("SideTable", 0.2, True), ("Drawer", 0.5, False)],
)
def test_a_position_that_may_be_another_point_says_nothing(
    kind: str, away: float, moves: bool
) -> None:
    found = _moved(f"{kind}|+00.00|+00.00|{away:+06.2f}", _piece(kind))[0]
    assert (found.position[2] > 0.0) == moves


def test_a_place_beyond_the_room_is_no_place() -> None:
    assert _moved("GarbageCan|+99.00|+00.00|+00.00", _piece("GarbageCan")) == [_piece("GarbageCan")]


def test_a_table_does_not_leave_what_lies_on_it() -> None:
    cup = make_object("Cup", (-0.2, 0.75, 0.0), (0.08, 0.1, 0.08), affordances=PORTABLE)
    name = "DiningTable|+00.80|+00.00|+00.00"
    assert _moved(name, _piece("DiningTable"))[0].position[0] == pytest.approx(0.8)
    assert _moved(name, _piece("DiningTable"), carried=(cup,))[0] == _piece("DiningTable")


def test_drawers_move_with_their_furniture() -> None:
    drawer = make_object("Drawer", (0.0, 0.4, 0.1), (0.4, 0.2, 0.3))
    _, moved = _moved("SideTable|+00.50|+00.00|+00.00", _piece("SideTable"), drawer)
    assert moved.box.center == pytest.approx((0.5, 0.4, 0.1))


def test_the_size_of_a_model_is_that_of_one_that_does_not_lean() -> None:
    size = (0.1, 0.9, 0.1)
    straight = make_object("BaseballBat", (0.0, 0.45, 0.0), size, affordances=PORTABLE)
    askew = make_object("BaseballBat", (0.0, 0.05, 0.0), (0.6, 0.1, 0.7), affordances=PORTABLE)
    leaning = replace(askew, rotation=(0.0, 40.0, 270.0))
    table = ModelTable([[leaning], [straight]])
    assert table.models_in([leaning])["BaseballBat"].size == pytest.approx(size)
    alone = ModelTable([[leaning]]).models_in([leaning])["BaseballBat"]
    assert alone.size == pytest.approx(leaning.box.size)
