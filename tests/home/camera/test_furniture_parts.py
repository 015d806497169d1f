"""Types that are made of parts leave free what their boxes would hide."""

from dataclasses import replace

import pytest

from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import Eye
from tatc.home.camera.shapes import (
    TOILET_SEAT_HEIGHT_METRES,
    TOILET_TANK_OFFSET_METRES,
    TOILET_WIDTH_METRES,
    solids_of,
)
from tatc.home.camera.visible_parts import count_visible_pixels
from tatc.home.state import Box, ObjectState, Vec3
from tests.sim.box_kitchen import make_object

EYE = Eye((0.0, 1.5, -1.0), 0.0, 30.0)


def is_visible(geometry: Geometry, index: int) -> bool:
    """Whether an eye before the origin sees an object."""
    return count_visible_pixels(geometry, EYE, index) > 0


def test_a_watch_beside_a_pot_is_seen_under_the_leaves():
    plant = make_object("HousePlant", (0.0, 0.5, 0.0), (0.5, 0.5, 0.5))
    watch = make_object("Watch", (0.11, 0.5, -0.08), (0.05, 0.03, 0.05))
    assert is_visible(Geometry((plant, watch)), 1)
    assert not is_visible(Geometry((replace(plant, objectType="Bread"), watch)), 1)


def test_a_pot_stands_at_the_plants_position():
    plant = make_object("HousePlant", (0.0, 0.5, 0.0), (0.5, 0.5, 0.5))
    _, pot = solids_of(replace(plant, position=(0.1, 0.5, -0.05)))
    assert (pot.center[0], pot.center[2]) == (0.1, -0.05)


def test_a_basin_is_seen_under_its_faucet():
    faucet = make_object("Faucet", (0.0, 0.9, 0.0), (0.3, 0.4, 0.3))
    faucet = replace(faucet, position=(0.0, 0.9, 0.12))
    soap = make_object("SoapBar", (0.0, 0.9, 0.0), (0.08, 0.03, 0.05))
    assert is_visible(Geometry((faucet, soap)), 1)
    assert not is_visible(Geometry((replace(faucet, objectType="Bread"), soap)), 1)


def test_what_lies_in_a_dog_bed_is_seen_from_above():
    bed = make_object("DogBed", (0.0, 0.0, 0.0), (0.8, 0.2, 0.8))
    bone = make_object("Watch", (0.0, 0.05, 0.0), (0.1, 0.03, 0.1))
    assert is_visible(Geometry((bed, bone)), 1)


def toilet(size: Vec3, turn: float, position: Vec3) -> ObjectState:
    """Return a toilet around the origin."""
    box = Box((0.0, size[1] / 2, 0.0), size)
    made = make_object("Toilet", (0.0, 0.0, 0.0), size)
    return replace(made, box=box, rotation=(0.0, turn, 0.0), position=position)


@pytest.mark.parametrize(
    ("turn", "way"), [(0.0, (1, 0)), (90.0, (0, -1)), (180.0, (-1, 0)), (270.0, (0, 1))]
)
def test_a_toilets_tank_is_behind_its_seat(turn: float, way: tuple[int, int]):
    size = (0.97, 1.2, 0.53) if way[0] else (0.53, 1.2, 0.97)
    seat, tank = solids_of(toilet(size, turn, (0.0, 0.0, 0.0)))
    assert seat.size[1] == pytest.approx(TOILET_SEAT_HEIGHT_METRES)
    assert tank.size[1] > 0.9
    along = tank.center[0] * way[0] + tank.center[2] * way[1]
    assert along > TOILET_TANK_OFFSET_METRES
    assert min(tank.size[0], tank.size[2]) < TOILET_WIDTH_METRES


def test_a_position_before_the_middle_tells_of_the_tank():
    wide = toilet((1.1, 1.1, 1.16), 180.0, (-0.03, 0.0, -0.21))
    seat, tank = solids_of(wide)
    assert tank.center[2] > TOILET_TANK_OFFSET_METRES and seat.center[2] < tank.center[2]
    assert tank.center[0] == seat.center[0] == pytest.approx(-0.03)
    plunger = make_object("Plunger", (0.35, 0.0, 0.25), (0.1, 0.5, 0.1))
    assert is_visible(Geometry((wide, plunger)), 1)
