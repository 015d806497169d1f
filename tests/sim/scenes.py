"""A little kitchen of plain boxes, made by hand, for tests of any simulator.

The Follower stands in its middle and looks north at a counter with a sink; machines
stand to the east, a fridge and a microwave to the west, a table with food to the south.
"""

from dataclasses import replace
from typing import Any

from tatc.state import (
    Affordances,
    AgentState,
    Box,
    ObjectState,
    RoomKind,
    Scene,
    Snapshot,
    Vec3,
)

VESSEL = Affordances(
    pickupable=True,
    receptacle=True,
    canFillWithLiquid=True,
    dirtyable=True,
    breakable=True,
)
PORTABLE = Affordances(pickupable=True)
FOOD = Affordances(pickupable=True, sliceable=True)
PLACE = Affordances(receptacle=True)
MACHINE = Affordances(receptacle=True, toggleable=True, moveable=True)
CLOSET = Affordances(receptacle=True, openable=True)
CAN: dict[str, Affordances] = {
    "Bowl": VESSEL,
    "Bread": FOOD,
    "BreadSliced": PORTABLE,
    "ButterKnife": PORTABLE,
    "Cabinet": CLOSET,
    "CoffeeMachine": MACHINE,
    "Cup": VESSEL,
    "Drawer": CLOSET,
    "Egg": replace(FOOD, breakable=True),
    "Faucet": Affordances(toggleable=True),
    "Fridge": CLOSET,
    "HousePlant": Affordances(canFillWithLiquid=True, moveable=True),
    "Knife": PORTABLE,
    "Ladle": PORTABLE,
    "Microwave": replace(MACHINE, openable=True),
    "Mug": VESSEL,
    "Pan": Affordances(pickupable=True, receptacle=True, dirtyable=True),
    "Plate": Affordances(pickupable=True, receptacle=True, dirtyable=True),
    "Pot": VESSEL,
    "Potato": replace(FOOD, cookable=True),
    "PotatoSliced": PORTABLE,
    "SaltShaker": PORTABLE,
    "Spoon": PORTABLE,
    "StoveKnob": Affordances(toggleable=True),
    "Toaster": MACHINE,
    "Tomato": FOOD,
}
"""What can be done with a kind; every other kind is furniture to put things on."""

BODY: Vec3 = (0.0, 0.9, 0.0)


def thing(kind: str, low: Vec3, size: Vec3, **fields: Any) -> ObjectState:
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
        affordances=CAN.get(kind, PLACE),
        box=box,
        **(given | fields),
    )


def within(child: ObjectState, *parents: ObjectState) -> ObjectState:
    """Return a thing that stands in or on others."""
    return replace(
        child, parentReceptacles=tuple(sorted(parent.objectId for parent in parents))
    )


def kitchen(**changes: dict[str, Any]) -> Scene:
    """Return the kitchen; `changes` are fields of its one object of a kind."""
    floor = thing("Floor", (0, -0.02, 0), (6, 0.02, 6))
    north = thing("CounterTop", (0, 0.86, 0.85), (2.6, 0.04, 0.6))
    east = thing("CounterTop", (0.95, 0.86, -0.35), (0.6, 0.04, 1.6))
    table = thing("DiningTable", (0, 0.0, -1.0), (1.6, 0.82, 0.7))
    sink = thing("Sink", (-0.5, 0.74, 0.85), (0.6, 0.16, 0.5))
    basin = thing("SinkBasin", (-0.5, 0.74, 0.85), (0.5, 0.15, 0.4))
    machine = thing("CoffeeMachine", (0.9, 0.9, 0.2), (0.3, 0.4, 0.25))
    toaster = thing("Toaster", (0.9, 0.9, -0.2), (0.2, 0.2, 0.3))
    burner = thing("StoveBurner", (0.85, 0.9, -0.6), (0.25, 0.02, 0.25))
    knob = thing("StoveKnob", (0.62, 0.82, -0.6), (0.04, 0.04, 0.04))
    fridge = thing("Fridge", (-1.15, 0.0, -0.45), (0.7, 1.8, 0.7))
    microwave = thing("Microwave", (-1.1, 0.95, 0.3), (0.4, 0.35, 0.5))
    drawer = thing("Drawer", (0.5, 0.64, 0.75), (0.4, 0.16, 0.4))
    shelf = thing("Shelf", (0.4, 1.2, 1.8), (0.8, 0.02, 0.3))
    plate = thing("Plate", (0.3, 0.9, 0.72), (0.24, 0.03, 0.24), isDirty=True)
    on_table = [
        # Its slices come to lie before its heel, seen from the middle of the room.
        thing("Bread", (-0.3, 0.7, -0.85), (0.12, 0.12, 0.3), rotation=(0, 180.0, 0)),
        thing("Potato", (0.0, 0.7, -0.8), (0.07, 0.07, 0.1)),
        thing("Tomato", (0.2, 0.7, -0.8), (0.09, 0.09, 0.09)),
        thing("Egg", (0.35, 0.7, -0.85), (0.05, 0.06, 0.05)),
    ]
    objects = [
        floor,
        north,
        east,
        table,
        sink,
        basin,
        thing("Faucet", (-0.5, 0.9, 1.1), (0.06, 0.25, 0.06)),
        machine,
        toaster,
        burner,
        knob,
        fridge,
        microwave,
        drawer,
        shelf,
        within(thing("Cup", (0.4, 1.22, 1.8), (0.1, 0.12, 0.1)), shelf),
        within(plate, north),
        within(thing("Mug", (-0.02, 0.9, 0.7), (0.1, 0.1, 0.1)), north),
        within(thing("Bowl", (0.75, 0.9, 0.75), (0.18, 0.08, 0.18)), north),
        within(thing("Knife", (0.05, 0.9, 0.95), (0.3, 0.02, 0.03)), north),
        within(thing("Pot", (0.85, 0.9, -0.95), (0.22, 0.14, 0.22)), east),
        within(thing("SaltShaker", (0.5, 0.66, 0.61), (0.05, 0.1, 0.05)), drawer),
        *(within(food, table) for food in on_table),
        thing("HousePlant", (0.55, 0.7, -0.8), (0.15, 0.3, 0.15)),
    ]
    objects = [replace(o, **changes.get(o.objectType, {})) for o in objects]
    follower = AgentState(BODY, 0.0, 30.0)
    commander = AgentState((0.0, 1.9, 0.0), 0.0, 30.0)
    start = Snapshot.of(objects, commander, follower)
    return Scene("a-little-kitchen", RoomKind.KITCHEN, start)
