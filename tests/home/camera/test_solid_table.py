"""The solids of a geometry as arrays: those of a copy are its own."""

import numpy as np
import pytest

from tatc.home.camera.geometry import Geometry
from tatc.sim.rooms import load_room, start_state

pytest.importorskip("numba", reason="needs the extra: fast")

PARTS = ("solids", "low", "high", "ranks", "rows", "owners")


def test_the_arrays_of_a_copy_are_those_of_what_it_shows():
    from tatc.home.camera.numba_solids import solid_table

    objects = start_state(load_room("kitchen-02"), 3).initial.objects
    before = solid_table(Geometry.of_room(objects))
    changed, anew = Geometry.of_room(objects), Geometry(objects)
    i = next(i for i, o in enumerate(objects) if o.objectType == "Mug" and anew.visible_rows_of(i))
    moved = objects[i].with_values(box=objects[i].box.translate(0.1, 0.2, 0.3))
    for geometry in (changed, anew):
        geometry.update(i, moved)
    copied, made, other = map(solid_table, (changed, anew, Geometry.of_room(objects)))
    for name in PARTS:
        np.testing.assert_array_equal(getattr(copied, name), getattr(made, name))
        np.testing.assert_array_equal(getattr(before, name), getattr(other, name))
    assert (copied.low != before.low).any()
