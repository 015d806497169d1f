"""Recorded maps keep games apart, come back as written, and name what is wrong."""

import json
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tatc.base.errors import MapFormatError, OutputError
from tatc.commands.maps import build
from tatc.session.records import read_game
from tatc.sim.maps.map_archive import write_map
from tatc.sim.maps.recorded_evidence import (
    NO_EVIDENCE,
    OpenBox,
    RecordedEvidence,
    RestingPose,
    SlicePlacement,
)
from tatc.sim.maps.recorded_map import (
    ALFRED_PREFIX,
    GameEvidence,
    MapContent,
    RecordedMap,
    build_recorded_map,
    read_recorded_map,
)

CELLS = st.frozensets(st.tuples(st.integers(-40, 40), st.integers(-40, 40)))
PLANS = st.dictionaries(st.text(), st.dictionaries(st.text(), CELLS))
FIRST, SECOND, THIRD = (1, -2), (2, -2), (3, -2)
GAMES_EVIDENCE = (
    GameEvidence("FloorPlan1", "a", frozenset({FIRST, SECOND}), frozenset({THIRD})),
    GameEvidence("FloorPlan1", "b", frozenset({SECOND})),
)


def evidence_number(i: int) -> RecordedEvidence:
    rest = RestingPose((0.1, 0.25, float(i)), (0.0, 90.0, 0.0))
    piece = SlicePlacement((0.0, 0.0, 0.5), (0.1, 0.1, 0.01), 0.0, (0.0, 0.0, 0.0))
    pieces = {f"Bread_{i}": {"BreadSliced_1": piece}}
    fridge = {"Fridge_1": OpenBox((0.07, 0.0, -0.3), (0.9, 1.8, 1.2))} if i else {}
    return RecordedEvidence({"Table|1": (rest,)}, pieces, fridge)


def recorded_map_of_walks() -> RecordedMap:
    return build_recorded_map("people", GAMES_EVIDENCE)


def test_cells_are_kept_by_plan_and_game() -> None:
    people = recorded_map_of_walks()
    assert people.visited_cells("FloorPlan1") == {(1, -2), (2, -2)}
    assert people.visited_cells("FloorPlan2") == frozenset()
    assert people.without_games("a").visited_cells("FloorPlan1") == {(2, -2)}
    assert people.without_games("b").visited_cells("FloorPlan1") == {(1, -2), (2, -2)}


def test_what_the_walks_of_one_game_show_adds_up() -> None:
    parts = [
        GameEvidence("FloorPlan1", "a", frozenset(), evidence=evidence_number(i)) for i in range(2)
    ]
    shown = build_recorded_map("people", parts).evidence_for("FloorPlan1")
    assert [rest.offset[2] for rest in shown.resting_poses["Table|1"]] == [0.0, 1.0]
    assert set(shown.slices) == {"Bread_0", "Bread_1"}


def test_what_was_refused_is_blocked_where_nobody_stood() -> None:
    people = recorded_map_of_walks()
    assert people.blocked_cells("FloorPlan1") == {THIRD}
    assert people.blocked_cells("FloorPlan2") == frozenset()
    assert people.without_games("a").blocked_cells("FloorPlan1") == frozenset()
    met = GameEvidence("FloorPlan1", "c", frozenset(), frozenset({FIRST, SECOND}))
    three = build_recorded_map("people", [*GAMES_EVIDENCE, met])
    assert three.blocked_cells("FloorPlan1") == {THIRD}
    # What game a alone shows to be free is not known to a world that replays it.
    assert three.without_games("a").blocked_cells("FloorPlan1") == {FIRST}


def test_what_a_game_shows_is_kept_from_itself() -> None:
    walks = [replace(walk, evidence=evidence_number(i)) for i, walk in enumerate(GAMES_EVIDENCE)]
    people = build_recorded_map("people", walks)
    assert len(people.evidence_for("FloorPlan1").resting_poses["Table|1"]) == 2
    assert people.without_games("a").evidence_for("FloorPlan1") == evidence_number(1)
    assert people.without_games("b").evidence_for("FloorPlan1") == evidence_number(0)
    assert people.evidence_for("FloorPlan2") == NO_EVIDENCE
    assert people.hash != recorded_map_of_walks().hash


def test_people_are_believed_rather_than_alfred() -> None:
    clone = GameEvidence("FloorPlan1", f"{ALFRED_PREFIX}layout", frozenset({THIRD, (9, 9)}))
    both = build_recorded_map("both", [*GAMES_EVIDENCE, clone])
    assert both.visited_cells("FloorPlan1") == {FIRST, SECOND, THIRD, (9, 9)}
    assert both.blocked_cells("FloorPlan1") == {THIRD}


