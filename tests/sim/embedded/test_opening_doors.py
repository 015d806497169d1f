"""Drawers come out, doors stand out, and both go back exactly."""

from dataclasses import replace

import pytest

from tatc.home.actions import Verb
from tatc.home.camera.door_geometry import (
    BACK_THICKNESS_METRES,
    DOUBLE_DOOR_CABINET_METRES,
    DRAWER_SLIDE_SHARE,
    FLOOR_SETBACK_METRES,
    SHELF_SETBACK_SHARE,
    SHELF_THICKNESS_METRES,
    door_panels,
    open_container_solids,
    open_door_boxes,
    open_object,
)
from tatc.home.state import ABSENT, AgentState, Box, ObjectState, Snapshot, Vec3, rotate_yaw
from tatc.home.type_facts import (
    BACK_THICKNESSES_METRES,
    DOOR_SWING_SHARES,
    DOUBLE_DOOR_SWING_SHARES,
    OUTER_DOOR_THICKNESSES_METRES,
)
from tatc.sim.embedded.door_collision import is_body_in_the_way
from tatc.sim.embedded.interaction_handlers import close_target, open_target
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import OpenBox, RecordedEvidence
from tests.sim.box_kitchen import make_object
from tests.sim.conformance import SimulatorDriver

FAR_AGENT = AgentState((5.0, 0.9, 5.0), 0.0, 0.0)
DIRECTIONS = [(0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)]


def hinged_cabinet(low: float = 0.5) -> tuple[ObjectState, ObjectState]:
    """Return a cabinet whose hinge is at the right end of its front, shut and open."""
    case = make_object("Cabinet", (0, low, 2), (0.6, 0.8, 0.4), position=(0.3, low + 0.4, 1.8))
    return case, open_object(case, (0.0, low + 0.4, 1.8))


@pytest.mark.parametrize("way", DIRECTIONS)
def test_a_drawer_comes_out_through_the_side_clicked_on(way: tuple[float, float]):
    drawer = make_object("Drawer", (1, 0.5, 2), (0.4, 0.2, 0.5))
    half = 0.2, 0.25
    point = (1 + way[0] * half[0] + 0.05, 0.6, 2 + way[1] * half[1] + 0.05)
    out = open_object(drawer, point)
    depth = 0.4 if way[0] else 0.5
    assert out.isOpen and out.box.size == drawer.box.size
    moved = [b - a for a, b in zip(drawer.box.center, out.box.center, strict=True)]
    assert moved == pytest.approx(
        [way[0] * DRAWER_SLIDE_SHARE * depth, 0, way[1] * DRAWER_SLIDE_SHARE * depth]
    )


@pytest.mark.parametrize("way", DIRECTIONS)
@pytest.mark.parametrize("kind", sorted(DOOR_SWING_SHARES))
def test_a_door_stands_out_on_the_side_clicked_on(kind: str, way: tuple[float, float]):
    case = make_object(kind, (1, 0.5, 2), (0.6, 0.8, 0.4))
    out = open_object(case, (1 + way[0] * 0.3, 0.9, 2 + way[1] * 0.2))
    low, high = case.box.bounds()
    new_low, new_high = out.box.bounds()
    share = (
        DOUBLE_DOOR_SWING_SHARES[kind] if kind == "Cabinet" else DOOR_SWING_SHARES[kind]
    )  # no hinge where it has doors
    swing = share * (0.4 if way[0] else 0.6)
    grown = (low[0] - new_low[0], new_high[0] - high[0])
    assert grown == pytest.approx((swing * (way[0] < 0), swing * (way[0] > 0)))
    grown = (low[2] - new_low[2], new_high[2] - high[2])
    assert grown == pytest.approx((swing * (way[1] < 0), swing * (way[1] > 0)))


def test_a_cabinets_position_is_its_hinge_which_says_which_side_is_its_front():
    case, out = hinged_cabinet()
    door = open_container_solids(out, case.box)[-1]
    assert door.center[0] == pytest.approx(0.285)
    assert door.center[2] == pytest.approx(1.8 - DOOR_SWING_SHARES["Cabinet"] * 0.6 / 2)
    assert door.size[2] == pytest.approx(DOOR_SWING_SHARES["Cabinet"] * 0.6)
    case = make_object("Cabinet", (0, 0.5, 2), (0.6, 0.8, 0.4), position=(0.3, 0.9, 1.82))
    out = open_object(case, (-0.3, 0.9, 2.0))  # a click on its side
    assert out.box.bounds()[0][2] == pytest.approx(1.8 - DOOR_SWING_SHARES["Cabinet"] * 0.6)
    assert out.box.size[0] == case.box.size[0]


