"""The solids that an object's box stands for, by its type and its state.

An AI2-THOR box is often not the object itself: it includes the empty space inside a pot,
the volume above a counter in which objects are looked for, the air under a table.  The
type's `TypeShape` (`shape_table`) says which parts of the box a ray can hit, so that what
lies in a sink, on a shelf or in an open fridge can be seen and clicked.

Three ideas cover all types.  The **surface** is the height at which objects rest on an
object.  It is measured from what rests there at the start (`measure_surface_heights`), and
guessed from the type if nothing does.  The **open faces** of a solid are those through
which a ray enters; it then hits the far side from within, unless another object is in
between.  The **shape** of a solid is a box, an upright cylinder, an ellipsoid or a disc.
"""

from collections.abc import Sequence

from tatc.home.camera.furniture_parts import (
    back_solid,
    faucet_solids,
    lamp_solids,
    leg_solids,
    plant_solids,
    toilet_solids,
)
from tatc.home.camera.rects import Rect, footprint_of
from tatc.home.camera.shape_table import (
    OpenFaces,
    ShapeTemplate,
    SolidShape,
    TypeShape,
    shape_of_type,
)
from tatc.home.camera.solids import Solid, bottom_height, box_layer, top_height
from tatc.home.state import Box, ObjectState, yaw_sin_cos
from tatc.home.types.facts import BASIN_TYPES, FLOOR_TYPE, SEAT_TYPES, TABLE_TYPES

MIN_BOARD_STRIP_METRES = 0.045
"""A strip that a cutout leaves of a board is kept only if it is wider than this, metres."""
BOARD_THICKNESS_METRES = 0.04
"""The thickness of boards: counters, table tops, shelves, metres."""

MAX_PORTABLE_METRES = 2.5
"""No portable object is longer, metres; AI2-THOR 3.1.0 gives some rolls boxes of 25 m."""
OVERSIZED_PORTABLE_METRES = 0.1
"""The side of the cube that replaces such a box, metres."""
SINK_EXTENSION_METRES = 0.1
"""How far a sink's solid reaches below its box, metres, so that rays meet its basin first."""
BACKREST_HEIGHT_METRES = 0.3
"""The height of backs and arms above a seat, metres; boxes reach higher."""
HOLLOW_FLOOR_METRES = 0.01
"""The thickness of a hollow object's floor, metres."""
LOFT_BED_METRES, BED_DEPTH_METRES = 1.0, 0.25
"""From which height of its position, where its mattress lies, a bed stands on posts, so that what
is beneath it is seen; and how deep its frame reaches below that."""
BAY_WINDOW_METRES = 1.0
"""From which depth a window goes round a corner, so that its box is mostly the air before it."""
_TOP_SURFACE_TEMPLATES = frozenset(
    {ShapeTemplate.WHOLE, ShapeTemplate.UP_TO_RIM, ShapeTemplate.PLANT, ShapeTemplate.FAUCET}
)
_PART_TEMPLATES = frozenset(
    {ShapeTemplate.LAMP, ShapeTemplate.PLANT, ShapeTemplate.FAUCET, ShapeTemplate.TOILET}
)


def surface_height(obj: ObjectState, measured: float | None = None) -> float:
    """Return the height at which objects rest on or in an object, metres.

    `measured` is what `measure_surface_heights` found; if it is None, the type decides.
    For a type without a surface of its own, it is the top of the box.
    """
    if measured is not None:
        return measured
    if obj.objectType == FLOOR_TYPE:
        return 0.0
    type_shape = shape_of_type(obj.objectType)
    low, high = bottom_height(obj.box), top_height(obj.box)
    if type_shape.template in _TOP_SURFACE_TEMPLATES:
        return high
    if type_shape.surface_offset < 0:
        return max(high + type_shape.surface_offset, low)
    return min(low + type_shape.surface_offset, high)


