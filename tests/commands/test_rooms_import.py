"""`tatc rooms import`: rooms from the starts of games."""

import json
from pathlib import Path

import pytest

from tatc.session.records import read_game
from tatc.sim.rooms import load_room
from tests.command_line import run_tatc


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two sessions in one room; their starts differ."""
    folder = tmp_path_factory.mktemp("games")
    for seed in (1, 2):
        path = folder / f"{seed}.game.json"
        done = run_tatc(
            "run", "coffee", "--room", "kitchen-01", "--seed", seed, "--save", path, "--quiet"
        )
        assert done.exit_code == 0, done.stderr
    return folder


def test_the_room_is_the_start_of_the_first_game(sessions: Path, tmp_path: Path) -> None:
    done = run_tatc("rooms", "import", sessions, "--out", tmp_path / "rooms", "--json")
    assert done.exit_code == 0, done.stderr
    [about] = json.loads(done.stdout)
    path = tmp_path / "rooms" / "kitchen-01.json"
    assert (about["file"], about["games"]) == (str(path), 2)
    first, second = (read_game(path) for path in sorted(sessions.iterdir()))
    assert about["game"] == first.game_id
    room = load_room(path)
    assert room.games == (first.game_id, second.game_id)
    start = first.scene.initial
    assert [obj.objectId for obj in room.objects] == [obj.objectId for obj in start.objects]
    for obj in room.objects:
        recorded = start.get(obj.objectId)
        assert recorded is not None
        assert (obj.position, obj.box, obj.isOpen) == (
            recorded.position,
            recorded.box,
            recorded.isOpen,
        )
    stood = [second.scene.initial.follower.position, first.scene.initial.follower.position]
    assert {(round(x * 4), round(z * 4)) for x, _, z in stood} <= set(room.cells)


def test_an_imported_room_is_a_room_like_others(sessions: Path, tmp_path: Path) -> None:
    made = run_tatc("rooms", "import", sessions, "--out", tmp_path)
    path = made.stdout.strip()
    assert "games: 2" in made.stderr
    shown = run_tatc("rooms", "show", path)
    assert shown.exit_code == 0 and shown.stdout.startswith("kitchen-01: ")
    ran = run_tatc("run", "coffee", "--room", path, "--no-save", "--json")
    assert ran.exit_code == 0, ran.stderr


def test_a_file_that_is_there_is_kept(sessions: Path, tmp_path: Path) -> None:
    path = tmp_path / "kitchen-01.json"
    path.write_text("mine")
    refused = run_tatc("rooms", "import", sessions, "--out", tmp_path)
    assert refused.exit_code == 2 and "give --force" in refused.stderr
    assert path.read_text() == "mine"
    assert run_tatc("rooms", "import", sessions, "--out", tmp_path, "--force").exit_code == 0
    assert load_room(path).objects


def test_what_is_no_game_is_passed_over(sessions: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.game.json"
    bad.write_text("[]")
    done = run_tatc("rooms", "import", sessions, bad, "--out", tmp_path)
    assert done.exit_code == 1 and "bad.game.json" in done.stderr
    assert (tmp_path / "kitchen-01.json").exists()
    alone = run_tatc("rooms", "import", bad, "--out", tmp_path)
    assert alone.exit_code == 2 and "none of these is a game" in alone.stderr


def test_without_a_folder_the_room_is_one_of_the_users(
    sessions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    done = run_tatc("rooms", "import", sessions)
    assert done.stdout == f"{tmp_path}/tatc/rooms/kitchen-01.json\n"


def test_each_floor_plan_gives_one_room(sample_games: list[Path], tmp_path: Path) -> None:
    games = [path for path in sample_games if read_game(path).floor_plan == "FloorPlan1"]
    other = next(path for path in sample_games if read_game(path).floor_plan == "FloorPlan2")
    done = run_tatc("rooms", "import", *games[:2], other, "--out", tmp_path, "--json")
    assert done.exit_code == 0, done.stderr
    assert {row["room"]: row["games"] for row in json.loads(done.stdout)} == {
        "FloorPlan1": 2,
        "FloorPlan2": 1,
    }
    room, start = load_room(tmp_path / "FloorPlan1.json"), read_game(games[0]).scene.initial
    flags = ("isOpen", "isToggled", "isDirty", "isFilledWithLiquid", "isPickedUp", "isSliced")
    assert len(room.objects) == len(start.objects)
    for obj in start.objects:
        kept = next(each for each in room.objects if each.objectId == obj.objectId)
        assert (kept.position, kept.name) == (obj.position, obj.name)
        assert [getattr(kept, flag) for flag in flags] == [getattr(obj, flag) for flag in flags]
