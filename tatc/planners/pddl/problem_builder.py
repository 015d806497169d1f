"""A PDDL problem under construction: its objects, their facts, and their locations."""

from collections.abc import Callable
from itertools import chain

from tatc.home.actions import Verb
from tatc.home.state import ObjectState
from tatc.home.types.facts import BURNER_TYPE, HOLDS_ONE_TYPES, KNIFE_TYPES, KNOB_TYPE, SINK_TYPES
from tatc.planners.pddl.goal_selection import GoalSelection
from tatc.planners.pddl.problem import Atom, PddlNames
from tatc.planners.pddl.property_goals import unary_predicates_of
from tatc.planners.planning_view import PlanningView
from tatc.planners.snapshot_view import has_door, is_closed

MAX_PER_KIND = 2
"""Tools or appliances of one kind that a problem holds, at most."""
MAX_BLOCKING_ITEMS = 3
"""Objects in a crowded receptacle that the problem lets be taken out, at most."""
MAX_PROBLEM_OBJECTS = 120
"""Objects in a problem, at most; it ends a chain of objects in one another's way."""


class ProblemBuilder:
    """The part of the home that is in the problem so far.

    An object is added with its own state.  `_describe_locations` comes last: it states where
    the objects are, and adds what must be moved or opened to get at them.
    """

    def __init__(self, view: PlanningView, selection: GoalSelection) -> None:
        """Start with an empty problem."""
        self._view, self._selection = view, selection
        self._goal_facts = frozenset(selection.goal)
        self._names = PddlNames()
        self._objects: dict[str, str] = {}  # name -> type
        self._included: dict[str, ObjectState] = {}  # id -> object in the problem
        self._facts: dict[Atom, None] = {}
        self._allowed_placements: dict[tuple[str, str], None] = {}
        self._piece_types = {piece.token: piece.object_type for piece in selection.pieces}

    def _include(self, obj: ObjectState) -> str:
        """Add an object with its own state to the problem; return its name."""
        name = self._names.name_of(obj.objectId, obj.objectType)
        if name not in self._objects and len(self._objects) < MAX_PROBLEM_OBJECTS:
            self._objects[name] = pddl_type_of(obj)
            self._included[obj.objectId] = obj
            for predicate in unary_predicates_of(obj):
                self._facts[predicate, name] = None
        return name

    def _nearest_usable(
        self, types: tuple[str, ...], where: Callable[[ObjectState], bool]
    ) -> tuple[ObjectState, ...]:
        return self._view.easiest_objects(*types, where=where)[:MAX_PER_KIND]

    def _allow_placement(self, item: str, place: str) -> bool:
        """Allow an item to go into a place, unless the world has refused it for good."""
        receptacle = self._view.get(place)
        if receptacle is None or not self._can_place(receptacle, item):
            return False
        self._include(receptacle)
        if obj := self._view.get(item):
            self._include(obj)
        self._allowed_placements[item, place] = None
        return True

    def _can_place(self, place: ObjectState, item: str) -> bool:
        """Return whether an item may go there now, or once something has been taken out."""
        if self._view.is_allowed(Verb.PLACE, place.objectId, item):
            return True
        return any(
            t.objectId != item and ("in", t.objectId, place.objectId) not in self._goal_facts
            for t in self._view.removable_contents_of(place)
        )

    def _allow_switching(self, device: str) -> None:
        obj = self._view.get(device)
        verb = Verb.TOGGLE_OFF if obj and obj.isToggled else Verb.TOGGLE_ON
        if obj is not None and self._view.is_allowed(verb, device):
            self._facts["switchable", self._include(obj)] = None

    def _describe_locations(self) -> None:
        """State where each object is, and add what must be moved or opened to get at it."""
        if not self._view.held_id:
            self._facts["hand-free",] = None
        done: set[str] = set()
        while fresh := [name for name in self._included if name not in done]:
            for object_id in fresh:
                done.add(object_id)
                obj = self._included[object_id]
                if obj.affordances.receptacle or has_door(obj):
                    self._describe_receptacle(obj)
                if obj.affordances.pickupable:
                    self._describe_location(obj)
        for item, place in self._allowed_placements:
            self._facts["fits", self._name_of(item), self._name_of(place)] = None

    def _describe_location(self, obj: ObjectState) -> None:
        name = self._name_of(obj.objectId)
        if obj.objectId == self._view.held_id:
            self._facts["holding", name] = None
            return
        if not self._view.can_be_taken(obj):
            return
        at = self._relevant_receptacle(obj)
        if at is None:
            self._facts["aside", name] = None
        else:
            self._allowed_placements[obj.objectId, at.objectId] = None
            self._facts["in", name, self._include(at)] = None

    def _relevant_receptacle(self, obj: ObjectState) -> ObjectState | None:
        """Return the receptacle of an object that matters to the problem, or None.

        That is a machine that holds it, the place where it should be, a receptacle that is in
        the problem already, or a closed container around it.
        """
        parents, goal = self._view.receptacles_by_size(obj), self._goal_facts
        included = [parent for parent in parents if parent.objectId in self._included]
        known = {parent.objectId for parent in included if not is_open_surface(parent)}
        # A machine's contents also count as in what the machine stands on.
        machines = (parent for parent in included if parent.objectType in HOLDS_ONE_TYPES)
        wanted = (parent for parent in parents if ("in", obj.objectId, parent.objectId) in goal)
        around = (parent for parent in parents if parent.objectId in known or is_closed(parent))
        return next(chain(machines, wanted, around), None)

    def _describe_receptacle(self, place: ObjectState) -> None:
        name, view = self._name_of(place.objectId), self._view
        if place.affordances.openable:
            verb = Verb.CLOSE if place.isOpen else Verb.OPEN
            if view.is_allowed(verb, place.objectId):
                self._facts["has-door", name] = None
        if not place.affordances.receptacle:
            return
        if not is_closed(place) and not view.closed_containers_of(place):
            self._facts["reachable", name] = None
        contents = view.removable_contents_of(place)
        if view.was_refused(Verb.PLACE, place.objectId) or place.objectType in HOLDS_ONE_TYPES:
            self._facts["tight", name] = None
            if not contents:
                self._facts["vacant", name] = None
            for obj in contents[:MAX_BLOCKING_ITEMS]:
                self._include(obj)
        else:
            self._facts["roomy", name] = None

    def _name_of(self, token: str) -> str:
        return self._names.name_of(token, self._type_of(token))

    def _type_of(self, token: str) -> str:
        obj = self._view.get(token)
        return obj.objectType if obj else self._piece_types[token]

    def _with_names(self, atom: Atom) -> Atom:
        return (atom[0], *(self._name_of(token) for token in atom[1:]))

    def _atom_holds(self, atom: Atom) -> bool:
        obj = self._view.get(atom[1])
        return obj is not None and atom[0] in unary_predicates_of(obj)


# The PDDL type of an object.

_PDDL_TYPE_OF_FIXTURE = {
    "Faucet": "faucet",
    KNOB_TYPE: "knob",
    BURNER_TYPE: "burner",
    "Microwave": "microwave",
    "Toaster": "toaster",
    "CoffeeMachine": "coffeemachine",
    "Fridge": "fridge",
    **dict.fromkeys(SINK_TYPES, "sink"),
    "SinkBasin": "basin",
}


def is_open_surface(place: ObjectState) -> bool:
    """Return whether a place is a plain open surface: objects on it count as `aside`."""
    return pddl_type_of(place) == "fixture" and not has_door(place)


def pddl_type_of(obj: ObjectState) -> str:
    """Return the PDDL type of an object."""
    if not obj.affordances.pickupable:
        return _PDDL_TYPE_OF_FIXTURE.get(obj.objectType, "fixture")
    if obj.objectType in KNIFE_TYPES:
        return "knife"
    return "vessel" if obj.affordances.canFillWithLiquid else "solid"
