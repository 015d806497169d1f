"""Apply AI2-THOR's own appliance rules: heating, cooling, toasting, brewing, washing.

They run after each interaction, before TEACh's own (`tatc.sim.teach_effects`).
"""

from dataclasses import replace
from typing import NamedTuple

from tatc.home import type_facts as facts
from tatc.home.state import ObjectState
from tatc.sim.embedded.placement.box_overlap import boxes_overlap
from tatc.sim.embedded.world_state import WorldState

HOT, COLD, ROOM_TEMPERATURE = "Hot", "Cold", "RoomTemp"


class _RunningAppliances(NamedTuple):
    """The ids of the receptacles that act on their contents now, by kind of effect."""

    burners: frozenset[str]
    microwaves: frozenset[str]
    toasters: frozenset[str]
    coffee_machines: frozenset[str]
    fridges: frozenset[str]
    wet_basins: frozenset[str]


def run_appliances(world: WorldState) -> None:
    """Let every running appliance act once on what is in or on it, before TEACh's rules."""
    running = _find_running(world)
    acting = frozenset[str]().union(*running)
    for obj in tuple(world.objects) if acting else ():
        parents = obj.parentReceptacles
        if parents and not acting.isdisjoint(parents) and not obj.isPickedUp:
            _apply_to_content(world, running, obj, parents)


def _find_running(world: WorldState) -> _RunningAppliances:
    def on(kind: str) -> frozenset[str]:
        return frozenset(o.objectId for o in world.of_type(kind) if o.isToggled)

    burners = world.of_type(facts.BURNER_TYPE)
    return _RunningAppliances(
        burners=frozenset(o.objectId for o in burners if o.ObjectTemperature == HOT),
        microwaves=on("Microwave"),
        toasters=on("Toaster"),
        coffee_machines=on("CoffeeMachine"),
        fridges=frozenset(o.objectId for o in world.of_type(*facts.COLD_SOURCE_TYPES)),
        wet_basins=_basins_under_water(world),
    )


def _basins_under_water(world: WorldState) -> frozenset[str]:
    """Return the ids of the basins that are below a running tap and overlap it in plan."""
    running = [tap for tap in world.of_type(*facts.WATER_SOURCE_TYPES) if tap.isToggled]
    wet: set[str] = set()
    for basin in world.of_type(*facts.SINK_TYPES) if running else ():
        level = basin.box.center[1]
        for tap in running:
            x, height, z = tap.box.center
            if height > level and boxes_overlap(replace(tap.box, center=(x, level, z)), basin.box):
                wet.add(basin.objectId)
    return frozenset(wet)


def _apply_to_content(
    world: WorldState, running: _RunningAppliances, obj: ObjectState, parents: tuple[str, ...]
) -> None:
    able, changes = obj.affordances, dict[str, object]()
    if able.cookable and not obj.isCooked and _is_cooked_by(running, obj, parents):
        changes["isCooked"] = True
    is_heated = not (running.burners | running.microwaves).isdisjoint(parents)
    if able.pickupable and (is_heated or not running.fridges.isdisjoint(parents)):
        temperature = HOT if is_heated else COLD
        if temperature != obj.ObjectTemperature:
            changes["ObjectTemperature"] = temperature
    if obj.isDirty and not running.wet_basins.isdisjoint(parents):
        changes["isDirty"] = False
    takes_coffee = obj.objectType in facts.ACCEPTED_TYPES["CoffeeMachine"]
    is_brewed = takes_coffee and not running.coffee_machines.isdisjoint(parents)
    if is_brewed and not obj.isFilledWithLiquid:
        changes |= {"isFilledWithLiquid": True, "ObjectTemperature": HOT}
    if changes:
        world.update_object(obj.objectId, **changes)


def _is_cooked_by(running: _RunningAppliances, obj: ObjectState, parents: tuple[str, ...]) -> bool:
    """Return whether a receptacle cooks an object now; toasters cook bread slices only."""
    if not running.burners.isdisjoint(parents):
        return True
    if obj.objectType in facts.TOASTED_TYPES:
        return not running.toasters.isdisjoint(parents)
    return not running.microwaves.isdisjoint(parents)
