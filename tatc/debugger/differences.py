"""What has changed between two moments, object by object, property by property."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import cast

from tatc.debugger.missing import told
from tatc.debugger.naming import Names
from tatc.state import AgentState, ObjectState, Snapshot

_FIELDS = tuple(field.name for field in fields(ObjectState))
_PLACES = ("position", "rotation", "box")
_LISTS = ("parentReceptacles", "simbotIsReceptacleOf")


@dataclass(frozen=True, slots=True)
class Change:
    """One property of one object (or of the Follower) that is not as it was."""

    thing: str
    what: str
    was: str
    now: str


def differences(before: Snapshot, after: Snapshot) -> tuple[Change, ...]:
    """Return all changes between two moments of a session, the Follower's first."""
    return tuple(_changes(before, after, Names(after)))


def _changes(before: Snapshot, after: Snapshot, names: Names) -> Iterator[Change]:
    if before.follower != after.follower:
        yield Change("Follower", "pose", pose(before.follower), pose(after.follower))
    for new in after.objects:
        old = before.get(new.objectId)
        if old is None:
            yield Change(names.of(new.objectId), "object", "not there", "there")
        elif old is not new:
            yield from _of(old, new, names)


def _of(old: ObjectState, new: ObjectState, names: Names) -> Iterator[Change]:
    thing = names.of(new.objectId)
    for name in _FIELDS:
        was, now = getattr(old, name), getattr(new, name)
        if was == now or name in _PLACES:
            continue
        if name in _LISTS:
            yield Change(thing, name, _listed(was, names), _listed(now, names))
        elif isinstance(was, str) or isinstance(now, str):
            yield Change(thing, name, _named(was, names), _named(now, names))
        else:
            yield Change(thing, name, told(was), told(now))
    if old.position != new.position:
        yield Change(thing, "position", _point(old), _point(new))


def pose(agent: AgentState) -> str:
    """Return where a body stands and looks, in words."""
    x, _, z = agent.position
    down = agent.horizon
    look = "level" if not down else f"{abs(down):.0f} {'down' if down > 0 else 'up'}"
    return f"x {x:.2f} z {z:.2f}, yaw {agent.yaw:.0f}, {look}"


def _point(thing: ObjectState) -> str:
    return " ".join(f"{each:.2f}" for each in thing.position)


def _named(value: object, names: Names) -> str:
    if isinstance(value, str) and "|" in value:
        return names.of(value)
    return told(value)


def _listed(value: object, names: Names) -> str:
    if not isinstance(value, tuple):
        return told(value)
    return told(tuple(names.of(each) for each in cast(tuple[str, ...], value)))
