"""Which pickupable objects each kind of room usually has, and how often.

The shares come from AI2-THOR's scenes: the part of a kind's rooms in which a type occurs.
The objects that the twelve tasks of TEACh's data set need in a kind are always present.
"""

from functools import cache

from tatc.home.state import RoomKind

_SHARES_TEXT: dict[RoomKind, str] = {
    RoomKind.KITCHEN: """
        Pot Pan Kettle:0.6 Bread Lettuce Plate Bowl Mug Cup Knife ButterKnife Fork
        Spoon Spatula Ladle:0.4 Tomato Potato Apple Egg SaltShaker PepperShaker
        SoapBottle DishSponge PaperTowelRoll:0.3 WineBottle:0.3 Bottle:0.3 Vase:0.25
        Statue:0.15 Book:0.15 CellPhone:0.15 CreditCard:0.15 SprayBottle:0.1 Pen:0.1
        Pencil:0.1 AluminumFoil:0.05
    """,
    RoomKind.LIVING_ROOM: """
        Pillow Laptop Newspaper RemoteControl Statue:0.95 Statue:0.4 CreditCard
        KeyChain Watch:0.6 Vase:0.6 Vase:0.4 Vase:0.2 Plate:0.3 TissueBox:0.4 Book:0.25
        CellPhone:0.25 Bowl:0.2 Pen:0.2 Pencil:0.15 Candle:0.1
    """,
    RoomKind.BEDROOM: """
        Pillow Pillow:0.3 Laptop AlarmClock Book CD CD:0.2 CellPhone CreditCard
        KeyChain Pen Pencil TeddyBear:0.3 Mug:0.55 Bowl:0.4 Statue:0.15 TissueBox:0.15
        Cloth:0.15 Vase:0.1 RemoteControl:0.1 Watch:0.05 TableTopDecor:0.05
    """,
    RoomKind.BATHROOM: """
        Towel HandTowel ToiletPaper ToiletPaper Cloth SoapBar SoapBottle SprayBottle
        Candle TissueBox:0.3 DishSponge:0.2 PaperTowelRoll:0.15
    """,
}


@cache
def object_frequencies(kind: RoomKind) -> tuple[tuple[str, float], ...]:
    """Return the types of a kind of room, each with its probability from 0 to 1.

    A type that may occur more than once is listed more than once.  Objects are placed in
    this order, large ones first.
    """
    pairs = (word.partition(":") for word in _SHARES_TEXT[kind].split())
    return tuple((name, float(share or 1)) for name, _, share in pairs)


def always_present_types(kind: RoomKind) -> frozenset[str]:
    """Return the types that every room of a kind has."""
    return frozenset(name for name, share in object_frequencies(kind) if share == 1)
