"""Where a session stands, kept so that it can go on from there again.

A saved state shares all values that never change with the session that it was taken from, and
holds a copy of the rest: the log, what was heard, the names of objects, the agents' memories.
"""

import pickle
from collections.abc import Callable
from copyreg import dispatch_table
from dataclasses import dataclass
from io import BytesIO
from threading import local
from typing import Any

from tatc.base.errors import UsageError
from tatc.home.percepts import View
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
    """Where a session stands; opaque to whoever holds it.

    `world` is the state of the home.  `data` holds the rest, in which `shared` is left out.
    """

    world: Snapshot
    data: bytes
    shared: tuple[Any, ...]


def save_state(world: Snapshot, parts: object) -> SavedState:
    """Save the state of a home and the parts of its session.

    Raises:
        UsageError: an agent holds what cannot be copied, such as an open file.

    """
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
