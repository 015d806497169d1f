"""Cut an object into pieces: how many there are, their states, and where they land.

The whole stays in the list of objects, with `isSliced` set and a box without size.  AI2-THOR puts
the pieces where the prefab of the cut object has them: `tatc.home.assets` knows this for known
assets, and medians over these (`pieces.json`) stand for the others.  The first piece is the half in
front of the whole's middle, along its own z axis; the others stand behind it in a row, a little
apart.  An apple is cut into wedges around its core.  All fall onto what the whole stood on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf
from types import MappingProxyType
from typing import Any

from tatc.base.files import package_table
from tatc.base.plain_text import whole_number
from tatc.home.assets import PieceOffset, piece_offsets
from tatc.home.metadata import SIMBOT_FIELDS
from tatc.home.state import ABSENT, Affordances, Box, ObjectState, Vec3, rotate_yaw, unused_id
from tatc.home.type_facts import COOKABLE_PIECE_TYPES, CRACKED_TYPE_BY_WHOLE, SLICE_TYPE_BY_WHOLE
from tatc.sim.embedded.placement import observed_surfaces, placement_candidates
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import SlicePlacement, model_name

_MAX_RECORDED_PIECES = 100  # a map that shows more is damaged; AI2-THOR cuts ten at most
NO_RECORDED_PIECES: Mapping[str, SlicePlacement] = MappingProxyType({})
PIECE_DROP_METRES = 0.006
"""How far pieces fall if no height is known, metres: a whole stands a little above its support."""

APPLE_PIECES, DEFAULT_PIECES = 3, 7
POTATO_PIECES_BY_LENGTH_METRES = ((0.095, 6), (0.125, 8), (inf, 9))
"""The greatest length of a potato (metres), and the number of pieces up to that length."""
LONG_LETTUCE_RATIO = 1.6
"""A lettuce that is longer than this many times its width gives one more piece."""
CAKE_WIDTH_RATIO, CAKE_SLICES = 0.8, 6
"""A loaf that is wider than this share of its length is cut into so many pieces."""
FLAT_LOAF_RATIO, LOW_LOAF_RATIO, PLAIN_LOAF_RATIO = 0.385, 0.54, 0.58
"""The greatest height of each kind of loaf, by length; higher ones are about as high as wide."""
LOW_LOAF_VOLUME_M3, HIGH_LOAF_VOLUME_M3 = 0.0065, 0.0062
"""The volume, m^3, from which a low loaf gives 8 pieces, not 9, and a high loaf 6, not 5."""

SHORT_LETTUCE_METRES = 0.23
SHORT_LETTUCE_SLICE_OFFSETS_METRES = (0.0125, 0.0335, 0.053, 0.0715, 0.089, 0.1085)
"""The slices of a lettuce that is shorter than this and gives seven pieces, metres."""
CAKE_SLICE_OFFSET_RATIOS = (-0.04, 0.11, 0.255, 0.405, 0.54)
"""How far the slices of a loaf as wide as long are behind its middle, as shares of its length."""
SQUARE_LOAF_RATIO = 0.9
"""A loaf that is wider than this share of its length counts as being as wide as long."""
ROW_LENGTH_RATIO = 0.6
"""How far the row of slices reaches behind the middle, as a share of the whole's length."""
FIRST_PIECE_OFFSET_RATIO, FIRST_PIECE_LENGTH_RATIO = 0.25, 0.49
"""How far the thick first piece is in front of the middle, and how long it is, as shares of
the whole's length (medians of the known assets and of their pieces at recorded ends)."""
SLICE_THICKNESS_RATIOS = {"Bread": 0.92, "Lettuce": 0.83, "Potato": 0.77, "Tomato": 0.93}
"""The thickness of a slice, as a share of its distance to its neighbours (recorded ends)."""
LAST_SLICE_RATIO = 0.6
"""Where `pieces.json` has no sizes, slices shrink to this share of the whole's width and height."""
CENTRED_ON_BOX_TYPE = "Lettuce"
"""The type whose slices' boxes are to neither side of the middle of the whole's box.

The others' are to neither side of the whole's position (recorded ends)."""
WEDGE_SIZE_RATIOS: Vec3 = (0.84, 0.9, 0.5)
WEDGE_OFFSET_RATIO = 0.29
"""The size of an apple's wedge, as shares of the apple's, and how far the wedge's middle is from
the apple's, as a share of the apple's length."""


