"""Where a session stands, kept so that it can go on from there again.

A saved state shares all values that never change with the session that it was taken from, and
holds a copy of the rest: the log, what was heard, the names of objects, the agents' memories.
"""

import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from copyreg import dispatch_table
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from io import BytesIO
from threading import local
from typing import Any, cast

from tatc.base.errors import UsageError
from tatc.home.observation import View
from tatc.home.state import ObjectState, Snapshot
from tatc.session.start import SessionStart
from tatc.session.text_world.seen_objects import SeenObject
from tatc.session.text_world.tools import ToolSpec
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import Progress, Task

_SHARED_TYPES = (
    EmbeddedSimulator,
    ObjectState,
    Progress,
    SeenObject,
    SessionStart,
    Snapshot,
    Task,
    ToolSpec,
    View,
)
"""Values that never change, and the simulator, whose state is the snapshot."""
_loading = local()


@dataclass(frozen=True, slots=True, eq=False)
class SavedState:
    """Where a session stands: its home, and the rest as `data`, in which `shared` is left out."""

    world: Snapshot
    data: bytes
    shared: tuple[Any, ...]


def save_state(world: Snapshot, parts: object) -> SavedState:
    """Save the state of a home and the parts of its session."""
    shared: list[Any] = []
    index_of: dict[int, int] = {}

    def share(value: object) -> tuple[Callable[[int], Any], tuple[int]]:
        index = index_of.setdefault(id(value), len(shared))
        if index == len(shared):
            shared.append(value)
        return _shared_value, (index,)

    buffer = BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {**dispatch_table, **dict.fromkeys(_SHARED_TYPES, share)}
    try:
        pickler.dump(parts)
    except (pickle.PicklingError, TypeError, AttributeError) as fault:
        why = f"an agent's state cannot be copied: {fault}"
        raise UsageError(why, fix="keep no open files, locks or functions in the agent") from fault
    return SavedState(world, buffer.getvalue(), tuple(shared))


def load_parts(saved: SavedState, sim: EmbeddedSimulator) -> Any:
    """Return a copy of the parts of a saved session, which then use the simulator `sim`."""
    _loading.shared = tuple(
        sim if isinstance(value, EmbeddedSimulator) else value for value in saved.shared
    )
    try:
        return pickle.loads(saved.data)  # our own bytes, which never left this process
    finally:
        del _loading.shared


def _shared_value(index: int) -> Any:
    """Return a value that was left out of the data that is being loaded."""
    return _loading.shared[index]


# The hash of where a session stands: equal in every process, on every machine.


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
