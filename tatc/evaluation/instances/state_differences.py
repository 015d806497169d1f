"""The difference between two states, as TEACh's instances write it (spec section 4.4).

For each object it holds the properties whose values changed, with their new values.  Numbers are
equal if they differ by at most 1e-4, as TEACh rounds them.
"""

from collections.abc import Mapping
from typing import Any, cast

from tatc.home.metadata import write_object
from tatc.home.state import ObjectState, Snapshot
from tatc.tdl.edh import EDH_PROPERTIES

StateChanges = dict[str, dict[str, Any]]
"""Object id -> property -> new value."""

_DECIMALS = 4
_BASIN = "Basin"
_KEPT_PROPERTIES = frozenset(EDH_PROPERTIES)


def state_difference(before: Snapshot, after: Snapshot) -> StateChanges:
    """Return all changes from one state to a later one.

    An object that did not exist before, such as a slice, is compared with what it was cut from.
    """
    found: StateChanges = {}
    for obj in after.objects:
        old = before.get(obj.objectId)
        if old is obj:
            continue
        if old is None:
            old = before.get(_whole_id(obj.objectId))
        changed = _changed_fields({} if old is None else _object_json(old), _object_json(obj))
        if changed:
            found[obj.objectId] = changed
    return found


def net_changes(start: StateChanges, end: StateChanges) -> StateChanges:
    """Return the changes between two states, given the difference of each from one earlier state.

    Only the fifteen properties that TEACh keeps are compared.
    """
    found: StateChanges = {}
    for object_id, values in end.items():
        base = start.get(object_id)
        if base is None and object_id != _whole_id(object_id):
            base = start.get(_whole_id(object_id))
        base = base or {}
        new = {
            name: value
            for name, value in values.items()
            if name in _KEPT_PROPERTIES and (name not in base or base[name] != value)
        }
        if new:
            found[object_id] = new
    return found


def _whole_id(object_id: str) -> str:
    """Return the id of the object that a piece was cut from; other ids as they are."""
    fields = object_id.split("|")
    if len(fields) <= 4 or _BASIN in object_id:
        return object_id
    return "|".join(fields[:4])


def _object_json(obj: ObjectState) -> dict[str, Any]:
    return cast(dict[str, Any], _round_floats(write_object(obj)))


def _round_floats(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DECIMALS)
    if isinstance(value, Mapping):
        pairs = cast(Mapping[str, Any], value).items()
        return {name: _round_floats(inner) for name, inner in pairs}
    if isinstance(value, list):
        return [_round_floats(inner) for inner in cast(list[Any], value)]
    return value


def _changed_fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in new.items():
        if name in old and old[name] == value:
            continue
        before = old.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            inner = _changed_fields(cast(Mapping[str, Any], before), cast(Any, value))
            if inner:
                found[name] = inner
        else:
            found[name] = value
    return found
