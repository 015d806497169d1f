"""Plans of rooms in letters."""

from dataclasses import replace

import pytest

from tatc.home.state import RoomKind
from tatc.sim.rooms import Room, load_room
from tatc.sim.rooms.room import ReachableFloor
from tatc.sim.top_view.plan_model import (
    COLUMN_METRES,
    PICKUPABLE_LETTER,
    ROW_METRES,
    WALKABLE_LETTER,
    draw_text_plan,
)


@pytest.fixture(scope="module")
def room() -> Room:
    return load_room("kitchen-01")


@pytest.mark.parametrize("kind", RoomKind)
def test_letters_stand_where_things_stand(kind: RoomKind):
    name = kind.value.lower().replace(" ", "-")
    room = load_room(f"{name}-02")
    plan = draw_text_plan(room)
    x0, z0, x1, z1 = room.walls
    assert len(plan.rows) == round((z1 - z0) / ROW_METRES)
    assert {len(row) for row in plan.rows} == {round((x1 - x0) / COLUMN_METRES)}
    shown = {mark.letter for row in plan.rows for mark in row}
    assert {WALKABLE_LETTER, PICKUPABLE_LETTER} <= shown
    explained = {mark.letter for mark, _ in plan.legend}
    assert shown - {" "} <= explained
    assert len(explained) == len(plan.legend)


def test_the_largest_thing_of_a_plan_has_its_letter_in_its_middle(room: Room):
    plan = draw_text_plan(room)
    fridge = next(t for t in room.objects if t.objectType == "Fridge")
    mark = next(mark for mark, text in plan.legend if text == "Fridge")
    low, high = fridge.box.bounds()
    x0, _, _, z1 = room.walls
    row = int((z1 - high[2] + 0.25) / ROW_METRES)
    marks = plan.rows[row][int((low[0] - x0) / COLUMN_METRES) : int((high[0] - x0) / COLUMN_METRES)]
    assert mark in marks


def test_where_a_body_can_stand_is_what_the_room_says(room: Room):
    """A room captured from AI2-THOR names its cells; boxes tell of those of others."""
    by_boxes = [mark for row in draw_text_plan(room).rows for mark in row]
    cells = tuple((round(4 * x), round(4 * z)) for x, z in ReachableFloor.of_room(room).cells)
    some = [m for row in draw_text_plan(replace(room, cells=cells[:3])).rows for m in row]
    assert [m.letter for m in some].count(WALKABLE_LETTER) == 3
    assert [m.letter for m in by_boxes].count(WALKABLE_LETTER) > 3
    assert draw_text_plan(replace(room, cells=cells)) == draw_text_plan(room)
