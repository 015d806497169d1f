"""What cameras see at a moment, as PNG files with a legend of their colours."""

import json
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from tatc.home.camera.clicks import eye_of
from tatc.home.state import Scene
from tatc.session.timeline.frame_files import camera_images, number_colours
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.sim.rooms import load_room
from tests.session.timeline.listening_session import listening_start

SIZE = 48


@pytest.fixture(scope="module")
def scene() -> Scene:
    return listening_start().scene


@pytest.fixture(scope="module")
def files(scene: Scene) -> dict[str, bytes]:
    renderer, eyes = SnapshotRenderer(scene), {"eye": eye_of(scene.initial.follower)}
    return {each.name: each.data for each in camera_images(renderer, scene.initial, eyes, SIZE)}


def pixels(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(data)))


def test_each_camera_gives_four_images_and_the_room_a_map(files: dict[str, bytes]):
    kinds = {f"eye.{kind}.png" for kind in ("rgb", "instance", "class", "depth")}
    assert set(files) == {*kinds, "map.png", "colours.json"}
    assert pixels(files["eye.rgb.png"]).shape == (SIZE, SIZE, 3)
    assert len(np.unique(pixels(files["map.png"]).reshape(-1, 3), axis=0)) > 10


@pytest.mark.parametrize("kind", ["instance", "class"])
def test_each_colour_but_black_is_in_the_legend(files: dict[str, bytes], kind: str):
    legend = json.loads(files["colours.json"])[kind]
    seen = np.unique(pixels(files[f"eye.{kind}.png"]).reshape(-1, 3), axis=0)
    colours = {"#{:02x}{:02x}{:02x}".format(*colour) for colour in seen.tolist()} - {"#000000"}
    assert colours and colours <= set(legend)
    assert len(legend) == len(set(legend))


def test_depth_is_in_millimetres_and_within_the_room(files: dict[str, bytes]):
    depth = pixels(files["eye.depth.png"])
    x0, z0, x1, z1 = load_room("kitchen-01").walls
    diagonal = 1000 * ((x1 - x0) ** 2 + (z1 - z0) ** 2 + 9) ** 0.5
    assert depth.dtype == np.uint16 and 100 < depth[depth > 0].min() <= depth.max() < diagonal


def test_numbers_have_distinct_colours_and_none_is_black():
    colours = number_colours(np.arange(-1, 5000, dtype=np.int32))
    assert colours[0].tolist() == [0, 0, 0]
    assert len(np.unique(colours, axis=0)) == len(colours)
