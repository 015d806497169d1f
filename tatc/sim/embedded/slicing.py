"""What a knife makes of a thing: the pieces, their size, and where they lie.

The facts are those of recorded games: the whole stays in the list, cut (`isSliced`)
and without a body; the first piece is half of it, the rest share the other half; they
lie in a row along its longest level side.
"""

from dataclasses import replace

from tatc.sim.embedded.house import House
from tatc.state import ABSENT, Affordances, Box, ObjectState, Vec3, turned

COOKABLE = frozenset({"Bread", "Egg", "Potato"})
"""Whose slices can be cooked."""
PIECES = {"Apple": 3, "Bread": 7, "Lettuce": 8, "Tomato": 7}
"""Into how many pieces a thing falls (the commonest count in recorded games)."""
OTHERS = 8
POTATO = ((0.095, 6), (0.125, 8), (9.9, 9))
"""Longest side of a potato in metres up to which it gives so many pieces."""


def cut(house: House, whole: ObjectState) -> None:
    """Cut a whole thing in the house into pieces."""
    house.change(
        whole.objectId,
        isSliced=True,
        parentReceptacles=None,
        box=Box(whole.box.center, (0.0, 0.0, 0.0), whole.box.yaw),
    )
    for piece in pieces_of(whole):
        house.add(piece)


def pieces_of(whole: ObjectState) -> list[ObjectState]:
    """Return what a whole thing falls into when it is cut or cracked."""
    kind = whole.objectType
    if kind == "Egg":
        return [_piece(whole, "EggCracked", "EggCracked_0", _flat(whole.box), 1.0)]
    count = _count(whole)
    rest = 0.5 / (count - 1)
    made: list[ObjectState] = []
    start = 0.0
    for i in range(count):
        share = 0.5 if i == 0 else rest
        name = f"{kind}Sliced"
        # A loaf's heel is a Bread of its own in AI2-THOR, not a slice.
        heel = kind == "Bread" and i == 0
        suffix = "Bread_0" if heel else f"{name}_{i}"
        box = _part(whole.box, start, start + share)
        made.append(_piece(whole, kind if heel else name, suffix, box, share))
        start += share
    return made


def _count(whole: ObjectState) -> int:
    if whole.objectType == "Potato":
        longest = max(whole.box.size)
        return next(n for limit, n in POTATO if longest <= limit)
    return PIECES.get(whole.objectType, OTHERS)


def _piece(
    whole: ObjectState, kind: str, suffix: str, box: Box, share: float
) -> ObjectState:
    cookable = whole.objectType in COOKABLE and kind != whole.objectType
    return replace(
        whole,
        objectId=f"{whole.objectId}|{suffix}",
        objectType=kind,
        name=f"{whole.name}_{suffix}",
        affordances=Affordances(pickupable=True, cookable=cookable),
        position=box.center,
        box=box,
        mass=whole.mass * share,
        isBroken=False,
        isDirty=False,
        isSliced=False,
        simbotObjectClass=ABSENT,
        simbotPickedUp=ABSENT,
        simbotLastParentReceptacle=ABSENT,
        simbotIsReceptacleOf=ABSENT,
        simbotIsCooked=ABSENT,
        simbotIsBoiled=ABSENT,
        simbotIsFilledWithWater=ABSENT,
        simbotIsFilledWithCoffee=ABSENT,
    )


def _part(box: Box, start: float, end: float) -> Box:
    """Return the part of a box from one share of its longest level side to another."""
    width, height, depth = box.size
    lengthwise = width >= depth
    length = width if lengthwise else depth
    off = ((start + end) / 2 - 0.5) * length
    size: Vec3 = (
        ((end - start) * length, height, depth)
        if lengthwise
        else (width, height, (end - start) * length)
    )
    sine, cosine = turned(box.yaw)
    dx, dz = (off * cosine, -off * sine) if lengthwise else (off * sine, off * cosine)
    x, y, z = box.center
    return Box((x + dx, y, z + dz), size, box.yaw)


def _flat(box: Box) -> Box:
    """Return the box of a cracked egg: wider than the egg, and low."""
    x, y, z = box.center
    width = 2 * max(box.size[0], box.size[2])
    height = box.size[1] / 3
    return Box((x, y - box.size[1] / 3, z), (width, height, width), box.yaw)
