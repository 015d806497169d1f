"""What rays can hit of objects, and what they pass."""

from dataclasses import replace
from math import cos, inf, radians, sin
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tatc.home.actions import Click
from tatc.home.camera.box_cutouts import box_cutouts
from tatc.home.camera.door_geometry import open_container_solids, open_object
from tatc.home.camera.geometry import Geometry, RayHit
from tatc.home.camera.ray_intersection import intersect_rays, prepare_solid
from tatc.home.camera.rays import Eye, Rays
from tatc.home.camera.shapes import (
    BACKREST_HEIGHT_METRES,
    measure_surface_heights,
    solids_of,
    surface_height,
)
from tatc.home.camera.solids import (
    TYPE_SHAPES,
    Rect,
    ShapeTemplate,
    Solid,
    SolidShape,
    shape_of_type,
)
from tatc.home.state import Affordances, Box, ObjectState, Vec3
from tatc.session.records import read_start
from tests.object_factory import PORTABLE, make_object
from tests.recorded_clicks import HELD_OUT_FLOOR_PLANS

OPENABLE = Affordances(openable=True, receptacle=True)


def _hit_looking_down(geometry: Geometry, at: Vec3, horizon: float = 60.0) -> RayHit | None:
    """Return what an eye hits that looks north and down at a point 1.5 m away."""
    x, y, z = at
    up, back = 1.5 * sin(radians(horizon)), 1.5 * cos(radians(horizon))
    return geometry.hit_at_click(Eye((x, y + up, z - back), 0.0, horizon), Click(0.5, 0.5))


def _hit_index(hit: RayHit | None) -> int | None:
    return None if hit is None else hit.index


def test_a_type_without_a_recipe_is_its_box() -> None:
    (solid,) = solids_of(make_object("Bread", (1, 2, 3), (0.1, 0.2, 0.3), yaw=20.0))
    assert (solid.center, solid.yaw) == ((1, 2, 3), 20.0)
    assert solid.size == pytest.approx((0.1, 0.2, 0.3))


@pytest.mark.parametrize("kind", ["Cabinet", "Fridge", "Microwave", "Drawer", "Safe"])
def test_what_is_shut_hides_what_is_in_it_and_what_is_open_shows_it(kind: str) -> None:
    case = make_object(kind, (0, 1, 1), (0.6, 0.6, 0.6), affordances=OPENABLE)
    inside = make_object("Tomato", (0, 0.8, 1), affordances=PORTABLE)
    geometry = Geometry([case, inside])
    assert _hit_index(_hit_looking_down(geometry, (0, 0.8, 1))) == 0
    geometry.update(0, replace(case, isOpen=True))
    assert _hit_index(_hit_looking_down(geometry, (0, 0.8, 1))) == 1


def test_a_bed_whose_mattress_is_high_shows_what_stands_under_it() -> None:
    bed = make_object("Bed", (0, 0.98, 1), (1.2, 1.96, 2.4))
    clock = make_object("AlarmClock", (0, 0.7, 1), affordances=PORTABLE)
    low = _hit_looking_down(Geometry([bed, clock]), (0, 0.7, 1), 15.0)
    loft = replace(bed, position=(0, 1.64, 1))
    high = _hit_looking_down(Geometry([loft, clock]), (0, 0.7, 1), 15.0)
    assert (_hit_index(low), _hit_index(high)) == (0, 1)
    assert _hit_index(_hit_looking_down(Geometry([loft, clock]), (0, 1.6, 1))) == 0


def test_a_window_round_a_corner_hides_nothing_before_it() -> None:
    book = make_object("Book", (0, 0.7, 1), affordances=PORTABLE)
    flat = make_object("Window", (0, 1.4, 0.8), (2.7, 1.2, 0.2))
    bay = make_object("Window", (0, 1.4, 0), (2.7, 1.2, 2.7))
    hits = [_hit_looking_down(Geometry([each, book]), (0, 0.7, 1)) for each in (flat, bay)]
    assert [_hit_index(hit) for hit in hits] == [0, 1]


