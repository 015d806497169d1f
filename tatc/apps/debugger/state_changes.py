"""The differences between two moments, by object and property."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import cast

from tatc.apps.debugger.progress_lines import format_value
from tatc.home.state import AgentState, ObjectState, ShortNames, Snapshot

_OBJECT_FIELDS = tuple(field.name for field in fields(ObjectState))
_GEOMETRY_FIELDS = ("position", "rotation", "box")
_ID_LIST_FIELDS = ("parentReceptacles", "simbotIsReceptacleOf")


@dataclass(frozen=True, slots=True)
class StateChange:
    """One property of an object, or of the Follower, that has changed."""

    object_name: str
    property_name: str
    before: str
    after: str


def changes_between(before: Snapshot, after: Snapshot) -> tuple[StateChange, ...]:
    """Return all changes between two snapshots of a session, the Follower's first."""
    return tuple(_iterate_changes(before, after, ShortNames(after)))


def _iterate_changes(before: Snapshot, after: Snapshot, names: ShortNames) -> Iterator[StateChange]:
    if before.follower != after.follower:
        yield StateChange(
            "Follower", "pose", describe_pose(before.follower), describe_pose(after.follower)
        )
    for new in after.objects:
        old = before.get(new.objectId)
        if old is None:
            yield StateChange(names.name_of(new.objectId), "object", "absent", "present")
        elif old is not new:
            yield from _object_changes(old, new, names)


def _object_changes(old: ObjectState, new: ObjectState, names: ShortNames) -> Iterator[StateChange]:
    obj = names.name_of(new.objectId)
    for name in _OBJECT_FIELDS:
        was, now = getattr(old, name), getattr(new, name)
        if was == now or name in _GEOMETRY_FIELDS:
            continue
        if name in _ID_LIST_FIELDS:
            yield StateChange(obj, name, _format_ids(was, names), _format_ids(now, names))
        elif isinstance(was, str) or isinstance(now, str):
            yield StateChange(obj, name, _format_id(was, names), _format_id(now, names))
        else:
            yield StateChange(obj, name, format_value(was), format_value(now))
    if old.position != new.position:
        yield StateChange(obj, "position", _format_position(old), _format_position(new))


def describe_pose(agent: AgentState) -> str:
    """Return an agent's position and direction of view in words."""
    x, _, z = agent.position
    down = agent.horizon
    look = "level" if not down else f"{abs(down):.0f} {'down' if down > 0 else 'up'}"
    return f"x {x:.2f} z {z:.2f}, yaw {agent.yaw:.0f}, {look}"


def _format_position(obj: ObjectState) -> str:
    return " ".join(f"{each:.2f}" for each in obj.position)


def _format_id(value: object, names: ShortNames) -> str:
    if isinstance(value, str) and "|" in value:
        return names.name_of(value)
    return format_value(value)


def _format_ids(value: object, names: ShortNames) -> str:
    if not isinstance(value, tuple):
        return format_value(value)
    return format_value(tuple(names.name_of(each) for each in cast(tuple[str, ...], value)))