@pytest.mark.parametrize(("width", "hinge"), [(DOUBLE_DOOR_CABINET_METRES + 0.01, 1.0), (0.6, 0.0)])
def test_a_wide_cabinet_and_one_hinged_nowhere_have_two_doors(width: float, hinge: float):
    at = (hinge * width / 2, 0.9, 1.8)
    case = make_object("Cabinet", (0, 0.5, 2), (width, 0.8, 0.4), position=at)
    out = open_object(case, (0.0, 0.9, 1.8))
    doors = door_panels(out, case.box)
    assert [door.size[2] for door in doors] == pytest.approx(
        [DOUBLE_DOOR_SWING_SHARES["Cabinet"] * width] * 2
    )
    assert doors[0].center[0] == pytest.approx(-doors[1].center[0])
    body = (width / 2, 0.9, 1.6)
    assert is_body_in_the_way(body, out, case.box)


def test_a_fridges_door_stands_beside_its_opening():
    case = make_object("Fridge", (0, 0.9, 2), (0.8, 1.8, 0.6))
    out = open_object(case, (0.0, 0.9, 1.7))
    for door in door_panels(out, case.box):
        assert abs(door.center[0]) - door.size[0] / 2 == pytest.approx(0.4)
        assert door.size[0] == OUTER_DOOR_THICKNESSES_METRES["Fridge"]
    assert not is_body_in_the_way((0.4, 0.9, 1.4), out, case.box)


def test_a_fridges_door_hangs_where_who_opens_it_does_not_stand():
    case = make_object("Fridge", (0, 0.9, 2), (0.8, 1.8, 0.6))
    out = open_object(case, (0.0, 0.9, 1.7), (-0.45, 0.9, 1.2))
    [door] = door_panels(out, case.box)
    assert door.center[0] > 0.4
    assert door.size[2] == pytest.approx(DOOR_SWING_SHARES["Fridge"] * 0.8)
    unsure = open_object(case, (0.0, 0.9, 1.7), (0.0, 0.9, 0.9))
    assert len(door_panels(unsure, case.box)) == 2


@pytest.mark.parametrize(
    ("size", "blocking_x"),
    [((0.9137, 1.7591, 0.6995), 0.5), ((1.0522, 1.9129, 0.7965), -0.6)],  # Fridge_26 and _17
)
@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0])
def test_the_hinge_of_a_fridge_of_a_known_asset_is_that_of_its_prefab(
    size: Vec3, blocking_x: float, turn: float
):
    """The fridge faces along its own z axis; who looks at it has its +x side to the left."""

    def in_room(x: float, y: float, z: float) -> Vec3:
        return rotate_yaw((x, y, z), turn)

    box = Box(in_room(0, size[1] / 2, 0), size, turn)
    case = replace(make_object("Fridge", box.center, size, rotation=(0.0, turn, 0.0)), box=box)
    front = in_room(0.0, 0.9, size[2] / 2)
    for x, is_blocked in ((blocking_x, True), (-blocking_x, False)):
        body = AgentState(in_room(x, 0.9, size[2] / 2 + 0.5), 0, 0)
        world = WorldState(Snapshot.from_objects((case,), body, body))
        assert (open_target(world, case, front) is not None) is is_blocked
        [door] = door_panels(world.opened_copy(case, front), case.box)
        along = rotate_yaw(door.center, -turn % 360.0)[0]
        assert (along > 0) is (blocking_x > 0)


OPEN_TO_THE_RIGHT = OpenBox((0.07, 0.0, -0.3), (0.94, 1.8, 1.2))
"""Of a fridge that is 0.8 m wide and 0.6 m deep; its door hangs at x 0.4."""


