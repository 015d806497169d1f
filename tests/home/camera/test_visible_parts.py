"""Where an object shows, the same with and without numba."""

import subprocess
import sys
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tatc.home.camera import object_pixels
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import FRAME_PIXELS, Eye, Rays
from tatc.home.camera.traced_views import bounds_hit_with_numpy, number_pixels_with_numpy
from tatc.home.camera.views import TracedView
from tatc.home.camera.visible_parts import hidden_views, whole_visible_part
from tatc.sim.rooms import load_room
from tests.object_factory import PORTABLE, make_object


def test_what_hides_an_object_hides_it_alone() -> None:
    mug, box, table = _MUG, _BOX, make_object("Table", (0, 0.2, 1), (1.0, 0.2, 1.0))
    geometry = Geometry([mug, table, box])
    columns = rows = np.arange(FRAME_PIXELS)
    part = object_pixels.visible_part(geometry, _EYE, 0, columns, rows)
    assert not len(part.rows)
    assert [geometry.owners[row] for row in part.hiders] == [2]


def test_hidden_object_is_looked_for_again_once_what_hides_it_has_moved() -> None:
    lamp = make_object("Vase", (1, 0.9, 1), (0.1, 0.3, 0.1), affordances=PORTABLE)
    geometry = Geometry([_MUG, lamp, _BOX])
    assert whole_visible_part(geometry, _EYE, 0) is None
    geometry.update(1, replace(lamp, box=lamp.box.translate(0.2, 0.0, 0.0)))
    assert hidden_views(geometry).find(geometry, _EYE, 0)
    geometry.update(2, _BOX)
    assert hidden_views(geometry).find(geometry, _EYE, 0)
    geometry.update(2, replace(_BOX, box=_BOX.box.translate(0.5, 0.0, 0.0)))
    assert not hidden_views(geometry).find(geometry, _EYE, 0)
    assert whole_visible_part(geometry, _EYE, 0) is not None


def test_hidden_object_is_looked_for_again_once_it_has_moved_or_its_hider_is_gone() -> None:
    geometry = Geometry([_MUG, _BOX])
    assert whole_visible_part(geometry, _EYE, 0) is None
    geometry.update(0, replace(_MUG, box=_MUG.box.translate(0.5, 0.0, 0.0)))
    assert whole_visible_part(geometry, _EYE, 0) is not None
    geometry.update(0, _MUG)
    assert whole_visible_part(geometry, _EYE, 0) is None
    geometry.hide(1)
    assert whole_visible_part(geometry, _EYE, 0) is not None


_EYE = Eye((0.0, 0.9, 0.0), 0.0, 0.0)
_MUG = make_object("Mug", (0, 0.9, 1), (0.1, 0.1, 0.1), affordances=PORTABLE)
_BOX = make_object("Box", (0, 0.9, 0.8), (0.3, 0.6, 0.1), affordances=PORTABLE)


LATTICE = np.arange(4, FRAME_PIXELS, 18)
IDS = np.array([[2, 2, -1], [0, 2, 0], [-1, 0, 0]], dtype=np.int32)


def test_objects_are_numbered_by_their_first_pixels_and_counted() -> None:
    pixels, shown, counts = number_pixels_with_numpy(IDS, 4, 1)
    assert pixels.tolist() == [[0, 0, -1], [1, 0, 1], [-1, 1, 1]]
    assert (shown.tolist(), counts.tolist()) == ([2, 0], [3, 4])
    pixels, shown, _ = number_pixels_with_numpy(IDS, 4, 4)
    assert (pixels.max(), shown.tolist()) == (0, [0])


