"""Small made-up rooms for the checker's tests."""

from typing import Any

from tatc.home.state import Affordances, AgentState, Box, ObjectState, Snapshot
from tatc.tdl import Progress, Task, TaskDefinition, load_library
from tatc.tdl.definition import Component
from tatc.tdl.properties import object_classes_of

POINT = (0.0, 0.0, 0.0)
AGENT = AgentState(POINT, 0.0, 0.0)
RECEPTACLES = {
    *("Sink", "SinkBasin", "Bathtub", "Plate", "Bowl", "Drawer"),
    *("Desk", "SideTable", "CounterTop", "DiningTable", "Cabinet"),
}

LIBRARY = load_library()


def make_object(kind: str, number: int = 1, **known: Any) -> ObjectState:
    """Return an object of a type; `known` overrides, `inside` names its receptacles."""
    inside = known.pop("inside", None)
    position = known.pop("at", POINT)
    fields: dict[str, Any] = {
        "objectId": object_id(kind, number),
        "objectType": kind,
        "name": f"{kind}_{number}",
        "affordances": Affordances(receptacle=kind in RECEPTACLES),
        "position": position,
        "rotation": POINT,
        "box": Box(position, POINT),
        "parentReceptacles": None if inside is None else (inside,),
        "simbotObjectClass": object_classes_of(kind),
    }
    return ObjectState(**(fields | known))


def object_id(kind: str, number: int = 1) -> str:
    return f"{kind}|+00.00|+00.00|+{number:05.2f}"


def make_snapshot(*objects: ObjectState) -> Snapshot:
    return Snapshot.from_objects(objects, AGENT, AGENT)


def check_task(name: str, params: tuple[str, ...], *objects: ObjectState) -> Progress:
    return LIBRARY.compile(name, params).check(make_snapshot(*objects))


def task_of(*components: Component, anchor: str | None = None) -> Task:
    """Return a task of these components, whose names are "0", "1" and so on."""
    named = tuple((str(i), component) for i, component in enumerate(components))
    return Task(TaskDefinition(1, "Made Up", "", anchor, named, (), params=()))


def goal_condition_counts(progress: Progress) -> tuple[bool, int, int]:
    return (progress.success, progress.goal_conditions_satisfied, progress.goal_conditions_total)