@pytest.mark.parametrize("kind", ["DeskLamp", "FloorLamp"])
def test_what_lies_under_the_shade_of_a_lamp_is_seen_beside_its_pole(kind: str) -> None:
    lamp = make_object(kind, (0, 1, 1), (0.3, 0.6, 0.3))
    card = make_object("CreditCard", (0.11, 0.705, 0.88), (0.04, 0.01, 0.04))
    assert _hit_index(_hit_looking_down(Geometry([lamp, card]), (0.11, 0.7, 0.88), 20.0)) == 1
    assert _hit_index(_hit_looking_down(Geometry([lamp, card]), (0, 1.25, 1), 20.0)) == 0


@pytest.mark.parametrize("kind", ["Pot", "Bowl", "Mug", "SinkBasin", "GarbageCan"])
def test_what_lies_in_a_vessel_is_seen_from_above(kind: str) -> None:
    vessel = make_object(kind, (0, 1, 1), (0.4, 0.2, 0.4))
    inside = make_object("Tomato", (0, 0.95, 1), affordances=PORTABLE)
    assert _hit_index(_hit_looking_down(Geometry([vessel, inside]), (0, 0.95, 1))) == 1


@pytest.mark.parametrize(
    ("size", "yaw"), [((0.1, 0.1, 0.02), 0.0), ((0.02, 0.1, 0.1), 0.0), ((0.02, 0.1, 0.1), 90.0)]
)
def test_a_slice_is_round_about_its_shortest_side(size: Vec3, yaw: float) -> None:
    geometry = Geometry([make_object("PotatoSliced", (0, 1, 1), size, yaw=yaw)])
    broad = size[0] > size[2] or yaw == 90.0
    east = 0.04 if broad else 0.0

    def met(x: float, y: float, z: float) -> bool:
        """Whether a ray that runs straight at a point of the slice's edge meets it."""
        eye = Eye((x, y, 0.0), 0.0, 0.0) if broad else Eye((-1.0, y, z), 90.0, 0.0)
        return geometry.hit_at_click(eye, Click(0.5, 0.5)) is not None

    assert met(east, 1.0, 1.0 if broad else 1.04)
    assert not met(east, 1.04, 1.0 if broad else 1.04)


def test_a_slice_that_lies_flat_is_round_from_above() -> None:
    geometry = Geometry([make_object("TomatoSliced", (0, 1, 1), (0.1, 0.02, 0.1))])
    assert _hit_index(_hit_looking_down(geometry, (0.045, 1.0, 1.0), 89.0)) == 0
    assert _hit_index(_hit_looking_down(geometry, (0.04, 1.0, 1.04), 89.0)) is None


def test_a_vessel_is_hit_from_the_side_and_before_the_board_it_stands_on() -> None:
    pot = make_object("Pot", (0, 1, 1), (0.4, 0.2, 0.4))
    inside = make_object("Tomato", (0, 0.95, 1), affordances=PORTABLE)
    hit = Geometry([pot, inside]).hit_at_click(Eye((0, 1, 0), 0.0, 0.0), Click(0.5, 0.5))
    assert hit is not None and hit.index == 0
    assert hit.point[2] == pytest.approx(0.8, abs=0.01)
    board = make_object("CounterTop", (0, 0.95, 1), (2, 0.1, 0.6))
    pot = make_object("Pot", (0, 1.0, 1), (0.4, 0.2, 0.4))
    assert _hit_index(_hit_looking_down(Geometry([board, pot]), (0, 0.9, 1))) == 1


@pytest.mark.parametrize(
    ("yaw", "position", "middle"),
    [
        (0.0, (0.0, 1.0, 0.92), (0.0, 0.92)),  # its handle does not shift its bowl
        (90.0, (-0.07, 1.0, 1.05), (-0.07, 1.0)),  # which stays on the pan's long axis
        (0.0, (5.0, 1.0, -9.0), (0.0, 0.92)),  # and in its box
    ],
)
def test_a_pan_is_a_bowl_about_its_position(
    yaw: float, position: Vec3, middle: tuple[float, float]
) -> None:
    pan = make_object("Pan", (0, 1, 1), (0.28, 0.1, 0.44), yaw=yaw)
    (solid,) = solids_of(replace(pan, position=position))
    assert solid.shape is SolidShape.CYLINDER and solid.size[0] == 0.28
    assert solid.center[::2] == pytest.approx(middle)


