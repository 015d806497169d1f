"""Reads where agents could stand from a clone of ALFRED (github.com/askforalfred/alfred).

It reads `gen/layouts/FloorPlanN-layout.npy`, reachable positions as rows of x and z, and
`data/**/traj_data.json`, expert trajectories: a start pose and low-level actions, all of
which succeeded.  The layouts were made with a stricter test, and the trajectories leave
them; an agent fits wherever either has it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from warnings import catch_warnings

import numpy as np

from tatc.base.errors import BadInput
from tatc.base.file_reading import ALFRED_FILE, check_file, read_json
from tatc.base.json_fields import FieldError, as_list, as_mapping, as_number, get_text
from tatc.home.actions import GRID_SIZE_METRES, Cell, cell_of

_LAYOUT_FOLDER = "gen/layouts"
_LAYOUT_SUFFIX = "-layout.npy"
_TRAJECTORY_FILE_NAME = "traj_data.json"
_CELL_STEP_BY_HEADING: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
_QUARTER_TURNS_BY_ACTION = {"RotateRight_90": 1, "RotateLeft_90": -1}
_ALFRED_GRID_TOLERANCE_METRES = 0.02


def find_alfred_files(clone: Path) -> tuple[Path, ...]:
    """Return the layouts and trajectories of a clone, sorted by name."""
    layouts = sorted(clone.glob(f"{_LAYOUT_FOLDER}/*{_LAYOUT_SUFFIX}"))
    trajectories = sorted((clone / "data").rglob(_TRAJECTORY_FILE_NAME))
    if not layouts and not trajectories:
        why = f"holds no {_LAYOUT_FOLDER}/*{_LAYOUT_SUFFIX} and no data/**/{_TRAJECTORY_FILE_NAME}"
        raise BadInput(why, where=str(clone), fix=ALFRED_FILE.fix)
    return (*layouts, *trajectories)


def read_alfred_cells(path: Path) -> tuple[str, str, frozenset[Cell]]:
    """Return the floor plan, a name and the cells of a layout or a trajectory."""
    try:
        if path.name.endswith(_LAYOUT_SUFFIX):
            plan = path.name.removesuffix(_LAYOUT_SUFFIX)
            return plan, "layout", frozenset(_layout_cells(path))
        plan, cells = _read_trajectory(as_mapping(read_json(path, ALFRED_FILE), ""))
        return plan, path.parent.name, frozenset(cells)
    except FieldError as fault:
        raise BadInput(str(fault), where=str(path), fix=ALFRED_FILE.fix) from fault


def _layout_cells(path: Path) -> Iterator[Cell]:
    check_file(path, ALFRED_FILE)
    try:
        # Mapped, because an array that is read takes the memory that its header asks for.  Of
        # headers as Python 2 wrote them numpy warns, and of damaged ones Python.
        with catch_warnings(action="ignore"):
            rows = np.lib.format.open_memmap(path, mode="r")
    except Exception as fault:  # a damaged header can raise anything
        why = "is no array, or is cut off"
        raise BadInput(why, where=str(path), fix=ALFRED_FILE.fix) from fault
    if rows.ndim != 2 or rows.shape[1] < 2 or rows.dtype.kind not in "fiu":
        raise FieldError("rows", f"should be of x and z, have the shape {rows.shape}")
    for i, (x, z) in enumerate(rows[:, :2].tolist()):
        yield _grid_cell(x, z, f"rows[{i}]")


def _read_trajectory(raw: Mapping[str, Any]) -> tuple[str, Iterator[Cell]]:
    scene = as_mapping(raw.get("scene"), "scene")
    start = as_mapping(scene.get("init_action"), "scene.init_action")
    x, z, yaw = (
        as_number(start.get(name), f"scene.init_action.{name}") for name in ("x", "z", "rotation")
    )
    cell = _grid_cell(x, z, "scene.init_action")
    plan = as_mapping(raw.get("plan", {}), "plan")
    actions = as_list(plan.get("low_actions", []), "plan.low_actions")
    return get_text(scene, "floor_plan"), _trajectory_cells(cell, round(yaw / 90.0), actions)


def _trajectory_cells(cell: Cell, heading: int, actions: list[Any]) -> Iterator[Cell]:
    """Yield the cells of a trajectory, whose actions all succeeded."""
    yield cell
    for i, action in enumerate(actions):
        field = f"plan.low_actions[{i}].discrete_action"
        done = as_mapping(as_mapping(action, field).get("discrete_action"), field)
        name = get_text(done, "action")
        heading += _QUARTER_TURNS_BY_ACTION.get(name, 0)
        if name == "MoveAhead_25":
            dx, dz = _CELL_STEP_BY_HEADING[heading % 4]
            cell = (cell[0] + dx, cell[1] + dz)
            yield cell


def _grid_cell(x: float, z: float, field: str) -> Cell:
    at = cell_of(as_number(x, field), as_number(z, field))
    if (
        max(abs(x - at[0] * GRID_SIZE_METRES), abs(z - at[1] * GRID_SIZE_METRES))
        > _ALFRED_GRID_TOLERANCE_METRES
    ):
        raise FieldError(field, f"is off the grid of {GRID_SIZE_METRES} m: {x!r}, {z!r}")
    return at
