"""`tatc look` and `tatc run --frames`: what cameras see, as files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tatc.session.records import read_record
from tatc.sim.rooms import format_room, load_room
from tests.command_line import run_tatc

PLANES = ("rgb", "instance", "class", "depth")
SIZE = "32"


def _pixels(path: Path) -> NDArray[Any]:
    with Image.open(path) as image:
        return np.array(image)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a record and its frames."""
    folder = tmp_path_factory.mktemp("session")
    record = str(folder / "coffee.game.json")
    words = ("--task", "coffee", "--save", record, "--quiet")
    frames = ("--frames", str(folder / "images"), "--frame-size", SIZE)
    done = run_tatc("run", *words, *frames)
    assert done.exit_code == 0, done.output
    return folder


def _look(what: str | Path, out: Path, *words: str) -> Path:
    """Draw a room, or a step of a record, into a folder and return it."""
    done = run_tatc("look", what, "--out", out, "--size", SIZE, *words)
    assert done.exit_code == 0, done.output
    assert done.output.split() == [str(out / Path(line).name) for line in done.output.splitlines()]
    return out


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the pictures of a room."""
    return _look("kitchen-01", tmp_path_factory.mktemp("drawn") / "new" / "frames")


def test_a_room_is_drawn_by_all_cameras(drawn: Path) -> None:
    names = {path.name for path in drawn.iterdir()}
    cameras = {f"{who}.{p}.png" for who in ("follower", "commander") for p in PLANES}
    assert names == cameras | {"map.png", "colours.json"}
    for name in cameras | {"map.png"}:
        assert _pixels(drawn / name).shape[:2] == (32, 32)
    depth = _pixels(drawn / "follower.depth.png")
    assert 200 < np.median(depth) < 6000, "it is in millimetres"


def test_colours_name_the_objects_and_types_that_are_seen(tmp_path: Path) -> None:
    _look("kitchen-01", tmp_path, "--pose", "0.5,0.5,180,20")
    meaning = json.loads((tmp_path / "colours.json").read_text())
    for plane in ("instance", "class"):
        seen = _pixels(tmp_path / f"follower.{plane}.png")
        codes = {"#" + bytes(c).hex() for c in seen.reshape(-1, 3).tolist()}
        assert len(codes) > 2
        assert codes - {"#000000"} <= set(meaning[plane])
    assert len(set(meaning["instance"].values())) == len(meaning["instance"])


def test_a_step_of_a_record_is_drawn(session: Path, tmp_path: Path) -> None:
    record = session / "coffee.game.json"
    start, later = (_look(record, tmp_path / step, "--step", step) for step in ("0", "12"))
    name = "follower.rgb.png"
    assert (start / name).read_bytes() != (later / name).read_bytes()


def test_a_step_that_is_not_there_is_named(session: Path, tmp_path: Path) -> None:
    record = str(session / "coffee.game.json")
    done = run_tatc("look", record, "--step", "9999", "--out", str(tmp_path))
    assert done.exit_code == 2
    assert "there is no step 9999 (name 0 to" in done.output


def test_a_pose_takes_the_followers_place(tmp_path: Path) -> None:
    poses = ("0,0,0,0", "0,0,180,30")
    views = [_look("kitchen-01", tmp_path / pose, "--pose", pose) for pose in poses]
    one, other = ((view / "follower.rgb.png").read_bytes() for view in views)
    assert one != other


def test_pictures_are_not_replaced_unasked(tmp_path: Path) -> None:
    _look("kitchen-01", tmp_path)
    assert run_tatc("look", "kitchen-01", "--out", tmp_path, "--size", SIZE).exit_code == 2
    _look("kitchen-01", tmp_path, "--force")


def test_a_session_has_frames_before_each_interaction(session: Path) -> None:
    record = read_record(session / "coffee.game.json")
    folder = session / "images" / record.session_id
    times = [str(done.time) for done in record.interactions] + ["end"]
    kinds = ("driver.frame", "commander.frame", "targetobject.frame")
    wanted = {f"{k}.{t}.jpeg" for k in (*kinds, "targetobject.mask") for t in times}
    assert {path.name for path in folder.iterdir()} == wanted
    first, last = (folder / f"driver.frame.{t}.jpeg" for t in (times[0], "end"))
    assert first.read_bytes() != last.read_bytes()
    black = _pixels(folder / "targetobject.frame.0.1.jpeg")
    assert not black.any()


def test_frames_are_not_mixed_with_others(session: Path) -> None:
    words = ("run", "--task", "coffee", "--no-save", "--quiet")
    done = run_tatc(*words, "--frames", str(session / "images"), "--frame-size", SIZE)
    assert done.exit_code == 2
    assert "there are frames already" in done.output
    assert "Success" not in done.output, "it is said before the session is played"


def test_frames_are_replaced_when_it_is_asked_for(tmp_path: Path) -> None:
    old = tmp_path / "kitchen-01_coffee_1" / "driver.frame.99999.jpeg"
    old.parent.mkdir()
    old.write_bytes(b"old")
    kept = old.with_name("notes.txt")
    kept.write_text("mine")
    words = ("run", "--task", "coffee", "--no-save", "--quiet", "--force")
    done = run_tatc(*words, "--frames", str(tmp_path), "--frame-size", SIZE)
    assert done.exit_code == 0, done.output
    assert not old.exists() and kept.read_text() == "mine"
    assert len(list(old.parent.glob("driver.frame.*.jpeg"))) > 2


def test_a_room_of_a_file_is_looked_at_as_one_that_ships(drawn: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(format_room(load_room("kitchen-01")))
    for picture in _look(path, tmp_path / "file").iterdir():
        assert picture.read_bytes() == (drawn / picture.name).read_bytes()
