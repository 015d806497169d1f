"""Areas fitted to what rests on their points."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, strategies as st

from tatc.home.state import Box, yaw_sin_cos
from tatc.home.type_facts import LATTICE_DIVISIONS
from tatc.sim.embedded.placement.observed_surfaces import fit_areas
from tatc.sim.embedded.placement.surface import Surface


def area(
    x: float, z: float, size: tuple[float, float], yaw: float = 0.0, **fields: bool
) -> Surface:
    return Surface(0.9, x, z, size, yaw, inf, False, **({"lattice": True} | fields))


def lattice_points(surface: Surface, *cells: tuple[int, int]) -> list[tuple[float, float]]:
    sine, cosine = yaw_sin_cos(surface.yaw)
    steps = surface.size[0] / LATTICE_DIVISIONS, surface.size[1] / LATTICE_DIVISIONS
    offsets = [(i * steps[0], j * steps[1]) for i, j in cells]
    return [
        (surface.x + a * cosine + b * sine, surface.z - a * sine + b * cosine) for a, b in offsets
    ]


def fit_to_lattice(surface: Surface, seen: Sequence[tuple[float, float]]) -> Surface:
    return fit_areas((surface,), seen)[0]


CELLS = ((-3, -2), (-1, 3), (0, 0), (2, -3), (3, 2), (1, 1))


@pytest.mark.parametrize("yaw", [0.0, 90.0, 45.0])
def test_an_area_is_found_from_what_stands_on_it(yaw: float):
    true = area(1.02, 2.03, (1.5, 0.6), yaw)
    found = fit_to_lattice(area(1.0, 2.0, (1.58, 0.64), yaw), lattice_points(true, *CELLS))
    assert (found.x, found.z) == pytest.approx((true.x, true.z), abs=0.006)
    assert found.size == pytest.approx(true.size, abs=0.012)


def test_one_thing_shows_nothing():
    given_area = area(0.0, 0.0, (1.0, 1.0))
    assert fit_to_lattice(given_area, [(0.03, 0.04)]) == given_area


def test_what_stands_elsewhere_shows_nothing():
    given_area = area(0.0, 0.0, (1.0, 1.0))
    assert fit_to_lattice(given_area, [(0.8, 0.04), (0.9, 0.0), (0.0, -0.7)]) == given_area


def test_surfaces_without_a_lattice_stay():
    floor = area(0.0, 0.0, (4.0, 4.0), lattice=False)
    assert fit_to_lattice(floor, [(0.1, 0.1), (0.2, 0.3)]) is floor


@given(st.sets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2))
def test_an_area_on_whose_points_all_stand_stays(cells: set[tuple[int, int]]):
    right = area(0.4, -1.0, (1.2, 0.6))
    found = fit_to_lattice(right, lattice_points(right, *sorted(cells)))
    assert (found.x, found.z) == pytest.approx((right.x, right.z))
    assert found.size == pytest.approx(right.size)


@pytest.mark.parametrize("yaw", [0.0, 90.0])
def test_areas_in_a_row_share_their_front_and_back(yaw: float):
    """One object on each shows nothing of its length, but both show how deep the areas are."""
    sine, cosine = yaw_sin_cos(yaw)
    true = [area(x * cosine, -x * sine, (1.0, 0.6), yaw) for x in (-0.8, 0.8)]
    guessed = [area(one.x, one.z, (1.0, 0.64), yaw) for one in true]
    seen = [*lattice_points(true[0], (0, -3)), *lattice_points(true[1], (0, 3))]
    alone = [fit_to_lattice(one, seen) for one in guessed]
    assert alone == guessed
    for found, right in zip(fit_areas(guessed, seen), true, strict=True):
        assert found.size == pytest.approx(right.size, abs=0.012)


def test_areas_of_other_depths_do_not_share_them():
    areas = [area(-0.8, 0.0, (1.0, 0.6)), area(0.8, 0.0, (1.0, 0.9))]
    seen = [*lattice_points(areas[0], (0, -3)), *lattice_points(areas[1], (1, 2))]
    shifted = [(x, z + 0.01) for x, z in seen]
    assert list(fit_areas(areas, shifted)) == areas


@pytest.mark.parametrize("yaw", [0.0, 90.0])
def test_no_area_grows_out_of_the_box_that_holds_it(yaw: float):
    true = area(0.0, 0.0, (1.6, 0.66), yaw)
    guessed, seen = area(0.0, 0.0, (1.58, 0.6), yaw), lattice_points(true, *CELLS)
    assert fit_areas([guessed], seen)[0].size == pytest.approx(true.size, abs=0.012)
    case = Box((0.0, 0.9, 0.0), (1.6, 0.1, 0.61), yaw)
    held = fit_areas([guessed], seen, case)[0]
    assert held.size[0] == pytest.approx(1.6, abs=0.012)
    assert held.size[1] <= 0.61 + 1e-9
    turned = replace(case, yaw=yaw + 45.0)
    assert fit_areas([guessed], seen, turned) == fit_areas([guessed], seen)