def test_the_floor_is_a_plane_however_thick_its_box() -> None:
    floor = make_object("Floor", (0, 0.1, 0), (6, 0.8, 6))
    hit = _hit_looking_down(Geometry([floor]), (0, 0, 1))
    assert hit is not None and hit.point[1] == pytest.approx(0.0)


def test_what_is_held_has_no_solids() -> None:
    assert solids_of(make_object("Tomato", (0, 1, 1), isPickedUp=True)) == ()


def test_a_portable_thing_with_an_impossible_box_is_small_and_at_its_position() -> None:
    roll = replace(
        make_object("ToiletPaper", (9.7, -2.9, -2.2), (24.9, 8, 11), affordances=PORTABLE),
        position=(1.0, 2.0, 3.0),
    )
    (solid,) = solids_of(roll)
    assert solid.center == (1.0, 2.0, 3.0)
    assert max(solid.size) < 0.2


def _table_with(*heights: float, **state: bool) -> list[ObjectState]:
    table = make_object("DiningTable", (0, 0.5, 1), (2, 1, 1))
    on_it = [
        make_object("Tomato", (0.2 * i, y, 1), affordances=PORTABLE, **state)
        for i, y in enumerate(heights)
    ]
    parents = (table.objectId,)
    return [table, *(replace(each, parentReceptacles=parents) for each in on_it)]


def test_one_sees_over_the_back_of_a_sofa_where_its_box_is_high() -> None:
    sofa = make_object("Sofa", (0, 0.7, 0), (2.0, 1.4, 0.9))
    high = max(s.center[1] + s.size[1] / 2 for s in solids_of(sofa, 0.45))
    assert high == pytest.approx(0.45 + BACKREST_HEIGHT_METRES)


def test_a_coffee_machine_is_open_before_its_back() -> None:
    machine = make_object("CoffeeMachine", (0, 1.1, 0), (0.3, 0.4, 0.4))
    foot, back = solids_of(machine)
    assert foot.size == pytest.approx((0.3, 0.05, 0.4))
    assert back.size == pytest.approx((0.3, 0.4, 0.22))


def test_a_surface_is_where_things_rest() -> None:
    objects = _table_with(0.85, 0.86, 0.99)
    assert measure_surface_heights(objects)[0] == pytest.approx(0.8)
    assert surface_height(objects[0], 0.81) == 0.81
    board, *_ = solids_of(objects[0], 0.81)
    assert board.center[1] + board.size[1] / 2 == pytest.approx(0.81)


def test_nothing_that_rests_on_a_thing_is_under_its_board() -> None:
    objects = _table_with(0.85, 0.87, 0.88, 0.89)
    thin = make_object("CreditCard", (0.7, 0.801, 1), (0.1, 0.001, 0.1), affordances=PORTABLE)
    objects.append(replace(thin, parentReceptacles=(objects[0].objectId,)))
    assert _hit_index(_hit_looking_down(Geometry(objects), (0.7, 0.801, 1))) == 5


def test_what_hangs_far_below_the_rest_lowers_no_surface() -> None:
    assert measure_surface_heights(_table_with(0.45, 0.86, 0.87))[0] == pytest.approx(0.81)


def test_a_seat_pushed_under_a_table_is_not_measured_by_what_is_on_the_table() -> None:
    table, cup = _table_with(0.85)
    seat = make_object("Chair", (0, 0.5, 1), (0.5, 1, 0.5))
    both = replace(cup, parentReceptacles=(seat.objectId, table.objectId))
    assert measure_surface_heights([seat, table, both])[:2] == (None, pytest.approx(0.8))
    other = make_object("Chair", (0, 0.5, 1.2), (0.5, 1, 0.5))
    on_seats = replace(cup, parentReceptacles=(seat.objectId, other.objectId))
    assert measure_surface_heights([seat, other, on_seats])[0] == pytest.approx(0.8)


