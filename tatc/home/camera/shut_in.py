"""Which objects are shut in: in a closed container, at any depth, where no ray gets.

A closed container's box does not cover all that is in it: boxes are rough, and an object
may be put down where it is up to three centimetres higher than the space for it, as in
AI2-THOR.  Without this rule, the end of such an object is seen above its container.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tatc.home.state import ObjectState
from tatc.home.types.facts import MUST_BE_OPEN_TYPES


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    parents: tuple[str, ...]
    is_closed: bool

    @staticmethod
    def of(obj: ObjectState) -> "_Place":
        able = obj.affordances
        closed = able.openable and not obj.isOpen and obj.objectType in MUST_BE_OPEN_TYPES
        # Only portable objects are in anything: AI2-THOR lists a plate as a parent of the
        # cabinet that it is in.
        parents = (obj.parentReceptacles or ()) if able.pickupable else ()
        return _Place(obj.objectId, parents, closed)


class ShutInObjects:
    """Where the objects of a list are, and which of them are shut in."""

    def __init__(self, objects: Sequence[ObjectState]) -> None:
        """Take the objects; indices are those of this list."""
        self._places: list[_Place] = []
        self._index: dict[str, int] = {}
        self._contents: defaultdict[str, set[int]] = defaultdict(set)
        for i, obj in enumerate(objects):
            self.update(i, obj)

    def is_shut_in(self, index: int) -> bool:
        """Return whether an object is in a closed container, or in an object that is."""
        left, seen = list(self._places[index].parents), set[str]()
        while left:
            name = left.pop()
            if name in seen or name not in self._index:
                continue
            seen.add(name)
            parent = self._places[self._index[name]]
            if parent.is_closed:
                return True
            left += parent.parents
        return False

    def update(self, index: int, obj: ObjectState) -> set[int]:
        """Take an object that has changed, or the next one; return what is in it if it matters.

        It matters if the object has been opened, closed, or put into something else.
        """
        place = _Place.of(obj)
        if index == len(self._places):
            self._places.append(place)
        elif place == (before := self._places[index]):
            return set()
        else:
            self._places[index] = place
            for parent in before.parents:
                self._contents[parent].discard(index)
        self._index[place.name] = index
        for parent in place.parents:
            self._contents[parent].add(index)
        return self._contents_of(place.name) - {index}

    def _contents_of(self, name: str) -> set[int]:
        """Return the indices of the objects in or on an object, at any depth."""
        left, found = [name], set[int]()
        while left:
            inside = self._contents.get(left.pop(), set[int]()) - found
            found |= inside
            left += [self._places[index].name for index in inside]
        return found