def cut_into_pieces(world: WorldState, whole: ObjectState) -> None:
    """Cut a whole object of the world into pieces."""
    world.update_object(
        whole.objectId,
        isSliced=True,
        parentReceptacles=None,
        box=Box(whole.box.center, (0.0, 0.0, 0.0), whole.box.yaw),
    )
    recorded = world.evidence.slices.get(model_name(whole), NO_RECORDED_PIECES)
    taken = {obj.objectId for obj in world.objects}
    for piece in make_pieces(whole, recorded, observed_surfaces.landing_height_under(world, whole)):
        # Where clients of AI2-THOR move wholes, what was cut before may have an id of this place.
        world.add_object(piece.with_values(objectId=unused_id(piece.objectId, taken)))


def make_pieces(
    whole: ObjectState,
    recorded: Mapping[str, SlicePlacement] = NO_RECORDED_PIECES,
    landing_height: float | None = None,
) -> list[ObjectState]:
    """Return the pieces that a whole object gives when it is cut or cracked.

    `recorded` are the pieces of this model in other sessions, by the last part of their ids;
    `landing_height` is where they land, metres (world), if known.  A cracked egg does not fall.
    """
    object_type = whole.objectType
    if object_type in CRACKED_TYPE_BY_WHOLE:
        suffix = f"{CRACKED_TYPE_BY_WHOLE[object_type]}_0"
        return [_make_piece(whole, suffix, _cracked_egg_box(whole.box), 1.0)]
    if landing_height is None:
        landing_height = whole.box.bottom - PIECE_DROP_METRES
    boxes = piece_boxes(whole, _recorded_count(recorded))
    share = 1.0 / len(boxes) if object_type == "Apple" else 0.5 / (len(boxes) - 1)
    pieces: list[ObjectState] = []
    for i, box in enumerate(boxes):
        # In AI2-THOR the heel of a loaf is a Bread, not a BreadSliced.
        heel = object_type == "Bread" and i == 0
        suffix = "Bread_0" if heel else f"{SLICE_TYPE_BY_WHOLE[object_type]}_{i}"
        mass_share = share if i or object_type == "Apple" else 0.5
        piece = _make_piece(whole, suffix, _set_down_at(landing_height, box), mass_share)
        pieces.append(_place_as_recorded(whole, piece, recorded.get(suffix), landing_height))
    return pieces


def _recorded_count(recorded: Mapping[str, SlicePlacement]) -> int:
    """Return the number of pieces that recordings show for a model, 0 for fewer than two."""
    numbers = [whole_number(suffix.rpartition("_")[2]) for suffix in recorded]
    count = max((number for number in numbers if number is not None), default=-1) + 1
    return count if 2 <= count <= _MAX_RECORDED_PIECES else 0


def _set_down_at(height: float, box: Box) -> Box:
    x, _, z = box.center
    return Box((x, height + box.size[1] / 2, z), box.size, box.yaw)


def _place_as_recorded(
    whole: ObjectState, piece: ObjectState, recorded: SlicePlacement | None, landing_height: float
) -> ObjectState:
    """Return a piece as it lay in another session; unchanged if `recorded` is None."""
    if recorded is None:
        return piece
    yaw, (pitch, turn, roll) = whole.rotation[1], recorded.rotation
    dx, _, dz = rotate_yaw(recorded.offset, yaw)
    x, y, z = whole.position
    box = Box((x + dx, y, z + dz), recorded.size, (recorded.box_yaw + yaw) % 360.0)
    # Not at the recorded height: AI2-THOR places wholes at various heights above a support.
    box = _set_down_at(landing_height, box)
    rotation = (pitch, (turn + yaw) % 360.0, roll)
    return piece.with_values(position=box.center, rotation=rotation, box=box)


