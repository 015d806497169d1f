"""What a task needs of a room that no start can change: things, and what acts on them.

TEACh's preconditions (spec 3.9) ask for the things alone: a mug is enough for coffee,
for its sessions are held where there is a machine.  Rooms of ours are of all kinds, so
what brings a property about is asked for as well.
"""

from collections.abc import Iterator
from dataclasses import replace

from tatc.sim.rooms.habits import COPIES, habits
from tatc.sim.rooms.room import Room
from tatc.state import AgentState, Snapshot
from tatc.tdl.classes import assign_classes
from tatc.tdl.definition import Atomic, TaskDefinition
from tatc.tdl.program import number_of
from tatc.tdl.task import Task

SOURCES: dict[str, tuple[str, ...]] = {
    "isCooked": ("StoveBurner", "Microwave", "Toaster"),
    "isFilledWithLiquid": ("Faucet",),
    "simbotIsBoiled": ("StoveBurner", "Microwave"),
    "simbotIsCooked": ("StoveBurner", "Microwave", "Toaster"),
    "simbotIsFilledWithCoffee": ("CoffeeMachine",),
}
"""For a property that a task may want, the types of which one brings it about."""


def lacking(room: Room, task: Task) -> str:
    """Return what no start of a room has and a task needs; empty: one may have it."""
    doubles = [
        replace(thing, objectId=f"{thing.objectId}|{number}")
        for thing in room.objects
        if thing.objectType in habits()
        for number in range(COPIES[1] - 1)
    ]
    nowhere = AgentState((0.0, room.agent_y, 0.0), 0.0, 0.0)
    objects = assign_classes((*room.objects, *doubles))
    most = Snapshot.of(objects, nowhere, nowhere)
    missing = list(task.missing(most))
    for name in wanted(task.definition):
        sources = SOURCES.get(name, ())
        if sources and not most.of_type(*sources):
            missing.append(" or ".join(sources))
    return f"there is no {', no '.join(dict.fromkeys(missing))}" if missing else ""


def wanted(definition: TaskDefinition) -> Iterator[str]:
    """Yield the properties that a task wants of things, those of its parts too."""
    for _, component in definition.components:
        if not number_of(component.determiner, definition):
            continue
        if isinstance(component, Atomic):
            yield from (name for name, _ in component.conditions)
        else:
            yield from wanted(component.task)
