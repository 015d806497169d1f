"""Groups of types that a plan of a room draws alike."""

from enum import StrEnum

Colour = tuple[int, int, int]


class Group(StrEnum):
    """What a kind of furniture is for."""

    WORKTOP = "worktop"
    STORAGE = "storage"
    APPLIANCE = "appliance"
    WATER = "water"
    HEAT = "heat"
    SEAT = "seat"
    TABLE = "table"
    PLANT = "plant"
    WALL = "on the wall"
    THING = "thing"
    OTHER = "other"


COLOURS: dict[Group, Colour] = {
    Group.WORKTOP: (208, 214, 221),
    Group.STORAGE: (232, 214, 184),
    Group.APPLIANCE: (170, 186, 203),
    Group.WATER: (163, 205, 232),
    Group.HEAT: (235, 160, 135),
    Group.SEAT: (190, 209, 180),
    Group.TABLE: (219, 191, 157),
    Group.PLANT: (135, 187, 120),
    Group.WALL: (110, 160, 205),
    Group.THING: (222, 120, 96),
    Group.OTHER: (200, 196, 205),
}

_TYPES: dict[Group, str] = {
    Group.WORKTOP: "CounterTop",
    Group.STORAGE: "Cabinet Drawer Shelf ShelvingUnit Dresser TVStand Safe Box "
    "LaundryHamper GarbageCan GarbageBag",
    Group.APPLIANCE: "Fridge Microwave Toaster CoffeeMachine Television Desktop "
    "FloorLamp DeskLamp",
    Group.WATER: "Sink SinkBasin Bathtub BathtubBasin Faucet Toilet ShowerHead",
    Group.HEAT: "StoveBurner StoveKnob",
    Group.SEAT: "Chair Stool Sofa ArmChair Bed Ottoman Footstool DogBed",
    Group.TABLE: "DiningTable SideTable CoffeeTable Desk",
    Group.PLANT: "HousePlant RoomDecor",
    Group.WALL: "Window LightSwitch Mirror Painting Poster Blinds Curtains "
    "TowelHolder HandTowelHolder ToiletPaperHanger ShowerDoor ShowerGlass "
    "ShowerCurtain",
}
_GROUPS = {name: group for group, names in _TYPES.items() for name in names.split()}


def group_of(object_type: str) -> Group:
    """Return the group of a type of furniture."""
    return _GROUPS.get(object_type, Group.OTHER)
