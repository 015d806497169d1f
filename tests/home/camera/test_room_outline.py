"""What lies beyond a room's walls: no ray passes there, and nobody walks there."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from tatc.home.camera.geometry import NO_OBJECT, Geometry
from tatc.home.camera.ray_intersection import intersect_rays
from tatc.home.camera.rays import Eye, Rays
from tatc.home.camera.room_bounds import MIN_CEILING_METRES
from tatc.home.camera.room_outline import BEHIND_METRES, boxes_beyond_walls
from tatc.home.state import Affordances, ObjectState, RoomKind, Scene, Snapshot
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.floorplan.navigable_cells import clearance_grid
from tatc.sim.rooms import ithor_names, load_room, room_names
from tatc.sim.top_view.plan_model import PlanFloor
from tests.object_factory import make_object
from tests.sim.box_kitchen import AGENT

LOOSE = Affordances(pickupable=True)
FLOOR = make_object("Floor", (0.0, -0.005, 0.0), (6.0, 0.01, 6.0))
OUTER = (
    make_object("CounterTop", (-2.6, 0.45, 0.0), (0.5, 0.9, 5.7)),
    make_object("CounterTop", (0.0, 0.45, -2.6), (5.7, 0.9, 0.5)),
    make_object("Window", (2.8, 1.5, -1.0), (0.1, 1.0, 1.0)),
    make_object("Window", (-1.0, 1.5, 2.8), (1.0, 1.0, 0.1)),
    make_object("LightSwitch", (-2.84, 1.2, 2.0), (0.02, 0.2, 0.1)),
)
WEST_OF_CORNER = make_object("Dresser", (0.75, 0.5, 2.0), (0.5, 1.0, 1.4))
SOUTH_OF_CORNER = make_object("Dresser", (1.9, 0.5, 0.75), (1.8, 1.0, 0.5))
L_ROOM = (FLOOR, *OUTER, WEST_OF_CORNER, SOUTH_OF_CORNER)
SCREEN = replace(SOUTH_OF_CORNER, objectType="ShowerGlass")


def outline(objects: tuple[ObjectState, ...]) -> list[tuple[float, ...]]:
    bounds = (box.bounds() for box in boxes_beyond_walls(objects))
    return [tuple(round(each, 3) for each in (a[0], a[2], b[0], b[2])) for a, b in bounds]


def test_a_room_of_l_shape_lacks_the_corner_behind_its_furniture() -> None:
    assert outline(L_ROOM) == [(1.0 + BEHIND_METRES, 1.0 + BEHIND_METRES, 3.0, 3.0)]
    [box] = boxes_beyond_walls(L_ROOM)
    assert box.bottom <= 0.0
    assert box.top == MIN_CEILING_METRES


@pytest.mark.parametrize(
    "objects",
    [
        L_ROOM[1:],
        (FLOOR,),
        (FLOOR, *OUTER),
        L_ROOM[:-1],
        (*L_ROOM[:-1], SCREEN),
        (*L_ROOM[:-1], replace(SOUTH_OF_CORNER, affordances=Affordances(moveable=True))),
        (FLOOR, *OUTER[:-1], WEST_OF_CORNER, SOUTH_OF_CORNER),
        (make_object("Floor", (1.0, -0.005, 1.0), (8.0, 0.01, 8.0)), *L_ROOM[1:]),
        (*L_ROOM, make_object("Mug", (2.9, 0.05, 2.9), affordances=LOOSE)),
    ],
    ids=[
        "no floor",
        "nothing",
        "a bare corner",
        "one wall",
        "a shower",
        "a sofa",
        "nothing hangs",
        "a bare end",
        "a mug there",
    ],
)
def test_no_corner_is_missing_where_furniture_does_not_say_so(
    objects: tuple[ObjectState, ...],
) -> None:
    assert outline(objects) == []


def test_a_wall_inside_the_floors_box_is_where_things_hang_and_stand() -> None:
    painting = make_object("Painting", (2.02, 1.5, 1.0), (0.04, 0.6, 0.8))
    desk = make_object("Desk", (1.75, 0.4, -1.0), (0.5, 0.8, 2.0))
    west, south, _, north, switch = OUTER
    south = make_object("CounterTop", (-0.4, 0.45, -2.6), (4.8, 0.9, 0.5))
    room = (FLOOR, west, south, north, switch, desk, painting)
    assert outline(room) == [(2.04 + BEHIND_METRES, -3.0 + BEHIND_METRES, 3.0, 3.0)]
    assert outline(room[:-1]) == [], "nothing hangs there"
    assert outline((*room[:-2], painting)) == [], "the painting may hang on a short wall"


def test_rays_end_at_the_walls_and_click_nothing_beyond() -> None:
    mug = make_object("Mug", (2.5, 1.2, 2.5), (0.3, 0.3, 0.3), affordances=LOOSE)
    geometry, open_geometry = Geometry(L_ROOM), Geometry(L_ROOM, has_walls=False)
    for each in (geometry, open_geometry):
        each.append(mug)
    eye, direction = Eye((-1.0, 1.5, -1.0), 45.0, 0.0), (1.0, -0.085, 1.0)
    hit = open_geometry.cast_ray(eye, direction)
    assert hit is not None
    assert hit.index == len(L_ROOM), "without the wall the ray means the mug"
    assert geometry.cast_ray(eye, direction) is None
    ids, depths = geometry.trace_objects(eye, 31)
    assert ids[15, 15] == NO_OBJECT
    assert 0.0 < depths[15, 15] < inf
    [row] = [i for i, owner in enumerate(geometry.owners) if owner == NO_OBJECT]
    pixels = np.arange(31)
    rays = Rays.from_directions(eye.rays(pixels, pixels, 31))
    times = intersect_rays(geometry.prepared_solids[row], eye.position, rays)
    assert depths[15, 15] == times[15, 15]


def test_nobody_walks_beyond_the_walls() -> None:
    free = clearance_grid(L_ROOM, AGENT.position).free_cells()
    bare = clearance_grid((FLOOR, *OUTER), AGENT.position).free_cells()
    assert {(x, z) for x, z in free if x >= 4 and z >= 4} == set()
    assert (7, 7) in bare
    scene = Scene("L", RoomKind.KITCHEN, Snapshot.from_objects(L_ROOM, AGENT, AGENT))
    assert (7, 7) not in WalkableGrid.from_scene(scene).free_cells
    assert PlanFloor.of_scene(scene).beyond == boxes_beyond_walls(L_ROOM)
    sim = EmbeddedSimulator()
    sim.reset(scene)
    assert [row for row in sim.geometry.owners if row == NO_OBJECT], "the world has walls"


def test_generated_rooms_are_rectangles_and_no_cell_of_a_scene_is_in_its_walls() -> None:
    generated = [name for name in room_names() if name not in ithor_names()]
    assert not [name for name in generated if outline(load_room(name).objects)]
    for name in ("FloorPlan18", "FloorPlan218", "FloorPlan422"):
        room = load_room(name)
        [(x0, z0, x1, z1)] = outline(room.objects)
        points = np.array(room.cells) * 0.25
        inside = (points > (x0 - 0.2, z0 - 0.2)).all(1) & (points < (x1 + 0.2, z1 + 0.2)).all(1)
        assert not inside.any(), name
