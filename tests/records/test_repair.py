"""Harmless faults of a start are mended and said once; others are refused."""

import json
import logging
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tatc.errors import GameFormatError
from tatc.records import GameStart, read_start
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.floorplan.connectivity import MIN_ROOM_CELLS
from tests.records.damaged_files import without_tatc_key

Spoil = Callable[[dict[str, Any]], object]
"""Puts one fault into an initial state."""


def _write(document: dict[str, Any], path: Path, spoil: Spoil) -> Path:
    game = deepcopy(without_tatc_key(document))
    spoil(game["tasks"][0]["episodes"][0]["initial_state"])
    path.write_text(json.dumps(game))
    return path


def _mug(state: dict[str, Any]) -> dict[str, Any]:
    return next(o for o in state["objects"] if o["objectType"] == "Mug")


def _box_of_mug(start: GameStart) -> tuple[float, ...]:
    return next(o.box.size for o in start.scene.start.objects if o.objectType == "Mug")


def _no_box(state: dict[str, Any]) -> None:
    del _mug(state)["axisAlignedBoundingBox"]


def _thin(*axes: str) -> Spoil:
    def spoil(state: dict[str, Any]) -> None:
        mug = _mug(state)
        mug["objectOrientedBoundingBox"] = None
        for axis in axes:
            mug["axisAlignedBoundingBox"]["size"][axis] = 0.0

    return spoil


def _off(field: str, by: float) -> Spoil:
    def spoil(state: dict[str, Any]) -> None:
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
    document: dict[str, Any],
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


@pytest.mark.parametrize(
    ("axes", "size"),
    [("y", (0.1, 0.0, 0.08)), ("xz", (0.01, 0.12, 0.01)), ("xyz", (0.01, 0.01, 0.01))],
)
def test_a_box_of_no_size_is_widened_and_a_flat_one_is_left(
    axes: str, size: tuple[float, ...], document: dict[str, Any], tmp_path: Path
) -> None:
    path = _write(document, tmp_path / "thin.game.json", _thin(*axes))
    found = _box_of_mug(read_start(path))
    wide = {"x", "z"} - set(axes)
    for axis, got, wanted in zip("xyz", found, size, strict=True):
        # Its own sides are longer seen along the world's axes: it is turned by 33.
        assert got >= wanted if axis in wide else got == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (lambda s: _mug(s).update(axisAlignedBoundingBox={}), "axisAlignedBoundingBox"),
        (
            lambda s: _mug(s)["axisAlignedBoundingBox"]["size"].update(x=-0.1),
            "axisAlignedBoundingBox.size",
        ),
        (
            lambda s: _mug(s).update(axisAlignedBoundingBox=None, objectOrientedBoundingBox=None),
            "axisAlignedBoundingBox",
        ),
        (_off("position.x", 5000.0), "agents[1].position"),
    ],
    ids=["no center", "negative", "no box at all", "another country"],
)
def test_what_cannot_be_mended_is_refused_with_file_and_field(
    spoil: Spoil, field: str, document: dict[str, Any], tmp_path: Path
) -> None:
    path = _write(document, tmp_path / "bad.game.json", spoil)
    with pytest.raises(GameFormatError) as caught:
        read_start(path)
    assert str(path) in str(caught.value)
    assert field in str(caught.value)


def test_two_things_with_one_id_are_both_kept(document: dict[str, Any], tmp_path: Path) -> None:
    """AI2-THOR's own slip, in 1 % of the public games: the first one is found."""

    def spoil(state: dict[str, Any]) -> None:
        state["objects"].append({**_mug(state), "name": "Mug_2"})

    scene = read_start(_write(document, tmp_path / "two.game.json", spoil)).scene
    mugs = [o for o in scene.start.objects if o.objectType == "Mug"]
    assert [mug.name for mug in mugs] == [mugs[0].name, "Mug_2"]
    found = scene.start.objects[scene.start.object_index.by_id[mugs[0].objectId]]
    assert found is mugs[0]


def _in_the_counter(state: dict[str, Any]) -> None:
    state["agents"][1]["position"].update(x=0.0, z=-1.5)


def _beyond_the_wall(state: dict[str, Any]) -> None:
    _mug(state)["position"]["x"] += 9.0
    del _mug(state)["objectOrientedBoundingBox"]
    _mug(state)["axisAlignedBoundingBox"]["center"]["x"] += 9.0


@pytest.mark.parametrize("spoil", [_in_the_counter, _beyond_the_wall])
def test_a_strange_start_is_lived_with(
    spoil: Spoil, document: dict[str, Any], tmp_path: Path
) -> None:
    world = EmbeddedSimulator()
    path = _write(document, tmp_path / "strange.game.json", spoil)
    world.reset(read_start(path).scene)
    assert len(world.reachable()) >= MIN_ROOM_CELLS