def measure_surface_heights(objects: Sequence[ObjectState]) -> tuple[float | None, ...]:
    """Return for each object the height at which objects are seen to rest on it, metres.

    This is the lowest underside, among the portable objects whose parent it is, that is
    no more than a board's thickness below the median one.  It is None if there are no
    such objects, or if the type has no surface.  (AI2-THOR's boxes of furniture reach 5
    to 30 cm above the surface, differently in each asset.)  What lies on a table under which
    a seat was pushed has both as parents, but rests on the table.  For a sink or tub it is the
    rim: the top of the highest basin in it.
    """
    found: dict[str, list[float]] = {}
    tables = {obj.objectId for obj in objects if obj.objectType in TABLE_TYPES}
    seats = {obj.objectId for obj in objects if obj.objectType in SEAT_TYPES}
    for obj in objects:
        if obj.affordances.pickupable and not obj.isPickedUp:
            under = obj.box.center[1] - obj.box.size[1] / 2
            parents = obj.parentReceptacles or ()
            is_on_table = not tables.isdisjoint(parents)
            for parent in parents:
                if not (is_on_table and parent in seats):
                    found.setdefault(parent, []).append(under)
    basins = [obj for obj in objects if obj.objectType in BASIN_TYPES]
    return tuple(
        _rim_height(obj, basins)
        if shape_of_type(obj.objectType).template is ShapeTemplate.UP_TO_RIM
        else _measured_height(obj, found.get(obj.objectId, []))
        for obj in objects
    )


def _rim_height(well: ObjectState, basins: Sequence[ObjectState]) -> float | None:
    whole = footprint_of(well)
    rims = [top_height(b.box) for b in basins if footprint_of(b).overlaps(whole)]
    return min(max(rims), top_height(well.box)) if rims else None


