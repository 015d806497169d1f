"""Where things are kept: for each type that can be carried, receptacles and weights.

The pairs are those that AI2-THOR allows and that its scenes and TEACh's random start
states mostly show; a weight is how often, about.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

COPIES = (1, 3)
"""How many of a type a start state has, least and most (spec 2.11)."""

_SURFACES = "DiningTable:3 SideTable:2 CoffeeTable:3 Desk:3 Dresser:2 TVStand:1 Shelf:2"
_SEATS = "Sofa:3 ArmChair:2 Chair:1 Bed:2 Ottoman:1"
_SMALL = f"{_SURFACES} {_SEATS} CounterTop:3 Drawer:2"
_FOOD = "CounterTop:4 Fridge:4 DiningTable:3 SideTable:1 Cabinet:1 Shelf:1"
_DISH = f"CounterTop:4 Cabinet:4 Fridge:1 {_SURFACES}"
_CUTLERY = "CounterTop:4 Drawer:5 DiningTable:3 SideTable:1 SinkBasin:1"
_COOKING = "StoveBurner:4 CounterTop:4 Cabinet:2 DiningTable:1 Shelf:1"
_BOTTLE = f"CounterTop:4 Cabinet:2 Fridge:1 {_SURFACES}"
_BATH = "CounterTop:4 SideTable:3 Dresser:3 Shelf:3 Cabinet:2 Drawer:2"

_TEXT: dict[str, str] = {
    "AlarmClock": f"{_SURFACES} Bed:1",
    "AluminumFoil": "CounterTop:2 Drawer:2 Cabinet:2",
    "Apple": f"{_FOOD} SinkBasin:1 Microwave:1",
    "Book": _SMALL,
    "Bottle": _BOTTLE,
    "Bowl": f"{_DISH} SinkBasin:1",
    "Bread": _FOOD,
    "ButterKnife": _CUTLERY,
    "CD": _SMALL,
    "Candle": f"{_BATH} CoffeeTable:2",
    "CellPhone": _SMALL,
    "Cloth": f"{_BATH} BathtubBasin:1 SinkBasin:1",
    "CreditCard": _SMALL,
    "Cup": f"{_DISH} SinkBasin:1",
    "DishSponge": "CounterTop:4 SinkBasin:2 Drawer:1 Cabinet:1 Shelf:1",
    "Egg": f"{_FOOD} SinkBasin:1",
    "Fork": _CUTLERY,
    "HandTowel": "HandTowelHolder:1",
    "Kettle": _COOKING,
    "KeyChain": _SMALL,
    "Knife": _CUTLERY,
    "Ladle": "CounterTop:4 Drawer:3 DiningTable:2 SinkBasin:1",
    "Laptop": "Desk:5 CoffeeTable:3 DiningTable:3 Sofa:2 Bed:2 Dresser:1",
    "Lettuce": f"{_FOOD} SinkBasin:1",
    "Mug": f"{_DISH} CoffeeMachine:2 SinkBasin:1 Microwave:1",
    "Newspaper": f"{_SURFACES} Sofa:4 ArmChair:2 Ottoman:1",
    "Pan": _COOKING,
    "PaperTowelRoll": "CounterTop:4 Cabinet:1 Shelf:1 DiningTable:1 SideTable:1",
    "Pen": _SMALL,
    "Pencil": _SMALL,
    "PepperShaker": "CounterTop:4 Cabinet:3 DiningTable:3 Shelf:1 SideTable:1",
    "Pillow": "Bed:5 Sofa:4 ArmChair:2",
    "Plate": f"{_DISH} SinkBasin:1",
    "Pot": _COOKING,
    "Potato": f"{_FOOD} SinkBasin:1 Microwave:1",
    "RemoteControl": f"{_SURFACES} Sofa:4 ArmChair:3 Ottoman:1 Drawer:1",
    "SaltShaker": "CounterTop:4 Cabinet:3 DiningTable:3 Shelf:1 SideTable:1",
    "SoapBar": f"{_BATH} SinkBasin:2",
    "SoapBottle": f"{_BATH}",
    "Spatula": _CUTLERY,
    "Spoon": _CUTLERY,
    "SprayBottle": f"{_BATH}",
    "Statue": _SURFACES + " CounterTop:1",
    "TableTopDecor": _SURFACES,
    "TeddyBear": "Bed:3 Sofa:1",
    "TissueBox": f"{_SURFACES} CounterTop:3",
    "ToiletPaper": "ToiletPaperHanger:3 CounterTop:2 Shelf:1 Cabinet:1",
    "Tomato": f"{_FOOD} SinkBasin:1 Microwave:1",
    "Towel": "TowelHolder:1",
    "Vase": _SURFACES + " CounterTop:2 Cabinet:1",
    "Watch": _SMALL,
    "WineBottle": _BOTTLE,
}


@cache
def habits() -> Mapping[str, Mapping[str, int]]:
    """Return type -> receptacle type -> weight, for all types that are moved about.

    Types that are not in it stay where a room has them.
    """
    found: dict[str, Mapping[str, int]] = {}
    for kind, text in _TEXT.items():
        pairs = (pair.split(":") for pair in text.split())
        weights = {host: int(weight) for host, weight in pairs}
        found[kind] = MappingProxyType(weights)
    return MappingProxyType(found)
