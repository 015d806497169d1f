"""From selected goals to a PDDL problem that holds only the objects that matter to them.

These are the objects that serve, the closed containers around them, the nearest few tools,
sinks, vessels and appliances that a goal needs, and what is in their way.  All else is
left out; an object on some shelf is just `aside`.
"""

from collections.abc import Callable

from tatc.home.actions import Verb
from tatc.home.state import ObjectState
from tatc.home.types.facts import (
    BOILING_VESSEL_TYPES,
    BURNER_TYPE,
    COOKING_VESSEL_TYPES,
    KNIFE_TYPES,
    SLICE_TYPES,
    TOASTED_TYPES,
)
from tatc.planners.pddl.goal_selection import GoalSelection
from tatc.planners.pddl.problem import PddlProblem
from tatc.planners.pddl.problem_builder import MAX_PER_KIND, ProblemBuilder
from tatc.planners.pddl.property_goals import goals_by_predicate
from tatc.planners.planning_view import PlanningView
from tatc.planners.property_facts import Means
from tatc.planners.snapshot_view import faucet_of, knob_of

MAX_WATER_VESSELS = 3
"""Vessels to carry water that a problem holds, at most."""

_BASIN_TYPE = "SinkBasin"
_PlaceInVessel = Callable[[str, ObjectState], bool]


def write_problem(view: PlanningView, selection: GoalSelection) -> PddlProblem:
    """Return the problem of reaching the selected goals from the present state."""
    return _ProblemWriter(view, selection).write()


class _ProblemWriter(ProblemBuilder):
    """Adds what each goal needs."""

    def write(self) -> PddlProblem:
        """Add the objects that matter, then state where each is."""
        self._include_goal_objects()
        for piece in self._selection.pieces:
            self._include_piece(piece.token, piece.object_type, piece.whole_id)
        goals = goals_by_predicate()
        for atom in self._selection.goal:
            goal = goals.get(atom[0])
            if goal is not None and goal.means is not None and not self._atom_holds(atom):
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
        if kind not in SLICE_TYPES:
            self._facts["cracks", of, name] = None
        else:
            self._facts["sliceable", of] = None
            self._facts["piece", name, of] = None
            self._facts["unborn", name] = None
        for knife in self._nearest_usable(KNIFE_TYPES, lambda t: self._can_cut(t, whole)):
            self._include(knife)

    def _can_cut(self, knife: ObjectState, whole: ObjectState) -> bool:
        allowed = self._view.is_allowed(Verb.SLICE, whole.objectId, knife.objectId)
        return allowed and self._view.can_be_taken(knife)

    def add_sinks(self, token: str, *types: str) -> bool:
        """Add the sinks (of these types) that can rinse or fill an object; return if one can."""
        found = False
        sinks = self._view.watered_sinks()
        for sink in [s for s in sinks if not types or s.objectType in types][:MAX_PER_KIND]:
            faucet = faucet_of(self._view.snapshot, sink)
            if faucet is not None and self._allow_placement(token, sink.objectId):
                self._allow_switching(faucet.objectId)
                pair = self._include(faucet), self._include(sink)
                self._facts["waters", *pair] = None
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
        bread = self._type_of(token) in TOASTED_TYPES
        kind, fact = ("Toaster", "toastable") if bread else ("Microwave", "microwavable")
        if self._add_appliances(token, kind, fact):
            return
        for vessel in self._nearest_usable(COOKING_VESSEL_TYPES, self._view.can_be_taken):
            self._add_burners(
                token, vessel, lambda item, v: self._allow_placement(item, v.objectId)
            )

    def add_sink_basins(self, token: str) -> None:
        """Add the basins of sinks, in which water leaves ALFRED's mark."""
        if self.add_sinks(token, _BASIN_TYPE):
            self._facts["washable", self._name_of(token)] = None

    def add_microwaves(self, token: str) -> None:
        """Add the microwaves that take an object, food or not."""
        self._add_appliances(token, "Microwave", "microwavable")

    def add_fridges(self, token: str) -> None:
        """Add the fridges that take an object."""
        self._add_appliances(token, "Fridge", "coolable")

    def _add_appliances(self, token: str, kind: str, fact: str) -> bool:
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
        for bowl in self._nearest_usable(BOILING_VESSEL_TYPES, self._view.can_be_taken):
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
        vessels = self._view.easiest_objects(where=lambda t: self._can_carry_water(t, token))
        ranked = sorted(vessels, key=lambda v: not v.isFilledWithLiquid)
        for vessel in ranked[:MAX_WATER_VESSELS]:
            self._include(vessel)
            self.add_sinks(vessel.objectId)

    def _can_carry_water(self, vessel: ObjectState, target: str) -> bool:
        allowed = self._view.is_allowed(Verb.POUR, target, vessel.objectId)
        able = vessel.affordances.canFillWithLiquid
        return allowed and able and self._view.can_be_taken(vessel)

    def _allow_soaking(self, token: str, vessel: ObjectState) -> bool:
        """Allow an object to go into a vessel that has held water, or can be filled."""
        if not self._can_place(vessel, token):
            return False
        wet = vessel.isFilledWithLiquid or vessel.simbotIsFilledWithWater
        if not (wet or self.add_sinks(vessel.objectId)):
            return False
        pair = self._name_of(token), self._include(vessel)
        self._facts["soaks", *pair] = None
        return True

    def _add_burners(self, token: str, vessel: ObjectState, place_in: _PlaceInVessel) -> bool:
        """Allow an object to be cooked in a vessel on its own burner, or on a free one."""
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

    def _burners_for(self, vessel: ObjectState) -> tuple[ObjectState, ...]:
        own = [p for p in self._view.receptacles_by_size(vessel) if p.objectType == BURNER_TYPE]
        burners = self._view.easiest_objects(BURNER_TYPE, where=lambda b: b not in own)
        free = sorted(burners, key=lambda b: bool(self._view.removable_contents_of(b)))
        return (*own, *free[: MAX_PER_KIND - len(own)])


_ADD_MEANS: dict[Means, Callable[[_ProblemWriter, str], object]] = {
    Means.SINKS: _ProblemWriter.add_sinks,
    Means.WATER_SUPPLY: _ProblemWriter.add_water_supply,
    Means.COFFEE_MACHINES: _ProblemWriter.add_coffee_machines,
    Means.COOKING_APPLIANCES: _ProblemWriter.add_cooking_appliances,
    Means.BOILING_VESSELS: _ProblemWriter.add_boiling_vessels,
    Means.SINK_BASINS: _ProblemWriter.add_sink_basins,
    Means.MICROWAVES: _ProblemWriter.add_microwaves,
    Means.FRIDGES: _ProblemWriter.add_fridges,
}
"""What brings the means of a goal into the problem, for the object that it is about."""
