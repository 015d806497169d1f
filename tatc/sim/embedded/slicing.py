"""What a knife makes of a thing: the pieces, their size, and where they lie.

The facts are those of recorded end states: the whole stays in the list, cut
(`isSliced`) and without a body.  The first piece is the half before the whole's middle
along its own z; the others stand behind it in a row, a little apart, each smaller than
the one before.  An apple falls into wedges around its core.
"""

from dataclasses import replace

from tatc.sim.embedded.house import House
from tatc.sim.embedded.portions import portions_of
from tatc.sim.embedded.spots import rotated, upright
from tatc.state import ABSENT, Affordances, Box, ObjectState, Vec3

COOKABLE = frozenset({"Bread", "Egg", "Potato"})
"""Whose slices can be cooked."""
ROW = 0.6
"""How far the row of slices reaches behind the middle, as a share of the length."""
ROWS = {
    ("Bread", 8): (0.076, 0.68),
    ("Potato", 6): (0.04, 0.7),
    ("Potato", 8): (0.07, 0.66),
}
"""Where the rows begin that are not like the others, and how far they reach from there,
as shares of the length, by what falls into how many pieces."""
FALL = 0.006
"""How far pieces fall when they come loose, metres: a whole thing is set down above
what it stands on."""
THICK = 0.85
"""How thick a slice is, as a share of its place in the row."""
ENDS = {"Bread": 0.85, "Lettuce": 0.77, "Tomato": 0.65}
"""How wide and high the last slice is, as a share of the whole."""
END = 0.6
WEDGE: Vec3 = (0.84, 0.9, 0.5)
"""An apple's wedge, as shares of the apple; its middle is `CORE` of the apple's
length away from the apple's."""
CORE = 0.29


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
    size, _, _ = upright(whole)
    count = portions_of(kind, size)
    boxes = _wedges(whole, count) if kind == "Apple" else _row(whole, count)
    share = 1.0 / count if kind == "Apple" else 0.5 / (count - 1)
    made: list[ObjectState] = []
    for i, box in enumerate(boxes):
        # A loaf's heel is a Bread of its own in AI2-THOR, not a slice.
        heel = kind == "Bread" and i == 0
        suffix = "Bread_0" if heel else f"{kind}Sliced_{i}"
        of_all = share if i or kind == "Apple" else 0.5
        made.append(_piece(whole, suffix.rpartition("_")[0], suffix, box, of_all))
    return made


def _row(whole: ObjectState, count: int) -> list[Box]:
    """Return the boxes of the thick first piece and of the slices behind it."""
    width, height, length = upright(whole)[0]
    place = ROW * length / (count - 1)
    usual = 0.5 * ROW / (count - 1), ROW
    start, reach = ROWS.get((whole.objectType, count), usual)
    end = ENDS.get(whole.objectType, END)
    boxes = [_box_at(whole, (0.0, length / 4), (width, height, length / 2), 0.0)]
    for i in range(1, count):
        share = 1.0 - (1.0 - end) * (i / (count - 1)) ** 3
        size = width * share, height * share, THICK * place
        behind = length * (start + (i - 1) * reach / (count - 1))
        boxes.append(_box_at(whole, (0.0, -behind), size, 0.0))
    return boxes


def _wedges(whole: ObjectState, count: int) -> list[Box]:
    """Return the boxes of wedges that lean on one another around the core."""
    size = upright(whole)[0]
    wedge = (size[0] * WEDGE[0], size[1] * WEDGE[1], size[2] * WEDGE[2])
    boxes: list[Box] = []
    for i in range(count):
        turn = i * 360.0 / count
        x, _, z = rotated((0.0, 0.0, CORE * size[2]), turn)
        boxes.append(_box_at(whole, (x, z), wedge, turn))
    return boxes


def _box_at(
    whole: ObjectState, middle: tuple[float, float], size: Vec3, turn: float
) -> Box:
    """Return a box that stands where the whole stood, in the whole's own axes."""
    yaw = whole.rotation[1]
    dx, _, dz = rotated((middle[0], 0.0, middle[1]), yaw)
    x, y, z = whole.box.center
    bottom = y - whole.box.size[1] / 2 - FALL
    return Box((x + dx, bottom + size[1] / 2, z + dz), size, (yaw + turn) % 360.0)


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
        rotation=(0.0, box.yaw, 0.0),
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


def _flat(box: Box) -> Box:
    """Return the box of a cracked egg: wider than the egg, and low."""
    x, y, z = box.center
    width = 2 * max(box.size[0], box.size[2])
    height = box.size[1] / 4
    return Box((x, y - box.size[1] / 2 + height / 2, z), (width, height, width), 0.0)
