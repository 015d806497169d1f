"""A clone of ALFRED (github.com/askforalfred/alfred): where its agents could stand.

Read are `gen/layouts/FloorPlanN-layout.npy`, which list reachable positions as rows of
x and z, and `data/**/traj_data.json`, expert trajectories: a start pose and low-level
actions, all of which succeeded.  The layouts were made under a stricter test than the
trajectories, which leave them; both together are where a body fits.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tatc.actions import GRID
from tatc.errors import BadInput
from tatc.fields import FieldFault, listing, mapping, number, text

Cell = tuple[int, int]
"""A cell of the floor: x and z in steps of 0.25 m."""

_LAYOUTS = "gen/layouts"
_LAYOUT = "-layout.npy"
_TRAJECTORY = "traj_data.json"
_AHEAD: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
_TURNS = {"RotateRight_90": 1, "RotateLeft_90": -1}
_OFF_GRID = 0.02
_FIX = "name the folder of a clone of github.com/askforalfred/alfred"


def alfred_files(clone: Path) -> tuple[Path, ...]:
    """Return the layouts and trajectories of a clone, in order of their names.

    Raises:
        BadInput: there is none.

    """
    layouts = sorted(clone.glob(f"{_LAYOUTS}/*{_LAYOUT}"))
    trajectories = sorted((clone / "data").rglob(_TRAJECTORY))
    if not layouts and not trajectories:
        why = f"holds no {_LAYOUTS}/*{_LAYOUT} and no data/**/{_TRAJECTORY}"
        raise BadInput(why, where=str(clone), fix=_FIX)
    return (*layouts, *trajectories)


def read_alfred(path: Path) -> tuple[str, str, frozenset[Cell]]:
    """Return the floor plan, a name and the cells of a layout or a trajectory.

    Raises:
        BadInput: the file is damaged; names the field.

    """
    try:
        if path.name.endswith(_LAYOUT):
            plan = path.name.removesuffix(_LAYOUT)
            return plan, "layout", frozenset(_layout(path))
        raw: Any = json.loads(path.read_text(encoding="utf-8"))
        plan, cells = _trajectory(mapping(raw, ""))
        return plan, path.parent.name, frozenset(cells)
    except FieldFault as fault:
        raise BadInput(str(fault), where=str(path), fix=_FIX) from fault
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise BadInput(why, where=str(path), fix=_FIX) from error
    except (ValueError, EOFError, RecursionError) as error:
        raise BadInput("cannot be read", where=str(path), fix=_FIX) from error


def _layout(path: Path) -> Iterator[Cell]:
    rows = np.load(path, allow_pickle=False)
    if rows.ndim != 2 or rows.shape[1] < 2 or rows.dtype.kind not in "fiu":
        raise FieldFault("rows", f"should be of x and z, have the shape {rows.shape}")
    for i, (x, z) in enumerate(rows[:, :2].tolist()):
        yield _cell(x, z, f"rows[{i}]")


def _trajectory(raw: Mapping[str, Any]) -> tuple[str, Iterator[Cell]]:
    scene = mapping(raw.get("scene"), "scene")
    start = mapping(scene.get("init_action"), "scene.init_action")
    x, z, yaw = (
        number(start.get(name), f"scene.init_action.{name}")
        for name in ("x", "z", "rotation")
    )
    cell = _cell(x, z, "scene.init_action")
    plan = mapping(raw.get("plan", {}), "plan")
    actions = listing(plan.get("low_actions", []), "plan.low_actions")
    return text(scene, "floor_plan"), _walked(cell, round(yaw / 90.0), actions)


def _walked(cell: Cell, heading: int, actions: list[Any]) -> Iterator[Cell]:
    """Yield the cells of a walk; every action of it succeeded."""
    yield cell
    for i, action in enumerate(actions):
        field = f"plan.low_actions[{i}].discrete_action"
        done = mapping(mapping(action, field).get("discrete_action"), field)
        name = text(done, "action")
        heading += _TURNS.get(name, 0)
        if name == "MoveAhead_25":
            dx, dz = _AHEAD[heading % 4]
            cell = (cell[0] + dx, cell[1] + dz)
            yield cell


def _cell(x: float, z: float, field: str) -> Cell:
    at = round(x / GRID), round(z / GRID)
    if max(abs(x - at[0] * GRID), abs(z - at[1] * GRID)) > _OFF_GRID:
        raise FieldFault(field, f"is off the grid of {GRID} m: {x!r}, {z!r}")
    return at
