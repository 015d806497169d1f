"""What AI2-THOR itself does when machines run: heat, cold, toast, coffee and washing.

These are the simulator's own rules, not TEACh's (`tatc.sim.effects`): a running
microwave, a hot burner and a running toaster cook what is in or on them, a running
coffee machine fills an empty mug, a fridge cools, a faucet or shower washes what lies
in the basin that its water falls into.  They run after each interaction, before TEACh's
rules look.
"""

from dataclasses import dataclass, replace

from tatc.affordances import DRAINS
from tatc.sim.embedded.house import House
from tatc.sim.embedded.overlap import overlap
from tatc.state import ObjectState

HOT, COLD, ROOM = "Hot", "Cold", "RoomTemp"
TOAST = "BreadSliced"
TAPS = ("Faucet", "ShowerHead")
"""What lets water fall, into what has a drain.

For TEACh a basin runs by the one faucet nearest to it; in recorded ends the second
faucet of a sink has washed all that lay there too, and a shower what lay in its tub.
"""


@dataclass(frozen=True, slots=True)
class _Running:
    """The ids of what runs now, by what it does to its contents."""

    burners: frozenset[str]
    microwaves: frozenset[str]
    toasters: frozenset[str]
    coffee: frozenset[str]
    fridges: frozenset[str]
    basins: frozenset[str]

    @property
    def hot(self) -> frozenset[str]:
        return self.burners | self.microwaves


def run_appliances(house: House) -> None:
    """Let all that runs act once on what is in or on it."""
    running = _running(house)
    acting = running.hot | running.toasters | running.coffee
    acting |= running.fridges | running.basins
    for thing in list(house.things):
        parents = thing.parentReceptacles
        if parents and not thing.isPickedUp and not acting.isdisjoint(parents):
            _act(house, running, thing, frozenset(parents))


def _running(house: House) -> _Running:
    def on(kind: str) -> frozenset[str]:
        return frozenset(o.objectId for o in house.of_type(kind) if o.isToggled)

    return _Running(
        burners=frozenset(
            o.objectId
            for o in house.of_type("StoveBurner")
            if o.ObjectTemperature == HOT
        ),
        microwaves=on("Microwave"),
        toasters=on("Toaster"),
        coffee=on("CoffeeMachine"),
        fridges=frozenset(o.objectId for o in house.of_type("Fridge")),
        basins=_under_water(house),
    )


def _under_water(house: House) -> frozenset[str]:
    """Return the basins that a running tap's box reaches over, seen from above."""
    running = [o for kind in TAPS for o in house.of_type(kind) if o.isToggled]
    basins = [o for kind in DRAINS for o in house.of_type(kind)] if running else []
    return frozenset(
        basin.objectId for basin in basins for tap in running if _falls_into(tap, basin)
    )


def _falls_into(tap: ObjectState, basin: ObjectState) -> bool:
    x, height, z = tap.box.center
    level = basin.box.center[1]
    below = replace(tap.box, center=(x, level, z))
    return height > level and overlap(below, basin.box)


def _act(
    house: House, running: _Running, thing: ObjectState, within: frozenset[str]
) -> None:
    able, changes = thing.affordances, dict[str, object]()
    if _cooks(running, thing, within) and able.cookable and not thing.isCooked:
        changes["isCooked"] = True
    if not able.pickupable:
        pass
    elif not running.hot.isdisjoint(within):
        changes["ObjectTemperature"] = HOT
    elif not running.fridges.isdisjoint(within):
        changes["ObjectTemperature"] = COLD
    if thing.isDirty and not running.basins.isdisjoint(within):
        changes["isDirty"] = False
    if thing.objectType == "Mug" and not running.coffee.isdisjoint(within):
        if not thing.isFilledWithLiquid:
            changes |= {"isFilledWithLiquid": True, "ObjectTemperature": HOT}
    if any(getattr(thing, name) != value for name, value in changes.items()):
        house.change(thing.objectId, **changes)


def _cooks(running: _Running, thing: ObjectState, within: frozenset[str]) -> bool:
    """Whether heat cooks a thing: bread is toasted by toasters and burners alone."""
    if not running.burners.isdisjoint(within):
        return True
    if thing.objectType == TOAST:
        return not running.toasters.isdisjoint(within)
    return not running.microwaves.isdisjoint(within)