def test_both_ways_find_the_same_pixels_and_bounds() -> None:
    pytest.importorskip("numba", reason="needs the extra: fast")
    from tatc.home.camera import numba_frames

    rng = np.random.default_rng(3)
    pixels, size, position = np.arange(12), 12, (1.5, 0.9, -2.25)
    for yaw in (0.0, 90.0, 213.0):
        ids = rng.integers(-1, 3, (size, size)).astype(np.int32)
        for least in (1, 45, 200):
            one = number_pixels_with_numpy(ids, 5, least)
            other = numba_frames.number_pixels(ids, 5, least)
            assert [each.tolist() for each in one] == [each.tolist() for each in other]
        x, y, z = Eye((0.0, 0.0, 0.0), yaw, 30.0).rays(pixels, pixels, size)
        lengths, depths = np.sqrt(x * x + y * y + z * z), rng.uniform(0.3, 6.0, (size, size))
        traced = TracedView(Eye(position, yaw, 30.0), ids, depths)
        with_numpy = bounds_hit_with_numpy(traced, Rays.from_directions((x, y, z)), lengths, 1)
        compiled = numba_frames.bounds_hit(ids, depths, lengths, x, y, z, position, 1)
        assert with_numpy.tolist() == compiled.tolist()
        assert (with_numpy[0] <= with_numpy[1]).all()


def test_both_ways_find_the_same_part_and_window_of_every_object() -> None:
    pytest.importorskip("numba", reason="needs the extra: fast")
    from tatc.home.camera import numba_frames

    geometry, rng = Geometry(load_room("FloorPlan7").objects), Random(2)
    shown = hidden = 0
    for _ in range(16):
        place = rng.uniform(-2.5, 2.5), rng.uniform(0.6, 1.8), rng.uniform(-2.5, 2.5)
        eye = Eye(place, rng.choice((0.0, 90.0, 135.0)), rng.choice((-30.0, 0.0, 30.0, 60.0)))
        ids, _ = geometry.trace_object_pixels(eye, LATTICE, LATTICE)
        assert (numba_frames.trace_object_pixels(geometry, eye, LATTICE, LATTICE) == ids).all()
        for index in range(len(geometry)):
            window = geometry.bounding_window(eye, index)
            assert numba_frames.bounding_window(geometry, eye, index) == window
            columns = LATTICE[(LATTICE >= window.left) & (LATTICE < window.right)]
            rows = LATTICE[(LATTICE >= window.top) & (LATTICE < window.bottom)]
            one = object_pixels.visible_part(geometry, eye, index, columns, rows)
            other = numba_frames.visible_part(geometry, eye, index, columns, rows)
            assert one.points(eye).tolist() == other.points(eye).tolist()
            at = rows[other.rows], columns[other.columns]
            assert (one.rows.tolist(), one.columns.tolist()) == (
                other.rows.tolist(),
                other.columns.tolist(),
            )
            assert set(zip(*(each.tolist() for each in at), strict=True)) == {
                (LATTICE[i], LATTICE[j]) for i, j in zip(*np.nonzero(ids == index), strict=True)
            }
            others = [row for row in geometry.visible_rows if geometry.owners[row] != index]
            assert set(other.hiders) <= set(others)
            shown += len(one.rows) > 0
            hidden += bool(other.hiders) and not len(one.rows)
    assert shown > 100 and hidden > 20


def test_functions_that_the_same_lines_make_have_names_of_their_own() -> None:
    # numba keeps machine code between processes, which calls others by name and a count.
    pytest.importorskip("numba", reason="needs the extra: fast")
    code = """
from tatc.home.camera import numba_frames as frames, numba_solids as solids
from tatc.home.rendering import numba_backend as shading
formulas = solids._ON_NUMBERS.values()
tracers = frames._trace_box, frames._trace_rotated_box, frames._trace_cylinder
tracers += frames._trace_ellipsoid, frames._trace_disc
lighters = shading._light_clean_pixels, shading._light_dirty_pixels
scope = shading._run_texture.py_func.__globals__
textures = [each for name, each in scope.items() if "pattern_" in name]
for made in (formulas, tracers, lighters, textures):
    names = {getattr(each, "py_func", each).__qualname__ for each in made}
    assert len(names) == len(made) > 1, names
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_numba_is_loaded_only_after_many_views() -> None:
    pytest.importorskip("numba", reason="needs the extra: fast")
    code = """
import sys
from itertools import count
from tatc.home.camera import compiled_views
few, many = count(), count(4 * compiled_views.VIEWS_BEFORE_COMPILED - 1)
assert compiled_views.after_many(few) is None and compiled_views.after_many(many) is None
assert compiled_views.if_loaded() is None and "numba" not in sys.modules
assert compiled_views.after_many(many) is compiled_views.if_loaded() is not None
"""
    subprocess.run([sys.executable, "-c", code], check=True)
