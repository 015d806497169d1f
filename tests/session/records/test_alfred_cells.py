"""A clone of ALFRED is read by its layouts and trajectories, on made files."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tatc.base.errors import BadInput
from tatc.session.records.trajectory import find_alfred_files, read_alfred_cells
from tatc.sim.maps.recorded_map import read_recorded_map
from tests.command_line import run_tatc
from tests.session.records.damaged_files import change

LAYOUT = np.array([[0.25, -0.5], [0.5, -0.5]])
DONE = ("LookDown_15", "MoveAhead_25", "RotateLeft_90", "MoveAhead_25", "PickupObject")


def trajectory() -> dict[str, Any]:
    return {
        "scene": {
            "floor_plan": "FloorPlan7",
            "init_action": {"x": 1.0, "z": -0.25, "rotation": 90, "horizon": 30},
        },
        "plan": {"low_actions": [{"discrete_action": {"action": a}} for a in DONE]},
    }


def clone(folder: Path, one: dict[str, Any] | None = None) -> Path:
    """Make a folder as ALFRED's repository has it, with a file of each sort."""
    (folder / "gen/layouts").mkdir(parents=True)
    np.save(folder / "gen/layouts/FloorPlan7-layout.npy", LAYOUT)
    trial = folder / "data/json_2.1.0/train/pick-Mug/trial_T1"
    trial.mkdir(parents=True)
    (trial / "traj_data.json").write_text(json.dumps(one or trajectory()))
    return folder


def test_layouts_and_walks_are_read(tmp_path: Path) -> None:
    layout, walk = map(read_alfred_cells, find_alfred_files(clone(tmp_path)))
    assert layout == ("FloorPlan7", "layout", {(1, -2), (2, -2)})
    assert walk == ("FloorPlan7", "trial_T1", {(4, -1), (5, -1), (5, 0)})


@pytest.mark.parametrize("gone", ["gen", "data"])
def test_layouts_or_walks_alone_will_do(tmp_path: Path, gone: str) -> None:
    shutil.rmtree(clone(tmp_path) / gone)
    assert len(find_alfred_files(tmp_path)) == 1


def test_a_trajectory_without_a_plan_has_its_start(tmp_path: Path) -> None:
    short = trajectory()
    del short["plan"]
    _, path = find_alfred_files(clone(tmp_path, short))
    assert read_alfred_cells(path)[2] == {(4, -1)}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scene", None),
        ("scene.floor_plan", 7),
        ("scene.init_action", "TeleportFull"),
        ("scene.init_action.x", 1.1),
        ("scene.init_action.rotation", "north"),
        ("plan.low_actions", {}),
        ("plan.low_actions.0.discrete_action", None),
    ],
)
def test_a_damaged_trajectory_is_refused_with_its_field(
    tmp_path: Path, field: str, value: Any
) -> None:
    raw = trajectory()
    change(raw, field, value)
    _, path = find_alfred_files(clone(tmp_path, raw))
    with pytest.raises(BadInput) as caught:
        read_alfred_cells(path)
    assert str(path) in str(caught.value)
    assert field.split(".")[-1] in str(caught.value) or field == "scene.init_action.x"


@pytest.mark.parametrize("rows", [np.zeros(3), np.array([["a", "b"]]), [[0.1, 0.0]]])
def test_a_damaged_layout_is_refused(tmp_path: Path, rows: Any) -> None:
    path = clone(tmp_path) / "gen/layouts/FloorPlan7-layout.npy"
    np.save(path, np.array(rows))
    with pytest.raises(BadInput, match="FloorPlan7-layout"):
        read_alfred_cells(path)
    path.write_bytes(b"no array")
    with pytest.raises(BadInput, match="is no array"):
        read_alfred_cells(path)


def test_a_layout_that_python_2_wrote_and_a_damaged_one_give_no_warning(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    path = clone(tmp_path) / "gen/layouts/FloorPlan7-layout.npy"
    path.write_bytes(path.read_bytes().replace(b"), } ", b"L), }", 1))
    _, _, cells = read_alfred_cells(path)
    assert cells
    path.write_bytes(path.read_bytes().replace(b"'descr'", rb"'\_escr'", 1))
    with pytest.raises(BadInput, match="is no array"):
        read_alfred_cells(path)
    assert not recwarn.list


def test_a_map_from_a_clone_alone(tmp_path: Path) -> None:
    out = tmp_path / "a.map.json"
    args = ["maps", "build", "--alfred", str(clone(tmp_path / "c")), "--out"]
    done = run_tatc(*args, out, "--json")
    assert done.exit_code == 0, done.output
    about = json.loads(done.stdout)
    assert (about["games"], about["alfred"], about["cells"]) == (0, 2, 5)
    assert read_recorded_map(out).visited_cells("FloorPlan7") == {
        *((1, -2), (2, -2)),
        *((4, -1), (5, -1), (5, 0)),
    }


def test_what_is_no_clone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="clone"):
        find_alfred_files(tmp_path)
    done = run_tatc("maps", "build", "--out", tmp_path / "m")
    assert done.exit_code != 0


@pytest.mark.parametrize("rotation", [0, 90, 180, 270, -90, 360, 89.6, 450])
def test_a_walk_goes_where_its_turns_lead(tmp_path: Path, rotation: float) -> None:
    raw = trajectory()
    raw["scene"]["init_action"] |= {"x": -0.25, "z": 0.76, "rotation": rotation}
    names = ["MoveAhead_25"] * 2 + ["RotateRight_90", "MoveAhead_25", "LookUp_15"]
    names += ["RotateLeft_90", "RotateLeft_90", "MoveAhead_25", "MoveAhead_25"]
    raw["plan"]["low_actions"] = [{"discrete_action": {"action": name}} for name in names]
    _, path = find_alfred_files(clone(tmp_path, raw))
    yaw = round(rotation / 90) % 4

    def ahead(quarters: int) -> complex:
        """Return a step as x + iz: a turn to the right goes from z to x."""
        return 1j * (-1j) ** ((yaw + quarters) % 4)

    at, places = -1 + 3j, {-1 + 3j}
    for quarters in (0, 0, 1, -1, -1):
        at += ahead(quarters)
        places.add(at)
    assert read_alfred_cells(path)[2] == {(round(p.real), round(p.imag)) for p in places}


def test_a_layout_may_have_more_columns_and_be_off_by_two_centimetres(tmp_path: Path) -> None:
    _layout, _ = find_alfred_files(clone(tmp_path))
    np.save(_layout, np.array([[0.25, -0.5, 9.9, 1.0], [0.519, -0.481, 0.1, 1.0]]))
    assert read_alfred_cells(_layout)[2] == {(1, -2), (2, -2)}
    for off in ([0.525, -0.5], [0.5, -0.475], [0.475, -0.5], [0.5, -0.525]):
        np.save(_layout, np.array([off]))
        with pytest.raises(BadInput, match=r"rows\[0\]: is off the grid"):
            read_alfred_cells(_layout)
