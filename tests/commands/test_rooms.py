"""`tatc rooms`: what it prints, draws and refuses."""

import json
from pathlib import Path

import pytest
from typer.testing import Result

from tatc.commands.options.session_options import SelectionOptions
from tatc.home.state import RoomKind
from tatc.session.agents.session_setup import SessionSetup
from tatc.sim.rooms import generate_room, ithor_names, load_room, room_names
from tests.command_line import run_tatc


def _tatc(*words: str) -> Result:
    return run_tatc("rooms", *words)


def test_list_has_a_line_for_each_room() -> None:
    done = _tatc("list", "--json")
    rows = json.loads(done.stdout)
    assert (done.exit_code, done.stderr) == (0, "")
    assert [row["room"] for row in rows] == [*ithor_names(), *room_names()]
    assert [row["group"] for row in rows] == ["iTHOR"] * 120 + ["generated"] * 120
    for row in rows:
        room = load_room(row["room"])
        assert row["kind"] == room.kind.value
        assert row["objects"] == len(room.objects)
        assert row["floor_area"] == room.floor_area


def test_list_names_the_tasks_of_the_rooms_asked_for() -> None:
    names = [next(n for n in room_names() if load_room(n).kind is kind) for kind in RoomKind]
    done = _tatc("list", *names, "--with-tasks", "--json")
    rows = json.loads(done.stdout)
    assert [row["room"] for row in rows] == names
    for row in rows:
        assert ("Coffee" in row["tasks"]) is (row["kind"] == RoomKind.KITCHEN)
        assert "Put All X On Y" in row["tasks"]
    assert "did you mean 'kitchen-01'" in _tatc("list", "kitchen01").stderr


def test_list_is_a_table_for_people() -> None:
    done = _tatc("list")
    lines = done.stdout.splitlines()
    first, second = (i for i, line in enumerate(lines) if line.startswith(("iTHOR:", "generated:")))
    assert (first, second, len(lines)) == (0, 122, 122 + 2 + len(room_names()))
    for start, room in ((first, "FloorPlan1"), (second, "kitchen-01")):
        assert lines[start + 1].split() == ["room", "kind", "objects", "floor", "m2"]
        assert lines[start + 2].split()[:2] == [room, "Kitchen"]


@pytest.mark.parametrize("name", ["FloorPlan31", "floorplan 30", "FloorPlan99"])
def test_an_unknown_floor_plan_is_answered_with_the_nearest(name: str) -> None:
    done = _tatc("show", name)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1 and "did you mean 'FloorPlan30'?" in done.stderr


def test_show_draws_the_room_and_explains_its_letters() -> None:
    done = _tatc("show", "kitchen-01")
    assert done.exit_code == 0
    first, *lines = done.stdout.splitlines()
    room = load_room("kitchen-01")
    assert first.startswith("kitchen-01: ")
    assert f"{len(room.objects)} objects" in first
    borders = [i for i, line in enumerate(lines) if line.startswith("+--")]
    assert len(borders) == 2
    plan = lines[borders[0] + 1 : borders[1]]
    assert all(line[0] == line[-1] == "|" for line in plan)
    (fridge,) = [line for line in lines if line.endswith(" Fridge")]
    assert any(fridge[0] in line for line in plan)


def test_new_makes_a_room_that_can_be_shown(tmp_path: Path) -> None:
    file = tmp_path / "my-room.json"
    done = _tatc("new", "--kind", "living-room", "--seed", "7", "--out", str(file))
    assert (done.exit_code, done.stdout) == (0, f"{file}\n")
    assert load_room(file) == generate_room(RoomKind.LIVING_ROOM, 7)
    assert _tatc("show", str(file)).stdout.startswith("living-room-07: ")
    again = _tatc("new", "--kind", "kitchen", "--seed", "7", "--out", str(file))
    assert again.exit_code == 2
    assert load_room(file).kind is RoomKind.LIVING_ROOM


@pytest.mark.parametrize(
    ("groups", "rooms"),
    [
        ([], ()),  # which stands for the generated ones
        (["ithor"], ithor_names()),
        (["iTHOR", "generated"], (*ithor_names(), *room_names())),
    ],
)
def test_eval_takes_the_groups_that_are_named_after_rooms(
    groups: list[str], rooms: tuple[str, ...]
) -> None:
    chosen = SelectionOptions(games=groups, all_rooms=True)
    chosen.validate()
    options = chosen.eval_options(SessionSetup())
    assert (options.games, options.rooms) == ((), rooms)