@pytest.mark.parametrize("yaw", [0.0, 90.0])
@pytest.mark.parametrize(
    ("body", "in_the_way"),
    [
        ((0.4, 0.9, 1.3), True),  # where its door hangs
        ((-0.4, 0.9, 1.3), False),  # where a door that hung there would stand
        ((0.0, 0.9, 1.2), False),  # in front, where it only passes
    ],
)
def test_where_a_fridge_was_seen_open_its_door_is_known(body: Vec3, in_the_way: bool, yaw: float):
    def around(x: float, y: float, z: float) -> Vec3:
        return (z - 2, y, 2 - x) if yaw else (x, y, z)

    case = make_object("Fridge", around(0, 0, 2), (0.8, 1.8, 0.6))
    case = replace(case, box=replace(case.box, yaw=yaw))
    follower = AgentState(around(*body), 0, 0)
    start = Snapshot.from_objects((case,), follower, follower)
    seen = WorldState(start, RecordedEvidence(open_boxes={case.name: OPEN_TO_THE_RIGHT}))
    refusal = open_target(seen, case, around(0.0, 0.9, 1.7))
    assert (refusal is not None) is in_the_way
    assert open_target(WorldState(start), case, around(0.0, 0.9, 1.7)) is None
    out = seen.objects[0]
    assert out.isOpen is not in_the_way
    if out.isOpen:
        assert out.box.center == pytest.approx(around(0.07, 0.9, 1.7))
        [door] = door_panels(out, case.box)
        assert door.center == pytest.approx(around(0.47, 0.9, 1.4))
        assert door.size == pytest.approx((0.14, 1.8, 0.6))
        assert close_target(seen, out, door.center) is None
        assert seen.objects[0] == case


@pytest.mark.parametrize(("deep", "doors"), [(0.28, [-0.285, 0.285]), (0.54, [0.285])])
def test_how_far_a_cabinets_doors_stand_out_tells_how_many_they_are(
    deep: float, doors: list[float]
):
    case = make_object("Cabinet", (0, 0.5, 2), (0.6, 0.8, 0.4), position=(0.3, 0.9, 1.8))
    box = OpenBox((0.0, 0.0, -deep / 2), (0.6, 0.8, 0.4 + deep)).to_world(case.box)
    out = replace(case, isOpen=True, box=box)
    assert [door.center[0] for door in door_panels(out, case.box)] == pytest.approx(doors)
    unmarked = replace(out, position=case.box.center)
    assert len(open_door_boxes(unmarked, case.box)) == (2 if len(doors) == 2 else 0)


def test_a_broad_fridge_has_two_doors_beside_its_case():
    case = make_object("Fridge", (0, 0.9, 2), (1.1, 1.8, 0.7))
    out = open_object(case, (0.0, 0.9, 1.65))
    doors = door_panels(out, case.box)
    assert [door.size[2] for door in doors] == pytest.approx(
        [DOUBLE_DOOR_SWING_SHARES["Fridge"] * 1.1] * 2
    )
    assert out.box.size[0] == pytest.approx(1.1 + 2 * OUTER_DOOR_THICKNESSES_METRES["Fridge"])
    for x in (-0.6, 0.6):
        assert is_body_in_the_way((x, 0.9, 1.3), out, case.box), "both doors are in its way"
    assert not is_body_in_the_way((0.0, 0.9, 1.3), out, case.box)
    off = replace(case, position=(0.0, 0.9, 2.08))
    assert out.box.size[0] > open_object(off, (0.0, 0.9, 1.65)).box.size[0]


@pytest.mark.parametrize(
    ("kind", "thick"), [("Cabinet", BACK_THICKNESS_METRES), *BACK_THICKNESSES_METRES.items()]
)
def test_the_back_of_a_case_is_behind_what_stands_in_it(kind: str, thick: float):
    case = make_object(kind, (0, 0.5, 2), (0.6, 0.8, 0.4))
    out = open_object(case, (0.0, 0.9, 1.8))
    mug = Box((0.0, 0.6, 2.13), (0.1, 0.1, 0.1))
    for inside, back in (((), 2.2 - thick), ((mug,), 2.18)):
        hollow = open_container_solids(out, case.box, (), inside)[1]
        assert hollow.center[2] + hollow.size[2] / 2 == pytest.approx(back)


def test_shelves_begin_behind_the_front():
    case = make_object("Fridge", (0, 0.9, 2), (0.8, 1.8, 0.6))
    out = open_object(case, (0.0, 0.9, 1.7))
    boards = [
        s
        for s in open_container_solids(out, case.box, (0.5,))
        if s.size[1] == SHELF_THICKNESS_METRES
    ]
    assert [b.center[2] - b.size[2] / 2 for b in boards] == pytest.approx(
        [1.7 + SHELF_SETBACK_SHARE * 0.6]
    )


def test_what_lay_in_a_drawer_stays_behind_and_is_in_it_again_when_it_is_shut():
    hand = SimulatorDriver(EmbeddedSimulator())
    shaker, drawer = hand.first_of_type("SaltShaker"), hand.first_of_type("Drawer")
    hand.open_drawer()
    left = hand.first_of_type("SaltShaker")
    assert (left.box, left.position) == (shaker.box, shaker.position)
    assert left.parentReceptacles is None
    hand.do_successfully(Verb.CLOSE, "Drawer", aside=-0.12)
    assert hand.first_of_type("SaltShaker") == shaker
    assert hand.first_of_type("Drawer").box == drawer.box
    assert hand.first_of_type("Drawer").position == drawer.position
    assert not hand.do_to_type(Verb.PICKUP, "SaltShaker").success


