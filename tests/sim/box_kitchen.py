"""A little kitchen of plain boxes, made by hand, for tests of any simulator.

The Follower stands in its middle and looks north at a counter with a sink; machines
stand to the east, a fridge and a microwave to the west, a table with food to the south.
"""

from dataclasses import replace
from typing import Any

from tatc.home.state import (
    Affordances,
    AgentState,
    Box,
    ObjectState,
    RoomKind,
    Scene,
    Snapshot,
    Vec3,
)
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import NO_EVIDENCE, RecordedEvidence

VESSEL = Affordances(
    pickupable=True, receptacle=True, canFillWithLiquid=True, dirtyable=True, breakable=True
)
PORTABLE = Affordances(pickupable=True)
FOOD = Affordances(pickupable=True, sliceable=True)
RECEPTACLE = Affordances(receptacle=True)
APPLIANCE = Affordances(receptacle=True, toggleable=True, moveable=True)
OPENABLE_RECEPTACLE = Affordances(receptacle=True, openable=True)
AFFORDANCES_BY_TYPE: dict[str, Affordances] = {
    "Bowl": VESSEL,
    "Bread": FOOD,
    "BreadSliced": PORTABLE,
    "ButterKnife": PORTABLE,
    "Cabinet": OPENABLE_RECEPTACLE,
    "CoffeeMachine": APPLIANCE,
    "Cup": VESSEL,
    "Drawer": OPENABLE_RECEPTACLE,
    "Egg": replace(FOOD, breakable=True),
    "Faucet": Affordances(toggleable=True),
    "Fridge": OPENABLE_RECEPTACLE,
    "HousePlant": Affordances(canFillWithLiquid=True, moveable=True),
    "Knife": PORTABLE,
    "Ladle": PORTABLE,
    "Microwave": replace(APPLIANCE, openable=True),
    "Mug": VESSEL,
    "Pan": Affordances(pickupable=True, receptacle=True, dirtyable=True),
    "Plate": Affordances(pickupable=True, receptacle=True, dirtyable=True),
    "Pot": VESSEL,
    "Potato": replace(FOOD, cookable=True),
    "PotatoSliced": PORTABLE,
    "SaltShaker": PORTABLE,
    "Spoon": PORTABLE,
    "StoveKnob": Affordances(toggleable=True),
    "Toaster": APPLIANCE,
    "Tomato": FOOD,
}
"""What can be done with a kind; every other kind is furniture to put things on."""

BODY_POSITION: Vec3 = (0.0, 0.9, 0.0)
AGENT = AgentState(BODY_POSITION, 0.0, 30.0)


def make_object(kind: str, low: Vec3, size: Vec3, **fields: Any) -> ObjectState:
    """Make an object whose lower side has its middle at `low`."""
    x, y, z = low
    name = "|".join((kind, *(f"{v:+06.2f}" for v in low)))
    box = Box((x, y + size[1] / 2, z), size)
    given: dict[str, Any] = {
        "objectId": name,
        "name": name,
        "position": box.center,
        "rotation": (0.0, 0.0, 0.0),
        "parentReceptacles": None,
    }
    return ObjectState(
        objectType=kind,
        affordances=AFFORDANCES_BY_TYPE.get(kind, RECEPTACLE),
        box=box,
        **(given | fields),
    )


def with_parents(child: ObjectState, *parents: ObjectState) -> ObjectState:
    """Return a thing that stands in or on others."""
    return replace(child, parentReceptacles=tuple(sorted(parent.objectId for parent in parents)))


def snapshot_of(*objects: ObjectState) -> Snapshot:
    """Return objects around both agents, which stand at the origin."""
    return Snapshot.from_objects(objects, AGENT, AGENT)


def world_with(*objects: ObjectState, evidence: RecordedEvidence = NO_EVIDENCE) -> WorldState:
    return WorldState(snapshot_of(*objects), evidence)


def kitchen(*more: ObjectState, **changes: dict[str, Any]) -> Scene:
    """Return the kitchen with more in it; `changes` are fields of its one object of a kind."""
    north = make_object("CounterTop", (0, 0.86, 0.85), (2.6, 0.04, 0.6))
    east = make_object("CounterTop", (0.95, 0.86, -0.35), (0.6, 0.04, 1.6))
    table = make_object("DiningTable", (0, 0.0, -1.0), (1.6, 0.82, 0.7))
    drawer = make_object("Drawer", (0.5, 0.64, 0.75), (0.4, 0.16, 0.4))
    shelf = make_object("Shelf", (0.4, 1.2, 1.8), (0.8, 0.02, 0.3))
    plate = make_object("Plate", (0.3, 0.9, 0.72), (0.24, 0.03, 0.24), isDirty=True)
    on_table = [
        # Its slices come to lie before its heel, seen from the middle of the room.
        make_object("Bread", (-0.3, 0.7, -0.85), (0.12, 0.12, 0.3), rotation=(0, 180.0, 0)),
        make_object("Potato", (0.0, 0.7, -0.8), (0.07, 0.07, 0.1)),
        make_object("Tomato", (0.2, 0.7, -0.8), (0.09, 0.09, 0.09)),
        make_object("Egg", (0.35, 0.7, -0.85), (0.05, 0.06, 0.05)),
    ]
    objects = [
        make_object("Floor", (0, -0.02, 0), (6, 0.02, 6)),
        *(north, east, table),
        make_object("Sink", (-0.5, 0.74, 0.85), (0.6, 0.16, 0.5)),
        make_object("SinkBasin", (-0.5, 0.74, 0.85), (0.5, 0.15, 0.4)),
        make_object("Faucet", (-0.5, 0.9, 1.1), (0.06, 0.25, 0.06)),
        make_object("CoffeeMachine", (0.9, 0.9, 0.2), (0.3, 0.4, 0.25)),
        make_object("Toaster", (0.9, 0.9, -0.2), (0.2, 0.2, 0.3)),
        make_object("StoveBurner", (0.85, 0.9, -0.6), (0.25, 0.02, 0.25)),
        make_object("StoveKnob", (0.62, 0.82, -0.6), (0.04, 0.04, 0.04)),
        make_object("Fridge", (-1.15, 0.0, -0.45), (0.7, 1.8, 0.7)),
        make_object("Microwave", (-1.1, 0.95, 0.3), (0.4, 0.35, 0.5)),
        *(drawer, shelf),
        with_parents(make_object("Cup", (0.4, 1.22, 1.8), (0.1, 0.12, 0.1)), shelf),
        with_parents(plate, north),
        with_parents(make_object("Mug", (-0.02, 0.9, 0.7), (0.1, 0.1, 0.1)), north),
        with_parents(make_object("Bowl", (0.75, 0.9, 0.75), (0.18, 0.08, 0.18)), north),
        with_parents(make_object("Knife", (0.05, 0.9, 0.95), (0.3, 0.02, 0.03)), north),
        with_parents(make_object("Pot", (0.85, 0.9, -0.95), (0.22, 0.14, 0.22)), east),
        with_parents(make_object("SaltShaker", (0.5, 0.66, 0.61), (0.05, 0.1, 0.05)), drawer),
        *(with_parents(food, table) for food in on_table),
        make_object("HousePlant", (0.55, 0.7, -0.8), (0.15, 0.3, 0.15)),
    ]
    objects = [*(replace(o, **changes.get(o.objectType, {})) for o in objects), *more]
    commander = AgentState((0.0, 1.9, 0.0), 0.0, 30.0)
    start = Snapshot.from_objects(objects, commander, AGENT)
    return Scene("a-little-kitchen", RoomKind.KITCHEN, start)