def test_what_is_held_or_far_from_it_measures_no_surface() -> None:
    assert measure_surface_heights(_table_with(0.85, isPickedUp=True))[0] is None
    assert measure_surface_heights(_table_with(3.0))[0] is None
    assert surface_height(_table_with()[0]) == pytest.approx(0.88)


def test_an_empty_case_shows_drawers_in_its_front() -> None:
    dresser = make_object("Dresser", (0, 0.5, 1), (1, 1, 0.5))
    drawer = make_object("Drawer", (0, 0.5, 1), (0.9, 0.3, 0.48), affordances=OPENABLE)
    eye = Eye((0, 0.5, 0), 0.0, 0.0)
    assert _hit_index(Geometry([dresser, drawer]).hit_at_click(eye, Click(0.5, 0.5))) == 1


def _corner_kitchen() -> list[ObjectState]:
    """Return an L of counters along north and west, its floor, and what carries it."""
    return [
        make_object("CounterTop", (0, 0.95, 0), (3, 0.1, 3)),
        make_object("Floor", (0, 0.1, 0), (8, 0.8, 8)),
        make_object("Cabinet", (-1.2, 0.45, -0.6), (0.6, 0.8, 1.8)),
        make_object("Cabinet", (0.3, 0.45, 1.2), (2.4, 0.8, 0.6)),
        make_object("Sink", (0.3, 0.85, 1.2), (0.6, 0.2, 0.4)),
        make_object("SinkBasin", (0.3, 0.85, 1.2), (0.5, 0.15, 0.3)),
    ]


@pytest.mark.parametrize(
    ("x", "z", "seen"),
    [
        (0.5, 0.0, "Floor"),  # in the corner of the L
        (-1.2, 0.0, "CounterTop"),
        (1.2, 1.2, "CounterTop"),
        (-1.2, 1.2, "CounterTop"),  # where nothing carries it
        (0.3, 1.2, "SinkBasin"),
        (0.3, 1.37, "Sink"),
    ],
)
def test_a_counter_has_gaps_where_there_is_no_board(x: float, z: float, seen: str) -> None:
    objects = _corner_kitchen()
    height = 0.78 if seen.startswith("Sink") else 0.9
    hit = _hit_looking_down(Geometry(objects), (x, 0.0 if seen == "Floor" else height, z))
    assert hit is not None
    assert objects[hit.index].objectType == seen


def test_a_straight_counter_and_an_island_that_nothing_carries_have_no_corner() -> None:
    island, floor, *cabinets = _corner_kitchen()[:4]
    assert box_cutouts([island, floor], [0.9, 0.0]) == ((), ())
    straight = make_object("CounterTop", (0, 0.95, 1.2), (3, 0.1, 0.7))
    assert box_cutouts([straight, *cabinets], [0.9, 0.85, 0.85]) == ((), (), ())


def test_a_cabinet_lets_the_sink_in_while_it_is_shut() -> None:
    objects = _corner_kitchen()
    geometry = Geometry(objects)
    assert _hit_index(_hit_looking_down(geometry, (0.3, 0.78, 1.2))) == 5
    front = geometry.hit_at_click(Eye((0.3, 0.5, 0), 0.0, 0.0), Click(0.5, 0.5))
    assert front is not None and front.index == 3
    assert front.point[2] == pytest.approx(0.9, abs=0.01)


edges = st.integers(-6, 6)


def _rect(a: int, b: int, c: int, d: int) -> Rect:
    return Rect(min(a, c), min(b, d), max(a, c) + 1, max(b, d) + 1)


rects = st.builds(_rect, edges, edges, edges, edges)


