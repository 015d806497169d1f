"""What a view shows of each object, the same with and without numba."""

import numpy as np
import pytest

from tatc.home.camera.rays import Eye, Rays
from tatc.home.camera.views import TracedView
from tatc.home.camera.visible_parts import bounds_hit_with_numpy, count_pixels_with_numpy

IDS = np.array([[2, 2, -1], [0, 2, 0], [-1, 0, 0]], dtype=np.int32)


def test_pixels_are_counted_and_the_first_of_each_object_is_found() -> None:
    counts, first = count_pixels_with_numpy(IDS.ravel(), 4)
    assert counts.tolist() == [4, 0, 3, 0]
    assert (first[0], first[2]) == (3, 0)


def test_both_ways_find_the_same_pixels_and_bounds() -> None:
    pytest.importorskip("numba", reason="needs the extra: fast")
    from tatc.home.camera import numba_frames

    rng = np.random.default_rng(3)
    pixels, size, position = np.arange(12), 12, (1.5, 0.9, -2.25)
    for yaw in (0.0, 90.0, 213.0):
        ids = rng.integers(-1, 3, (size, size)).astype(np.int32)
        one, other = (
            count_pixels_with_numpy(ids.ravel(), 5),
            numba_frames.count_pixels(ids.ravel(), 5),
        )
        shown = one[0] > 0
        assert one[0].tolist() == other[0].tolist()
        assert one[1][shown].tolist() == other[1][shown].tolist()
        x, y, z = Eye((0.0, 0.0, 0.0), yaw, 30.0).rays(pixels, pixels, size)
        lengths, depths = np.sqrt(x * x + y * y + z * z), rng.uniform(0.3, 6.0, (size, size))
        traced = TracedView(Eye(position, yaw, 30.0), ids, depths)
        with_numpy = bounds_hit_with_numpy(traced, Rays.from_directions((x, y, z)), lengths, 1)
        compiled = numba_frames.bounds_hit(ids, depths, lengths, x, y, z, position, 1)
        assert with_numpy.tolist() == compiled.tolist()
        assert (with_numpy[0] <= with_numpy[1]).all()