def test_what_was_put_into_a_drawer_goes_in_and_out_with_it():
    hand = SimulatorDriver(EmbeddedSimulator())
    drawer = hand.first_of_type("Drawer")
    hand.open_drawer()
    hand.do_successfully(Verb.PICKUP, "SaltShaker")
    hand.do_successfully(Verb.PLACE, "Drawer", -0.05)
    out = hand.first_of_type("SaltShaker")
    hand.do_successfully(Verb.CLOSE, "Drawer", aside=-0.12)
    shut = hand.first_of_type("SaltShaker")
    path = DRAWER_SLIDE_SHARE * drawer.box.size[2]
    assert shut.position[2] == pytest.approx(out.position[2] + path)
    hand.open_drawer()
    assert hand.first_of_type("SaltShaker").position == pytest.approx(out.position)
    assert hand.first_of_type("SaltShaker").parentReceptacles == (drawer.objectId,)


@pytest.mark.parametrize("moved", ["Plate", "Egg", None])
def test_what_is_in_a_dish_stays_in_it_whether_a_drawer_takes_it_along_or_not(moved: str | None):
    drawer = make_object("Drawer", (0, 0.6, 2), (0.4, 0.2, 0.4))
    plate = make_object("Plate", (0, 0.55, 1.9), (0.2, 0.02, 0.2))
    egg = make_object("Egg", (0, 0.6, 1.9), (0.04, 0.05, 0.04))
    within = {"Plate": (drawer.objectId,), "Egg": (drawer.objectId, plate.objectId)}
    plate, egg = objects = [
        replace(each, parentReceptacles=within[kind], simbotPickedUp=1 if kind == moved else ABSENT)
        for kind, each in (("Plate", plate), ("Egg", egg))
    ]
    world = WorldState(Snapshot.from_objects([drawer, *objects], FAR_AGENT, FAR_AGENT))
    assert open_target(world, drawer, (0.0, 0.6, 1.8)) is None
    went = moved == "Plate"
    for before, now in zip(objects, world.objects[1:], strict=True):
        assert (now.position != before.position) is went
        assert (drawer.objectId in (now.parentReceptacles or ())) is went
    assert plate.objectId in (world.objects[2].parentReceptacles or ())


@pytest.mark.parametrize(
    ("body", "in_the_way"),
    [
        ((0.25, 0.9, 1.4), True),  # where the door will stand
        ((0.45, 0.9, 1.4), True),
        ((0.55, 0.9, 1.4), False),  # beside it
        ((0.0, 0.9, 1.4), False),  # in front, where it only passes
        ((0.3, 0.9, 0.9), False),  # beyond its tip
    ],
)
def test_a_body_where_the_door_will_stand_keeps_it_shut(body: Vec3, in_the_way: bool):
    case, out = hinged_cabinet()
    assert is_body_in_the_way(body, out, case.box) is in_the_way


@pytest.mark.parametrize(
    ("distance", "opens", "passes"), [(0.15, 0, 0), (0.17, 1, 0), (0.21, 1, 1)]
)
def test_a_cabinet_opens_nearer_to_a_body_than_one_can_walk(
    distance: float, opens: int, passes: int
):
    case, out = hinged_cabinet()
    body = (0.3 + distance, 0.9, 1.4)  # beside the door, which will stand at 0.3
    assert is_body_in_the_way(body, out, case.box, is_opening=True) is not bool(opens)
    assert is_body_in_the_way(body, out, case.box) is not bool(passes)


def test_a_cabinet_over_the_head_opens_in_any_case_and_shows_what_stands_low_in_it():
    case, out = hinged_cabinet(1.9)
    assert not is_body_in_the_way((0.25, 0.9, 1.4), out, case.box)
    floor = open_container_solids(out, case.box)[0]
    assert floor.center[2] - floor.size[2] / 2 == pytest.approx(1.8 + FLOOR_SETBACK_METRES)


def test_a_drawer_needs_room_to_come_out():
    drawer = make_object("Drawer", (0, 0.5, 2), (0.4, 0.2, 0.5))
    out = open_object(drawer, (0.0, 0.6, 1.75))
    assert is_body_in_the_way((0.0, 0.9, 1.25), out, drawer.box)
    assert not is_body_in_the_way((0.0, 0.9, 1.0), out, drawer.box)
