"""Recordings with the state after each step."""

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from benchmarks.recorded_sequences import COMPARED_FIELDS, SEQUENCE_FILES, measure_sequence
from tatc.base.errors import GameFormatError
from tatc.home.actions import Action, Verb
from tatc.home.metadata import write_object
from tatc.session.records import find_files
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.sim.box_kitchen import kitchen

INTERACTION_STEPS = (
    ("OpenObject", Verb.OPEN, "Fridge"),
    ("PickupObject", Verb.PICKUP, "Potato"),
    ("PutObject", Verb.PLACE, "Fridge"),
    ("CloseObject", Verb.CLOSE, "Fridge"),
)


def event_json(sim: EmbeddedSimulator) -> dict[str, Any]:
    now = sim.snapshot()
    x, y, z = now.follower.position
    agent = {
        "position": {"x": x, "y": y, "z": z},
        "rotation": {"x": 0.0, "y": now.follower.yaw, "z": 0.0},
        "cameraHorizon": now.follower.horizon,
    }
    objects = [write_object(obj) for obj in now.objects]
    return {"objects": objects, "agent": agent, "sceneName": "FloorPlan1_physics"}


@pytest.fixture
def document() -> dict[str, Any]:
    """Return a recording of the world's own answers."""
    sim = EmbeddedSimulator()
    start = sim.reset(kitchen())
    actions: list[dict[str, Any]] = [{"action": "Initialize"}]
    events = [event_json(sim)]
    for name, verb, kind in INTERACTION_STEPS:
        (target,) = start.of_type(kind)
        sim.apply_recorded_effect(Action(verb), target.objectId)
        actions.append({"action": name, "objectId": target.objectId})
        events.append(event_json(sim))
    return {"controller_action_list": actions, "event_list": events}


def write_document(document: dict[str, Any], folder: Path) -> Path:
    path = folder / "made.json"
    path.write_text(json.dumps(document))
    return path


def test_a_world_agrees_with_its_own_recording(document: dict[str, Any], tmp_path: Path):
    tally = measure_sequence(write_document(document, tmp_path))
    objects = len(document["event_list"][0]["objects"])
    for name in COMPARED_FIELDS:
        assert tally.compared[name] == tally.agreed[name] == objects * len(INTERACTION_STEPS)


def test_one_wrong_value_is_one_disagreement(document: dict[str, Any], tmp_path: Path):
    (potato,) = (
        obj for obj in document["event_list"][3]["objects"] if obj["objectType"] == "Potato"
    )
    potato["isSliced"] = True
    tally = measure_sequence(write_document(document, tmp_path))
    assert sum(tally.compared.values()) == sum(tally.agreed.values()) + 1
    (apart,) = tally.disagreements
    assert (apart.measure, apart.verb, apart.target) == ("isSliced", "PutObject", "Potato")
    assert (apart.reason, apart.index) == ("False, not True", 3)


def test_recorded_sequences_agree(teach_data: Path, tmp_path: Path):
    packed = teach_data / "thor" / "recordings.tar.xz"
    if not packed.exists():
        pytest.skip("no recorded sequences: there is no thor/recordings.tar.xz")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path, filter="data")
    folders = {path.parent for path in tmp_path.rglob("*.json")}
    asked = agreed = 0
    for path in find_files(sorted(folders), SEQUENCE_FILES):
        tally = measure_sequence(path)
        asked, agreed = asked + tally.compared.total(), agreed + tally.agreed.total()
    assert agreed >= 0.98 * asked > 0


@pytest.mark.parametrize("lacking", ["event_list", "controller_action_list"])
def test_what_is_no_recording_is_refused(document: dict[str, Any], tmp_path: Path, lacking: str):
    del document[lacking]
    with pytest.raises(GameFormatError, match=lacking):
        measure_sequence(write_document(document, tmp_path))


def test_a_refused_action_changes_nothing(document: dict[str, Any], tmp_path: Path):
    """As the second step goes wrong, hand and potato stay as after the first."""
    asked, events = (document[k][:3] for k in ("controller_action_list", "event_list"))
    refused = {**events[1], "lastActionSuccess": False}
    made = {"controller_action_list": asked, "event_list": [*events[:2], refused]}
    tally = measure_sequence(write_document(made, tmp_path))
    assert tally.compared.total() and not tally.disagreements
    del refused["lastActionSuccess"]
    assert measure_sequence(write_document(made, tmp_path)).disagreements


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({}, "action"),
        ({"action": 3}, "action"),
        ({"action": "OpenObject", "objectId": ["Fridge"]}, "objectId"),
    ],
)
def test_a_fault_in_an_action_names_its_place(
    document: dict[str, Any], tmp_path: Path, action: dict[str, Any], field: str
):
    document["controller_action_list"][2] = action
    place = rf"controller_action_list\[2\].{field}"
    with pytest.raises(GameFormatError, match=place):
        measure_sequence(write_document(document, tmp_path))


def test_a_fault_in_an_event_names_its_place(document: dict[str, Any], tmp_path: Path):
    del document["event_list"][2]["objects"][5]["position"]
    with pytest.raises(GameFormatError, match=r"event_list\[2\].objects\[5\].position"):
        measure_sequence(write_document(document, tmp_path))