def _measured_height(obj: ObjectState, heights: Sequence[float]) -> float | None:
    movable = obj.affordances.pickupable or obj.objectType == FLOOR_TYPE
    if movable or shape_of_type(obj.objectType).template is ShapeTemplate.WHOLE:
        return None
    middle, half = obj.box.center[1], obj.box.size[1] / 2
    inside = sorted(h for h in heights if abs(h - middle) <= half + BOARD_THICKNESS_METRES)
    if not inside:
        return None
    # Not the median itself: objects a little lower would be under the board.
    median = inside[len(inside) // 2]
    return next(height for height in inside if height >= median - BOARD_THICKNESS_METRES)


def solids_of(
    obj: ObjectState, surface: float | None = None, cutouts: Sequence[Rect] = ()
) -> tuple[Solid, ...]:
    """Return the solids of an object that a ray can hit, in world axes.

    `surface` is the measured height of its surface, or None; `cutouts` are the holes in
    its board (`box_cutouts`).  An object that is held has no solids: it moves with the
    camera, and its place in the view is not recorded.  Nor has a window that goes round a corner.
    """
    if obj.isPickedUp or _is_bay_window(obj):
        return ()
    type_shape = shape_of_type(obj.objectType)
    opening = type_shape.open_faces
    if obj.isOpen and type_shape.open_faces_when_open is not None:
        opening = type_shape.open_faces_when_open
    box = _solid_box(obj, type_shape)
    top = surface_height(obj, surface)
    if type_shape.template in _PART_TEMPLATES:
        pieces = _part_solids(obj, box, type_shape.template, top)
    else:
        pieces = _template_solids(box, top, type_shape, opening)
    if type_shape.back_share:
        pieces.append(back_solid(box, obj.rotation[1], type_shape.back_share))
    if type_shape.leg_thickness:
        pieces += leg_solids(box, pieces[0], type_shape.leg_thickness)
    if not cutouts or opening is not type_shape.open_faces:
        return tuple(pieces)
    least = MIN_BOARD_STRIP_METRES if type_shape.template is ShapeTemplate.BOARD else 0.0
    return tuple(piece for whole in pieces for piece in _subtract_cutouts(whole, cutouts, least))


def _is_bay_window(obj: ObjectState) -> bool:
    return obj.objectType == "Window" and min(obj.box.size[::2]) > BAY_WINDOW_METRES


def _template_solids(
    box: Box, surface: float, type_shape: TypeShape, opening: OpenFaces
) -> list[Solid]:
    low, high = bottom_height(box), top_height(box)
    match type_shape.template:
        case ShapeTemplate.WHOLE if opening is OpenFaces.NONE:
            return [box_layer(box, low, high, type_shape.shape)]
        case ShapeTemplate.WHOLE:
            # It needs a floor of its own, or the board it stands on would be hit instead.
            floor = min(low + HOLLOW_FLOOR_METRES, high)
            bottom = box_layer(box, low, floor, type_shape.shape)
            return [bottom, box_layer(box, floor, high, type_shape.shape, opening)]
        case ShapeTemplate.UP_TO_RIM:
            return [box_layer(box, low - SINK_EXTENSION_METRES, surface, type_shape.shape, opening)]
        case ShapeTemplate.UP_TO_SURFACE:
            return [box_layer(box, low, surface, type_shape.shape, opening)]
        case ShapeTemplate.SEAT_WITH_BACK:
            seat = box_layer(box, low, surface, type_shape.shape)
            back = min(high, surface + BACKREST_HEIGHT_METRES)
            return [seat, box_layer(box, surface, back, type_shape.shape, OpenFaces.ALL)]
        case ShapeTemplate.BOARD:
            return [box_layer(box, surface - BOARD_THICKNESS_METRES, surface, type_shape.shape)]
        case ShapeTemplate.TABLE_WITH_BASE:
            under = max(surface - BOARD_THICKNESS_METRES, low)
            board = box_layer(box, under, surface, type_shape.shape)
            return [board, box_layer(box, low, under, type_shape.shape, OpenFaces.ALL)]
        case _:
            return []


def _part_solids(obj: ObjectState, box: Box, form: ShapeTemplate, top: float) -> list[Solid]:
    match form:
        case ShapeTemplate.LAMP:
            return lamp_solids(box)
        case ShapeTemplate.PLANT:
            return plant_solids(obj.box, box, obj.position)
        case ShapeTemplate.TOILET:
            return toilet_solids(box, obj.position, obj.rotation[1], top)
        case _:
            return faucet_solids(box, obj.position)


def _subtract_cutouts(solid: Solid, cutouts: Sequence[Rect], least: float) -> list[Solid]:
    """Return what cutouts leave of a solid that lies along the world's axes.

    Pieces no wider than `least` metres are dropped.
    """
    (x, y, z), (width, height, depth) = solid.center, solid.size
    pieces = [Rect(x - width / 2, z - depth / 2, x + width / 2, z + depth / 2)]
    for gap in cutouts:
        pieces = [rest for piece in pieces for rest in piece.subtract(gap)]
    whole = [p for p in pieces if min(p.x1 - p.x0, p.z1 - p.z0) > least]
    return [
        Solid(
            ((piece.x0 + piece.x1) / 2, y, (piece.z0 + piece.z1) / 2),
            (piece.x1 - piece.x0, height, piece.z1 - piece.z0),
            open_faces=solid.open_faces,
        )
        for piece in whole
    ]


def _solid_box(obj: ObjectState, type_shape: TypeShape) -> Box:
    """Return the part of an object's box that its solids are cut from."""
    (x, y, z), (width, height, depth) = obj.box.center, obj.box.size
    if obj.affordances.pickupable and max(width, height, depth) > MAX_PORTABLE_METRES:
        return Box(
            obj.position,
            (OVERSIZED_PORTABLE_METRES, OVERSIZED_PORTABLE_METRES, OVERSIZED_PORTABLE_METRES),
        )
    if obj.objectType == "Bed" and obj.position[1] - bottom_height(obj.box) > LOFT_BED_METRES:
        low, high = obj.position[1] - BED_DEPTH_METRES, top_height(obj.box)
        return Box((x, (low + high) / 2, z), (width, high - low, depth), obj.box.yaw)
    if type_shape.shape is SolidShape.CYLINDER:
        # A pan's box includes its handle; its position is that of its bowl.
        side = min(width, depth)
        sine, cosine = yaw_sin_cos(obj.box.yaw)
        dx, dz = obj.position[0] - x, obj.position[2] - z
        along = _clamp(dx * cosine - dz * sine, (width - side) / 2)
        across = _clamp(dx * sine + dz * cosine, (depth - side) / 2)
        x += along * cosine + across * sine
        z += across * cosine - along * sine
        width = depth = side
    size = (width * type_shape.width_share, height, depth * type_shape.width_share)
    return Box((x, y, z), size, obj.box.yaw)


def _clamp(value: float, most: float) -> float:
    return min(max(value, -most), most)
