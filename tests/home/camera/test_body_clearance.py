"""What open doors leave to a body, step by step and all at once."""

import pytest

from tatc.home.actions import HEADING_STEPS, cell_of
from tatc.home.camera.body_clearance import door_blocking_step, steps_blocked_by_door
from tatc.home.camera.door_geometry import closed_box, open_object
from tatc.sim.rooms import load_room, start_state


@pytest.mark.parametrize("room", ["FloorPlan1", "bathroom-05"])
def test_the_steps_that_a_door_blocks_are_those_found_one_by_one(room: str) -> None:
    found = list[object]()
    for obj in start_state(load_room(room), 1).initial.objects:
        if (closed := closed_box(obj)) is not None:
            opened = open_object(obj, (0.0, 0.9, 0.0))
            x, z = cell_of(closed.center[0], closed.center[2])
            cells = [(x + i, z + j) for i in range(-9, 10) for j in range(-9, 10)]
            steps = [((i, j), (i + dx, j + dz)) for i, j in cells for dx, dz in HEADING_STEPS]
            each = sorted(s for s in steps if door_blocking_step(*s, [(opened, closed)]))
            assert steps_blocked_by_door(opened, closed) == each
            found += each
    assert found
