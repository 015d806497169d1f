"""The states of a game file <-> snapshots: agents, objects, custom metadata.

The custom metadata of a recorded start is the dictionary of the session's END, because
TEACh saved it by reference (spec section 8.4, trap 24).  So a reader names the
properties it takes from there; what an object itself carries always wins.
"""

from collections.abc import Collection, Mapping, Sequence
from math import fmod
from typing import Any

from tatc.actions import GRID, TILT, TURN
from tatc.fields import FieldFault, listing, mapping, number, text, vector
from tatc.metadata import (
    AFFORDANCES,
    FLAGS,
    read_object,
    write_object,
    write_simbot,
    write_vector,
)
from tatc.state import AgentState, ObjectState, Snapshot

_LISTED = frozenset(AFFORDANCES + FLAGS)
_NEAR = 0.01  # metres: AI2-THOR's positions miss the grid by less
_NEARLY = 1.0  # degrees: horizons like 30.00002 are 30
_STEEPEST = 90.0
_HOME = 1000.0  # metres from the origin; no home is larger


def read_state(raw: object, take: Collection[str], *, ended: bool) -> Snapshot:
    """Return a state of a game file.

    `take` names the simbot properties to take from the custom metadata for an object
    that does not carry them itself.  A state without custom metadata has none to give.
    Where the session has ended, an object may have fallen out of the home.

    Raises:
        FieldFault: a field is missing or impossible; its path is inside the state.

    """
    state = mapping(raw, "")
    agents = listing(state.get("agents"), "agents")
    if len(agents) < 2:
        why = f"should hold the Commander and the Follower, has {len(agents)}"
        raise FieldFault("agents", why)
    commander = _read_agent(agents[0], "agents[0]", "rotation.x")
    follower = _read_agent(agents[1], "agents[1]", "cameraHorizon")
    objects = listing(state.get("objects"), "objects")
    if not objects:
        raise FieldFault("objects", "is empty")
    custom = mapping(
        state.get("custom_object_metadata") or {}, "custom_object_metadata"
    )
    things = [_read(thing, i, custom, take) for i, thing in enumerate(objects)]
    if not ended:
        _check_inside(things)
    return Snapshot.of(things, commander, follower)


def on_grid(agent: AgentState) -> AgentState:
    """Return an agent put exactly on the grid that it misses by rounding alone.

    x and z within 1 cm of a multiple of 0.25 m are put there, yaw and horizon within
    1 degree of a quarter turn and of a look; anything farther off is kept.
    """
    x, y, z = agent.position
    yaw = _near(agent.yaw, TURN, _NEARLY) % 360.0
    horizon = _near(agent.horizon, TILT, _NEARLY)
    return AgentState((_near(x, GRID, _NEAR), y, _near(z, GRID, _NEAR)), yaw, horizon)


def state_json(snapshot: Snapshot, time: float) -> dict[str, Any]:
    """Return a state as a game file holds it, `time` in seconds.

    Every state has custom metadata of its own, of this moment.
    """
    custom: dict[str, dict[str, Any]] = {}
    for thing in snapshot.objects:
        custom.setdefault(thing.objectId, write_simbot(thing))
    return {
        "time_start": time,
        "agents": [_camera(snapshot.commander), _body(snapshot.follower)],
        "objects": [write_object(thing) for thing in snapshot.objects],
        "custom_object_metadata": {oid: set_ for oid, set_ in custom.items() if set_},
    }


def _read(
    raw: object, i: int, custom: Mapping[str, Any], take: Collection[str]
) -> ObjectState:
    try:
        entry = mapping(raw, "")
        if lacking := _LISTED - entry.keys():
            raise FieldFault(min(lacking), "is missing")
        given = custom.get(text(entry, "objectId"))
        if given:
            given = mapping(given, "custom metadata")
            extra = {k: given[k] for k in take if k in given and k not in entry}
            entry = {**entry, **extra} if extra else entry
        return read_object(entry)
    except FieldFault as fault:
        raise fault.within(f"objects[{i}]") from fault


def _check_inside(things: Sequence[ObjectState]) -> None:
    """Refuse objects that lie farther out than any home reaches."""
    for i, thing in enumerate(things):
        for field, point in (("position", thing.position), ("box", thing.box.center)):
            if max(point) > _HOME or min(point) < -_HOME:
                why = f"lies outside any home: {point}"
                raise FieldFault(f"objects[{i}].{field}", why)


def _read_agent(raw: object, path: str, horizon: str) -> AgentState:
    try:
        agent = mapping(raw, "")
        position, turned = vector(agent, "position"), vector(agent, "rotation")
        tilt = agent.get(horizon) if horizon in agent else turned[0]
        if horizon == "cameraHorizon" and horizon not in agent:
            raise FieldFault(horizon, "is missing")
        if max(map(abs, position)) > _HOME:
            raise FieldFault("position", f"lies outside any home: {position}")
        angle = _signed(number(tilt, horizon))
        if abs(angle) > _STEEPEST:
            raise FieldFault(horizon, f"is impossible: {angle!r}")
        return AgentState(position, turned[1], angle)
    except FieldFault as fault:
        raise fault.within(path) from fault


def _signed(angle: float) -> float:
    """Return an angle of AI2-THOR, where up is 330, as -30; others as they are."""
    return angle if abs(angle) <= 180.0 else fmod(angle + 540.0, 360.0) - 180.0


def _near(value: float, step: float, slack: float) -> float:
    nearest = round(value / step) * step
    return nearest if abs(value - nearest) <= slack else value


def _camera(commander: AgentState) -> dict[str, Any]:
    return {
        "thirdPartyCameraId": 0,
        "position": write_vector(commander.position),
        "rotation": write_vector((commander.horizon, commander.yaw, 0.0)),
        "fieldOfView": 90.0,
    }


def _body(follower: AgentState) -> dict[str, Any]:
    return {
        "name": "agent",
        "position": write_vector(follower.position),
        "rotation": write_vector((0.0, follower.yaw, 0.0)),
        "cameraHorizon": follower.horizon,
        "isStanding": True,
        "inHighFrictionArea": False,
    }
