"""Cut an object into pieces: their types, sizes and positions.

The facts come from recorded end states.  The whole stays in the list of objects, with
`isSliced` set and a box without size.  The first piece is the half in front of the
whole's middle, along its own z axis.  The other pieces stand behind it in a row, a little
apart, each smaller than the one before.  An apple is cut into wedges around its core.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tatc.sim.embedded.placement.landing_heights import landing_height_under
from tatc.sim.embedded.placement.placement_candidates import upright_geometry
from tatc.sim.embedded.slice_counts import slice_count
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import SlicePlacement, model_name
from tatc.sim.transforms import rotate_yaw
from tatc.state import ABSENT, Affordances, Box, ObjectState, Vec3
from tatc.thor_types.facts import COOKABLE_PIECE_TYPES, CRACKED_TYPE_BY_WHOLE, SLICE_TYPE_BY_WHOLE

SLICE_OFFSET_RATIOS = {
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
"""Distances of the slices behind the whole's middle, as shares of its length.

They are given by the whole's type and number of pieces, and are medians over AI2-THOR's
models."""
CAKE_SLICE_OFFSET_RATIOS = (-0.04, 0.11, 0.255, 0.405, 0.54)
"""The same for a loaf as wide as long; its first slice is in front of the middle."""
SQUARE_LOAF_RATIO = 0.9
"""A loaf that is wider than this share of its length counts as being as wide as long."""
ROW_LENGTH_RATIO = 0.6
"""How far the row of slices reaches behind the middle, as a share of the whole's length."""
NO_RECORDED_PIECES: Mapping[str, SlicePlacement] = MappingProxyType({})
PIECE_DROP_METRES = 0.006
"""How far pieces fall if nothing shows the height on which they land, metres.

AI2-THOR places a whole object a little above its support."""
SLICE_THICKNESS_RATIO = 0.85
"""The thickness of a slice, as a share of its place in the row."""
LAST_SLICE_RATIOS = {"Bread": 0.85, "Lettuce": 0.77, "Tomato": 0.65}
"""The width and height of the last slice, as a share of the whole's."""
DEFAULT_LAST_SLICE_RATIO = 0.6
WEDGE_SIZE_RATIOS: Vec3 = (0.84, 0.9, 0.5)
"""The size of an apple's wedge, as shares of the apple's size.  Its middle is
`WEDGE_OFFSET_RATIO` of the apple's length away from the apple's middle."""
WEDGE_OFFSET_RATIO = 0.29


def cut_into_pieces(world: WorldState, whole: ObjectState) -> None:
    """Cut a whole object of the world into pieces."""
    world.update_object(
        whole.objectId,
        isSliced=True,
        parentReceptacles=None,
        box=Box(whole.box.center, (0.0, 0.0, 0.0), whole.box.yaw),
    )
    recorded = world.evidence.slices.get(model_name(whole), NO_RECORDED_PIECES)
    for piece in make_pieces(whole, recorded, landing_height_under(world, whole)):
        world.add_object(piece)


def make_pieces(
    whole: ObjectState,
    recorded: Mapping[str, SlicePlacement] = NO_RECORDED_PIECES,
    landing_height: float | None = None,
) -> list[ObjectState]:
    """Return the pieces that a whole object gives when it is cut or cracked.

    Args:
        whole: the object as it was before.
        recorded: the pieces of this model in other sessions, by the last part of their ids.
        landing_height: the height on which the pieces land, metres (world); None if it is
            not known.  A cracked egg does not fall.

    """
    object_type = whole.objectType
    if object_type in CRACKED_TYPE_BY_WHOLE:
        suffix = f"{CRACKED_TYPE_BY_WHOLE[object_type]}_0"
        return [_make_piece(whole, suffix, _cracked_egg_box(whole.box), 1.0)]
    size, _, _ = upright_geometry(whole)
    count = _recorded_count(recorded, least=2) or slice_count(object_type, size)
    if landing_height is None:
        landing_height = whole.box.center[1] - whole.box.size[1] / 2 - PIECE_DROP_METRES
    boxes = _wedge_boxes(whole, count) if object_type == "Apple" else _slice_boxes(whole, count)
    share = 1.0 / count if object_type == "Apple" else 0.5 / (count - 1)
    pieces: list[ObjectState] = []
    for i, box in enumerate(boxes):
        # In AI2-THOR the heel of a loaf is a Bread, not a BreadSliced.
        heel = object_type == "Bread" and i == 0
        suffix = "Bread_0" if heel else f"{SLICE_TYPE_BY_WHOLE[object_type]}_{i}"
        mass_share = share if i or object_type == "Apple" else 0.5
        piece = _make_piece(whole, suffix, _set_down_at(landing_height, box), mass_share)
        pieces.append(_place_as_recorded(whole, piece, recorded.get(suffix), landing_height))
    return pieces


