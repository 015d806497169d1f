"""Converts the states of a game file to snapshots and back, and repairs recorded starts.

The custom metadata of a recorded start are those of the session's END, because TEACh saved
the dictionary by reference (spec section 8.4, trap 24).  So a reader names the properties
that it takes from there, and the object's own properties always take precedence.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache, partial
from math import fmod
from pathlib import Path
from typing import Any, cast

from tatc.base import files, json_fields, plain_text
from tatc.home import metadata
from tatc.home.actions import GRID_SIZE_METRES, LOOK_DEGREES, TURN_DEGREES
from tatc.home.state import AgentState, ObjectState, Snapshot

_REQUIRED_KEYS = frozenset(metadata.AFFORDANCE_FIELDS + metadata.STATE_FLAG_FIELDS)
_GRID_TOLERANCE_METRES = 0.01  # AI2-THOR's positions are off the grid by less
_ANGLE_TOLERANCE_DEGREES = 1.0  # horizons like 30.00002 are 30
_MAX_HORIZON_DEGREES = 90.0
_MAX_COORDINATE_METRES = 1000.0  # from the origin; no home is larger


def read_state(raw: object, simbot_properties: Collection[str], *, is_final: bool) -> Snapshot:
    """Return the snapshot of a game file's state; paths in errors are relative to the state.

    `simbot_properties` are taken from the custom metadata for objects without them.  Where the
    state `is_final`, objects may lie outside the home.
    """
    state = json_fields.as_mapping(raw, "")
    agents = json_fields.as_list(state.get("agents"), "agents")
    if len(agents) < 2:
        why = f"should hold the Commander and the Follower, has {len(agents)}"
        raise json_fields.FieldError("agents", why)
    with json_fields.faults_under("agents[0]"):
        commander = _read_agent(agents[0], "rotation.x")
    with json_fields.faults_under("agents[1]"):
        follower = _read_agent(agents[1], "cameraHorizon")
    objects = json_fields.as_list(state.get("objects"), "objects", files.MAX_STATE_OBJECTS)
    if not objects:
        raise json_fields.FieldError("objects", "is empty")
    given: object = state.get("custom_object_metadata") or {}
    custom = json_fields.as_mapping(given, "custom_object_metadata")
    read = partial(_read_object, custom, simbot_properties)
    objs = json_fields.read_each(objects, read, "objects")
    if not is_final:
        _check_coordinates(objs)
    return Snapshot.from_objects(objs, commander, follower)


def snap_to_grid(agent: AgentState) -> AgentState:
    """Return an agent without the rounding errors of its pose.

    x and z within 1 cm of a multiple of 0.25 m become that multiple; yaw and horizon within
    1 degree of a multiple of a quarter turn and of a look do too.  Other values are kept.
    """
    x, y, z = agent.position
    yaw = _snap(agent.yaw, TURN_DEGREES, _ANGLE_TOLERANCE_DEGREES) % 360.0
    horizon = _snap(agent.horizon, LOOK_DEGREES, _ANGLE_TOLERANCE_DEGREES)
    x, z = (_snap(each, GRID_SIZE_METRES, _GRID_TOLERANCE_METRES) for each in (x, z))
    return AgentState((x, y, z), yaw, horizon)


def state_json(snapshot: Snapshot, time: float) -> dict[str, Any]:
    """Return a snapshot as a game file's state, with its own custom metadata; `time` in seconds."""
    commander, follower = snapshot.commander, snapshot.follower
    custom: dict[str, dict[str, Any]] = {}
    for obj in snapshot.objects:
        custom.setdefault(obj.objectId, metadata.write_simbot(obj))
    return {
        "time_start": time,
        "agents": [
            {
                "thirdPartyCameraId": 0,
                "position": metadata.write_vector(commander.position),
                "rotation": metadata.write_vector((commander.horizon, commander.yaw, 0.0)),
                "fieldOfView": 90.0,
            },
            {
                "name": "agent",
                "position": metadata.write_vector(follower.position),
                "rotation": metadata.write_vector((0.0, follower.yaw, 0.0)),
                "cameraHorizon": follower.horizon,
                "isStanding": True,
                "inHighFrictionArea": False,
            },
        ],
        "objects": [metadata.write_object(obj) for obj in snapshot.objects],
        "custom_object_metadata": {oid: set_ for oid, set_ in custom.items() if set_},
    }


