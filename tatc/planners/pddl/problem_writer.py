"""From selected goals to a PDDL problem that holds only the objects that matter to them.

These are the objects that serve, the closed containers around them, the nearest few tools,
sinks, vessels and appliances that a goal needs, and what is in their way.  All else is
left out; an object on some shelf is just `aside`.
"""

from collections.abc import Callable
from itertools import chain
from pathlib import Path

from tatc.base import errors, files
from tatc.home import state, type_facts
from tatc.home.actions import Verb
from tatc.planners.pddl.goal_selection import GoalSelection, select_goals
from tatc.planners.pddl.problem import Atom, PddlNames, PddlProblem, domain_text
from tatc.planners.properties import Means, goals_by_predicate, unary_predicates_of
from tatc.planners.snapshot_view import PlanningView, faucet_of, has_door, is_closed, knob_of
from tatc.tdl import Task

MAX_PER_KIND = 2  # tools or appliances of one kind that a problem holds, at most
MAX_BLOCKING_ITEMS = 3
"""Objects in a crowded receptacle that the problem lets be taken out, at most."""
MAX_PROBLEM_OBJECTS = 120
"""Objects in a problem, at most; it ends a chain of objects in one another's way."""
MAX_WATER_VESSELS = 3  # vessels to carry water that a problem holds, at most
_PlaceInVessel = Callable[[str, state.ObjectState], bool]
_PDDL_TYPE_OF_FIXTURE = {
    "Faucet": "faucet",
    type_facts.KNOB_TYPE: "knob",
    type_facts.BURNER_TYPE: "burner",
    "Microwave": "microwave",
    "Toaster": "toaster",
    "CoffeeMachine": "coffeemachine",
    "Fridge": "fridge",
    **dict.fromkeys(type_facts.SINK_TYPES, "sink"),
    "SinkBasin": "basin",
}


def write_problem(view: PlanningView, selection: GoalSelection) -> PddlProblem:
    """Return the problem of reaching the selected goals from the present state."""
    return _ProblemWriter(view, selection).write()


def save_pddl(task: Task, snapshot: state.Snapshot, folder: Path, *, force: bool) -> None:
    """Write `domain.pddl` and `problem.pddl`: the task in this state, for other planners.

    Where too few objects could serve the task, BadInput.
    """
    view = PlanningView(snapshot, ())
    selection = select_goals(task.definition, view)
    if selection.unavailable:
        fix = "name another step, or leave out --pddl-out"
        raise errors.BadInput(f"no PDDL can be written: {selection.unavailable[0]}", fix=fix)
    files.make_folder(folder)
    problem = write_problem(view, selection).pddl_text()
    for name, text in (("domain", domain_text()), ("problem", problem)):
        files.write_atomically(text.encode(), folder / f"{name}.pddl", force=force)