# The maps are large, so drawing and writing them is slow on a busy machine.
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans=PLANS, refused=PLANS, name=st.text(min_size=1))
def test_it_comes_back_as_written(
    tmp_path_factory: pytest.TempPathFactory, plans: Any, refused: Any, name: str
) -> None:
    path = tmp_path_factory.mktemp("map") / "people.map.json"
    shown = {"FloorPlan1": {"a": evidence_number(0), "b": evidence_number(1)}}
    people = RecordedMap(name, MapContent(plans, refused, shown))
    write_map(people, path)
    again = read_recorded_map(path)
    assert (again.name, dict(again.content.visited)) == (name, plans)
    assert dict(again.content.refused) == refused
    assert again.content.evidence == shown
    assert again.hash == people.hash


def test_the_hash_is_that_of_the_cells() -> None:
    people = recorded_map_of_walks()
    assert people.without_games("a").hash == people.hash
    assert replace(people, name="other name").hash == people.hash
    assert build_recorded_map("people", reversed(GAMES_EVIDENCE)).hash == people.hash
    assert build_recorded_map("people", GAMES_EVIDENCE[:1]).hash != people.hash
    unrefused = RecordedMap("people", MapContent(people.content.visited))
    assert unrefused.hash != people.hash


def test_it_is_not_replaced_without_force(tmp_path: Path) -> None:
    path = tmp_path / "people.map.json"
    write_map(recorded_map_of_walks(), path)
    kept = path.read_bytes()
    with pytest.raises(OutputError, match="--force"):
        write_map(RecordedMap("other", MapContent()), path)
    assert path.read_bytes() == kept
    write_map(RecordedMap("other", MapContent()), path, force=True)
    assert read_recorded_map(path).name == "other"
    assert list(tmp_path.iterdir()) == [path]


def test_where_it_cannot_be_written_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no such folder"):
        write_map(recorded_map_of_walks(), tmp_path / "no folder" / "people.map.json")
    assert list(tmp_path.iterdir()) == []


EMPTY: dict[str, Any] = {"rests": {}, "pieces": {}}


def with_evidence(traces: Any) -> dict[str, Any]:
    return {"shown": {"FloorPlan1": {"a": traces}}}


GOOD = {"format": "tatc-floor-map-1", "name": "m", "plans": {"FloorPlan1": {"a": [[0, 1]]}}}


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
        (with_evidence([]), "shown.FloorPlan1.a"),
        (with_evidence({"rests": {}}), "shown.FloorPlan1.a.pieces"),
        (with_evidence(EMPTY | {"rests": {"T": {}}}), "shown.FloorPlan1.a.rests.T"),
        (with_evidence(EMPTY | {"rests": {"T": [[0.0] * 5]}}), "shown.FloorPlan1.a.rests.T[0]"),
        (
            with_evidence(EMPTY | {"pieces": {"B": {"S": [nan] * 10}}}),
            "shown.FloorPlan1.a.pieces.B.S",
        ),
        (with_evidence(EMPTY | {"opened": []}), "shown.FloorPlan1.a.opened"),
        (with_evidence(EMPTY | {"opened": {"F": [1.0] * 5}}), "shown.FloorPlan1.a.opened.F"),
        (with_evidence(EMPTY | {"opened": {"F": [1.0] * 5 + [0]}}), "shown.FloorPlan1.a.opened.F"),
        (with_evidence(EMPTY | {"grounds": {"T": [10**400]}}), "shown.FloorPlan1.a.grounds.T"),
        (with_evidence(EMPTY | {"grounds": {"T": 0.4}}), "shown.FloorPlan1.a.grounds.T"),
        (with_evidence(EMPTY | {"grounds": {"T": [0.4, "low"]}}), "shown.FloorPlan1.a.grounds.T"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, damage: dict[str, Any], field: str) -> None:
    path = tmp_path / "people.map.json"
    path.write_text(json.dumps(GOOD))
    assert read_recorded_map(path).visited_cells("FloorPlan1") == {(0, 1)}
    path.write_text(json.dumps(GOOD | damage))
    with pytest.raises(MapFormatError) as fault:
        read_recorded_map(path)
    assert str(fault.value).startswith(f"{path}: {field} ")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_map_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "people.map.json"
    path.write_bytes(content)
    with pytest.raises(MapFormatError, match="tatc maps build"):
        read_recorded_map(path)
    with pytest.raises(MapFormatError):
        read_recorded_map(tmp_path / "none.json")


def test_a_map_from_recorded_games(sample_games: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "people.map.json"
    games = [str(path) for path in sample_games[:3]]
    build(out=out, games=games)
    people = read_recorded_map(out)
    assert people.name == "people"
    for game in map(read_game, sample_games[:3]):
        cells = people.content.visited[game.floor_plan][game.game_id]
        start = game.scene.initial.follower.pose
        assert (round(start.x * 4), round(start.z * 4)) in cells
        assert all(
            done.pose is None
            or done.role == 0
            or (round(-done.pose[1] * 4), round(done.pose[0] * 4)) in cells
            for done in game.interactions
        )
    assert any(people.evidence_for(plan) for plan in people.content.visited)
    before = out.read_bytes()
    with pytest.raises(OutputError):
        build(out=out, games=games)
    assert out.read_bytes() == before
