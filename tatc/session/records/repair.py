"""Repairs harmless faults in a recorded start, each with a note.

AI2-THOR and its users write states that are slightly wrong.  What can be repaired without a
guess is repaired, and logged once.  All else is refused by the readers in `episode_states`
and `metadata`, which name file and field.

Some faults are left, because AI2-THOR and our world work with them: objects in or beyond
the walls, which nobody reaches (in 4 % of the public games); two objects with one id, of
which the first is found; an agent that starts inside furniture, which the floor lets out
with a message.
"""

import logging
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from tatc.base.json_fields import FieldError
from tatc.home.actions import GRID_SIZE_METRES, LOOK_DEGREES, TURN_DEGREES
from tatc.home.metadata import read_corners
from tatc.home.state import AgentState
from tatc.session.records.episode_states import snap_to_grid

ZERO_LENGTH_METRES = 0.001
"""A side of a box that is shorter counts as zero."""
REPAIRED_SIDE_METRES = 0.01
"""The new length of zero sides, where a box has two or three of them."""
_AXIS_ALIGNED_BOX_KEY, _ORIENTED_BOX_KEY = ("axisAlignedBoundingBox", "objectOrientedBoundingBox")
_log = logging.getLogger(__name__)

RepairNotes = list[str]


def repair_objects(raw: object) -> tuple[object, RepairNotes]:
    """Return a state's `objects` with harmless faults repaired, and notes of the repairs.

    - An entry that occurs twice, word for word, is taken once.
    - A missing axis-aligned box is made from the corners of the oriented one.
    - The zero sides of a box that has two or three of them, which no ray could hit, become
      1 cm.

    Values of another type are left for the reader to refuse.
    """
    if not isinstance(raw, list):
        return raw, []
    kept: list[Any] = []
    first: dict[Any, Any] = {}
    notes: RepairNotes = []
    for i, entry in enumerate(cast(list[Any], raw)):
        name = _read_entry_id(entry)
        if name is not None and name in first and first[name] == entry:
            notes.append(f"objects[{i}] repeats an earlier entry and is skipped")
            continue
        if name is not None:
            first.setdefault(name, entry)
        whole, note = _repair_box(entry)
        if note:
            notes.append(f"objects[{i}].{note}")
        kept.append(whole)
    return kept, notes


def repair_agent(agent: AgentState, field: str) -> tuple[AgentState, RepairNotes]:
    """Return an agent on the grid, and notes of what was off it by more than rounding.

    x and z become the nearest multiple of 0.25 m, the yaw the nearest quarter turn, and the
    horizon the nearest look.
    """
    near, notes = snap_to_grid(agent), RepairNotes()
    (x, y, z), yaw, horizon = near.position, near.yaw, near.horizon
    place = (
        round(x / GRID_SIZE_METRES) * GRID_SIZE_METRES,
        y,
        round(z / GRID_SIZE_METRES) * GRID_SIZE_METRES,
    )
    if place != near.position:
        notes.append(f"{field}.position is off the grid, is put on it")
    quarter = round(yaw / TURN_DEGREES) * TURN_DEGREES % 360.0
    if quarter != yaw:
        notes.append(f"{field}.rotation.y is no quarter turn, is made one")
    look = round(horizon / LOOK_DEGREES) * LOOK_DEGREES
    if look != horizon:
        notes.append(f"{field}'s horizon is no look of {LOOK_DEGREES:g} degrees, is made one")
    return AgentState(place, quarter, look), notes


@lru_cache(maxsize=1024)
def log_repairs(path: Path, notes: tuple[str, ...]) -> None:
    """Log a warning about the repairs in a file, once in each process."""
    _log.warning("%s: mended: %s", path, "; ".join(notes))


def _read_entry_id(entry: object) -> str | None:
    if not isinstance(entry, Mapping):
        return None
    name = cast(Mapping[str, Any], entry).get("objectId")
    return name if isinstance(name, str) else None


def _repair_box(entry: Any) -> tuple[Any, str]:
    """Return an entry with a sound box, and a note of the repair, "" for none."""
    if not isinstance(entry, Mapping):
        return entry, ""
    entry = cast(Mapping[str, Any], entry)
    box = entry.get(_AXIS_ALIGNED_BOX_KEY)
    if box is None:
        made = _axis_aligned_box(entry.get(_ORIENTED_BOX_KEY))
        note = f"{_AXIS_ALIGNED_BOX_KEY} is missing, is made from {_ORIENTED_BOX_KEY}"
        return ({**entry, _AXIS_ALIGNED_BOX_KEY: made}, note) if made else (entry, "")
    size = _box_sides(box)
    if size is None or sum(0.0 <= side < ZERO_LENGTH_METRES for side in size.values()) < 2:
        return entry, ""
    wide = {
        axis: REPAIRED_SIDE_METRES if 0.0 <= v < ZERO_LENGTH_METRES else v
        for axis, v in size.items()
    }
    return {
        **entry,
        _AXIS_ALIGNED_BOX_KEY: {**box, "size": wide},
    }, f"{_AXIS_ALIGNED_BOX_KEY}.size is nothing, is 1 cm"


def _box_sides(box: object) -> dict[str, float] | None:
    """Return the sides of a box by axis; None if they are not numbers."""
    size = cast(Any, box).get("size") if isinstance(box, Mapping) else None
    if not isinstance(size, Mapping):
        return None
    sides = {axis: cast(Mapping[str, Any], size).get(axis) for axis in "xyz"}
    if any(isinstance(v, bool) or not isinstance(v, int | float) for v in sides.values()):
        return None
    return cast(dict[str, float], sides)


def _axis_aligned_box(oriented: object) -> dict[str, Any] | None:
    """Return the axis-aligned box around an oriented one; None if its corners are unsound."""
    if not isinstance(oriented, Mapping):
        return None
    corners = cast(Mapping[str, Any], oriented).get("cornerPoints")
    try:
        points = read_corners(corners, "")
    except FieldError:
        return None
    spans = [(min(values), max(values)) for values in zip(*points, strict=True)]
    return {
        "center": {a: (lo + hi) / 2 for a, (lo, hi) in zip("xyz", spans, strict=True)},
        "size": {a: hi - lo for a, (lo, hi) in zip("xyz", spans, strict=True)},
    }
