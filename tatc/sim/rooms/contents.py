"""What is usually lying about in each kind of room, and how often.

The shares are facts of AI2-THOR's scenes: in how many of a kind's rooms a type occurs.
What the twelve tasks of TEACh's data set ask for in a kind is always there.
"""

from functools import cache

from tatc.state import RoomKind

_TEXT: dict[RoomKind, str] = {
    RoomKind.KITCHEN: """
        Pot Pan Kettle:0.6 Bread Lettuce Plate Bowl Mug Cup Knife ButterKnife Fork
        Spoon Spatula Ladle:0.4 Tomato Potato Apple Egg SaltShaker PepperShaker
        SoapBottle DishSponge PaperTowelRoll:0.3 WineBottle:0.3 Bottle:0.3 Vase:0.25
        Statue:0.15 Book:0.15 CellPhone:0.15 CreditCard:0.15 SprayBottle:0.1 Pen:0.1
        Pencil:0.1 AluminumFoil:0.05
    """,
}


@cache
def contents(kind: RoomKind) -> tuple[tuple[str, float], ...]:
    """Return the types of a kind of room with their shares, larger things first."""
    pairs = (word.partition(":") for word in _TEXT[kind].split())
    return tuple((name, float(share or 1)) for name, _, share in pairs)


def always(kind: RoomKind) -> frozenset[str]:
    """Return the types that every room of a kind has."""
    return frozenset(name for name, share in contents(kind) if share == 1)
