"""Areas found from where things stood: as they were laid, and none by chance."""

from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from tatc.home.camera.solids import Rect
from tatc.home.type_facts import LATTICE_DIVISIONS
from tatc.sim.embedded.placement.recorded_areas import AreaEstimate, estimate_areas

LINES = range(1, LATTICE_DIVISIONS)
SIDES = st.tuples(st.floats(-0.2, 0.2), st.floats(0.25, 1.6))


def points_on_lattice(
    area: Rect, count: int, seed: int, off: float = 0.002
) -> list[tuple[float, float]]:
    """Return things on points of an area, settled by up to so many metres."""
    chance = Random(seed)
    wide, deep = ((area.x1 - area.x0) / LATTICE_DIVISIONS, (area.z1 - area.z0) / LATTICE_DIVISIONS)
    cells = chance.sample([(i, j) for i in LINES for j in LINES], count)
    return [
        (
            area.x0 + i * wide + chance.uniform(-off, off),
            area.z0 + j * deep + chance.uniform(-off, off),
        )
        for i, j in cells
    ]


def is_close(found: Rect, true: Rect) -> bool:
    ends = (found.x0, found.z0, found.x1, found.z1)
    return ends == pytest.approx((true.x0, true.z0, true.x1, true.z1), abs=0.015)


@settings(max_examples=25, deadline=None)
@given(x=SIDES, z=SIDES, seed=st.integers(0, 99))
def test_one_area_is_found_from_half_of_its_points(
    x: tuple[float, float], z: tuple[float, float], seed: int
):
    true = Rect(x[0] - x[1] / 2, z[0] - z[1] / 2, x[0] + x[1] / 2, z[0] + z[1] / 2)
    half = abs(x[0]) + x[1] / 2, abs(z[0]) + z[1] / 2
    found = estimate_areas(tuple(points_on_lattice(true, 26, seed)), half).areas
    assert found and is_close(found[0], true)


def test_the_legs_of_a_bent_counter_are_found_apart():
    long, short = Rect(-1.2, 0.1, 1.2, 0.7), Rect(0.6, -0.9, 1.2, 0.7)
    points = [*points_on_lattice(long, 30, 1), *points_on_lattice(short, 30, 2)]
    found = estimate_areas(tuple(points), (1.2, 0.9)).areas
    assert all(any(is_close(area, true) for area in found) for true in (long, short))


def test_strips_before_and_behind_a_sink_are_found():
    board, front, back = (
        Rect(-1.2, -0.3, -0.2, 0.3),
        Rect(-0.1, 0.2, 1.1, 0.3),
        Rect(-0.1, -0.3, 1.1, -0.2),
    )
    points = [
        *points_on_lattice(board, 30, 1),
        *points_on_lattice(front, 26, 2, off=0.0005),
        *points_on_lattice(back, 26, 3, off=0.0005),
    ]
    found = estimate_areas(tuple(points), (1.2, 0.3)).areas
    for true in (board, front, back):
        assert any(is_close(area, true) for area in found), true


def test_no_area_is_found_within_another():
    """What is left of a counter may fit a lattice of its own by chance."""
    true, within = Rect(-0.8, -0.4, 0.8, 0.4), Rect(-0.7, -0.35, 0.7, 0.35)
    points = [*points_on_lattice(true, 40, 1), *points_on_lattice(within, 14, 2)]
    assert len(estimate_areas(tuple(points_on_lattice(within, 14, 2)), (0.8, 0.4)).areas) == 1
    (found,) = estimate_areas(tuple(points), (0.8, 0.4)).areas
    assert is_close(found, true)


@pytest.mark.parametrize("seed", range(12))
def test_things_that_lie_about_show_no_area(seed: int):
    chance = Random(seed)
    points = tuple((chance.uniform(-0.6, 0.6), chance.uniform(-0.4, 0.4)) for _ in range(15))
    assert estimate_areas(points, (0.6, 0.4)) == AreaEstimate()


def test_one_thing_in_every_session_shows_nothing():
    assert estimate_areas(((0.1, 0.2),) * 40, (0.5, 0.5)) == AreaEstimate()


def test_edges_that_boxes_suggest_decide_where_things_do_not():
    """Things on the inner lines alone fit a smaller lattice moved by one line, too."""
    true = Rect(-0.8, -0.3, 0.8, 0.3)
    points = tuple((i * 0.2, j * 0.075) for i in (-2, -1, 0, 1) for j in (-2, -1, 0, 1, 2))
    (found, *_) = estimate_areas(points, (1.0, 0.5), (true,)).areas
    assert is_close(found, true)
