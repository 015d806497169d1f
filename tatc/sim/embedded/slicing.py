"""What a knife makes of a thing: the pieces, their size, and where they lie.

The facts are those of recorded end states: the whole stays in the list, cut
(`isSliced`) and without a body.  The first piece is the half before the whole's middle
along its own z; the others stand behind it in a row, a little apart, each smaller than
the one before.  An apple falls into wedges around its core.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tatc.sim.embedded.ground import ground_under
from tatc.sim.embedded.house import House
from tatc.sim.embedded.portions import portions_of
from tatc.sim.embedded.spots import upright
from tatc.sim.maps.traces import Piece, model_of
from tatc.sim.rigid import rotated
from tatc.state import ABSENT, Affordances, Box, ObjectState, Vec3

COOKABLE = frozenset({"Bread", "Egg", "Potato"})
"""Whose slices can be cooked."""
ROWS = {
    ("Bread", 5): (0.08, 0.22, 0.35, 0.485),
    ("Bread", 6): (0.075, 0.195, 0.3, 0.39, 0.52),
    ("Bread", 7): (0.06, 0.145, 0.225, 0.31, 0.4, 0.525),
    ("Bread", 8): (0.07, 0.17, 0.275, 0.375, 0.48, 0.565, 0.665),
    ("Bread", 9): (0.03, 0.11, 0.19, 0.27, 0.35, 0.435, 0.515, 0.59),
    ("Lettuce", 7): (0.05, 0.145, 0.24, 0.33, 0.42, 0.525),
    ("Lettuce", 8): (0.03, 0.12, 0.205, 0.3, 0.38, 0.45, 0.53),
    ("Potato", 6): (0.05, 0.165, 0.29, 0.44, 0.605),
    ("Potato", 8): (0.075, 0.17, 0.255, 0.345, 0.435, 0.53, 0.635),
    ("Potato", 9): (0.05, 0.125, 0.195, 0.27, 0.35, 0.43, 0.515, 0.61),
    ("Tomato", 7): (0.04, 0.135, 0.225, 0.315, 0.405, 0.515),
}
"""How far behind a whole's middle its slices stand, as shares of its length, by its
type and into how many pieces it falls: the medians over AI2-THOR's models."""
CAKE = (-0.04, 0.11, 0.255, 0.405, 0.54)
"""The same for a loaf as wide as long, whose first slice is before the middle."""
ROUND = 0.9
"""As wide as long is what is wider than this share of its length."""
ROW = 0.6
"""How far a row of slices reaches behind the middle, as a share of the length."""
NONE: Mapping[str, Piece] = MappingProxyType({})
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
    seen = house.traces.pieces.get(model_of(whole), NONE)
    for piece in pieces_of(whole, seen, ground_under(house, whole)):
        house.add(piece)


def pieces_of(
    whole: ObjectState, seen: Mapping[str, Piece] = NONE, ground: float | None = None
) -> list[ObjectState]:
    """Return what a whole thing falls into when it is cut or cracked.

    `seen` are pieces as they lay in other sessions, by the ends of their ids; `ground`
    is the height of what they fall onto, where it is known.
    """
    kind = whole.objectType
    if kind == "Egg":
        return [_piece(whole, "EggCracked_0", _flat(whole.box), 1.0)]
    size, _, _ = upright(whole)
    count = _number(seen, least=2) or portions_of(kind, size)
    if ground is None:
        ground = whole.box.center[1] - whole.box.size[1] / 2 - FALL
    boxes = _wedges(whole, count) if kind == "Apple" else _row(whole, count)
    share = 1.0 / count if kind == "Apple" else 0.5 / (count - 1)
    made: list[ObjectState] = []
    for i, box in enumerate(boxes):
        # A loaf's heel is a Bread of its own in AI2-THOR, not a slice.
        heel = kind == "Bread" and i == 0
        suffix = "Bread_0" if heel else f"{kind}Sliced_{i}"
        of_all = share if i or kind == "Apple" else 0.5
        piece = _piece(whole, suffix, _on(ground, box), of_all)
        made.append(_as_seen(whole, piece, seen.get(suffix), ground))
    return made


def _number(seen: Mapping[str, Piece], least: int) -> int:
    """Return into how many pieces a model is seen to fall, 0 for less than `least`."""
    ends = [suffix.rpartition("_")[2] for suffix in seen]
    number = max((int(end) for end in ends if end.isdecimal()), default=-1) + 1
    return number if number >= least else 0


def _on(ground: float, box: Box) -> Box:
    """Return a box set down at a height."""
    x, _, z = box.center
    return replace(box, center=(x, ground + box.size[1] / 2, z))


def _as_seen(
    whole: ObjectState, piece: ObjectState, seen: Piece | None, ground: float
) -> ObjectState:
    """Return a piece as it lay in another session, itself if none showed it."""
    if seen is None:
        return piece
    yaw = whole.rotation[1]
    dx, _, dz = rotated(seen.at, yaw)
    x, y, z = whole.position
    pitch, turn, roll = seen.rotation
    # Not as high as it was seen: wholes are set down more or less high above the same.
    box = _on(ground, Box((x + dx, y, z + dz), seen.size, (seen.yaw + yaw) % 360.0))
    rotation = (pitch, (turn + yaw) % 360.0, roll)
    return replace(piece, position=box.center, rotation=rotation, box=box)


def _row(whole: ObjectState, count: int) -> list[Box]:
    """Return the boxes of the thick first piece and of the slices behind it."""
    width, height, length = upright(whole)[0]
    place = ROW * length / (count - 1)
    end = ENDS.get(whole.objectType, END)
    boxes = [_box_at(whole, (0.0, length / 4), (width, height, length / 2), 0.0)]
    for i, behind in enumerate(_behind(whole.objectType, count, width / length), 1):
        share = 1.0 - (1.0 - end) * (i / (count - 1)) ** 3
        size = width * share, height * share, THICK * place
        boxes.append(_box_at(whole, (0.0, -behind * length), size, 0.0))
    return boxes


def _behind(kind: str, count: int, broad: float) -> Sequence[float]:
    """Return how far behind the middle slices stand, as shares of the length."""
    if kind == "Bread" and broad > ROUND and count == len(CAKE) + 1:
        return CAKE
    step = ROW / (count - 1)
    return ROWS.get((kind, count)) or [(i - 0.5) * step for i in range(1, count)]


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
    """Return a box as high up as the whole's, in the whole's own axes."""
    yaw = whole.rotation[1]
    dx, _, dz = rotated((middle[0], 0.0, middle[1]), yaw)
    x, y, z = whole.box.center
    return Box((x + dx, y, z + dz), size, (yaw + turn) % 360.0)


def _piece(whole: ObjectState, suffix: str, box: Box, share: float) -> ObjectState:
    kind = suffix.rpartition("_")[0]
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