_FLAGS_OF_WHOLES = ("isBroken", "isDirty", "isSliced", "wasHeated", "wasCooled", "wasCleaned")


def _make_piece(whole: ObjectState, suffix: str, box: Box, share: float) -> ObjectState:
    object_type = suffix.rpartition("_")[0]
    return replace(
        whole,
        objectId=f"{whole.objectId}|{suffix}",
        objectType=object_type,
        name=f"{whole.name}_{suffix}",
        affordances=Affordances(pickupable=True, cookable=object_type in COOKABLE_PIECE_TYPES),
        position=box.center,
        rotation=(0.0, box.yaw, 0.0),
        box=box,
        mass=whole.mass * share,
        **dict.fromkeys(_FLAGS_OF_WHOLES, False),
        **dict.fromkeys(SIMBOT_FIELDS, ABSENT),
    )


def _cracked_egg_box(box: Box) -> Box:
    """Return the box of a cracked egg: wider than the egg, and low."""
    x, y, z = box.center
    width = 2 * max(box.size[0], box.size[2])
    height = box.size[1] / 4
    return Box((x, y - box.size[1] / 2 + height / 2, z), (width, height, width), 0.0)


def slice_count(object_type: str, size: Vec3) -> int:
    """Return the number of pieces into which an object of an unknown asset is cut.

    `size` is its upright width, height and length, metres.  AI2-THOR's few models of a type differ
    in proportions: of the loaves, potatoes and lettuces in recorded ends, 9 of 10 come out right.
    """
    width, _, length = size
    match object_type:
        case "Apple":
            return APPLE_PIECES
        case "Bread":
            return _loaf_slice_count(size)
        case "Lettuce":
            return DEFAULT_PIECES + (length > LONG_LETTUCE_RATIO * width)
        case "Potato":
            return next(n for longest, n in POTATO_PIECES_BY_LENGTH_METRES if length <= longest)
        case _:
            return DEFAULT_PIECES


def _loaf_slice_count(size: Vec3) -> int:
    width, height, length = size
    share, volume = height / length, width * height * length
    if width > CAKE_WIDTH_RATIO * length:
        return CAKE_SLICES
    if share <= FLAT_LOAF_RATIO or LOW_LOAF_RATIO < share <= PLAIN_LOAF_RATIO:
        return 7
    if share <= LOW_LOAF_RATIO:
        return 9 if volume < LOW_LOAF_VOLUME_M3 else 8
    return 5 if volume < HIGH_LOAF_VOLUME_M3 else 6


def piece_boxes(whole: ObjectState, recorded_count: int = 0) -> list[Box]:
    """Return the boxes of a whole's pieces, the first piece first, at the whole's height.

    `recorded_count` is the number of pieces that other sessions show, 0 if they show none.
    """
    size = placement_candidates.upright_geometry(whole)[0]
    known = piece_offsets(whole.objectType, whole.mass, size)
    count = recorded_count or len(known) or slice_count(whole.objectType, size)
    if whole.objectType == "Apple":
        return _wedge_boxes(whole, known, count)
    return _slice_boxes(whole, known if len(known) == count else _row_offsets(whole, count))


def _slice_boxes(whole: ObjectState, offsets: Sequence[PieceOffset]) -> list[Box]:
    (width, height, length), (aside, _, _), _ = placement_candidates.upright_geometry(whole)
    if whole.objectType == CENTRED_ON_BOX_TYPE and all(each.size is None for each in offsets):
        offsets = [replace(each, offset=(aside, *each.offset[1:])) for each in offsets]
    first, *others = offsets
    (wide, high), *shares = _piece_size_ratios(whole.objectType, len(offsets))
    size = (wide * width, high * height, FIRST_PIECE_LENGTH_RATIO * length)
    boxes = [_box_at(whole, first, first.size or size)]
    thickness_ratio = SLICE_THICKNESS_RATIOS[whole.objectType]
    places = _row_places(others, ROW_LENGTH_RATIO * length)
    for each, place, (wide, high) in zip(others, places, shares, strict=True):
        size = (wide * width, high * height, thickness_ratio * place)
        boxes.append(_box_at(whole, each, each.size or size))
    return boxes


