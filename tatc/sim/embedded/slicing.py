"""Cut an object into pieces: their types and states, and where they land.

The whole stays in the list of objects, with `isSliced` set and a box without size.  The
pieces appear where `piece_boxes` has them and fall onto what the whole stood on (recorded
end states).
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from tatc.base.plain_text import whole_number
from tatc.home.state import ABSENT, Affordances, Box, ObjectState
from tatc.home.types.facts import COOKABLE_PIECE_TYPES, CRACKED_TYPE_BY_WHOLE, SLICE_TYPE_BY_WHOLE
from tatc.sim.embedded.piece_boxes import piece_boxes
from tatc.sim.embedded.placement.landing_heights import landing_height_under
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import SlicePlacement, model_name
from tatc.sim.transforms import rotate_yaw

_MAX_RECORDED_PIECES = 100  # a map that shows more is damaged; AI2-THOR cuts ten at most
NO_RECORDED_PIECES: Mapping[str, SlicePlacement] = MappingProxyType({})
PIECE_DROP_METRES = 0.006
"""How far pieces fall if nothing shows the height on which they land, metres.

AI2-THOR places a whole object a little above its support."""


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
    if landing_height is None:
        landing_height = whole.box.center[1] - whole.box.size[1] / 2 - PIECE_DROP_METRES
    boxes = piece_boxes(whole, _recorded_count(recorded, least=2))
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


def _recorded_count(recorded: Mapping[str, SlicePlacement], least: int) -> int:
    """Return the number of pieces that recordings show for a model, 0 if below `least`."""
    ends = [suffix.rpartition("_")[2] for suffix in recorded]
    numbers = [number for end in ends if (number := whole_number(end)) is not None]
    count = max(numbers, default=-1) + 1
    return count if least <= count <= _MAX_RECORDED_PIECES else 0


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
        wasHeated=False,
        wasCooled=False,
        wasCleaned=False,
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
