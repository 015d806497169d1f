"""What falls from the knife."""

from itertools import pairwise

import pytest

from tatc.sim.embedded.slicing import pieces_of
from tests.sim.scenes import thing


@pytest.mark.parametrize(
    ("kind", "number"),
    [("Apple", 3), ("Bread", 7), ("Lettuce", 8), ("Potato", 8), ("Tomato", 7)],
)
def test_pieces_lie_in_a_row_and_make_up_the_whole(kind: str, number: int):
    whole = thing(kind, (1, 0.9, 2), (0.08, 0.09, 0.12), mass=0.4)
    pieces = pieces_of(whole)
    assert len(pieces) == number
    assert len({piece.objectId for piece in pieces}) == number
    low, high = whole.box.bounds()
    ends = [piece.box.bounds() for piece in pieces]
    assert ends[0][0][2] == pytest.approx(low[2])
    assert ends[-1][1][2] == pytest.approx(high[2])
    for before, after in pairwise(ends):
        assert before[1][2] == pytest.approx(after[0][2])
    assert sum(piece.mass for piece in pieces) == pytest.approx(0.4)
    assert pieces[0].box.size[2] == pytest.approx(0.06)


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