def _recorded_count(recorded: Mapping[str, SlicePlacement], least: int) -> int:
    """Return the number of pieces that recordings show for a model, 0 if below `least`."""
    ends = [suffix.rpartition("_")[2] for suffix in recorded]
    number = max((int(end) for end in ends if end.isdecimal()), default=-1) + 1
    return number if number >= least else 0


def _set_down_at(height: float, box: Box) -> Box:
    """Return a box whose lower side is at a height."""
    x, _, z = box.center
    return replace(box, center=(x, height + box.size[1] / 2, z))


def _place_as_recorded(
    whole: ObjectState, piece: ObjectState, recorded: SlicePlacement | None, landing_height: float
) -> ObjectState:
    """Return a piece as it lay in another session; unchanged if `recorded` is None."""
    if recorded is None:
        return piece
    yaw = whole.rotation[1]
    dx, _, dz = rotate_yaw(recorded.offset, yaw)
    x, y, z = whole.position
    pitch, turn, roll = recorded.rotation
    # Not at the recorded height: AI2-THOR places wholes at various heights above a support.
    box = _set_down_at(
        landing_height, Box((x + dx, y, z + dz), recorded.size, (recorded.box_yaw + yaw) % 360.0)
    )
    rotation = (pitch, (turn + yaw) % 360.0, roll)
    return replace(piece, position=box.center, rotation=rotation, box=box)


def _slice_boxes(whole: ObjectState, count: int) -> list[Box]:
    """Return the boxes of the thick first piece and of the slices behind it."""
    width, height, length = upright_geometry(whole)[0]
    slot_length = ROW_LENGTH_RATIO * length / (count - 1)
    end = LAST_SLICE_RATIOS.get(whole.objectType, DEFAULT_LAST_SLICE_RATIO)
    boxes = [_box_at(whole, (0.0, length / 4), (width, height, length / 2), 0.0)]
    for i, behind in enumerate(_slice_offsets(whole.objectType, count, width / length), 1):
        share = 1.0 - (1.0 - end) * (i / (count - 1)) ** 3
        size = width * share, height * share, SLICE_THICKNESS_RATIO * slot_length
        boxes.append(_box_at(whole, (0.0, -behind * length), size, 0.0))
    return boxes


def _slice_offsets(object_type: str, count: int, width_ratio: float) -> Sequence[float]:
    """Return the distances of the slices behind the middle, as shares of the length."""
    if (
        object_type == "Bread"
        and width_ratio > SQUARE_LOAF_RATIO
        and count == len(CAKE_SLICE_OFFSET_RATIOS) + 1
    ):
        return CAKE_SLICE_OFFSET_RATIOS
    step = ROW_LENGTH_RATIO / (count - 1)
    return SLICE_OFFSET_RATIOS.get((object_type, count)) or [
        (i - 0.5) * step for i in range(1, count)
    ]


def _wedge_boxes(whole: ObjectState, count: int) -> list[Box]:
    """Return the boxes of the wedges, which are arranged in a circle around the core."""
    size = upright_geometry(whole)[0]
    wedge = (
        size[0] * WEDGE_SIZE_RATIOS[0],
        size[1] * WEDGE_SIZE_RATIOS[1],
        size[2] * WEDGE_SIZE_RATIOS[2],
    )
    boxes: list[Box] = []
    for i in range(count):
        turn = i * 360.0 / count
        x, _, z = rotate_yaw((0.0, 0.0, WEDGE_OFFSET_RATIO * size[2]), turn)
        boxes.append(_box_at(whole, (x, z), wedge, turn))
    return boxes


def _box_at(whole: ObjectState, middle: tuple[float, float], size: Vec3, turn: float) -> Box:
    """Return a box at the height of the whole's centre.

    `middle` (x, z, metres) and `turn` (degrees) are along the whole's own axes.
    """
    yaw = whole.rotation[1]
    dx, _, dz = rotate_yaw((middle[0], 0.0, middle[1]), yaw)
    x, y, z = whole.box.center
    return Box((x + dx, y, z + dz), size, (yaw + turn) % 360.0)


def _make_piece(whole: ObjectState, suffix: str, box: Box, share: float) -> ObjectState:
    object_type = suffix.rpartition("_")[0]
    cookable = object_type in COOKABLE_PIECE_TYPES
    return replace(
        whole,
        objectId=f"{whole.objectId}|{suffix}",
        objectType=object_type,
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


def _cracked_egg_box(box: Box) -> Box:
    """Return the box of a cracked egg: wider than the egg, and low."""
    x, y, z = box.center
    width = 2 * max(box.size[0], box.size[2])
    height = box.size[1] / 4
    return Box((x, y - box.size[1] / 2 + height / 2, z), (width, height, width), 0.0)
