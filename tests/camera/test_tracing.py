"""What single rays meet of single solids."""

from math import inf

import pytest

from tatc.camera.recipes import Body
from tatc.camera.solid import Solid
from tatc.camera.tracing import PARED, meet, target_of

AWAY = 1e-9  # a ray's way has no component that is zero
SIZES = {0: (0.02, 0.2, 0.2), 1: (0.2, 0.02, 0.2), 2: (0.2, 0.2, 0.02)}


@pytest.mark.parametrize("axis", SIZES)
def test_a_disc_is_a_little_less_broad_than_its_box_and_as_thick(axis: int):
    disc = target_of(Solid((0.0, 0.0, 0.0), SIZES[axis], 0.0, Body.DISC))
    way = [AWAY, AWAY, AWAY]
    way[axis] = 1.0

    def met(aside: float) -> float:
        start = [0.0, 0.0, 0.0]
        start[axis], start[(axis + 1) % 3] = -1.0, aside
        return meet(disc, (start[0], start[1], start[2]), (way[0], way[1], way[2]))

    assert met(0.1 * PARED - 0.001) == pytest.approx(0.99)
    assert met(0.1 * PARED + 0.001) == inf


def test_a_disc_nearly_as_thick_as_broad_stays_as_thick():
    disc = target_of(Solid((0.0, 0.0, 0.0), (0.2, 0.198, 0.2), 0.0, Body.DISC))
    assert disc.half == pytest.approx((0.099, 0.099, 0.099))
