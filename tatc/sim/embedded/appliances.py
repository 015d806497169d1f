"""Apply AI2-THOR's own appliance rules: heating, cooling, toasting, brewing, washing.

These rules are the simulator's, not TEACh's (`tatc.sim.teach_effects`).  A running
microwave, a hot burner and a running toaster cook what is in or on them.  A running
coffee machine fills an empty mug.  A fridge cools its contents.  A running faucet or
shower head washes what is in the basin below it.  The rules run after each interaction,
before TEACh's.
"""

from dataclasses import dataclass, replace

from tatc.home.state import ObjectState
from tatc.home.type_facts import (
    ACCEPTED_TYPES,
    BURNER_TYPE,
    COLD_SOURCE_TYPES,
    SINK_TYPES,
    TOASTED_TYPES,
    WATER_SOURCE_TYPES,
)
from tatc.sim.embedded.placement.box_overlap import boxes_overlap
from tatc.sim.embedded.world_state import WorldState

HOT, COLD, ROOM_TEMPERATURE = "Hot", "Cold", "RoomTemp"


@dataclass(frozen=True, slots=True)
class _RunningAppliances:
    """The ids of the receptacles that act on their contents now, by kind of effect."""

    burners: frozenset[str]
    microwaves: frozenset[str]
    heaters: frozenset[str]  # both of these
    toasters: frozenset[str]
    coffee_machines: frozenset[str]
    fridges: frozenset[str]
    wet_basins: frozenset[str]


def run_appliances(world: WorldState) -> None:
    """Let every running appliance act once on what is in or on it."""
    running = _find_running(world)
    acting = running.heaters | running.toasters | running.coffee_machines
    acting |= running.fridges | running.wet_basins
    if not acting:
        return
    contents = [
        (obj, parents)
        for obj in world.objects
        if (parents := obj.parentReceptacles) and not acting.isdisjoint(parents)
    ]
    for obj, parents in contents:
        if not obj.isPickedUp:
            _apply_to_content(world, running, obj, parents)


def _find_running(world: WorldState) -> _RunningAppliances:
    def on(kind: str) -> frozenset[str]:
        return frozenset(o.objectId for o in world.of_type(kind) if o.isToggled)

    burners = frozenset(
        o.objectId for o in world.of_type(BURNER_TYPE) if o.ObjectTemperature == HOT
    )
    microwaves = on("Microwave")
    return _RunningAppliances(
        burners=burners,
        microwaves=microwaves,
        heaters=burners | microwaves,
        toasters=on("Toaster"),
        coffee_machines=on("CoffeeMachine"),
        fridges=frozenset(o.objectId for o in world.of_type(*COLD_SOURCE_TYPES)),
        wet_basins=_basins_under_water(world),
    )


def _basins_under_water(world: WorldState) -> frozenset[str]:
    """Return the ids of the basins that are below a running tap and overlap it in plan."""
    running = [o for kind in WATER_SOURCE_TYPES for o in world.of_type(kind) if o.isToggled]
    basins = [o for kind in SINK_TYPES for o in world.of_type(kind)] if running else []
    return frozenset(
        basin.objectId for basin in basins for tap in running if _is_tap_over(tap, basin)
    )


def _is_tap_over(tap: ObjectState, basin: ObjectState) -> bool:
    x, height, z = tap.box.center
    level = basin.box.center[1]
    below = replace(tap.box, center=(x, level, z))
    return height > level and boxes_overlap(below, basin.box)


def _apply_to_content(
    world: WorldState, running: _RunningAppliances, obj: ObjectState, parents: tuple[str, ...]
) -> None:
    able, changes = obj.affordances, dict[str, object]()
    if able.cookable and not obj.isCooked and _is_cooked_by(running, obj, parents):
        changes["isCooked"] = True
    temperature = _temperature_in(running, parents) if able.pickupable else None
    if temperature is not None and temperature != obj.ObjectTemperature:
        changes["ObjectTemperature"] = temperature
    if obj.isDirty and not running.wet_basins.isdisjoint(parents):
        changes["isDirty"] = False
    brews = not running.coffee_machines.isdisjoint(parents)
    if brews and obj.objectType in ACCEPTED_TYPES["CoffeeMachine"] and not obj.isFilledWithLiquid:
        changes |= {"isFilledWithLiquid": True, "ObjectTemperature": HOT}
    if changes:
        world.update_object(obj.objectId, **changes)


def _temperature_in(running: _RunningAppliances, parents: tuple[str, ...]) -> str | None:
    """Return the temperature that receptacles give to what is in them; None if none does."""
    if not running.heaters.isdisjoint(parents):
        return HOT
    return None if running.fridges.isdisjoint(parents) else COLD


def _is_cooked_by(running: _RunningAppliances, obj: ObjectState, parents: tuple[str, ...]) -> bool:
    """Return whether one of its receptacles cooks an object now.

    A hot burner cooks every food.  A toaster cooks only bread slices (`TOASTED_TYPES`), and
    a microwave cooks everything else.
    """
    if not running.burners.isdisjoint(parents):
        return True
    if obj.objectType in TOASTED_TYPES:
        return not running.toasters.isdisjoint(parents)
    return not running.microwaves.isdisjoint(parents)
