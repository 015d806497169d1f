"""Frames: the same pixels by numpy and numba, and what a click on a pixel means."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tatc.home.actions import Click, Role
from tatc.home.camera.clicks import resolve_click
from tatc.home.camera.rays import Eye
from tatc.home.camera.room_bounds import front_yaw, room_bounds_of
from tatc.home.camera.views import ImageKind
from tatc.home.rendering.shader_inputs import all_materials, material_of_type
from tatc.home.rendering.textures import TEXTURES
from tatc.home.state import Scene
from tatc.session.records import read_start
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer, eye_of_role
from tatc.sim.rooms import load_room, start_state
from tests.object_factory import make_object, with_objects

ROOMS = ("kitchen-01", "living-room-02", "bedroom-03", "bathroom-04")
FRAME_SIZE_PIXELS = 90
ALL_IMAGE_KINDS = tuple(ImageKind)


def _scene(name: str) -> Scene:
    return start_state(load_room(name), 1)


def _eyes(scene: Scene) -> list[Eye]:
    follower = eye_of_role(Role.FOLLOWER, scene.initial)
    turned = [
        replace(follower, yaw=yaw, horizon=horizon)
        for yaw, horizon in ((0.0, 30.0), (90.0, 0.0), (180.0, 60.0), (217.3, 12.5))
    ]
    return [*turned, eye_of_role(Role.COMMANDER, scene.initial)]


def _assert_same_pixels(scene: Scene) -> None:
    fast, slow = SnapshotRenderer(scene, fast=True), SnapshotRenderer(scene)
    for eye in _eyes(scene):
        one = fast.draw(scene.initial, eye, FRAME_SIZE_PIXELS, ALL_IMAGE_KINDS)
        other = slow.draw(scene.initial, eye, FRAME_SIZE_PIXELS, ALL_IMAGE_KINDS)
        for plane in ("ids", "classes", "depth", "rgb"):
            assert np.array_equal(getattr(one, plane), getattr(other, plane)), plane


def test_numba_and_numpy_draw_the_same_pixels() -> None:
    pytest.importorskip("numba", reason="needs the extra: fast")
    for name in (*ROOMS, "FloorPlan422"):  # the last one lacks a corner
        _assert_same_pixels(_scene(name))


def test_they_draw_the_same_pixels_of_recorded_rooms(sample_games: list[Path]) -> None:
    pytest.importorskip("numba", reason="needs the extra: fast")
    for path in sample_games[:3]:
        _assert_same_pixels(read_start(path).scene)


def test_a_click_on_a_pixel_means_the_object_that_it_shows() -> None:
    scene = _scene("kitchen-01")
    sim = EmbeddedSimulator()
    snapshot = sim.reset(scene)
    eye = eye_of_role(Role.FOLLOWER, snapshot)
    geometry = SnapshotRenderer(scene)._world.geometry
    ids = SnapshotRenderer(scene).draw(snapshot, eye, 900, (ImageKind.IDS,)).ids
    assert ids is not None
    for row in range(5, 900, 89):
        for column in range(7, 900, 89):
            click = Click(column / 900, row / 900)
            hit = geometry.hit_at_click(eye, click)
            assert ids[row, column] == (-1 if hit is None else hit.index)
            if hit is not None:
                assert resolve_click(geometry, eye, click, lambda _: True) == hit.index


def test_what_was_not_asked_for_is_not_drawn() -> None:
    scene = _scene("bedroom-03")
    views = SnapshotRenderer(scene).draw(scene.initial, _eyes(scene)[0], 24, (ImageKind.DEPTH,))
    assert views.rgb is None and views.ids is None and views.classes is None
    assert views.depth is not None and views.depth.dtype == np.float32
    with pytest.raises(ValueError, match="ids was not drawn"):
        views.object_mask(0)


def test_masks_follow_ids_and_classes_and_a_wall_has_a_depth_and_no_object() -> None:
    scene = _scene("kitchen-01")
    views = SnapshotRenderer(scene).draw(
        scene.initial, _eyes(scene)[0], FRAME_SIZE_PIXELS, ALL_IMAGE_KINDS
    )
    assert views.ids is not None
    for kind in views.types:
        wanted = np.zeros((FRAME_SIZE_PIXELS, FRAME_SIZE_PIXELS), bool)
        for i, each in enumerate(scene.initial.objects):
            if each.objectType == kind:
                wanted |= views.object_mask(i)
        assert np.array_equal(views.classes == views.types.index(kind), wanted)
    for eye in _eyes(scene):
        views = SnapshotRenderer(scene).draw(scene.initial, eye, FRAME_SIZE_PIXELS, ALL_IMAGE_KINDS)
        assert views.ids is not None and views.depth is not None
        assert (views.ids == -1).any()
        assert np.isfinite(views.depth).all()


STATE_CHANGES = {
    "Mug": {"isDirty": True},
    "Pot": {"isFilledWithLiquid": True},
    "StoveBurner": {"isToggled": True},
    "Microwave": {"isToggled": True},
    "Potato": {"isCooked": True},
    "Faucet": {"isToggled": True},
    "FloorLamp": {"isToggled": True},
    "Television": {"isToggled": True},
}


@pytest.mark.parametrize("kind", STATE_CHANGES)
def test_a_state_can_be_seen_and_changes_no_outline(kind: str) -> None:
    floor = make_object("Floor", (0, -0.05, 0), (6, 0.1, 6))
    able = make_object(kind, (0, 1, 1)).affordances
    able = replace(able, canFillWithLiquid=True)
    plain = make_object(kind, (0, 0.9, 1), (0.3, 0.3, 0.3), affordances=able)
    plain = replace(plain, rotation=(0.0, 180.0, 0.0))
    other = replace(plain, **STATE_CHANGES[kind])
    scene = _scene("kitchen-01")
    before, after = (with_objects(scene.initial, [floor, one]) for one in (plain, other))
    renderer = SnapshotRenderer(Scene(scene.place, scene.kind, before))
    eye = Eye((0.1, 1.6, 0.3), 0.0, 45.0)
    one, another = (
        renderer.draw(each, eye, FRAME_SIZE_PIXELS, ALL_IMAGE_KINDS) for each in (before, after)
    )
    assert not np.array_equal(one.rgb, another.rgb)
    assert np.array_equal(one.ids, another.ids)


def test_one_renderer_follows_changes_as_a_new_one_would() -> None:
    scene = _scene("kitchen-01")
    first = next(o for o in scene.initial.objects if o.affordances.pickupable)
    objects = [replace(o, isPickedUp=True) if o is first else o for o in scene.initial.objects]
    held = with_objects(scene.initial, objects)
    eye = _eyes(scene)[2]
    renderer = SnapshotRenderer(scene)
    renderer.draw(scene.initial, eye, FRAME_SIZE_PIXELS, ALL_IMAGE_KINDS)
    for snapshot in (held, scene.initial):
        views = renderer.draw(snapshot, eye, FRAME_SIZE_PIXELS, ALL_IMAGE_KINDS)
        fresh = SnapshotRenderer(scene).draw(snapshot, eye, FRAME_SIZE_PIXELS, ALL_IMAGE_KINDS)
        assert np.array_equal(views.ids, fresh.ids)
        assert np.array_equal(views.rgb, fresh.rgb)


def test_the_map_shows_the_whole_floor() -> None:
    scene = _scene("living-room-02")
    rgb = SnapshotRenderer(scene).top_down(scene.initial, FRAME_SIZE_PIXELS)
    assert rgb.shape == (FRAME_SIZE_PIXELS, FRAME_SIZE_PIXELS, 3)
    assert len(np.unique(rgb.reshape(-1, 3), axis=0)) > 50


def test_every_look_has_a_pattern_and_every_pattern_a_look_and_types_have_their_own() -> None:
    used = {look.texture for look in all_materials().values()}
    assert used == set(range(len(TEXTURES)))
    kinds = {each.objectType for name in ROOMS for each in load_room(name).objects}
    other = material_of_type("Unicorn")
    assert sorted(k for k in kinds - {"Floor"} if material_of_type(k) is other) == []


@given(st.sampled_from([0.0, 90.0, 180.0, 270.0]), st.booleans())
@settings(max_examples=8, deadline=None)
def test_the_back_of_furniture_stands_at_the_wall(yaw: float, meant: bool) -> None:
    """Its own front counts unless the other side stands at a wall."""
    floor = make_object("Floor", (0, -0.05, 0), (6.28, 0.1, 6.28))
    fridge = make_object("Fridge", (0, 0.9, -2.65), (0.7, 1.8, 0.7))
    fridge = replace(fridge, rotation=(0.0, yaw if meant else 180.0, 0.0))
    assert front_yaw(fridge, room_bounds_of([floor, fridge])) % 360.0 == 0.0


@pytest.mark.parametrize(("fast", "is_flat"), [(False, False), (None, False), (None, True)])
def test_what_is_held_is_seen_and_in_no_clicks_way(fast: bool | None, is_flat: bool) -> None:
    scene = _scene("kitchen-01")
    first = next(o for o in scene.initial.objects if o.objectType == "Mug")
    held, gone = (
        with_objects(
            scene.initial,
            [replace(o, **{name: o is first}) for o in scene.initial.objects],
        )
        for name in ("isPickedUp", "isSliced")
    )
    renderer, eye = SnapshotRenderer(scene, fast=fast), eye_of_role(Role.FOLLOWER, held)
    if is_flat:
        renderer.flatten()
    with_it = renderer.draw(held, eye, FRAME_SIZE_PIXELS, ALL_IMAGE_KINDS)
    without = renderer.draw(gone, eye, FRAME_SIZE_PIXELS, ALL_IMAGE_KINDS)
    assert np.array_equal(with_it.ids, without.ids)
    assert np.array_equal(with_it.depth, without.depth)
    assert with_it.rgb is not None and without.rgb is not None
    rows, _ = np.nonzero((with_it.rgb != without.rgb).any(-1))
    assert rows.size and rows.min() > FRAME_SIZE_PIXELS / 2
