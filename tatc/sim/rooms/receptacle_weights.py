"""Where objects are kept: the receptacles of each pickupable type, with weights.

The pairs are those that AI2-THOR allows and that are common in its scenes and in TEACh's
random start states.  A weight says roughly how common.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

COPIES_PER_TYPE_RANGE = (1, 3)
"""The least and the largest number of objects of a type in a start state (spec 2.11)."""

_SURFACE_WEIGHTS = "DiningTable:3 SideTable:2 CoffeeTable:3 Desk:3 Dresser:2 TVStand:1 Shelf:2"
_FOOD_WEIGHTS = "CounterTop:4 Fridge:4 DiningTable:3 SideTable:1 Cabinet:1 Shelf:1"
_DISH_WEIGHTS = f"CounterTop:4 Cabinet:4 Fridge:1 {_SURFACE_WEIGHTS}"
_BATHROOM_WEIGHTS = "CounterTop:4 SideTable:3 Dresser:3 Shelf:3 Cabinet:2 Drawer:2"

_WEIGHTS_TEXT: dict[str, str] = {
    "AlarmClock": f"{_SURFACE_WEIGHTS} Bed:1",
    "AluminumFoil": "CounterTop:2 Drawer:2 Cabinet:2",
    "Apple Potato Tomato": f"{_FOOD_WEIGHTS} SinkBasin:1 Microwave:1",
    "Book CD CellPhone CreditCard KeyChain Pen Pencil Watch": f"{_SURFACE_WEIGHTS} Sofa:3 "
    "ArmChair:2 Chair:1 Bed:2 Ottoman:1 CounterTop:3 Drawer:2",
    "Bottle WineBottle": f"CounterTop:4 Cabinet:2 Fridge:1 {_SURFACE_WEIGHTS}",
    "Bowl Cup Plate": f"{_DISH_WEIGHTS} SinkBasin:1",
    "Bread": _FOOD_WEIGHTS,
    "ButterKnife Fork Knife Spatula Spoon": "CounterTop:4 Drawer:5 DiningTable:3 SideTable:1 "
    "SinkBasin:1",
    "Candle": f"{_BATHROOM_WEIGHTS} CoffeeTable:2",
    "Cloth": f"{_BATHROOM_WEIGHTS} BathtubBasin:1 SinkBasin:1",
    "DishSponge": "CounterTop:4 SinkBasin:2 Drawer:1 Cabinet:1 Shelf:1",
    "Egg Lettuce": f"{_FOOD_WEIGHTS} SinkBasin:1",
    "HandTowel": "HandTowelHolder:1",
    "Kettle Pan Pot": "StoveBurner:4 CounterTop:4 Cabinet:2 DiningTable:1 Shelf:1",
    "Ladle": "CounterTop:4 Drawer:3 DiningTable:2 SinkBasin:1",
    "Laptop": "Desk:5 CoffeeTable:3 DiningTable:3 Sofa:2 Bed:2 Dresser:1",
    "Mug": f"{_DISH_WEIGHTS} CoffeeMachine:2 SinkBasin:1 Microwave:1",
    "Newspaper": f"{_SURFACE_WEIGHTS} Sofa:4 ArmChair:2 Ottoman:1",
    "PaperTowelRoll": "CounterTop:4 Cabinet:1 Shelf:1 DiningTable:1 SideTable:1",
    "PepperShaker SaltShaker": "CounterTop:4 Cabinet:3 DiningTable:3 Shelf:1 SideTable:1",
    "Pillow": "Bed:5 Sofa:4 ArmChair:2",
    "RemoteControl": f"{_SURFACE_WEIGHTS} Sofa:4 ArmChair:3 Ottoman:1 Drawer:1",
    "SoapBar": f"{_BATHROOM_WEIGHTS} SinkBasin:2",
    "SoapBottle SprayBottle": _BATHROOM_WEIGHTS,
    "Statue": f"{_SURFACE_WEIGHTS} CounterTop:1",
    "TableTopDecor": _SURFACE_WEIGHTS,
    "TeddyBear": "Bed:3 Sofa:1",
    "TissueBox": f"{_SURFACE_WEIGHTS} CounterTop:3",
    "ToiletPaper": "ToiletPaperHanger:3 CounterTop:2 Shelf:1 Cabinet:1",
    "Towel": "TowelHolder:1",
    "Vase": f"{_SURFACE_WEIGHTS} CounterTop:2 Cabinet:1",
}


@cache
def receptacle_weights() -> Mapping[str, Mapping[str, int]]:
    """Return type -> receptacle type -> weight, for all types that are placed at random.

    Objects of other types stay where the room has them.
    """
    found: dict[str, Mapping[str, int]] = {}
    for kinds, text in _WEIGHTS_TEXT.items():
        pairs = (pair.split(":") for pair in text.split())
        weights = MappingProxyType({host: int(weight) for host, weight in pairs})
        found.update(dict.fromkeys(kinds.split(), weights))
    return MappingProxyType(found)
