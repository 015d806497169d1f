"""`tatc look` and `tatc run --frames`: what cameras see, as files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from typer.testing import Result

from tatc.session.records import read_record
from tatc.sim.rooms import format_room, load_room
from tests.command_line import run_tatc

PLANES = ("rgb", "instance", "class", "depth")
SIZE = "32"


def _run(*words: str) -> Result:
    return run_tatc(*words)


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
    done = _run("run", *words, *frames)
    assert done.exit_code == 0, done.output
    return folder


def test_a_room_is_drawn_by_all_cameras(tmp_path: Path) -> None:
    out = tmp_path / "new" / "frames"
    done = _run("look", "kitchen-01", "--out", str(out), "--size", SIZE)
    assert done.exit_code == 0, done.output
    names = {path.name for path in out.iterdir()}
    cameras = {f"{who}.{p}.png" for who in ("follower", "commander") for p in PLANES}
    assert names == cameras | {"map.png", "colours.json"}
    assert done.output.split() == [str(out / line.name) for line in _paths(done)]
    for name in cameras | {"map.png"}:
        assert _pixels(out / name).shape[:2] == (32, 32)


def _paths(done: Result) -> list[Path]:
    return [Path(line) for line in done.output.splitlines()]


def test_colours_name_the_objects_and_types_that_are_seen(tmp_path: Path) -> None:
    words = ("--pose", "0.5,0.5,180,20", "--out", str(tmp_path), "--size", SIZE)
    assert _run("look", "kitchen-01", *words).exit_code == 0
    meaning = json.loads((tmp_path / "colours.json").read_text())
    for plane in ("instance", "class"):
        seen = _pixels(tmp_path / f"follower.{plane}.png")
        codes = {"#" + bytes(c).hex() for c in seen.reshape(-1, 3).tolist()}
        assert len(codes) > 2
        assert codes - {"#000000"} <= set(meaning[plane])
    assert len(set(meaning["instance"].values())) == len(meaning["instance"])


def test_depth_is_in_millimetres(tmp_path: Path) -> None:
    words = ("look", "kitchen-01", "--out", str(tmp_path), "--size", SIZE)
    assert _run(*words).exit_code == 0
    depth = _pixels(tmp_path / "follower.depth.png")
    assert 200 < np.median(depth) < 6000


def test_a_step_of_a_record_is_drawn(session: Path, tmp_path: Path) -> None:
    record = str(session / "coffee.game.json")
    start, later = tmp_path / "a", tmp_path / "b"
    for out, step in ((start, "0"), (later, "12")):
        done = _run("look", record, "--step", step, "--out", str(out), "--size", SIZE)
        assert done.exit_code == 0, done.output
    seen = [(out / "follower.rgb.png").read_bytes() for out in (start, later)]
    assert seen[0] != seen[1]


def test_a_step_that_is_not_there_is_named(session: Path, tmp_path: Path) -> None:
    record = str(session / "coffee.game.json")
    done = _run("look", record, "--step", "9999", "--out", str(tmp_path))
    assert done.exit_code == 2
    assert "there is no step 9999 (name 0 to" in done.output


def test_a_pose_takes_the_followers_place(tmp_path: Path) -> None:
    views: list[bytes] = []
    for i, pose in enumerate(("0,0,0,0", "0,0,180,30")):
        out = tmp_path / str(i)
        words = ("--pose", pose, "--out", str(out), "--size", SIZE)
        assert _run("look", "kitchen-01", *words).exit_code == 0
        views.append((out / "follower.rgb.png").read_bytes())
    assert views[0] != views[1]
    done = _run("look", "kitchen-01", "--pose", "here", "--out", str(tmp_path))
    assert done.exit_code == 2
    assert "--pose 'here' is not four numbers" in done.output


def test_pictures_are_not_replaced_unasked(tmp_path: Path) -> None:
    words = ("look", "kitchen-01", "--out", str(tmp_path), "--size", SIZE)
    assert _run(*words).exit_code == 0
    assert _run(*words).exit_code == 2
    assert _run(*words, "--force").exit_code == 0


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
    done = _run(*words, "--frames", str(session / "images"), "--frame-size", SIZE)
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
    done = _run(*words, "--frames", str(tmp_path), "--frame-size", SIZE)
    assert done.exit_code == 0, done.output
    assert not old.exists() and kept.read_text() == "mine"
    assert len(list(old.parent.glob("driver.frame.*.jpeg"))) > 2


def test_a_room_of_a_file_is_looked_at_as_one_that_ships(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(format_room(load_room("kitchen-01")))
    for what, out in ((str(path), "file"), ("kitchen-01", "name")):
        done = _run("look", what, "--out", str(tmp_path / out), "--size", SIZE)
        assert done.exit_code == 0, done.output
    for picture in (tmp_path / "file").iterdir():
        assert picture.read_bytes() == (tmp_path / "name" / picture.name).read_bytes()