def _piece_size_ratios(object_type: str, count: int) -> Sequence[tuple[float, float]]:
    """Return the width and height of each piece, as shares of the whole's."""
    shares = [1.0 - (1.0 - LAST_SLICE_RATIO) * (i / max(count - 1, 1)) ** 3 for i in range(count)]
    known = _fitted("size_ratios", object_type, count)
    widths, heights = (shares, shares) if known is None else known
    return list(zip(widths, heights, strict=True))


def _fitted(table: str, object_type: str, count: int) -> list[Any] | None:
    """Return a row of `pieces.json` for a whole that gives `count` pieces, None if it has none."""
    return package_table("tatc.sim.embedded", "pieces.json")[table].get(f"{object_type} {count}")


def _row_places(slices: Sequence[PieceOffset], row_length: float) -> list[float]:
    """Return each slice's mean distance to the next ones; a single one takes up the whole row."""
    gaps = [before.offset[2] - after.offset[2] for before, after in pairwise(slices)]
    gaps = gaps or [row_length]
    return [(a + b) / 2 for a, b in pairwise([gaps[0], *gaps, gaps[-1]])][: len(slices)]


def _row_offsets(whole: ObjectState, count: int) -> list[PieceOffset]:
    """Return where the pieces of a whole of an unknown asset lie."""
    width, _, length = placement_candidates.upright_geometry(whole)[0]
    behind = _slice_offsets(whole.objectType, count, width, length)
    return [
        PieceOffset((0.0, 0.0, z), 0.0)
        for z in (FIRST_PIECE_OFFSET_RATIO * length, *(-each for each in behind))
    ]


def _slice_offsets(object_type: str, count: int, width: float, length: float) -> Sequence[float]:
    """Return the distances of the slices behind the middle of a whole, metres."""
    if (object_type, count) == ("Lettuce", 7) and length < SHORT_LETTUCE_METRES:
        return SHORT_LETTUCE_SLICE_OFFSETS_METRES
    metres = _fitted("places_metres", object_type, count)
    if metres is not None:
        return metres
    step = ROW_LENGTH_RATIO / (count - 1)
    ratios = _fitted("place_ratios", object_type, count)
    is_square = object_type == "Bread" and width / length > SQUARE_LOAF_RATIO
    if is_square and count == len(CAKE_SLICE_OFFSET_RATIOS) + 1:
        ratios = list(CAKE_SLICE_OFFSET_RATIOS)
    return [each * length for each in ratios or [(i - 0.5) * step for i in range(1, count)]]


def _wedge_boxes(whole: ObjectState, known: Sequence[PieceOffset], count: int) -> list[Box]:
    """Return the boxes of an apple's wedges, in a circle around the core if not known."""
    width, height, length = placement_candidates.upright_geometry(whole)[0]
    wide, high, deep = WEDGE_SIZE_RATIOS
    size = (wide * width, high * height, deep * length)
    turns, radius = [i * 360.0 / count for i in range(count)], WEDGE_OFFSET_RATIO * length
    offsets = known or [PieceOffset(rotate_yaw((0.0, 0.0, radius), turn), turn) for turn in turns]
    return [_box_at(whole, each, each.size or size) for each in offsets]


def _box_at(whole: ObjectState, piece: PieceOffset, size: Vec3) -> Box:
    """Return a piece's box at the height of the whole's centre."""
    yaw = whole.rotation[1]
    dx, _, dz = rotate_yaw(piece.offset, yaw)
    x, _, z = whole.position
    return Box((x + dx, whole.box.center[1], z + dz), size, (yaw + piece.yaw) % 360.0)
