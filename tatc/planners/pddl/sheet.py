"""A planning problem in the making: its objects, their facts, and where they are."""

from collections.abc import Callable

from tatc.actions import Verb
from tatc.planners.pddl.aims import Aims
from tatc.planners.pddl.home import Home, has_door, is_closed
from tatc.planners.pddl.kinds import TIGHT, is_furniture, state_of, type_of
from tatc.planners.pddl.problem import Atom, Names
from tatc.state import ObjectState

NEAREST = 2
"""How many of a kind of tool or appliance a problem holds."""
IN_THE_WAY = 3
"""Things in a crowded place that could be taken out of it."""
MOST_OBJECTS = 120
"""Objects in a problem at most; ends a chain of things that stand in the way."""


class Sheet:
    """What of a home is in the problem so far.

    What is taken in brings along its own state; `_place_all` says where things are at
    the end, and takes in what must be moved or opened to get at them.
    """

    def __init__(self, home: Home, aims: Aims) -> None:
        """Begin with nothing of the home."""
        self._home, self._aims = home, aims
        self._goal = frozenset(aims.goal)
        self._names = Names()
        self._objects: dict[str, str] = {}  # name -> type
        self._things: dict[str, ObjectState] = {}  # id -> object in the problem
        self._facts: dict[Atom, None] = {}
        self._fits: dict[tuple[str, str], None] = {}
        self._kinds = {piece.token: piece.kind for piece in aims.pieces}

    def _take(self, thing: ObjectState) -> str:
        """Take an object into the problem with its own state; return its name."""
        name = self._names.of(thing.objectId, thing.objectType)
        if name not in self._objects and len(self._objects) < MOST_OBJECTS:
            self._objects[name] = type_of(thing)
            self._things[thing.objectId] = thing
            for predicate in state_of(thing):
                self._facts[predicate, name] = None
        return name

    def _usable(
        self, types: tuple[str, ...], that: Callable[[ObjectState], bool]
    ) -> tuple[ObjectState, ...]:
        return self._home.all(*types, that=that)[:NEAREST]

    def _fit(self, item: str, place: str) -> bool:
        """Let an item go into a place, unless the world said no for good."""
        place_thing = self._home.get(place)
        if place_thing is None or not self._may_place(place_thing, item):
            return False
        self._take(place_thing)
        if thing := self._home.get(item):
            self._take(thing)
        self._fits[item, place] = None
        return True

    def _may_place(self, place: ObjectState, item: str) -> bool:
        """Return whether it is allowed, or may be once something has been taken out."""
        if self._home.allows(Verb.PLACE, place.objectId, item):
            return True
        return any(
            t.objectId != item and ("in", t.objectId, place.objectId) not in self._goal
            for t in self._home.contents(place)
        )

    def _switch(self, device: str) -> None:
        thing = self._home.get(device)
        verb = Verb.TOGGLE_OFF if thing and thing.isToggled else Verb.TOGGLE_ON
        if thing is not None and self._home.allows(verb, device):
            self._facts["switchable", self._take(thing)] = None

    def _place_all(self) -> None:
        """Say where each thing is; what must be moved or opened for it comes along."""
        if not self._home.held:
            self._facts["hand-free",] = None
        done: set[str] = set()
        while fresh := [name for name in self._things if name not in done]:
            for object_id in fresh:
                done.add(object_id)
                thing = self._things[object_id]
                if thing.affordances.receptacle or has_door(thing):
                    self._describe_place(thing)
                if thing.affordances.pickupable:
                    self._locate(thing)
        for item, place in self._fits:
            self._facts["fits", self._name(item), self._name(place)] = None

    def _locate(self, thing: ObjectState) -> None:
        name = self._name(thing.objectId)
        if thing.objectId == self._home.held:
            self._facts["holding", name] = None
            return
        if not self._home.takeable(thing):
            return
        at = self._where(thing)
        if at is None:
            self._facts["aside", name] = None
        else:
            self._fits[thing.objectId, at.objectId] = None
            self._facts["in", name, self._take(at)] = None

    def _where(self, thing: ObjectState) -> ObjectState | None:
        """Return the place that matters: where it should be, one in the problem."""
        parents = self._home.parents(thing)
        wanted = [atom[2] for atom in self._aims.goal if atom[:2] == self._in(thing)]
        # A machine's contents count as in what it stands on, too, but are in it.
        for parent in parents:
            if parent.objectType in TIGHT and parent.objectId in self._things:
                return parent
        for parent in parents:
            if parent.objectId in wanted:
                return parent
        for parent in parents:
            known = parent.objectId in self._things and not is_furniture(parent)
            if known or is_closed(parent):
                return parent
        return None

    @staticmethod
    def _in(thing: ObjectState) -> tuple[str, str]:
        return "in", thing.objectId

    def _describe_place(self, place: ObjectState) -> None:
        name, home = self._name(place.objectId), self._home
        if place.affordances.openable:
            verb = Verb.CLOSE if place.isOpen else Verb.OPEN
            if home.allows(verb, place.objectId):
                self._facts["has-door", name] = None
        if not place.affordances.receptacle:
            return
        if not is_closed(place) and not home.closed_around(place):
            self._facts["reachable", name] = None
        contents = home.contents(place)
        crowded = any(
            refusal.verb is Verb.PLACE and refusal.target == place.objectId
            for refusal in home.refused
        )
        if crowded or place.objectType in TIGHT:
            self._facts["tight", name] = None
            if not contents:
                self._facts["vacant", name] = None
            for thing in contents[:IN_THE_WAY]:
                self._take(thing)
        else:
            self._facts["roomy", name] = None

    def _name(self, token: str) -> str:
        thing = self._home.get(token)
        kind = thing.objectType if thing else self._kinds[token]
        return self._names.of(token, kind)

    def _kind(self, token: str) -> str:
        thing = self._home.get(token)
        return thing.objectType if thing else self._kinds[token]

    def _named(self, atom: Atom) -> Atom:
        return (atom[0], *(self._name(token) for token in atom[1:]))

    def _holds(self, atom: Atom) -> bool:
        thing = self._home.get(atom[1])
        return thing is not None and atom[0] in state_of(thing)