@given(rects, rects)
def test_what_is_left_around_a_gap_is_all_but_the_gap(whole: Rect, gap: Rect) -> None:
    pieces = whole.subtract(gap)
    for x in range(-7, 8):
        for z in range(-7, 8):
            point = Rect(x, z, x + 1, z + 1)
            inside = sum(piece.overlaps(point) for piece in pieces)
            assert inside == (whole.overlaps(point) and not gap.overlaps(point))


def test_every_recipe_of_furniture_has_a_surface_within_its_box() -> None:
    for kind in TYPE_SHAPES:
        if kind != "Floor":
            each = make_object(kind, (0, 0.5, 0), (1, 1, 1))
            assert 0.0 <= surface_height(each) <= 1.0


def test_solids_of_recorded_rooms_stay_in_their_boxes(sample_games: list[Path]) -> None:
    checked = 0
    for path in sample_games[::4]:
        scene = read_start(path).scene
        if int(scene.place.removeprefix("FloorPlan")) in HELD_OUT_FLOOR_PLANS:
            continue
        for each in scene.initial.objects:
            template = shape_of_type(each.objectType).template
            impossible = max(each.box.size) > 2.5 and each.affordances.pickupable
            if template is ShapeTemplate.UP_TO_RIM or each.objectType == "Floor" or impossible:
                continue
            low, high = each.box.bounds()
            for solid in solids_of(each):
                x, y, z = solid.center
                assert low[0] <= x <= high[0]
                assert low[2] <= z <= high[2]
                assert low[1] - 0.05 <= y - solid.size[1] / 2
                assert y + solid.size[1] / 2 <= high[1] + 1e-9
                checked += 1
    assert checked > 500


@pytest.mark.parametrize(("kind", "passes"), [("Kettle", True), ("Statue", True), ("Bread", False)])
def test_a_ray_passes_the_upper_corner_of_what_is_round(kind: str, passes: bool):
    obj = make_object(kind, (0, 0.1, 0), (0.2, 0.2, 0.2), affordances=PORTABLE)
    geometry = Geometry([obj])
    corner = (0.098, 0.19, -0.09)
    assert (_hit_looking_down(geometry, corner) is None) is passes
    assert _hit_looking_down(geometry, (0.0, 0.15, -0.05)) is not None


@pytest.mark.parametrize(("kind", "height"), [("Microwave", 0.1), ("Cabinet", 0.01)])
def test_the_floor_of_an_open_case_is_where_things_stand_in_it(kind: str, height: float):
    case = make_object(kind, (0, 1, 1), (0.6, 0.36, 0.4), affordances=Affordances())
    stands_open = open_object(replace(case, isOpen=False), (0.0, 1.0, 0.8))
    floor, *_ = open_container_solids(stands_open, case.box)
    top = Box(floor.center, floor.size)
    assert top.center[1] + top.size[1] / 2 == pytest.approx(1.0 - 0.18 + height)


DISC_SIZES = {0: (0.02, 0.2, 0.2), 1: (0.2, 0.02, 0.2), 2: (0.2, 0.2, 0.02)}


@pytest.mark.parametrize("axis", DISC_SIZES)
def test_a_disc_is_a_little_less_broad_than_its_box_and_as_thick(axis: int):
    disc = prepare_solid(Solid((0.0, 0.0, 0.0), DISC_SIZES[axis], 0.0, SolidShape.DISC))
    path = [1e-9, 1e-9, 1e-9]  # a ray's way has no component that is zero
    path[axis] = 1.0

    def met(aside: float) -> float:
        start = [0.0, 0.0, 0.0]
        start[axis], start[(axis + 1) % 3] = -1.0, aside
        ray = Rays.single((path[0], path[1], path[2]))
        return intersect_rays(disc, (start[0], start[1], start[2]), ray)

    assert met(0.097) == pytest.approx(0.99)  # as recorded clicks have it, not at 0.96
    assert met(0.099) == inf
    thick = prepare_solid(Solid((0.0, 0.0, 0.0), (0.2, 0.198, 0.2), 0.0, SolidShape.DISC))
    assert thick.half == pytest.approx((0.099, 0.099, 0.099)), "it stays as thick"
