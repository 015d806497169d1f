"""What is in the way of a thing that is put down: boxes, and the pillars in them.

AI2-THOR asks whether the thing's box meets the colliders of others, which fill less
than their boxes where they are round (recorded end states: things stand in the corners
of the boxes of pots, plates and plants).
"""

from dataclasses import dataclass, replace

from tatc.camera.shapes import LONGEST
from tatc.sim.embedded.house import House
from tatc.sim.embedded.levels import case_of
from tatc.sim.embedded.overlap import in_pillar, overlap
from tatc.sim.surfaces import Surface
from tatc.state import Box, ObjectState

BULKY = frozenset(
    {
        "CoffeeMachine",
        "Desktop",
        "DeskLamp",
        "HousePlant",
        "Microwave",
        "RoomDecor",
        "Television",
        "Toaster",
    }
)
"""What stands on furniture and cannot be carried, yet takes its room."""
ROUND = frozenset(
    {
        "Apple",
        "Bottle",
        "Bowl",
        "Cup",
        "Egg",
        "HousePlant",
        "Kettle",
        "Lettuce",
        "Mug",
        "Pan",
        "PepperShaker",
        "Plate",
        "Pot",
        "SaltShaker",
        "SoapBottle",
        "Tomato",
        "Vase",
        "WineBottle",
    }
)
"""Types that are round: things are put down in the corners of their boxes."""
NARROW = {"DeskLamp": 0.5, "HousePlant": 0.5, "Television": 0.25}
"""How much of the width of its box is in the way of what is put down beside it: a
lamp's or a screen's foot, a plant's pot (at recorded starts and ends half of what
stands by a screen stands within its box)."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The box of what is in the way, and whether only the pillar in it is."""

    box: Box
    is_round: bool

    def meets(self, box: Box) -> bool:
        """Say whether a thing with this box would touch it."""
        return (in_pillar if self.is_round else overlap)(box, self.box)


def in_the_way(
    house: House, held: ObjectState, receptacle: ObjectState, surface: Surface
) -> list[Obstacle]:
    """Return what a thing on this surface must not touch."""
    boxes: list[Obstacle] = []
    for thing in house.things:
        parents = thing.parentReceptacles or ()
        if not _takes_room(thing) or held.objectId in parents:
            continue
        if receptacle.objectId in parents:
            boxes.append(_obstacle(house, thing))
        elif not surface.inside and thing.objectId not in _stack(receptacle):
            boxes.append(_obstacle(house, thing))
    return boxes


def _obstacle(house: House, thing: ObjectState) -> Obstacle:
    box, share = case_of(house, thing), NARROW.get(thing.objectType, 1.0)
    if share < 1.0:
        width, height, depth = box.size
        box = replace(box, size=(share * width, height, share * depth))
    return Obstacle(box, thing.objectType in ROUND)


def _takes_room(thing: ObjectState) -> bool:
    able = thing.affordances
    if able.pickupable:
        present = not (thing.isPickedUp or thing.isSliced)
        return present and max(thing.box.size) < LONGEST
    return thing.objectType in BULKY


def _stack(receptacle: ObjectState) -> tuple[str, ...]:
    """Return a receptacle and what it stands in, whose boxes a thing on it meets."""
    return (receptacle.objectId, *(receptacle.parentReceptacles or ()))
