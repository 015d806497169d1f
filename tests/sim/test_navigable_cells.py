"""Where a body fits, against the same rules followed object by object."""

import numpy as np
import pytest

from tatc.home import assets, body, type_facts
from tatc.home.camera import body_clearance, room_outline
from tatc.home.camera.counter_fronts import FrontedCounters
from tatc.home.state import parts_of
from tatc.sim.floorplan import counter_shapes, navigable_cells
from tatc.sim.rooms import load_room, start_state
from tests.object_factory import PORTABLE, make_object


@pytest.mark.parametrize("room", ["kitchen-02", "FloorPlan7", "bathroom-05"])
@pytest.mark.parametrize("kind", [body.TEACH, body.ALFRED])
def test_each_cell_is_as_far_from_the_nearest_object_as_the_objects_say(room, kind):
    start = start_state(load_room(room), 3).initial
    x, y, z = place = start.follower.position
    chest = make_object("Box", (x + 0.5, 0.5, z), (0.3, 1.0, 0.3), affordances=PORTABLE)
    objects = (*start.objects, chest)
    grid = navigable_cells.clearance_grid(objects, place, kind)
    points = np.array(grid.cells) * 0.25
    walls = low, high = navigable_cells.walls_around(objects, place)
    floor_of = FrontedCounters.floor_before_fronts
    carved = counter_shapes.counter_boxes(objects, place[::2], walls, floor_of)
    beyond = room_outline.boxes_beyond_walls(objects)
    least = np.minimum(points - low, high - points).min(1)
    for box in beyond:
        least = np.minimum(least, body_clearance.distances_to_boxes([box], points)[0])
    nearest = np.full(len(points), -1)
    for i, obj in enumerate(objects):
        if body_clearance.can_block(kind, obj, y - body.POSITION_ABOVE_FLOOR_METRES):
            for box in carved.get(i, (obj.box,)):
                away = body_clearance.distance_for(kind, obj.objectType, box, points)
                closer = away < least
                least[closer], nearest[closer] = away[closer], i
    assert (grid.clearance == least).all()
    assert grid.nearest.tolist() == nearest.tolist()
    enough = body.LEAST_CLEARANCE_METRES
    rough = navigable_cells.clearance_grid(objects, place, kind, enough)
    assert rough.free_cells() == grid.free_cells() and (rough.clearance >= least).all()
    assert len(objects) - 1 in nearest


@pytest.mark.parametrize("room", ["kitchen-02", "FloorPlan1", "FloorPlan7", "bathroom-05"])
def test_no_notch_is_missed_where_fixtures_leave_no_room_for_one(room, monkeypatch):
    objects = start_state(load_room(room), 3).initial.objects
    place = (0.0, 0.9, 0.0)
    walls = navigable_cells.walls_around(objects, place)
    floor_of = FrontedCounters.floor_before_fronts
    boxes = counter_shapes.counter_boxes(objects, place[::2], walls, floor_of)

    def all_sides(fixtures, room):
        known = counter_shapes._notch_sides(fixtures, room)
        counters = counter_shapes.counter_fronts.find_fronted_counters(fixtures, room).counters
        for box, (is_island, sides) in zip(counters.values(), known, strict=True):
            closed = counter_shapes._sides_at_walls(box, room)
            open_sides = [side for side in counter_shapes.BOX_SIDES if side not in closed]
            assert {*sides} <= {*open_sides}
            yield is_island, open_sides

    sides = [*all_sides(parts_of(objects).fixtures, walls)]
    monkeypatch.setattr(counter_shapes, "_notch_sides", lambda *_: sides)
    again = tuple(obj.with_values(mass=obj.mass + 1.0) for obj in objects)  # nothing is kept of it
    assert boxes == counter_shapes.counter_boxes(again, place[::2], walls, floor_of)


def test_a_body_stops_at_the_very_boxes_of_portable_objects():
    tables = [type_facts.BODY_MARGINS_METRES, type_facts.ROUND_FURNITURE_TYPES, ("Bathtub",)]
    tables += [body.ALFRED.overlaps_metres, body.ALFRED.round_overlaps_metres]
    for name, kind in assets.known_object_types().items():
        assert not (kind.affordances.pickupable and any(name in table for table in tables))


def test_the_largest_bay_is_the_largest_of_all_rectangles():
    rng = np.random.default_rng(4)
    for _ in range(60):
        edges = np.append(0.0, np.cumsum(rng.uniform(0.05, 0.4, 7)))
        empty = rng.choice([0.0, 0.2, 0.45, 0.7], 7)
        allowed = rng.random(7) < 0.8
        depths = np.where(allowed, empty, 0.0)
        areas = [
            (edges[j + 1] - edges[i]) * depths[i : j + 1].min()
            for i in range(7)
            for j in range(i, 7)
            if edges[j + 1] - edges[i] >= counter_shapes.MIN_NOTCH_WIDTH_METRES
        ]
        bay = counter_shapes._largest_bay(edges, empty, allowed)
        assert (bay @ np.diff(edges)) == pytest.approx(max([*areas, 0.0]))
        assert (bay <= depths).all()
    assert not len(counter_shapes._largest_bay(np.zeros(1), np.zeros(0), np.zeros(0, bool)))


def test_a_counter_that_can_be_picked_up_is_no_fixture():
    start = start_state(load_room("kitchen-02"), 3).initial
    x, _, z = place = start.follower.position
    odd = make_object("CounterTop", (x + 1, 0.5, z), (0.6, 1.0, 0.6), affordances=PORTABLE)
    grid = navigable_cells.clearance_grid((*start.objects, odd), place, body.TEACH)
    assert len(start.objects) in grid.nearest
