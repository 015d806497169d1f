"""What single rays meet of single solids."""

from math import inf

import pytest

from tatc.home.camera.ray_intersection import intersect, prepare_solid
from tatc.home.camera.solids import Solid, SolidShape

MIN_COMPONENT = 1e-9  # a ray's way has no component that is zero
DISC_SIZES = {0: (0.02, 0.2, 0.2), 1: (0.2, 0.02, 0.2), 2: (0.2, 0.2, 0.02)}


@pytest.mark.parametrize("axis", DISC_SIZES)
def test_a_disc_is_a_little_less_broad_than_its_box_and_as_thick(axis: int):
    disc = prepare_solid(Solid((0.0, 0.0, 0.0), DISC_SIZES[axis], 0.0, SolidShape.DISC))
    path = [MIN_COMPONENT, MIN_COMPONENT, MIN_COMPONENT]
    path[axis] = 1.0

    def met(aside: float) -> float:
        start = [0.0, 0.0, 0.0]
        start[axis], start[(axis + 1) % 3] = -1.0, aside
        return intersect(disc, (start[0], start[1], start[2]), (path[0], path[1], path[2]))

    assert met(0.097) == pytest.approx(0.99)  # as recorded clicks have it, not at 0.96
    assert met(0.099) == inf


def test_a_disc_nearly_as_thick_as_broad_stays_as_thick():
    disc = prepare_solid(Solid((0.0, 0.0, 0.0), (0.2, 0.198, 0.2), 0.0, SolidShape.DISC))
    assert disc.half == pytest.approx((0.099, 0.099, 0.099))
