"""Floor maps keep games apart, come back as written, and name what is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatc.commands.rooms_import import import_games
from tatc.errors import MapFormatError, OutputError
from tatc.records import read_game
from tatc.sim.embedded.floor_map import FORMAT, FloorMap, import_cells
from tatc.state import Pose

CELLS = st.frozensets(st.tuples(st.integers(-40, 40), st.integers(-40, 40)))
PLANS = st.dictionaries(st.text(), st.dictionaries(st.text(), CELLS))
FIRST = Pose(0.25, -0.5, 90.0, 30.0)
SECOND = Pose(0.5, -0.5, 90.0, 30.0)


def made() -> FloorMap:
    return import_cells(
        "people",
        [("FloorPlan1", "a", [FIRST, SECOND, FIRST]), ("FloorPlan1", "b", [SECOND])],
    )


def test_cells_are_kept_by_plan_and_game() -> None:
    people = made()
    assert people.cells("FloorPlan1") == {(1, -2), (2, -2)}
    assert people.cells("FloorPlan2") == frozenset()
    assert people.without("a").cells("FloorPlan1") == {(2, -2)}
    assert people.without("b").cells("FloorPlan1") == {(1, -2), (2, -2)}


@settings(max_examples=30)
@given(plans=PLANS, name=st.text(min_size=1))
def test_it_comes_back_as_written(
    tmp_path_factory: pytest.TempPathFactory, plans: Any, name: str
) -> None:
    path = tmp_path_factory.mktemp("map") / "people.map.json"
    people = FloorMap(name, plans)
    people.write(path)
    again = FloorMap.read(path)
    assert (again.name, dict(again.plans)) == (name, plans)
    assert again.hash == people.hash


def test_the_hash_is_that_of_the_cells() -> None:
    people = made()
    assert people.without("a").hash == people.hash
    assert FloorMap("other name", people.plans).hash == people.hash
    swapped = import_cells(
        "people", [("FloorPlan1", "b", [SECOND]), ("FloorPlan1", "a", [SECOND, FIRST])]
    )
    assert swapped.hash == people.hash
    assert import_cells("people", [("FloorPlan1", "a", [FIRST])]).hash != people.hash


def test_it_is_not_replaced_without_force(tmp_path: Path) -> None:
    path = tmp_path / "people.map.json"
    made().write(path)
    kept = path.read_bytes()
    with pytest.raises(OutputError, match="--force"):
        FloorMap("other", {}).write(path)
    assert path.read_bytes() == kept
    FloorMap("other", {}).write(path, force=True)
    assert FloorMap.read(path).name == "other"
    assert list(tmp_path.iterdir()) == [path]


def test_where_it_cannot_be_written_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no such folder"):
        made().write(tmp_path / "no folder" / "people.map.json")
    assert list(tmp_path.iterdir()) == []


GOOD = {"format": FORMAT, "name": "m", "plans": {"FloorPlan1": {"a": [[0, 1]]}}}


@pytest.mark.parametrize(
    ("damage", "field"),
    [
        ({"format": "other"}, "format"),
        ({"name": ""}, "name"),
        ({"name": 3}, "name"),
        ({"plans": None}, "plans"),
        ({"plans": {"FloorPlan1": []}}, "plans.FloorPlan1"),
        ({"plans": {"FloorPlan1": {"a": {}}}}, "plans.FloorPlan1.a"),
        ({"plans": {"FloorPlan1": {"a": [[0]]}}}, "plans.FloorPlan1.a[0]"),
        ({"plans": {"FloorPlan1": {"a": [[0, 1], [0, 1.5]]}}}, "plans.FloorPlan1.a[1]"),
        ({"plans": {"FloorPlan1": {"a": [[0, True]]}}}, "plans.FloorPlan1.a[0]"),
        ({"plans": {"FloorPlan1": {"a": [[0, 99999]]}}}, "plans.FloorPlan1.a[0]"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, damage: dict[str, Any], field: str) -> None:
    path = tmp_path / "people.map.json"
    path.write_text(json.dumps(GOOD))
    assert FloorMap.read(path).cells("FloorPlan1") == {(0, 1)}
    path.write_text(json.dumps(GOOD | damage))
    with pytest.raises(MapFormatError) as fault:
        FloorMap.read(path)
    assert str(fault.value).startswith(f"{path}: {field} ")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_map_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "people.map.json"
    path.write_bytes(content)
    with pytest.raises(MapFormatError, match="tatc rooms import"):
        FloorMap.read(path)
    with pytest.raises(MapFormatError):
        FloorMap.read(tmp_path / "none.json")


def test_import_from_recorded_games(sample_games: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "people.map.json"
    games = [str(path) for path in sample_games[:3]]
    import_games(games, out)
    people = FloorMap.read(out)
    assert people.name == "people"
    for game in map(read_game, sample_games[:3]):
        cells = people.plans[game.plan][game.game_id]
        start = game.scene.start.follower.pose
        assert (round(start.x * 4), round(start.z * 4)) in cells
        assert all(
            done.pose is None
            or done.role == 0
            or (round(-done.pose[1] * 4), round(done.pose[0] * 4)) in cells
            for done in game.interactions
        )
    before = out.read_bytes()
    with pytest.raises(OutputError):
        import_games(games, out)
    assert out.read_bytes() == before
