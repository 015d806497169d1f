"""What objects lie in or on, told by boxes, and how far tables, desks and shelves reach."""

from dataclasses import replace

import pytest

from tatc.home.state import ObjectState, Vec3
from tatc.session.alfred.carried_objects import with_receptacles
from tatc.session.alfred.scene import with_table_heights, with_whole_shelf
from tests.object_factory import make_object


def _host_types(obj: ObjectState, *hosts: ObjectState) -> list[str]:
    able = [_receptacle(host) for host in hosts]
    types = {host.objectId: host.objectType for host in able}
    [placed] = with_receptacles((obj,), able)
    return [types[each] for each in placed.parentReceptacles or ()]


def _receptacle(obj: ObjectState) -> ObjectState:
    return replace(obj, affordances=replace(obj.affordances, receptacle=True))


def _small(kind: str, bottom: float, x: float = 0.0, size: Vec3 = (0.1, 0.1, 0.1)) -> ObjectState:
    return make_object(kind, (x, bottom + size[1] / 2, 0.0), size)


DESK = make_object("Desk", (0.0, 0.7, 0.0), (1.2, 1.4, 0.8))  # with a hutch up to 1.4 m
CHAIR = make_object("Chair", (0.0, 0.45, 0.3), (0.5, 0.9, 0.9))
TABLE = make_object("DiningTable", (0.0, 0.36, 0.0), (1.2, 0.72, 0.8))


def test_what_is_at_desk_height_is_on_the_desk_and_not_on_the_chair_below_it() -> None:
    assert _host_types(_small("Bowl", 0.73), CHAIR, DESK) == ["Desk"]
    assert _host_types(_small("Bowl", 0.5), CHAIR) == ["Chair"]


def test_what_is_beside_a_mug_is_not_in_it() -> None:
    mug = replace(_small("Mug", 0.72), affordances=replace(CHAIR.affordances, pickupable=True))
    assert "Mug" not in _host_types(_small("CreditCard", 0.72, x=0.09), TABLE, mug)
    assert "Mug" in _host_types(_small("Pen", 0.73, size=(0.01, 0.2, 0.01)), TABLE, mug)


def test_what_stands_beside_a_table_that_was_wider_is_on_it() -> None:
    assert _host_types(_small("Egg", 0.73, x=0.75), TABLE) == ["DiningTable"]
    assert _host_types(_small("Egg", 0.73, x=1.0), TABLE) == []


def test_what_stands_on_its_end_in_a_thin_basin_is_in_it() -> None:
    basin = make_object("SinkBasin", (0.0, 0.8, 0.0), (0.4, 0.12, 0.4))
    knife = _small("Knife", 0.63, size=(0.05, 0.32, 0.02))
    assert _host_types(knife, basin) == ["SinkBasin"]


def test_a_mug_in_a_coffee_machine_is_also_on_the_counter() -> None:
    counter = make_object("CounterTop", (0.0, 0.9, 0.0), (2.0, 0.04, 0.6))
    machine = make_object("CoffeeMachine", (0.0, 1.1, 0.0), (0.3, 0.4, 0.3))
    machine = replace(machine, parentReceptacles=(counter.objectId,))
    assert _host_types(_small("Mug", 0.95), counter, machine) == ["CoffeeMachine", "CounterTop"]


@pytest.mark.parametrize(("count", "height"), [(3, 0.9), (2, 0.72)])
def test_table_reaches_up_to_several_objects_above_it(count: int, height: float) -> None:
    floating = tuple(
        replace(_small("Egg", 0.9, x=0.2 * i), objectId=f"Egg|{i}") for i in range(count)
    )
    [table] = with_table_heights((_receptacle(TABLE),), floating)
    low = table.box.center[1] - table.box.size[1] / 2
    assert low == pytest.approx(0.0)
    assert low + table.box.size[1] == pytest.approx(height)


@pytest.mark.parametrize(("level", "height"), [(0.72, 0.72), (0.2, 1.4), (1.3, 1.4)])
def test_a_desk_is_as_high_as_its_board_on_which_several_objects_lie(
    level: float, height: float
) -> None:
    lying = tuple(replace(_small("Egg", level, x=0.2 * i), objectId=f"Egg|{i}") for i in range(3))
    [desk] = with_table_heights((_receptacle(DESK),), lying)
    assert desk.box.center[1] + desk.box.size[1] / 2 == pytest.approx(height)


def test_objects_on_other_furniture_raise_no_table() -> None:
    shelf = _receptacle(make_object("Shelf", (0.0, 0.89, 0.0), (1.2, 0.02, 0.8)))
    eggs = tuple(replace(_small("Egg", 0.9), objectId=f"Egg|{i}") for i in range(4))
    table, _ = with_table_heights((_receptacle(TABLE), shelf), eggs)
    assert table.box == TABLE.box


@pytest.mark.parametrize("yaw", [0.0, 90.0])
def test_shelf_reaches_as_far_on_both_sides_of_its_position(yaw: float) -> None:
    lip = make_object("Shelf", (1.0, 0.9, 2.0), (0.8, 0.2, 0.16), yaw=yaw)
    shift = (0.0, 0.07) if yaw == 0.0 else (0.07, 0.0)
    lip = replace(lip, position=(1.0 + shift[0], 0.8, 2.0 + shift[1]))
    whole = with_whole_shelf(lip).box
    assert whole.center == pytest.approx((lip.position[0], 0.9, lip.position[2]))
    assert whole.size == pytest.approx((0.8, 0.2, 0.3))
    assert whole.yaw == yaw


def test_shelf_begins_at_its_position() -> None:
    high = make_object("Shelf", (1.0, 1.35, 2.0), (0.8, 0.5, 0.3))
    whole = with_whole_shelf(replace(high, position=(1.0, 0.93, 2.0))).box
    assert whole.size[1] == pytest.approx(1.6 - 0.93)
    assert whole.center[1] + whole.size[1] / 2 == pytest.approx(1.6)


def test_other_boxes_stay() -> None:
    away = replace(make_object("Shelf", (1.0, 0.9, 2.0)), position=(3.0, 0.9, 2.0))
    table = replace(make_object("Desk", (1.0, 0.9, 2.0)), position=(1.02, 0.0, 2.0))
    assert with_whole_shelf(away) is away
    assert with_whole_shelf(table) is table
