"""From aims to a planning problem that holds only what matters to them.

What matters: the objects that serve, the closed containers they are in, the nearest few
of every tool, sink, vessel and appliance that an aim needs, and what stands in their
way.  All else is left out; a thing on some shelf is just `aside`.
"""

from collections.abc import Callable

from tatc.actions import KNIVES, Verb
from tatc.planners.fittings import faucet_of, knob_of
from tatc.planners.pddl.aims import Aims
from tatc.planners.pddl.home import Home
from tatc.planners.pddl.problem import Atom, Problem
from tatc.planners.pddl.sheet import NEAREST, Sheet
from tatc.state import ObjectState

VESSELS = 3
"""How many vessels that could carry water."""

_Into = Callable[[str, ObjectState], bool]


def write_problem(home: Home, aims: Aims) -> Problem:
    """Return the problem of reaching these aims from the home as it is."""
    return _Writer(home, aims).problem()


class _Writer(Sheet):
    """Takes in what each aim needs."""

    def problem(self) -> Problem:
        """Take in what matters, then say where everything is."""
        self._take_goal()
        for piece in self._aims.pieces:
            self._take_piece(piece.token, piece.kind, piece.whole)
        for atom in self._aims.goal:
            if not self._holds(atom):
                _NEEDS.get(atom[0], _nothing)(self, atom)
        if held := self._home.get(self._home.held):
            self._take(held)
        self._place_all()
        goal = tuple(self._named(atom) for atom in self._aims.goal)
        agenda = tuple(
            tuple(self._named(atom) for atom in group) for group in self._aims.agenda
        )
        objects, init = tuple(self._objects.items()), tuple(sorted(self._facts))
        return Problem(objects, init, goal, agenda, self._names.pairs())

    def _take_goal(self) -> None:
        for atom in self._aims.goal:
            for token in atom[1:]:
                if thing := self._home.get(token):
                    self._take(thing)
        for atom in self._aims.goal:
            if atom[0] == "in":
                self._fit(atom[1], atom[2])
            elif atom[0] in ("on", "off"):
                self._switch(atom[1])

    def _take_piece(self, token: str, kind: str, whole_id: str) -> None:
        whole = self._home.get(whole_id)
        if whole is None:
            return
        name, of = self._names.of(token, kind), self._take(whole)
        self._objects[name] = "solid"
        self._facts["raw", name] = None
        if "Cracked" in kind:
            self._facts["cracks", of, name] = None
        else:
            self._facts["sliceable", of] = None
            self._facts["piece", name, of] = None
            self._facts["unborn", name] = None
        for knife in self._usable(KNIVES, lambda t: self._can_cut(t, whole)):
            self._take(knife)

    def _can_cut(self, knife: ObjectState, whole: ObjectState) -> bool:
        allowed = self._home.allows(Verb.SLICE, whole.objectId, knife.objectId)
        return allowed and self._home.takeable(knife)

    def wash(self, token: str) -> bool:
        """Bring the sinks that can rinse or fill an object; say whether one can."""
        found = False
        for sink in self._home.sinks()[:NEAREST]:
            faucet = faucet_of(self._home.snapshot, sink)
            if faucet is not None and self._fit(token, sink.objectId):
                self._switch(faucet.objectId)
                pair = self._take(faucet), self._take(sink)
                self._facts["waters", *pair] = None
                found = True
        return found

    def brew(self, token: str) -> None:
        """Bring the coffee machines, and a sink where the mug is full."""
        for machine in self._home.all("CoffeeMachine")[:NEAREST]:
            self._fit(token, machine.objectId)
        mug = self._home.get(token)
        if mug is not None and (mug.isFilledWithLiquid or mug.isDirty):
            self.wash(token)

    def cook(self, token: str) -> None:
        """Bring what cooks this: toasters for bread, else a microwave, or a stove."""
        bread = self._kind(token) == "BreadSliced"
        ovens = self._home.all("Toaster" if bread else "Microwave")[:NEAREST]
        name = self._name(token)
        usable = [oven for oven in ovens if self._fit(token, oven.objectId)]
        if usable:
            self._facts["toastable" if bread else "microwavable", name] = None
            return
        for vessel in self._usable(("Pan", "Pot"), self._home.takeable):
            self._heat(token, vessel, lambda item, v: self._fit(item, v.objectId))

    def boil(self, token: str) -> None:
        """Bring pots and burners, or bowls and a microwave; and water."""
        pots = self._usable(("Pot",), self._home.takeable)
        if any([self._heat(token, pot, self._soak) for pot in pots]):
            return
        self._facts["microwavable", self._name(token)] = None
        for bowl in self._usable(("Bowl", "Pot"), self._home.takeable):
            if self._soak(token, bowl):
                for oven in self._home.all("Microwave")[:NEAREST]:
                    self._fit(bowl.objectId, oven.objectId)

    def bring_water(self, token: str) -> None:
        """Bring vessels and sinks for what cannot be carried to one."""
        target = self._home.get(token)
        if target is None:
            return
        if target.affordances.pickupable:
            self.wash(token)
            return
        self._facts["waterable", self._take(target)] = None
        vessels = self._home.all(that=lambda t: self._carries(t, token))
        ranked = sorted(vessels, key=lambda v: not v.isFilledWithLiquid)
        for vessel in ranked[:VESSELS]:
            self.wash(self._things_id(vessel))

    def _carries(self, vessel: ObjectState, target: str) -> bool:
        allowed = self._home.allows(Verb.POUR, target, vessel.objectId)
        able = vessel.affordances.canFillWithLiquid
        return allowed and able and self._home.takeable(vessel)

    def _things_id(self, thing: ObjectState) -> str:
        self._take(thing)
        return thing.objectId

    def _soak(self, token: str, vessel: ObjectState) -> bool:
        """Let a thing go into a vessel that has, or gets, water."""
        if not self._may_place(vessel, token):
            return False
        wet = vessel.isFilledWithLiquid or vessel.simbotIsFilledWithWater
        if not (wet or self.wash(vessel.objectId)):
            return False
        pair = self._name(token), self._take(vessel)
        self._facts["soaks", *pair] = None
        return True

    def _heat(self, token: str, vessel: ObjectState, into: _Into) -> bool:
        """Let a thing be cooked in a vessel on its burner, or on a free one."""
        found = False
        for burner in self._burners(vessel):
            knob = knob_of(self._home.snapshot, burner)
            allowed = knob is not None and self._home.allows(
                Verb.TOGGLE_ON, knob.objectId
            )
            if knob is None or not (allowed or knob.isToggled):
                continue
            if into(token, vessel) and self._fit(vessel.objectId, burner.objectId):
                found = True
                self._facts["heats", self._take(knob), self._take(burner)] = None
                self._facts["cookable", self._name(token)] = None
        return found

    def _burners(self, vessel: ObjectState) -> tuple[ObjectState, ...]:
        own = [p for p in self._home.parents(vessel) if p.objectType == "StoveBurner"]
        burners = self._home.all("StoveBurner", that=lambda b: b not in own)
        free = sorted(burners, key=lambda b: bool(self._home.contents(b)))
        return (*own, *free[: NEAREST - len(own)])


def _nothing(writer: _Writer, atom: Atom) -> None:
    """Need nothing more."""


_NEEDS: dict[str, Callable[[_Writer, Atom], object]] = {
    "clean": lambda writer, atom: writer.wash(atom[1]),
    "empty": lambda writer, atom: writer.wash(atom[1]),
    "wet": lambda writer, atom: writer.wash(atom[1]),
    "coffee": lambda writer, atom: writer.brew(atom[1]),
    "full": lambda writer, atom: writer.bring_water(atom[1]),
    "cooked": lambda writer, atom: writer.cook(atom[1]),
    "heated": lambda writer, atom: writer.cook(atom[1]),
    "boiled": lambda writer, atom: writer.boil(atom[1]),
}
"""What an aim that does not hold brings into the problem, by its predicate."""
