"""Harmless faults of a start are mended and said once; others are refused."""

import json
import logging
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tatc.home.state import AgentState
from tatc.session.records import read_start
from tatc.session.records.episode_states import repair_agent, repair_objects
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.floorplan.navigable_cells import MIN_ROOM_CELLS
from tests.session.records.damaged_files import without_tatc_key

Json = dict[str, Any]
Spoil = Callable[[Json], object]
"""Puts one fault into an initial state."""


def _write(document: Json, path: Path, spoil: Spoil) -> Path:
    game = deepcopy(without_tatc_key(document))
    spoil(game["tasks"][0]["episodes"][0]["initial_state"])
    path.write_text(json.dumps(game))
    return path


def _mug(state: Json) -> Json:
    return next(o for o in state["objects"] if o["objectType"] == "Mug")


def _no_box(state: Json) -> None:
    del _mug(state)["axisAlignedBoundingBox"]


def _off(field: str, by: float) -> Spoil:
    def spoil(state: Json) -> None:
        *path, last = field.split(".")
        inside = state["agents"][1]
        for step in path:
            inside = inside[step]
        inside[last] += by

    return spoil


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_no_box, "axisAlignedBoundingBox is missing"),
        (lambda s: s["objects"].append(s["objects"][1]), "repeats an earlier entry"),
        (_off("position.x", 0.04), "agents[1].position is off the grid"),
        (_off("position.z", -0.1), "agents[1].position is off the grid"),
        (_off("rotation.y", 12.0), "agents[1].rotation.y is no quarter turn"),
        (_off("cameraHorizon", 7.0), "agents[1]'s horizon is no look"),
    ],
    ids=["no box", "twice", "x", "z", "yaw", "horizon"],
)
def test_a_harmless_fault_is_mended_and_said_once(
    spoil: Spoil,
    said: str,
    document: Json,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    good = read_start(_write(document, tmp_path / "good.game.json", lambda _: None))
    assert not caplog.messages
    bad = _write(document, tmp_path / "bad.game.json", spoil)
    with caplog.at_level(logging.WARNING):
        mended = read_start(bad)
        assert read_start(bad) == mended
    assert mended == good
    (message,) = caplog.messages
    assert str(bad) in message
    assert said in message


def _in_the_counter(state: Json) -> None:
    state["agents"][1]["position"].update(x=0.0, z=-1.5)


def _beyond_the_wall(state: Json) -> None:
    _mug(state)["position"]["x"] += 9.0
    del _mug(state)["objectOrientedBoundingBox"]
    _mug(state)["axisAlignedBoundingBox"]["center"]["x"] += 9.0


@pytest.mark.parametrize("spoil", [_in_the_counter, _beyond_the_wall])
def test_a_strange_start_is_lived_with(spoil: Spoil, document: Json, tmp_path: Path) -> None:
    world = EmbeddedSimulator()
    path = _write(document, tmp_path / "strange.game.json", spoil)
    world.reset(read_start(path).scene)
    assert len(world.reachable()) >= MIN_ROOM_CELLS


def _entry(x: object = 0.1, y: object = 0.1, z: object = 0.1, **more: Any) -> Json:
    box = {"center": {"x": 1, "y": 2, "z": 3}, "size": {"x": x, "y": y, "z": z}}
    return {"objectId": "Mug|1", "axisAlignedBoundingBox": box} | more


def _sides(entry: Any) -> list[object]:
    return list(entry["axisAlignedBoundingBox"]["size"].values())


@pytest.mark.parametrize(
    ("sides", "repaired"),
    [
        ((0.0009, 0.0, 0.2), [0.01, 0.01, 0.2]),
        ((0.2, 0.0, 0.00099), [0.2, 0.01, 0.01]),
        ((0, 0, 0), [0.01, 0.01, 0.01]),
        ((0.0, 0.001, 0.2), None),
        ((0.0, -0.1, 0.2), None),
        ((0.0, 0.0, -0.1), [0.01, 0.01, -0.1]),  # which the reader refuses
        ((0.0, 0.0, None), None),
        ((0.0, 0.0, True), None),
        ((0.0, 0.0, "0.2"), None),
    ],
)
def test_two_sides_below_a_millimetre_are_widened(
    sides: tuple[Any, ...], repaired: list[object] | None
) -> None:
    given = _entry(*sides)
    [entry], notes = repair_objects([given])  # type: ignore[misc]
    assert _sides(entry) == (list(sides) if repaired is None else repaired)
    said = ["objects[0].axisAlignedBoundingBox.size is nothing, is 1 cm"]
    assert notes == ([] if repaired is None else said)
    assert _sides(given) == list(sides), "what was read is not changed"


def test_an_entry_is_skipped_only_if_it_repeats_the_first_of_its_id_word_for_word() -> None:
    one, other = _entry(), _entry(name="other")
    unnamed = {"axisAlignedBoundingBox": {}}
    given = [one, other, dict(one), dict(other), unnamed, dict(unnamed), 3, 3]
    kept, notes = repair_objects(given)
    assert kept == [one, other, other, unnamed, unnamed, 3, 3]
    assert notes == ["objects[2] repeats an earlier entry and is skipped"]
    for strange in (None, {}, "objects"):
        assert repair_objects(strange) == (strange, [])


def test_a_missing_box_is_that_around_the_corners() -> None:
    corners = [[x, y, z] for x in (1.0, 1.5) for y in (0.0, 2.0) for z in (-3.0, -2.0)]
    lacking = _entry(objectOrientedBoundingBox={"cornerPoints": corners})
    del lacking["axisAlignedBoundingBox"]
    [entry], notes = repair_objects([lacking])  # type: ignore[misc]
    assert entry["axisAlignedBoundingBox"] == {
        "center": {"x": 1.25, "y": 1.0, "z": -2.5},
        "size": {"x": 0.5, "y": 2.0, "z": 1.0},
    }
    made = "axisAlignedBoundingBox is missing, is made from objectOrientedBoundingBox"
    assert notes == [f"objects[0].{made}"]
    for unsound in (None, 3, {}, {"cornerPoints": corners[:7]}, {"cornerPoints": "eight"}):
        bad = lacking | {"objectOrientedBoundingBox": unsound}
        assert repair_objects([bad]) == ([bad], [])


@pytest.mark.parametrize("turns", [-1, 0, 1, 3])
@pytest.mark.parametrize("look", [-1, 0, 2])
def test_an_agent_is_put_on_the_nearest_place_yaw_and_look(turns: int, look: int) -> None:
    near = AgentState((1.25, 0.9, -0.5), turns * 90.0 % 360, look * 30.0)
    assert repair_agent(near, "agents[1]") == (near, [])
    for sign in (-1, 1):
        position = (1.25 + sign * 0.12, 0.9, -0.5 - sign * 0.12)
        off = AgentState(position, near.yaw + sign * 44, near.horizon - sign * 14)
        assert repair_agent(off, "agents[1]") == (
            near,
            [
                "agents[1].position is off the grid, is put on it",
                "agents[1].rotation.y is no quarter turn, is made one",
                "agents[1]'s horizon is no look of 30 degrees, is made one",
            ],
        )
    only_z = AgentState((1.25, 0.9, -0.4), near.yaw, near.horizon)
    assert repair_agent(only_z, "me") == (
        near,
        ["me.position is off the grid, is put on it"],
    )
