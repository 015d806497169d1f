"""Into how many pieces things fall."""

import pytest

from tatc.sim.embedded.slicing import slice_count


@pytest.mark.parametrize(
    ("size", "count"),
    [
        ((0.266, 0.098, 0.266), 6),
        ((0.156, 0.082, 0.382), 7),
        ((0.136, 0.149, 0.266), 7),
        ((0.118, 0.148, 0.287), 9),
        ((0.140, 0.144, 0.345), 8),
        ((0.142, 0.160, 0.268), 5),
        ((0.182, 0.168, 0.220), 6),
    ],
)
def test_loaves_of_a_shape_fall_into_as_many_pieces(size: tuple[float, float, float], count: int):
    assert slice_count("Bread", size) == count


@pytest.mark.parametrize("kind", ["Apple", "Bread", "Lettuce", "Potato", "Tomato"])
@pytest.mark.parametrize("length", [0.01, 0.1, 1.0, 30.0])
def test_everything_falls_into_some(kind: str, length: float):
    assert 3 <= slice_count(kind, (0.1, 0.1, length)) <= 9
