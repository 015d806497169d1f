"""Groups of object types that a plan draws in one colour."""

from enum import StrEnum

Colour = tuple[int, int, int]


class TypeGroup(StrEnum):
    """What a type of furniture is for; the value is what legends and pages call it."""

    WORKTOP = "worktop"
    STORAGE = "storage"
    APPLIANCE = "appliance"
    WATER = "water"
    HEAT = "heat"
    SEAT = "seat"
    TABLE = "table"
    PLANT = "plant"
    WALL = "on the wall"
    PICKUPABLE = "thing"
    OTHER = "other"


GROUP_COLOURS: dict[TypeGroup, Colour] = {
    TypeGroup.WORKTOP: (208, 214, 221),
    TypeGroup.STORAGE: (232, 214, 184),
    TypeGroup.APPLIANCE: (170, 186, 203),
    TypeGroup.WATER: (163, 205, 232),
    TypeGroup.HEAT: (235, 160, 135),
    TypeGroup.SEAT: (190, 209, 180),
    TypeGroup.TABLE: (219, 191, 157),
    TypeGroup.PLANT: (135, 187, 120),
    TypeGroup.WALL: (110, 160, 205),
    TypeGroup.PICKUPABLE: (222, 120, 96),
    TypeGroup.OTHER: (200, 196, 205),
}

_TYPES_BY_GROUP: dict[TypeGroup, str] = {
    TypeGroup.WORKTOP: "CounterTop",
    TypeGroup.STORAGE: "Cabinet Drawer Shelf ShelvingUnit Dresser TVStand Safe Box "
    "LaundryHamper GarbageCan GarbageBag",
    TypeGroup.APPLIANCE: "Fridge Microwave Toaster CoffeeMachine Television Desktop "
    "FloorLamp DeskLamp",
    TypeGroup.WATER: "Sink SinkBasin Bathtub BathtubBasin Faucet Toilet ShowerHead",
    TypeGroup.HEAT: "StoveBurner StoveKnob",
    TypeGroup.SEAT: "Chair Stool Sofa ArmChair Bed Ottoman Footstool DogBed",
    TypeGroup.TABLE: "DiningTable SideTable CoffeeTable Desk",
    TypeGroup.PLANT: "HousePlant RoomDecor",
    TypeGroup.WALL: "Window LightSwitch Mirror Painting Poster Blinds Curtains "
    "TowelHolder HandTowelHolder ToiletPaperHanger ShowerDoor ShowerGlass "
    "ShowerCurtain",
}
_GROUP_BY_TYPE = {name: group for group, names in _TYPES_BY_GROUP.items() for name in names.split()}


def group_of(object_type: str) -> TypeGroup:
    """Return the group of a type of furniture, `OTHER` for a type of no group."""
    return _GROUP_BY_TYPE.get(object_type, TypeGroup.OTHER)
