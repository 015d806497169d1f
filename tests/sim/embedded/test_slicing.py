"""What falls from the knife."""

from dataclasses import replace
from itertools import pairwise

import pytest

from tatc.sim.embedded.slicing import FALL, pieces_of
from tatc.state import Box, ObjectState, turned
from tests.sim.scenes import thing


@pytest.mark.parametrize(
    ("kind", "number"), [("Bread", 5), ("Lettuce", 7), ("Potato", 8), ("Tomato", 7)]
)
@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0])
def test_slices_stand_in_a_row_behind_the_thick_first_piece(
    kind: str, number: int, yaw: float
):
    size = (0.08, 0.09, 0.12)
    whole = thing(kind, (1, 0.9, 2), size, mass=0.4)
    box = Box(whole.box.center, size, yaw)
    whole = replace(whole, rotation=(0.0, yaw, 0.0), box=box)
    first, *others = pieces_of(whole)
    assert len(others) == number - 1
    assert len({piece.objectId for piece in (first, *others)}) == number
    ahead = turned(yaw)
    alongs = [_along(piece, whole, ahead) for piece in (first, *others)]
    assert alongs == sorted(alongs, reverse=True)
    assert alongs[0] == pytest.approx(0.03) and alongs[1] < 0
    assert first.box.size[2] == pytest.approx(0.06)
    for before, after in pairwise(others):
        assert after.box.size[0] < before.box.size[0]
    for piece in (first, *others):
        assert piece.box.bounds()[0][1] == pytest.approx(0.9 - FALL)
    assert sum(piece.mass for piece in (first, *others)) == pytest.approx(0.4)


def test_slices_do_not_meet():
    _, *slices = pieces_of(thing("Tomato", (0, 0, 0), (0.1, 0.1, 0.1)))
    for before, after in pairwise(slices):
        assert after.box.bounds()[1][2] < before.box.bounds()[0][2]


def test_longer_potatoes_and_lettuces_fall_into_more_pieces():
    potatoes = [thing("Potato", (0, 0, 0), (0.07, 0.07, z)) for z in (0.08, 0.1, 0.14)]
    assert [len(pieces_of(each)) for each in potatoes] == [6, 8, 9]
    slim = thing("Lettuce", (0, 0, 0), (0.13, 0.13, 0.24))
    assert len(pieces_of(slim)) == 8


def test_an_apple_falls_into_wedges_around_its_core():
    wedges = pieces_of(thing("Apple", (0, 0, 0), (0.1, 0.12, 0.1)))
    assert [piece.box.yaw for piece in wedges] == [0.0, 120.0, 240.0]
    middles = [piece.box.center for piece in wedges]
    assert sum(x for x, _, _ in middles) == pytest.approx(0.0, abs=1e-9)
    assert sum(z for _, _, z in middles) == pytest.approx(0.0, abs=1e-9)


def _along(piece: ObjectState, whole: ObjectState, ahead: tuple[float, float]) -> float:
    (x, _, z), (ox, _, oz) = piece.box.center, whole.box.center
    return (x - ox) * ahead[0] + (z - oz) * ahead[1]


def test_a_loafs_heel_is_no_slice():
    heel, first, *_ = pieces_of(thing("Bread", (0, 0, 0), (0.3, 0.1, 0.1)))
    assert (heel.objectType, first.objectType) == ("Bread", "BreadSliced")
    assert heel.objectId.endswith("|Bread_0")
    assert first.objectId.endswith("|BreadSliced_1")
    assert not heel.affordances.sliceable and not heel.affordances.cookable
    assert first.affordances.cookable


def test_an_egg_is_cracked():
    egg = thing("Egg", (0, 0.9, 0), (0.05, 0.06, 0.05))
    (cracked,) = pieces_of(egg)
    assert cracked.objectId == f"{egg.objectId}|EggCracked_0"
    assert cracked.objectType == "EggCracked" and cracked.affordances.cookable
    assert cracked.box.bounds()[0][1] == pytest.approx(0.9)


def test_cooked_food_gives_cooked_slices():
    raw = thing("Potato", (0, 0, 0), (0.08, 0.08, 0.08))
    done = thing("Potato", (0, 0, 0), (0.08, 0.08, 0.08), isCooked=True)
    assert not any(piece.isCooked for piece in pieces_of(raw))
    assert all(piece.isCooked for piece in pieces_of(done))
