"""Floor maps keep games apart, come back as written, and name what is wrong."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatc.commands.rooms_import import import_games
from tatc.errors import MapFormatError, OutputError
from tatc.records import read_game
from tatc.sim.maps.files import FORMAT, read_map, write_map
from tatc.sim.maps.floor_map import (
    ALFRED,
    Content,
    FloorMap,
    Walk,
    import_walks,
)
from tatc.sim.maps.open_boxes import OpenBox
from tatc.sim.maps.traces import NOTHING, Piece, Rest, Traces

CELLS = st.frozensets(st.tuples(st.integers(-40, 40), st.integers(-40, 40)))
PLANS = st.dictionaries(st.text(), st.dictionaries(st.text(), CELLS))
FIRST, SECOND, THIRD = (1, -2), (2, -2), (3, -2)
WALKS = (
    Walk("FloorPlan1", "a", frozenset({FIRST, SECOND}), frozenset({THIRD})),
    Walk("FloorPlan1", "b", frozenset({SECOND})),
)


def seen(i: int) -> Traces:
    rest = Rest((0.1, 0.25, float(i)), (0.0, 90.0, 0.0))
    piece = Piece((0.0, 0.0, 0.5), (0.1, 0.1, 0.01), 0.0, (0.0, 0.0, 0.0))
    pieces = {f"Bread_{i}": {"BreadSliced_1": piece}}
    fridge = {"Fridge_1": OpenBox((0.07, 0.0, -0.3), (0.9, 1.8, 1.2))} if i else {}
    return Traces({"Table|1": (rest,)}, pieces, fridge)


def made() -> FloorMap:
    return import_walks("people", WALKS)


def test_cells_are_kept_by_plan_and_game() -> None:
    people = made()
    assert people.cells("FloorPlan1") == {(1, -2), (2, -2)}
    assert people.cells("FloorPlan2") == frozenset()
    assert people.without("a").cells("FloorPlan1") == {(2, -2)}
    assert people.without("b").cells("FloorPlan1") == {(1, -2), (2, -2)}


def test_what_the_walks_of_one_game_show_adds_up() -> None:
    parts = [Walk("FloorPlan1", "a", frozenset(), traces=seen(i)) for i in range(2)]
    shown = import_walks("people", parts).traces("FloorPlan1")
    assert [rest.at[2] for rest in shown.rests["Table|1"]] == [0.0, 1.0]
    assert set(shown.pieces) == {"Bread_0", "Bread_1"}


def test_what_was_refused_is_blocked_where_nobody_stood() -> None:
    people = made()
    assert people.blocked("FloorPlan1") == {THIRD}
    assert people.blocked("FloorPlan2") == frozenset()
    assert people.without("a").blocked("FloorPlan1") == frozenset()
    met = Walk("FloorPlan1", "c", frozenset(), frozenset({FIRST, SECOND}))
    three = import_walks("people", [*WALKS, met])
    assert three.blocked("FloorPlan1") == {THIRD}
    # What game a alone shows to be free is not known to a world that replays it.
    assert three.without("a").blocked("FloorPlan1") == {FIRST}


def test_what_a_game_shows_is_kept_from_itself() -> None:
    walks = [replace(walk, traces=seen(i)) for i, walk in enumerate(WALKS)]
    people = import_walks("people", walks)
    assert len(people.traces("FloorPlan1").rests["Table|1"]) == 2
    assert people.without("a").traces("FloorPlan1") == seen(1)
    assert people.without("b").traces("FloorPlan1") == seen(0)
    assert people.traces("FloorPlan2") == NOTHING
    assert people.hash != made().hash


def test_people_are_believed_rather_than_alfred() -> None:
    clone = Walk("FloorPlan1", f"{ALFRED}layout", frozenset({THIRD, (9, 9)}))
    both = import_walks("both", [*WALKS, clone])
    assert both.cells("FloorPlan1") == {FIRST, SECOND, THIRD, (9, 9)}
    assert both.blocked("FloorPlan1") == {THIRD}


@settings(max_examples=30)
@given(plans=PLANS, refused=PLANS, name=st.text(min_size=1))
def test_it_comes_back_as_written(
    tmp_path_factory: pytest.TempPathFactory, plans: Any, refused: Any, name: str
) -> None:
    path = tmp_path_factory.mktemp("map") / "people.map.json"
    shown = {"FloorPlan1": {"a": seen(0), "b": seen(1)}}
    people = FloorMap(name, Content(plans, refused, shown))
    write_map(people, path)
    again = read_map(path)
    assert (again.name, dict(again.content.plans)) == (name, plans)
    assert dict(again.content.refused) == refused
    assert again.content.shown == shown
    assert again.hash == people.hash


def test_the_hash_is_that_of_the_cells() -> None:
    people = made()
    assert people.without("a").hash == people.hash
    assert replace(people, name="other name").hash == people.hash
    assert import_walks("people", reversed(WALKS)).hash == people.hash
    assert import_walks("people", WALKS[:1]).hash != people.hash
    unrefused = FloorMap("people", Content(people.content.plans))
    assert unrefused.hash != people.hash


def test_it_is_not_replaced_without_force(tmp_path: Path) -> None:
    path = tmp_path / "people.map.json"
    write_map(made(), path)
    kept = path.read_bytes()
    with pytest.raises(OutputError, match="--force"):
        write_map(FloorMap("other", Content()), path)
    assert path.read_bytes() == kept
    write_map(FloorMap("other", Content()), path, force=True)
    assert read_map(path).name == "other"
    assert list(tmp_path.iterdir()) == [path]


def test_where_it_cannot_be_written_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no such folder"):
        write_map(made(), tmp_path / "no folder" / "people.map.json")
    assert list(tmp_path.iterdir()) == []


def shown(traces: Any) -> dict[str, Any]:
    return {"shown": {"FloorPlan1": {"a": traces}}}


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
        (shown([]), "shown.FloorPlan1.a"),
        (shown({"rests": {}}), "shown.FloorPlan1.a.pieces"),
        (shown({"rests": {"T": {}}, "pieces": {}}), "shown.FloorPlan1.a.rests.T"),
        (
            shown({"rests": {"T": [[0.0] * 5]}, "pieces": {}}),
            "shown.FloorPlan1.a.rests.T[0]",
        ),
        (
            shown({"rests": {}, "pieces": {"B": {"S_1": [float("nan")] * 10}}}),
            "shown.FloorPlan1.a.pieces.B.S_1",
        ),
        (
            shown({"rests": {}, "pieces": {}, "opened": []}),
            "shown.FloorPlan1.a.opened",
        ),
        (
            shown({"rests": {}, "pieces": {}, "opened": {"F": [1.0] * 5}}),
            "shown.FloorPlan1.a.opened.F",
        ),
        (
            shown({"rests": {}, "pieces": {}, "opened": {"F": [1.0] * 5 + [0.0]}}),
            "shown.FloorPlan1.a.opened.F",
        ),
        (
            shown({"rests": {}, "pieces": {}, "grounds": {"T": [10**400]}}),
            "shown.FloorPlan1.a.grounds.T",
        ),
        (
            shown({"rests": {}, "pieces": {}, "grounds": {"T": 0.4}}),
            "shown.FloorPlan1.a.grounds.T",
        ),
        (
            shown({"rests": {}, "pieces": {}, "grounds": {"T": [0.4, "low"]}}),
            "shown.FloorPlan1.a.grounds.T",
        ),
    ],
)
def test_a_fault_is_named(tmp_path: Path, damage: dict[str, Any], field: str) -> None:
    path = tmp_path / "people.map.json"
    path.write_text(json.dumps(GOOD))
    assert read_map(path).cells("FloorPlan1") == {(0, 1)}
    path.write_text(json.dumps(GOOD | damage))
    with pytest.raises(MapFormatError) as fault:
        read_map(path)
    assert str(fault.value).startswith(f"{path}: {field} ")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_map_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "people.map.json"
    path.write_bytes(content)
    with pytest.raises(MapFormatError, match="tatc rooms import"):
        read_map(path)
    with pytest.raises(MapFormatError):
        read_map(tmp_path / "none.json")


def test_import_from_recorded_games(sample_games: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "people.map.json"
    games = [str(path) for path in sample_games[:3]]
    import_games(out, games)
    people = read_map(out)
    assert people.name == "people"
    for game in map(read_game, sample_games[:3]):
        cells = people.content.plans[game.plan][game.game_id]
        start = game.scene.start.follower.pose
        assert (round(start.x * 4), round(start.z * 4)) in cells
        assert all(
            done.pose is None
            or done.role == 0
            or (round(-done.pose[1] * 4), round(done.pose[0] * 4)) in cells
            for done in game.interactions
        )
    assert any(people.traces(plan) for plan in people.content.plans)
    before = out.read_bytes()
    with pytest.raises(OutputError):
        import_games(out, games)
    assert out.read_bytes() == before