class _ProblemWriter:
    """The part of the home that is in the problem so far; where things are is described last."""

    def __init__(self, view: PlanningView, selection: GoalSelection) -> None:
        self._view, self._selection = view, selection
        self._goal_facts = frozenset(selection.goal)
        self._names = PddlNames()
        self._objects: dict[str, str] = {}  # name -> type
        self._included: dict[str, state.ObjectState] = {}  # id -> object in the problem
        self._facts: dict[Atom, None] = {}
        self._allowed_placements: dict[tuple[str, str], None] = {}
        self._piece_types = {piece.token: piece.object_type for piece in selection.pieces}

    def write(self) -> PddlProblem:
        """Add the objects that matter, then state where each is."""
        self._include_goal_objects()
        for piece in self._selection.pieces:
            self._include_piece(piece.token, piece.object_type, piece.whole_id)
        goals = goals_by_predicate()
        for atom in self._selection.goal:
            goal = goals.get(atom[0])
            obj = self._view.get(atom[1])
            holds = obj is not None and atom[0] in unary_predicates_of(obj)
            if goal is not None and goal.means is not None and not holds:
                _ADD_MEANS[goal.means](self, atom[1])
        if held := self._view.get(self._view.held_id):
            self._include(held)
        self._describe_locations()
        goal = tuple(self._with_names(atom) for atom in self._selection.goal)
        agenda = tuple(
            tuple(self._with_names(atom) for atom in group) for group in self._selection.agenda
        )
        objects, init = tuple(self._objects.items()), tuple(sorted(self._facts))
        return PddlProblem(objects, init, goal, agenda, self._names.name_id_pairs())

    def _include_goal_objects(self) -> None:
        for atom in self._selection.goal:
            for token in atom[1:]:
                if obj := self._view.get(token):
                    self._include(obj)
        for atom in self._selection.goal:
            if atom[0] == "in":
                self._allow_placement(atom[1], atom[2])
            elif atom[0] in ("on", "off"):
                self._allow_switching(atom[1])

    def _include_piece(self, token: str, kind: str, whole_id: str) -> None:
        whole = self._view.get(whole_id)
        if whole is None:
            return
        name, of = self._names.name_of(token, kind), self._include(whole)
        self._objects[name] = "solid"
        self._facts["raw", name] = None
        if kind not in type_facts.SLICE_TYPES:
            self._facts["cracks", of, name] = None
        else:
            self._facts["sliceable", of] = None
            self._facts["piece", name, of] = None
            self._facts["unborn", name] = None

        def can_cut(knife: state.ObjectState) -> bool:
            allowed = self._view.is_allowed(Verb.SLICE, whole_id, knife.objectId)
            return allowed and self._view.can_be_taken(knife)

        for knife in self._nearest_usable(type_facts.KNIFE_TYPES, can_cut):
            self._include(knife)

    def add_sinks(self, token: str, *types: str) -> bool:
        """Add the sinks (of these types) that can rinse or fill an object; return if any can."""
        found = False
        sinks = self._view.watered_sinks()
        for sink in [s for s in sinks if not types or s.objectType in types][:MAX_PER_KIND]:
            faucet = faucet_of(self._view.snapshot, sink)
            if faucet is not None and self._allow_placement(token, sink.objectId):
                self._allow_switching(faucet.objectId)
                self._facts["waters", self._include(faucet), self._include(sink)] = None
                found = True
        return found

    def add_coffee_machines(self, token: str) -> None:
        """Add the coffee machines, and sinks where the mug is full or dirty."""
        for machine in self._view.easiest_objects("CoffeeMachine")[:MAX_PER_KIND]:
            self._allow_placement(token, machine.objectId)
        mug = self._view.get(token)
        if mug is not None and (mug.isFilledWithLiquid or mug.isDirty):
            self.add_sinks(token)

    def add_cooking_appliances(self, token: str) -> None:
        """Add what cooks this: toasters for bread, else microwaves, else burners."""
        bread = self._type_of(token) in type_facts.TOASTED_TYPES
        kind, fact = ("Toaster", "toastable") if bread else ("Microwave", "microwavable")
        if self.add_appliances(token, kind, fact):
            return
        kinds = type_facts.COOKING_VESSEL_TYPES
        for vessel in self._nearest_usable(kinds, self._view.can_be_taken):
            self._add_burners(
                token, vessel, lambda item, v: self._allow_placement(item, v.objectId)
            )

    def add_sink_basins(self, token: str) -> None:
        """Add the basins of sinks, in which water leaves ALFRED's mark."""
        if self.add_sinks(token, "SinkBasin"):
            self._facts["washable", self._name_of(token)] = None

    def add_appliances(self, token: str, kind: str, fact: str) -> bool:
        """Add the easiest appliances of a type; return whether one takes the object."""
        found = self._view.easiest_objects(kind)[:MAX_PER_KIND]
        usable = [each for each in found if self._allow_placement(token, each.objectId)]
        if usable:
            self._facts[fact, self._name_of(token)] = None
        return bool(usable)

    def add_boiling_vessels(self, token: str) -> None:
        """Add pots and burners, or else bowls and microwaves; and water."""
        pots = self._nearest_usable(("Pot",), self._view.can_be_taken)
        if any([self._add_burners(token, pot, self._allow_soaking) for pot in pots]):
            return
        self._facts["microwavable", self._name_of(token)] = None
        for bowl in self._nearest_usable(type_facts.BOILING_VESSEL_TYPES, self._view.can_be_taken):
            if self._allow_soaking(token, bowl):
                for oven in self._view.easiest_objects("Microwave")[:MAX_PER_KIND]:
                    self._allow_placement(bowl.objectId, oven.objectId)

    def add_water_supply(self, token: str) -> None:
        """Add sinks, and for an object that cannot be carried to one, vessels too."""
        target = self._view.get(token)
        if target is None:
            return
        if target.affordances.pickupable:
            self.add_sinks(token)
            return
        self._facts["waterable", self._include(target)] = None

        def can_carry_water(vessel: state.ObjectState) -> bool:
            allowed = self._view.is_allowed(Verb.POUR, token, vessel.objectId)
            able = vessel.affordances.canFillWithLiquid
            return allowed and able and self._view.can_be_taken(vessel)

        vessels = self._view.easiest_objects(where=can_carry_water)
        for vessel in sorted(vessels, key=lambda v: not v.isFilledWithLiquid)[:MAX_WATER_VESSELS]:
            self._include(vessel)
            self.add_sinks(vessel.objectId)

    def _allow_soaking(self, token: str, vessel: state.ObjectState) -> bool:
        """Allow an object into a vessel that held water or can be filled; return if it may go."""
        if not self._can_place(vessel, token):
            return False
        wet = vessel.isFilledWithLiquid or vessel.simbotIsFilledWithWater
        if not (wet or self.add_sinks(vessel.objectId)):
            return False
        self._facts["soaks", self._name_of(token), self._include(vessel)] = None
        return True

    def _add_burners(self, token: str, vessel: state.ObjectState, place_in: _PlaceInVessel) -> bool:
        """Allow cooking in a vessel, on its own burner or a free one; return if one can be used."""
        found = False
        for burner in self._burners_for(vessel):
            knob = knob_of(self._view.snapshot, burner)
            allowed = knob is not None and self._view.is_allowed(Verb.TOGGLE_ON, knob.objectId)
            if knob is None or not (allowed or knob.isToggled):
                continue
            if place_in(token, vessel) and self._allow_placement(vessel.objectId, burner.objectId):
                found = True
                self._facts["heats", self._include(knob), self._include(burner)] = None
                self._facts["cookable", self._name_of(token)] = None
        return found

    def _burners_for(self, vessel: state.ObjectState) -> tuple[state.ObjectState, ...]:
        around = self._view.receptacles_by_size(vessel)
        own = [place for place in around if place.objectType == type_facts.BURNER_TYPE]
        burners = self._view.easiest_objects(type_facts.BURNER_TYPE, where=lambda b: b not in own)
        free = sorted(burners, key=lambda b: bool(self._view.removable_contents_of(b)))
        return (*own, *free[: MAX_PER_KIND - len(own)])

    def _include(self, obj: state.ObjectState) -> str:
        """Add an object with its own state to the problem; return its name."""
        name = self._names.name_of(obj.objectId, obj.objectType)
        if name not in self._objects and len(self._objects) < MAX_PROBLEM_OBJECTS:
            self._objects[name] = _pddl_type_of(obj)
            self._included[obj.objectId] = obj
            for predicate in unary_predicates_of(obj):
                self._facts[predicate, name] = None
        return name

    def _nearest_usable(
        self, types: tuple[str, ...], where: Callable[[state.ObjectState], bool]
    ) -> tuple[state.ObjectState, ...]:
        return self._view.easiest_objects(*types, where=where)[:MAX_PER_KIND]

    def _allow_placement(self, item: str, place: str) -> bool:
        """Allow an item into a place unless the world refused it for good; return if it may go."""
        receptacle = self._view.get(place)
        if receptacle is None or not self._can_place(receptacle, item):
            return False
        self._include(receptacle)
        if obj := self._view.get(item):
            self._include(obj)
        self._allowed_placements[item, place] = None
        return True

    def _can_place(self, place: state.ObjectState, item: str) -> bool:
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

    def _describe_location(self, obj: state.ObjectState) -> None:
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

    def _relevant_receptacle(self, obj: state.ObjectState) -> state.ObjectState | None:
        """Return the receptacle of an object that matters to the problem, or None.

        That is a machine that holds it, the place where it should be, a receptacle that is in
        the problem already, or a closed container around it.
        """
        parents, goal = self._view.receptacles_by_size(obj), self._goal_facts
        included = [parent for parent in parents if parent.objectId in self._included]
        # Objects on a plain open surface count as `aside`.
        others = (p for p in included if _pddl_type_of(p) != "fixture" or has_door(p))
        known = {parent.objectId for parent in others}
        # A machine's contents also count as in what the machine stands on.
        machines = (each for each in included if each.objectType in type_facts.HOLDS_ONE_TYPES)
        wanted = (parent for parent in parents if ("in", obj.objectId, parent.objectId) in goal)
        around = (parent for parent in parents if parent.objectId in known or is_closed(parent))
        return next(chain(machines, wanted, around), None)

    def _describe_receptacle(self, place: state.ObjectState) -> None:
        name, view = self._name_of(place.objectId), self._view
        if place.affordances.openable:
            if view.is_allowed(Verb.CLOSE if place.isOpen else Verb.OPEN, place.objectId):
                self._facts["has-door", name] = None
        if not place.affordances.receptacle:
            return
        if not is_closed(place) and not view.closed_containers_of(place):
            self._facts["reachable", name] = None
        contents = view.removable_contents_of(place)
        if (
            view.was_refused(Verb.PLACE, place.objectId)
            or place.objectType in type_facts.HOLDS_ONE_TYPES
        ):
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


_ADD_MEANS: dict[Means, Callable[[_ProblemWriter, str], object]] = {
    Means.SINKS: _ProblemWriter.add_sinks,
    Means.WATER_SUPPLY: _ProblemWriter.add_water_supply,
    Means.COFFEE_MACHINES: _ProblemWriter.add_coffee_machines,
    Means.COOKING_APPLIANCES: _ProblemWriter.add_cooking_appliances,
    Means.BOILING_VESSELS: _ProblemWriter.add_boiling_vessels,
    Means.SINK_BASINS: _ProblemWriter.add_sink_basins,
    Means.MICROWAVES: lambda made, token: made.add_appliances(token, "Microwave", "microwavable"),
    Means.FRIDGES: lambda made, token: made.add_appliances(token, "Fridge", "coolable"),
}
"""What adds the means of a goal to the problem, given the id of the goal's object."""


def _pddl_type_of(obj: state.ObjectState) -> str:
    if not obj.affordances.pickupable:
        return _PDDL_TYPE_OF_FIXTURE.get(obj.objectType, "fixture")
    if obj.objectType in type_facts.KNIFE_TYPES:
        return "knife"
    return "vessel" if obj.affordances.canFillWithLiquid else "solid"
