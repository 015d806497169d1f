"""A session's frames in TEACh's layout: which files there are, and what they show."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tatc.base.errors import OutputError
from tatc.home.actions import Action, Role, Verb
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.timeline import LiveSession, Timeline
from tatc.session.timeline.frame_files import check_frames, frame_name, write_frames
from tests.session.timeline.listening_session import listening_start

SIZE = 32


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


def pixels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path)).astype(int)


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
