"""What a task needs that no start can add to a room: objects, and what acts on them.

TEACh's preconditions (spec 3.9) ask for the objects alone: a mug is enough for coffee,
because its sessions take place where there is a coffee machine.  tatc's rooms are of all
kinds, so the source of each wanted property is required too.
"""

from collections.abc import Iterator
from dataclasses import replace

from tatc.home.state import AgentState, Snapshot
from tatc.home.types.facts import BOILING_HEAT_TYPES, HEAT_SOURCE_TYPES
from tatc.sim.rooms.receptacle_weights import COPIES_PER_TYPE_RANGE, receptacle_weights
from tatc.sim.rooms.room import Room
from tatc.tdl.check_tree import determiner_count
from tatc.tdl.definition import AtomicComponent, TaskDefinition
from tatc.tdl.object_classes import assign_classes
from tatc.tdl.task import Task

SOURCE_TYPES: dict[str, tuple[str, ...]] = {
    "isCooked": HEAT_SOURCE_TYPES,
    "isFilledWithLiquid": ("Faucet",),
    "simbotIsBoiled": BOILING_HEAT_TYPES,
    "simbotIsCooked": HEAT_SOURCE_TYPES,
    "simbotIsFilledWithCoffee": ("CoffeeMachine",),
}
"""For a property that a task may want, the types of objects of which one brings it about."""


def missing_for_task(room: Room, task: Task) -> str:
    """Return what a task needs and no start in the room can have; an empty string if nothing."""
    doubles = [
        replace(obj, objectId=f"{obj.objectId}|{number}")
        for obj in room.objects
        if obj.objectType in receptacle_weights()
        for number in range(COPIES_PER_TYPE_RANGE[1] - 1)
    ]
    nowhere = AgentState((0.0, room.agent_y, 0.0), 0.0, 0.0)
    objects = assign_classes((*room.objects, *doubles))
    most = Snapshot.from_objects(objects, nowhere, nowhere)
    missing = list(task.missing_requirements(most))
    for name in wanted_properties(task.definition):
        sources = SOURCE_TYPES.get(name, ())
        if sources and not most.of_type(*sources):
            missing.append(" or ".join(sources))
    return f"there is no {', no '.join(dict.fromkeys(missing))}" if missing else ""


def wanted_properties(definition: TaskDefinition) -> Iterator[str]:
    """Yield the properties that a task and its nested tasks want objects to have."""
    for _, component in definition.components:
        if not determiner_count(component.determiner, definition):
            continue
        if isinstance(component, AtomicComponent):
            yield from (name for name, _ in component.conditions)
        else:
            yield from wanted_properties(component.task)
