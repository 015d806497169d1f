"""Arguments from Python and from clients: numbers within bounds, and one value for several."""

from math import inf, nan
from pathlib import Path

import pytest

from tatc.base.arguments import check_number_from, check_seed, check_share, several
from tatc.base.errors import BadInput


def test_seeds_are_whole_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    for given_seed in (7, 7.0, numpy.int64(7), numpy.uint8(7), numpy.float32(7)):
        seed = check_seed(given_seed)
        assert (seed, type(seed)) == (7, int)
    odd = (1.5, True, numpy.bool_(True), "", "7", None, [7], inf, nan, 2**64, 10**5000)
    for given_seed in odd:
        with pytest.raises(BadInput, match="seed: should be a whole number of at most 64 bits"):
            check_seed(given_seed)


def test_numbers_and_shares_have_bounds() -> None:
    assert [check_number_from(1, high, 3, "n") for high in (3, None)] == [3, 3]
    for high, given, why in (
        (3, 4, "n: should be from 1 to 3, is 4"),
        (3, 0, "n: should be from 1 to 3, is 0"),
        (None, 0, "n: should be 1 or more, is 0"),
    ):
        with pytest.raises(BadInput, match=why):
            check_number_from(1, high, given, "n")
    assert [check_share(given, "p") for given in (0, 0.5, 1)] == [0.0, 0.5, 1.0]
    for given in (-0.1, 1.1, nan, True, "0.5", None):
        with pytest.raises(BadInput, match="p: should be a number from 0 to 1, is "):
            check_share(given, "p")


def test_one_text_where_several_are_expected_is_one() -> None:
    path = Path("a")
    assert several("coffee") == ("coffee",) and several(path) == (path,) and several(3) == (3,)
    assert several(["a", "b"]) == several(iter("ab")) == ("a", "b")
