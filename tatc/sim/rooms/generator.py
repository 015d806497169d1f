"""Makes rooms: the same kind and seed give the same room in every process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from tatc.errors import TatcError
from tatc.sim.rooms import bathroom, bedroom, kitchen, living
from tatc.sim.rooms.acceptance import fault_of
from tatc.sim.rooms.catalogue import kinds
from tatc.sim.rooms.contents import contents
from tatc.sim.rooms.room import Room, room_name
from tatc.sim.rooms.sketch import Sketch
from tatc.sim.rooms.stowing import Stower
from tatc.state import ObjectState, RoomKind

AGENT_Y = 0.9
MOST_DRAFTS = 200
SHUT_SHARE = 0.1
"""How much rarer things are shut in here than in starts, as in AI2-THOR's scenes."""


@dataclass(frozen=True, slots=True)
class _Recipe:
    """How a kind is furnished, and the ranges of its two sides in half metres.

    With whole half metres the walls lie on the grid of the body's positions.
    """

    furnish: Callable[[Sketch], str | None]
    short: tuple[int, int]
    long: tuple[int, int]


_RECIPES: Mapping[RoomKind, _Recipe] = MappingProxyType(
    {
        RoomKind.KITCHEN: _Recipe(kitchen.furnish, (7, 10), (8, 12)),
        RoomKind.LIVING_ROOM: _Recipe(living.furnish, (10, 14), (11, 18)),
        RoomKind.BEDROOM: _Recipe(bedroom.furnish, (8, 11), (9, 13)),
        RoomKind.BATHROOM: _Recipe(bathroom.furnish, (7, 9), (9, 10)),
    }
)


@dataclass(frozen=True, slots=True)
class Draft:
    """One draft of a room: the room, or why it was thrown away."""

    room: Room | None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """A room, and the faults of the drafts that were rejected before it."""

    room: Room
    rejected: tuple[str, ...]


def generate(kind: RoomKind, seed: int) -> Room:
    """Return the room of a kind and a seed: the first of its drafts without a fault."""
    return make(kind, seed).room


def make(kind: RoomKind, seed: int) -> Made:
    """Make the room of a kind and a seed, and keep what was wrong on the way.

    Raises:
        TatcError: none of `MOST_DRAFTS` is without a fault.

    """
    rejected: list[str] = []
    for number in range(MOST_DRAFTS):
        found = draft(kind, seed, number)
        if found.room is not None:
            return Made(found.room, tuple(rejected))
        rejected.append(found.fault)
    raise TatcError(f"no {kind.value.lower()} came of seed {seed}", fix="use another")


def draft(kind: RoomKind, seed: int, number: int) -> Draft:
    """Return one draft of the room of a kind and a seed."""
    rng = Random(f"{kind.value} {seed} {number}")
    recipe = _RECIPES[kind]
    sides = [rng.randint(*recipe.short) / 2, rng.randint(*recipe.long) / 2]
    rng.shuffle(sides)
    width, depth = sides
    sketch = Sketch(kind, rng, width, depth, mirrored=rng.random() < 0.5)
    fault = recipe.furnish(sketch)
    if fault:
        return Draft(None, fault)
    objects = _filled(sketch.things, kind, rng)
    room = Room(room_name(kind, seed), kind, seed, AGENT_Y, objects)
    fault = fault_of(room)
    return Draft(None, fault) if fault else Draft(room)


def _filled(
    fixed: list[ObjectState], kind: RoomKind, rng: Random
) -> tuple[ObjectState, ...]:
    """Put a kind's usual things into a furnished room."""
    stower = Stower(fixed, AGENT_Y, rng, SHUT_SHARE)
    found: list[ObjectState] = []
    for name, share in contents(kind):
        if rng.random() < share:
            thing = stower.put(name, kinds()[name].size(rng.random()))
            if thing is not None:
                found.append(thing)
    # AI2-THOR lists nothing in a particular order; by id is easy to read.
    return tuple(sorted((*fixed, *found), key=lambda t: t.objectId))
