"""The hash of where a session stands: equal in every process, on every machine."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from typing import Any, cast

from tatc.home.state import Snapshot


def state_hash(world: Snapshot, *rest: object) -> str:
    """Return the SHA-256, in hexadecimal, of a home and of whatever else belongs to a state.

    Only values count: not their identity, not how they were reached, and not the order of a
    mapping's keys.
    """
    state = [world.objects, world.commander, world.follower, *rest]
    text = json.dumps(_plain(state), separators=(",", ":"), allow_nan=False, ensure_ascii=True)
    return sha256(text.encode()).hexdigest()


def _plain(value: object) -> Any:
    """Return a value as JSON; values are told apart by their fields' order, without names."""
    if value is None or (isinstance(value, bool | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if is_dataclass(value):
        return [_plain(getattr(value, name)) for name in _field_names(type(value))]
    if isinstance(value, Mapping):
        given = cast(Mapping[object, object], value)
        return sorted(
            ([str(_plain(k)), _plain(v)] for k, v in given.items()), key=lambda row: row[0]
        )
    return [_plain(each) for each in cast(Sequence[object], value)]


@cache
def _field_names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.compare)
