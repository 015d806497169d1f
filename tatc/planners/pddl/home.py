"""What a planning problem is written from: a snapshot, and what the world refused."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from math import dist

from tatc.actions import GRID, Verb
from tatc.planners.fittings import SINKS, faucet_of
from tatc.state import ObjectState, Snapshot
from tatc.tdl.properties import parents_of

_WITH_HELD = (Verb.PLACE, Verb.POUR, Verb.SLICE)
_OPENING = 3.0  # what a closed door costs, in steps


@dataclass(frozen=True, slots=True)
class Refusal:
    """A fact that the world has taught: this verb does not work on this object.

    `held` is what was in the hand, where the verb is about that too (Place, Pour,
    Slice); for all other verbs it is empty.
    """

    verb: Verb
    target: str
    held: str = ""

    @staticmethod
    def of(verb: Verb, target: str, held: str) -> "Refusal":
        """Return the refusal of a try, without a held object that does not matter."""
        return Refusal(verb, target, held if verb in _WITH_HELD else "")


class Home:
    """Plain questions about the objects of one moment."""

    def __init__(self, snapshot: Snapshot, refused: Collection[Refusal] = ()) -> None:
        """Look at the objects; refusals are taken as facts."""
        self.snapshot = snapshot
        self.refused = frozenset(refused)
        held = snapshot.held()
        self.held = held.objectId if held else ""
        self._inside: dict[str, list[ObjectState]] = {}
        for thing in snapshot.objects:
            for parent in parents_of(thing, snapshot):
                if parent != thing.objectId:
                    self._inside.setdefault(parent, []).append(thing)

    def get(self, object_id: str) -> ObjectState | None:
        """Return an object, None where there is no such."""
        return self.snapshot.get(object_id)

    def allows(self, verb: Verb, target: str, held: str = "") -> bool:
        """Return whether nothing is known against this."""
        return Refusal(verb, target, held) not in self.refused

    def refusals(self, target: str) -> int:
        """Return how much the world has refused on this object."""
        return sum(each.target == target for each in self.refused)

    def distance(self, thing: ObjectState) -> float:
        """Return how far an object is from the Follower, in steps."""
        return dist(thing.box.center, self.snapshot.follower.position) / GRID

    def all(
        self, *types: str, that: Callable[[ObjectState], bool] | None = None
    ) -> tuple[ObjectState, ...]:
        """Return the whole objects of these types (any, without), easiest first."""
        found = self.snapshot.of_type(*types) if types else self.snapshot.objects
        return self.nearest(
            t for t in found if not t.isSliced and (that is None or that(t))
        )

    def nearest(self, things: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
        """Return the objects by how soon they can be reached."""
        return tuple(sorted(things, key=lambda t: (self.effort(t), t.objectId)))

    def effort(self, thing: ObjectState) -> float:
        """Return a rough count of steps to reach an object; the held one has none."""
        if thing.objectId == self.held:
            return 0.0
        return self.distance(thing) + _OPENING * len(self.closed_around(thing))

    def parents(self, thing: ObjectState) -> tuple[ObjectState, ...]:
        """Return the receptacles an object is in: what can be carried, then by size."""
        ids = parents_of(thing, self.snapshot)
        found = (self.get(name) for name in ids if name != thing.objectId)
        return tuple(sorted((p for p in found if p is not None), key=_size))

    def contents(self, receptacle: ObjectState) -> tuple[ObjectState, ...]:
        """Return what can be taken out of a receptacle, or off it."""
        inside = self._inside.get(receptacle.objectId, ())
        return tuple(t for t in inside if t.affordances.pickupable and not t.isSliced)

    def closed_around(self, thing: ObjectState) -> tuple[ObjectState, ...]:
        """Return the closed containers that an object is in."""
        return tuple(p for p in self.parents(thing) if is_closed(p))

    def takeable(self, thing: ObjectState) -> bool:
        """Return whether the hand can get an object, as far as is known."""
        if thing.objectId == self.held:
            return True
        return thing.affordances.pickupable and self.allows(Verb.PICKUP, thing.objectId)

    def sinks(self) -> tuple[ObjectState, ...]:
        """Return basins that a faucet waters, kitchen sinks before tubs."""
        found = self.all(*SINKS, that=lambda s: s.affordances.receptacle)
        watered = (s for s in found if faucet_of(self.snapshot, s) is not None)
        return tuple(sorted(watered, key=lambda s: SINKS.index(s.objectType)))


def has_door(thing: ObjectState) -> bool:
    """Return whether an object's door decides what can be taken out of it."""
    return thing.affordances.openable and thing.affordances.receptacle


def is_closed(thing: ObjectState) -> bool:
    """Return whether an object shuts off what is in it."""
    return has_door(thing) and not thing.isOpen


def _size(thing: ObjectState) -> tuple[bool, float, str]:
    x, y, z = thing.box.size
    return not thing.affordances.pickupable, x * y * z, thing.objectId
