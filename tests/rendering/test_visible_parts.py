"""Where an object shows, the same with and without numba."""

from itertools import product

import numpy as np
import pytest

from tatc.camera import visible_part as numpy_backend
from tatc.camera.geometry import Geometry
from tatc.camera.rays import EYE_HEIGHT_METRES, Eye
from tatc.rooms import load_room, start_state


def test_both_ways_find_the_same_windows_pixels_and_depths() -> None:
    pytest.importorskip("numba", reason="needs the extra: fast")
    from tatc.rendering import numba_backend

    start = start_state(load_room("kitchen-01"), 1).start
    geometry, shown = Geometry(start.objects), 0
    x, y, z = start.follower.position
    for k, (yaw, horizon) in enumerate(product((0.0, 90.0, 187.5, 270.0), (-30.0, 0.0, 60.0))):
        eye = Eye((x + 0.25 * (k % 3), y + EYE_HEIGHT_METRES, z), yaw, horizon)
        geometry.hide(k)  # the compiled way keeps a table, which has to follow each change
        for index in range(k % 2, len(geometry), 3):
            window = geometry.bounding_window(eye, index)
            assert numba_backend.bounding_window(geometry, eye, index) == window
            pixels = (
                np.arange(window.left, window.right, 5),
                np.arange(window.top, window.bottom, 5),
            )
            one = numpy_backend.visible_part(geometry, eye, index, *pixels)
            other = numba_backend.visible_part(geometry, eye, index, *pixels)
            assert one.rows.tolist() == other.rows.tolist()
            assert one.columns.tolist() == other.columns.tolist()
            assert one.points(eye).tolist() == other.points(eye).tolist()
            shown += len(one.rows) > 0
    assert shown > 50
