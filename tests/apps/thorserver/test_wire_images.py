"""The images of an event: their kinds, layouts, colours and depths."""

import numpy as np
import pytest

from tatc.apps.thorserver.action_table import run_action
from tatc.apps.thorserver.events import EventMetadataWriter
from tatc.apps.thorserver.served_scenes import find_served_scene
from tatc.apps.thorserver.thor_action import ThorResult
from tatc.apps.thorserver.thor_world import FAR_PLANE_METRES, ThorWorld
from tatc.apps.thorserver.wire_images import draw_images, requested_views
from tatc.sim.embedded.snapshot_renderer import ImageKind

WIDTH, HEIGHT = 96, 64
EVERY_KIND = {
    "renderDepthImage": True,
    "renderInstanceSegmentation": True,
    "renderSemanticSegmentation": True,
}


@pytest.fixture
def world() -> ThorWorld:
    served = find_served_scene("kitchen-03")
    assert served is not None
    return ThorWorld(served, (WIDTH, HEIGHT))


def drawn(world: ThorWorld, **arguments: object):
    """Return the images by their names, each (rows, columns, 3), and the first agent's event."""
    metadata = EventMetadataWriter().event_metadata(world, "Pass", ThorResult(), 1)
    images = list(draw_images(world, requested_views(world, arguments), metadata))
    shaped = {
        each.part: np.frombuffer(each.data, np.uint8).reshape(HEIGHT, WIDTH, 3)[::-1]
        for each in images
    }
    return shaped, metadata["agents"][0]


def test_only_what_initialize_or_the_action_asks_for_is_drawn(world: ThorWorld):
    assert requested_views(world, {"renderImage": False}) == frozenset()
    assert requested_views(world, {}) == {ImageKind.RGB}
    assert requested_views(world, {"renderDepthImage": True}) == {ImageKind.RGB, ImageKind.DEPTH}
    assert run_action(world, "Initialize", {"renderObjectImage": True}).success
    assert requested_views(world, {}) == {ImageKind.RGB, ImageKind.IDS}
    assert drawn(world, renderImage=False)[0] == {}


def test_the_colours_of_instances_and_types_name_what_is_seen(world: ThorWorld):
    images, event = drawn(world, **EVERY_KIND)
    names = {tuple(each["color"]): each["name"] for each in event["colors"]}
    instances = {tuple(colour) for colour in images["image_ids"].reshape(-1, 3).tolist()}
    types = {tuple(colour) for colour in images["image_classes"].reshape(-1, 3).tolist()}
    assert names[0, 0, 0] == "StructureObject"
    seen = {names[colour] for colour in instances if colour != (0, 0, 0)}
    assert seen <= {obj.objectId for obj in world.state.objects}
    shown = {obj.objectType for obj in world.state.objects if obj.objectId in seen}
    assert {names[colour] for colour in types if colour != (0, 0, 0)} == shown
    for each in event["colorBounds"]:
        rows, columns = np.nonzero((images["image_ids"] == each["color"]).all(axis=-1))
        left, bottom, right, top = each["bounds"]
        assert (left, right) == (columns.min(), columns.max())
        assert (bottom, top) == (HEIGHT - rows.max(), HEIGHT - rows.min())


def test_depths_are_shares_of_the_distance_to_the_far_plane(world: ThorWorld):
    run_action(world, "LookDown", {"degrees": 60})
    image = drawn(world, **EVERY_KIND)[0]["image_depth"].astype(int)
    share = (image[..., 0] * 65536 + image[..., 1] * 256 + image[..., 2]) / 2**24
    point = run_action(world, "GetCoordinateFromRaycast", {"x": 0.5, "y": 0.5}).return_value
    camera = world.agent_camera().eye
    offset = np.subtract([point[axis] for axis in "xyz"], camera.position)
    ahead = float(offset @ camera.axes[0])
    assert share[HEIGHT // 2, WIDTH // 2] * FAR_PLANE_METRES == pytest.approx(ahead, rel=0.03)


def test_the_map_view_shows_the_room_from_above(world: ThorWorld):
    own = drawn(world)[0]["image"]
    assert run_action(world, "ToggleMapView", {}).success
    images, event = drawn(world, **EVERY_KIND)
    assert not np.array_equal(images["image"], own)
    floor = next(each for each in event["colors"] if each["name"] == "Floor")
    assert (images["image_classes"] == floor["color"]).all(axis=-1).any()
    properties = run_action(world, "GetMapViewCameraProperties", {}).return_value
    assert event["cameraOrthSize"] == pytest.approx(properties["orthographicSize"])
    assert run_action(world, "ToggleMapView", {}).success
    assert np.array_equal(drawn(world)[0]["image"], own)


def test_third_party_cameras_are_drawn_and_can_be_changed(world: ThorWorld):
    properties = run_action(world, "GetMapViewCameraProperties", {}).return_value
    assert run_action(world, "AddThirdPartyCamera", properties).success
    orthographic = drawn(world)[0]["image-thirdParty-camera"]
    assert run_action(world, "UpdateThirdPartyCamera", {"orthographic": False}).success
    assert world.cameras[0].orthographic_size is None
    assert not np.array_equal(drawn(world)[0]["image-thirdParty-camera"], orthographic)
    assert run_action(world, "UpdateThirdPartyCamera", {"rotation": 90}).success
    assert world.cameras[0].rotation == (90.0, 90.0, 0.0)
    refused = run_action(world, "UpdateThirdPartyCamera", {"thirdPartyCameraId": 1})
    assert "len(thirdPartyCameras)=1" in refused.error_message
