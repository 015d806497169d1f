"""Converts the states of a game file to snapshots and back.

The custom metadata of a recorded start are those of the session's END, because TEACh saved
the dictionary by reference (spec section 8.4, trap 24).  So a reader names the properties
that it takes from there, and the object's own properties always take precedence.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from math import fmod
from typing import Any

from tatc.base.file_reading import MAX_STATE_OBJECTS
from tatc.base.json_fields import (
    FieldError,
    as_list,
    as_mapping,
    as_number,
    faults_under,
    get_text,
    read_each,
)
from tatc.home.actions import GRID_SIZE_METRES, LOOK_DEGREES, TURN_DEGREES
from tatc.home.metadata import (
    AFFORDANCE_FIELDS,
    STATE_FLAG_FIELDS,
    get_vector,
    read_object,
    write_object,
    write_simbot,
    write_vector,
)
from tatc.home.state import AgentState, ObjectState, Snapshot

_REQUIRED_KEYS = frozenset(AFFORDANCE_FIELDS + STATE_FLAG_FIELDS)
_GRID_TOLERANCE_METRES = 0.01  # AI2-THOR's positions are off the grid by less
_ANGLE_TOLERANCE_DEGREES = 1.0  # horizons like 30.00002 are 30
_MAX_HORIZON_DEGREES = 90.0
_MAX_COORDINATE_METRES = 1000.0  # from the origin; no home is larger


def read_state(raw: object, simbot_properties: Collection[str], *, is_final: bool) -> Snapshot:
    """Return the snapshot of a game file's state.

    Args:
        raw: the state's JSON.
        simbot_properties: taken from the custom metadata for objects without them.
        is_final: whether objects may lie outside the home, as at a session's end.

    Raises:
        FieldError: a field is missing or impossible; its path is relative to the state.

    """
    state = as_mapping(raw, "")
    agents = as_list(state.get("agents"), "agents")
    if len(agents) < 2:
        why = f"should hold the Commander and the Follower, has {len(agents)}"
        raise FieldError("agents", why)
    with faults_under("agents[0]"):
        commander = _read_agent(agents[0], "rotation.x")
    with faults_under("agents[1]"):
        follower = _read_agent(agents[1], "cameraHorizon")
    objects = as_list(state.get("objects"), "objects", MAX_STATE_OBJECTS)
    if not objects:
        raise FieldError("objects", "is empty")
    custom = as_mapping(state.get("custom_object_metadata") or {}, "custom_object_metadata")
    objs = read_each(objects, partial(_read_object, custom, simbot_properties), "objects")
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
    return AgentState(
        (
            _snap(x, GRID_SIZE_METRES, _GRID_TOLERANCE_METRES),
            y,
            _snap(z, GRID_SIZE_METRES, _GRID_TOLERANCE_METRES),
        ),
        yaw,
        horizon,
    )


def state_json(snapshot: Snapshot, time: float) -> dict[str, Any]:
    """Return a snapshot as JSON of a game file's state, `time` in seconds.

    Unlike TEACh's, each state has its own custom metadata.
    """
    custom: dict[str, dict[str, Any]] = {}
    for obj in snapshot.objects:
        custom.setdefault(obj.objectId, write_simbot(obj))
    return {
        "time_start": time,
        "agents": [_commander_json(snapshot.commander), _follower_json(snapshot.follower)],
        "objects": [write_object(obj) for obj in snapshot.objects],
        "custom_object_metadata": {oid: set_ for oid, set_ in custom.items() if set_},
    }


def _read_object(
    custom: Mapping[str, Any], simbot_properties: Collection[str], raw: object
) -> ObjectState:
    entry = as_mapping(raw, "")
    if lacking := _REQUIRED_KEYS - entry.keys():
        raise FieldError(min(lacking), "is missing")
    given = custom.get(get_text(entry, "objectId"))
    if given:
        given = as_mapping(given, "custom metadata")
        extra = {k: given[k] for k in simbot_properties if k in given and k not in entry}
        entry = {**entry, **extra} if extra else entry
    return read_object(entry)


def _check_coordinates(objects: Sequence[ObjectState]) -> None:
    """Refuse objects farther from the origin than any home reaches."""
    for i, obj in enumerate(objects):
        for field, point in (("position", obj.position), ("box", obj.box.center)):
            if max(point) > _MAX_COORDINATE_METRES or min(point) < -_MAX_COORDINATE_METRES:
                why = f"lies outside any home: {point}"
                raise FieldError(f"objects[{i}].{field}", why)


def _read_agent(raw: object, horizon: str) -> AgentState:
    agent = as_mapping(raw, "")
    position, turned = get_vector(agent, "position"), get_vector(agent, "rotation")
    tilt = agent.get(horizon) if horizon in agent else turned[0]
    if horizon == "cameraHorizon" and horizon not in agent:
        raise FieldError(horizon, "is missing")
    if max(map(abs, position)) > _MAX_COORDINATE_METRES:
        raise FieldError("position", f"lies outside any home: {position}")
    angle = _signed_degrees(as_number(tilt, horizon))
    if abs(angle) > _MAX_HORIZON_DEGREES:
        raise FieldError(horizon, f"is impossible: {angle!r}")
    return AgentState(position, turned[1], angle)


def _signed_degrees(angle: float) -> float:
    """Return an angle of AI2-THOR, such as 330 for upwards, in -180 to 180 degrees."""
    return angle if abs(angle) <= 180.0 else fmod(angle + 540.0, 360.0) - 180.0


def _snap(value: float, step: float, tolerance: float) -> float:
    nearest = round(value / step) * step
    return nearest if abs(value - nearest) <= tolerance else value


def _commander_json(commander: AgentState) -> dict[str, Any]:
    return {
        "thirdPartyCameraId": 0,
        "position": write_vector(commander.position),
        "rotation": write_vector((commander.horizon, commander.yaw, 0.0)),
        "fieldOfView": 90.0,
    }


def _follower_json(follower: AgentState) -> dict[str, Any]:
    return {
        "name": "agent",
        "position": write_vector(follower.position),
        "rotation": write_vector((0.0, follower.yaw, 0.0)),
        "cameraHorizon": follower.horizon,
        "isStanding": True,
        "inHighFrictionArea": False,
    }
