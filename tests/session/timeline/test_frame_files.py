"""Images of a session: its frames in TEACh's layout, and what cameras see at a moment."""

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tatc.base.errors import OutputError
from tatc.home.actions import Action, Role, Verb
from tatc.home.camera.clicks import eye_of
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.timeline import LiveSession, Timeline
from tatc.session.timeline.frame_files import (
    camera_images,
    check_frames,
    frame_name,
    number_colours,
    write_frames,
)
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.sim.rooms import load_room
from tests.session.timeline.listening_session import listening_start

SIZE, CAMERA_SIZE = 32, 48


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    """Return a turn, a search and another turn."""
    live = LiveSession(listening_start(), SessionSetup())
    live.act_by_hand(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    live.act_by_hand(Role.COMMANDER, Action(Verb.SEARCH_OBJECT, text="Fridge"))
    live.act_by_hand(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    return live.timeline


@pytest.fixture(scope="module")
def folder(timeline: Timeline, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("frames")
    list(write_frames(timeline, "session", place, size=SIZE))
    return place / "session"


def image(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(data)))


def pixels(path: Path) -> np.ndarray:
    return image(path.read_bytes()).astype(int)


def times(timeline: Timeline) -> list[float | str]:
    done = [moment.interaction for moment in timeline.moments]
    return [*(each.time for each in done if each is not None), "end"]


def test_there_are_four_frames_for_each_time_and_the_end(timeline: Timeline, folder: Path):
    prefixes = ("driver.frame", "commander.frame", "targetobject.frame", "targetobject.mask")
    wanted = {f"{prefix}.{time}.jpeg" for prefix in prefixes for time in times(timeline)}
    assert {path.name for path in folder.iterdir()} == wanted
    assert frame_name(Role.FOLLOWER, "end") == "driver.frame.end.jpeg"


def test_the_view_changes_when_the_follower_turns_and_only_then(timeline: Timeline, folder: Path):
    first, second, third, last = (
        pixels(folder / frame_name(Role.FOLLOWER, time)) for time in times(timeline)
    )
    assert np.abs(first - second).mean() > 3 and np.abs(third - last).mean() > 3
    assert (second == third).all()


def test_target_frames_are_black_until_something_is_found(timeline: Timeline, folder: Path):
    masks = [pixels(folder / f"targetobject.mask.{time}.jpeg") for time in times(timeline)]
    assert masks[0].max() == masks[1].max() == 0
    assert masks[2].max() > 200 and masks[2].min() == 0
    assert (masks[2] == masks[3]).all()


def test_frames_that_exist_are_replaced_only_by_force(timeline: Timeline, tmp_path: Path):
    place = tmp_path / "session"
    place.mkdir()
    old = place / "driver.frame.99.5.jpeg"
    old.write_bytes(b"old")
    with pytest.raises(OutputError, match="frames already"):
        check_frames(tmp_path, "session", force=False)
    list(write_frames(timeline, "session", tmp_path, size=8, force=True))
    assert not old.exists() and (place / frame_name(Role.COMMANDER, "end")).exists()


def test_a_file_in_the_way_is_reported(tmp_path: Path):
    (tmp_path / "session").write_text("")
    with pytest.raises(OutputError, match="not a folder"):
        check_frames(tmp_path, "session", force=True)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    scene = listening_start().scene
    renderer, eyes = SnapshotRenderer(scene), {"eye": eye_of(scene.initial.follower)}
    return dict(camera_images(renderer, scene.initial, eyes, CAMERA_SIZE))


def test_each_camera_gives_four_images_and_the_room_a_map(files: dict[str, bytes]):
    kinds = {f"eye.{kind}.png" for kind in ("rgb", "instance", "class", "depth")}
    assert set(files) == {*kinds, "map.png", "colours.json"}
    assert image(files["eye.rgb.png"]).shape == (CAMERA_SIZE, CAMERA_SIZE, 3)
    assert len(np.unique(image(files["map.png"]).reshape(-1, 3), axis=0)) > 10


@pytest.mark.parametrize("kind", ["instance", "class"])
def test_each_colour_but_black_is_in_the_legend(files: dict[str, bytes], kind: str):
    legend = json.loads(files["colours.json"])[kind]
    seen = np.unique(image(files[f"eye.{kind}.png"]).reshape(-1, 3), axis=0)
    colours = {"#{:02x}{:02x}{:02x}".format(*colour) for colour in seen.tolist()} - {"#000000"}
    assert colours and colours <= set(legend)
    assert len(legend) == len(set(legend))


def test_depth_is_in_millimetres_and_within_the_room(files: dict[str, bytes]):
    depth = image(files["eye.depth.png"])
    x0, z0, x1, z1 = load_room("kitchen-01").walls
    diagonal = 1000 * ((x1 - x0) ** 2 + (z1 - z0) ** 2 + 9) ** 0.5
    assert depth.dtype == np.uint16 and 100 < depth[depth > 0].min() <= depth.max() < diagonal


def test_numbers_have_distinct_colours_and_none_is_black():
    colours = number_colours(np.arange(-1, 5000, dtype=np.int32))
    assert colours[0].tolist() == [0, 0, 0]
    assert len(np.unique(colours, axis=0)) == len(colours)
