"""The solids of a geometry as arrays: those of a copy are its own."""

import numpy as np
import pytest

from tatc.home.camera.geometry import Geometry
from tatc.home.camera.ray_intersection import prepare_solid
from tatc.home.camera.scene_solids import SceneSolids, ShutInObjects
from tatc.sim.rooms import load_room, start_state

PARTS = ("solids", "low", "high", "ranks", "rows", "owners")


@pytest.mark.parametrize("room", ["kitchen-02", "FloorPlan7", "bathroom-05"])
def test_every_object_has_the_solids_of_its_own_start(room):
    for seed in (1, 2, 3):
        objects = start_state(load_room(room), seed).initial.objects
        geometry, cutter = Geometry(objects), SceneSolids(objects)
        shut_in = ShutInObjects(objects)
        for i, obj in enumerate(objects):
            rows = geometry.visible_rows_of(i)
            own = [] if shut_in.is_shut_in(i) else cutter.solids_of_object(i, obj)
            assert [geometry.prepared_solids[row] for row in rows] == [*map(prepare_solid, own)]
            assert all(geometry.owners[row] == i for row in rows)


def test_the_arrays_of_a_copy_are_those_of_what_it_shows():
    pytest.importorskip("numba", reason="needs the extra: fast")
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