def _read_object(
    custom: Mapping[str, Any], simbot_properties: Collection[str], raw: object
) -> ObjectState:
    entry = json_fields.as_mapping(raw, "")
    if lacking := _REQUIRED_KEYS - entry.keys():
        raise json_fields.FieldError(min(lacking), "is missing")
    given = custom.get(json_fields.get_text(entry, "objectId"))
    if given:
        given = json_fields.as_mapping(given, "custom metadata")
        extra = {k: given[k] for k in simbot_properties if k in given and k not in entry}
        entry = {**entry, **extra} if extra else entry
    return metadata.read_object(entry)


def _check_coordinates(objects: Sequence[ObjectState]) -> None:
    for i, obj in enumerate(objects):
        for field, point in (("position", obj.position), ("box", obj.box.center)):
            if max(point) > _MAX_COORDINATE_METRES or min(point) < -_MAX_COORDINATE_METRES:
                why = f"lies outside any home: {point}"
                raise json_fields.FieldError(f"objects[{i}].{field}", why)


def _read_agent(raw: object, horizon: str) -> AgentState:
    agent = json_fields.as_mapping(raw, "")
    position = metadata.get_vector(agent, "position")
    turned = metadata.get_vector(agent, "rotation")
    tilt = agent.get(horizon) if horizon in agent else turned[0]
    if horizon == "cameraHorizon" and horizon not in agent:
        raise json_fields.FieldError(horizon, "is missing")
    if max(map(abs, position)) > _MAX_COORDINATE_METRES:
        raise json_fields.FieldError("position", f"lies outside any home: {position}")
    angle = json_fields.as_number(tilt, horizon)
    if abs(angle) > 180.0:  # such as 330 for upwards
        angle = fmod(angle + 540.0, 360.0) - 180.0
    if abs(angle) > _MAX_HORIZON_DEGREES:
        raise json_fields.FieldError(horizon, f"is impossible: {angle!r}")
    return AgentState(position, turned[1], angle)


def _snap(value: float, step: float, tolerance: float) -> float:
    nearest = round(value / step) * step
    return nearest if abs(value - nearest) <= tolerance else value


# Repairs faults in a recorded start, which AI2-THOR and its users make: what can be repaired
# without a guess, each with a note.  All else is refused by the readers.
#
# Some faults are left, because AI2-THOR and our world work with them: objects in or beyond the
# walls, which nobody reaches (in 4 % of the public games); two objects with one id, of which the
# first is found; an agent that starts inside furniture, which the floor lets out with a message.

_ZERO_LENGTH_METRES = 0.001  # a shorter side of a box counts as zero
_REPAIRED_SIDE_METRES = 0.01  # of zero sides, where a box has two or three of them
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
    """Return an agent at the nearest cell, quarter turn and look, and notes of what was off."""
    near, notes = snap_to_grid(agent), RepairNotes()
    (x, y, z), yaw, horizon = near.position, near.yaw, near.horizon
    x, z = (round(each / GRID_SIZE_METRES) * GRID_SIZE_METRES for each in (x, z))
    place = (x, y, z)
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
    _log.warning("%s", plain_text.printable(f"{path}: mended: {'; '.join(notes)}"))


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
    if size is None or sum(0.0 <= side < _ZERO_LENGTH_METRES for side in size.values()) < 2:
        return entry, ""
    wide = {
        axis: _REPAIRED_SIDE_METRES if 0.0 <= v < _ZERO_LENGTH_METRES else v
        for axis, v in size.items()
    }
    repaired = {**entry, _AXIS_ALIGNED_BOX_KEY: {**box, "size": wide}}
    return repaired, f"{_AXIS_ALIGNED_BOX_KEY}.size is nothing, is 1 cm"


def _box_sides(box: object) -> dict[str, float] | None:
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
        points = metadata.read_corners(corners, "")
    except json_fields.FieldError:
        return None
    spans = [(min(values), max(values)) for values in zip(*points, strict=True)]
    return {
        "center": {a: (lo + hi) / 2 for a, (lo, hi) in zip("xyz", spans, strict=True)},
        "size": {a: hi - lo for a, (lo, hi) in zip("xyz", spans, strict=True)},
    }
