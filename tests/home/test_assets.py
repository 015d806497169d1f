"""Assets told by type, mass and size, and what is known of them."""

from itertools import pairwise, permutations
from math import hypot
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tatc.home import assets
from tatc.home.assets import (
    MAX_EDGE_DIFFERENCE_METRES,
    MAX_MASS_DIFFERENCE_KG,
    DishArea,
    attach_point,
    dish_geometry,
    door_hinge,
    piece_offsets,
    radius_of_round_dish,
)
from tatc.home.type_facts import MIN_PIECES_BY_WHOLE

FOOD: dict[str, dict[str, Any]] = assets._assets()["food"]
DISHES: dict[str, dict[str, Any]] = assets._assets()["dishes"]
FRIDGES: dict[str, dict[str, Any]] = assets._assets()["fridges"]
FIXTURES: dict[str, dict[str, Any]] = assets._assets()["fixtures"]


@pytest.mark.parametrize("name", FOOD)
def test_a_food_is_known_by_its_edges_in_any_order(name: str):
    food = FOOD[name]
    for size in permutations(food["edges"]):
        pieces = piece_offsets(food["type"], food["mass"], size)
        assert [[*each.offset, each.yaw] for each in pieces] == food["pieces"]


def test_the_pieces_of_a_food_whose_sizes_are_known_are_no_larger_than_the_whole():
    sized = [food for food in FOOD.values() if "sizes" in food]
    assert sized
    for food in sized:
        pieces = piece_offsets(food["type"], food["mass"], tuple(food["edges"]))
        known = [each.size for each in pieces if each.size is not None]
        assert len(known) >= len(pieces) - 1
        for size in known:
            assert max(size) < 1.25 * max(food["edges"])
        if food["type"] != "Apple":
            gaps = [a.offset[2] - b.offset[2] for a, b in pairwise(pieces[1:])]
            assert min(gaps) > 0.005


@pytest.mark.parametrize("name", DISHES)
def test_a_dish_is_known_by_its_edges(name: str):
    dish = DISHES[name]
    found = dish_geometry(dish["type"], dish["mass"], tuple(dish["edges"]))
    assert found is not None and found.depth == dish["depth"]


@given(name=st.sampled_from(sorted(FOOD)), more=st.floats(0.05, 0.5))
def test_a_longer_or_heavier_food_is_of_no_known_asset(name: str, more: float):
    food = FOOD[name]
    *others, longest = sorted(food["edges"])
    assert not piece_offsets(food["type"], food["mass"], (*others, longest + more))
    heavier = food["mass"] + 2 * MAX_MASS_DIFFERENCE_KG
    assert not piece_offsets(food["type"], heavier, tuple(food["edges"]))
    assert not piece_offsets("Mug", food["mass"], tuple(food["edges"]))


def test_assets_of_a_type_differ_by_more_than_instances_of_one_do():
    """Half of the tolerance, so that no object is as near to another asset as to its own."""
    everything = (*FOOD.values(), *DISHES.values(), *FRIDGES.values(), *FIXTURES.values())
    for first, other in permutations(everything, 2):
        if first["type"] == other["type"]:
            edges = zip(sorted(first["edges"]), sorted(other["edges"]), strict=True)
            assert max(abs(a - b) for a, b in edges) > MAX_EDGE_DIFFERENCE_METRES / 4


@pytest.mark.parametrize("name", FOOD)
def test_pieces_lie_within_the_whole(name: str):
    food = FOOD[name]
    heels = food["type"] == "Bread"
    assert len(food["pieces"]) - heels >= MIN_PIECES_BY_WHOLE[food["type"]]
    half = max(food["edges"]) * 0.75
    assert all(hypot(x, z) <= half for x, _, z, _ in food["pieces"])
    if food["type"] != "Apple":
        alongs = [z for _, _, z, _ in food["pieces"]]
        assert alongs[0] > 0.0 and all(after < before for before, after in pairwise(alongs))


@pytest.mark.parametrize("name", DISHES)
def test_areas_lie_within_the_dish_and_above_its_floor(name: str):
    dish = DISHES[name]
    geometry = dish_geometry(dish["type"], dish["mass"], tuple(dish["edges"]))
    assert geometry is not None
    assert 0.0 < geometry.height <= max(dish["edges"])
    assert 0.0 < geometry.depth < max(dish["edges"])
    for area in geometry.areas:
        assert max(area.size) <= max(dish["edges"]) + MAX_EDGE_DIFFERENCE_METRES
        assert hypot(area.x, area.z) < max(dish["edges"]) / 2


def test_the_wall_of_a_round_pot_is_a_little_beyond_its_areas_however_long_the_handles_are():
    areas = (DishArea(0.0, 0.0, (0.13, 0.18), 0.0), DishArea(0.0, 0.0, (0.13, 0.18), 90.0))
    assert 0.09 < radius_of_round_dish("Pot", 0.33, areas) < 0.1
    assert radius_of_round_dish("Pot", 0.25, areas) == radius_of_round_dish("Pot", 0.33, areas)
    assert radius_of_round_dish("Plate", 0.25, areas) < radius_of_round_dish("Plate", 0.33, areas)


def test_each_fridge_has_its_own_hinge_and_each_fixture_its_attach_point():
    for fridge in FRIDGES.values():
        assert door_hinge("Fridge", fridge["mass"], tuple(fridge["edges"])) == fridge["hinge"]
    for fixture in FIXTURES.values():
        found = attach_point(fixture["type"], fixture["mass"], tuple(fixture["edges"]))
        assert found is not None
        assert [*found[0], found[1]] == fixture["attach"]
        assert max(map(abs, found[0])) < max(fixture["edges"])
    assert door_hinge("Fridge", 0.0, (9.0, 9.0, 9.0)) is None
    assert attach_point("Toaster", 5.0, (9.0, 9.0, 9.0)) is None
