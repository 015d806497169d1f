"""The solids that an object's box stands for, by its type and its state.

An AI2-THOR box is often not the object itself: it includes the empty space inside a pot, the volume
above a counter, the air under a table.  The type's `TypeShape` says which parts of the box a ray
can hit, so that what lies in a sink, on a shelf or in an open fridge can be seen and clicked.

The **surface** is the height at which objects rest on an object, measured from what rests there at
the start (`measure_surface_heights`), and guessed from the type if nothing does.  The **open
faces** of a solid are those through which a ray enters; it then hits the far side from within,
unless another object is in between.  The **shape** of a solid is a box, an upright cylinder, an
ellipsoid or a disc.
"""

from collections.abc import Sequence

from tatc.home.camera.solids import (
    BoxSide,
    OpenFaces,
    Rect,
    ShapeTemplate,
    Solid,
    SolidShape,
    TypeShape,
    axis_length,
    box_layer,
    footprint_of,
    point_from_side,
    shape_of_type,
    side_towards,
    to_box_axes,
    with_length,
)
from tatc.home.state import Box, ObjectState, Vec3, yaw_sin_cos
from tatc.home.type_facts import BASIN_TYPES, FLOOR_TYPE, SEAT_TYPES, TABLE_TYPES

MIN_BOARD_STRIP_METRES = 0.045
"""A strip that a cutout leaves of a board is kept only if it is wider than this, metres."""
BOARD_THICKNESS_METRES = 0.04  # the thickness of boards: counters, table tops, shelves, metres

MAX_PORTABLE_METRES = 2.5
"""No portable object is longer, metres; AI2-THOR 3.1.0 gives some rolls boxes of 25 m."""
OVERSIZED_PORTABLE_METRES = 0.1  # the side of the cube that replaces such a box, metres
SINK_EXTENSION_METRES = 0.1
"""How far a sink's solid reaches below its box, metres, so that rays meet its basin first."""
BACKREST_HEIGHT_METRES = 0.3
"""The height of backs and arms above a seat, metres; boxes reach higher."""
HOLLOW_FLOOR_METRES = 0.01
LOFT_BED_METRES, BED_DEPTH_METRES = 1.0, 0.25
"""A bed whose position, where its mattress lies, is higher than this stands on posts, and one sees
what is beneath it; its frame reaches this far below its position.  In metres."""
BAY_WINDOW_METRES = 1.0
"""A window deeper than this goes round a corner: its box is mostly the air before it, metres."""
LAMP_SHADE_SHARE, LAMP_POLE_METRES, LAMP_FOOT_METRES = 0.28, 0.04, 0.04
"""A lamp: the share of its height that is shade; its pole's and its foot's thickness."""
PLANT_POT_HEIGHT_SHARE, PLANT_POT_WIDTH_SHARE = 0.4, 0.35
"""A plant: the pot's share of its height, and the pot's share of its width."""
FAUCET_PIPE_METRES, FAUCET_PIPE_HEIGHT_SHARE = 0.06, 0.3
"""A faucet: its pipe's thickness, metres, and the pipe's share of its height."""
TOILET_SEAT_HEIGHT_METRES, TOILET_WIDTH_METRES = 0.45, 0.46
TOILET_FRONT_METRES, TOILET_TANK_OFFSET_METRES, TOILET_BACK_METRES = 0.36, 0.24, 0.46
"""A toilet, metres: the height of its seat, its width, how far it reaches in front of its
middle, and how far behind the middle its tank begins and ends."""
# A position at least this far from the box's middle shows which side is the front.
_MIN_POSITION_OFFSET_METRES = 0.05
_TOP_SURFACE_TEMPLATES = frozenset(
    {ShapeTemplate.WHOLE, ShapeTemplate.UP_TO_RIM, ShapeTemplate.PLANT, ShapeTemplate.FAUCET}
)


def surface_height(obj: ObjectState, measured: float | None = None) -> float:
    """Return the height where objects rest on one, metres: `measured`, its type's, or its top."""
    if measured is not None:
        return measured
    if obj.objectType == FLOOR_TYPE:
        return 0.0
    type_shape = shape_of_type(obj.objectType)
    low, high = obj.box.bottom, obj.box.top
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
            parents = obj.parentReceptacles or ()
            is_on_table = not tables.isdisjoint(parents)
            for parent in parents:
                if not (is_on_table and parent in seats):
                    found.setdefault(parent, []).append(obj.box.bottom)
    basins = [obj for obj in objects if obj.objectType in BASIN_TYPES]
    return tuple(_measured_height(obj, found.get(obj.objectId, ()), basins) for obj in objects)


def _measured_height(
    obj: ObjectState, heights: Sequence[float], basins: Sequence[ObjectState]
) -> float | None:
    template = shape_of_type(obj.objectType).template
    if template is ShapeTemplate.UP_TO_RIM:
        whole = footprint_of(obj.box)
        rims = [basin.box.top for basin in basins if footprint_of(basin.box).overlaps(whole)]
        return min(max(rims), obj.box.top) if rims else None
    movable = obj.affordances.pickupable or obj.objectType == FLOOR_TYPE
    if not heights or movable or template is ShapeTemplate.WHOLE:
        return None
    middle, half = obj.box.center[1], obj.box.size[1] / 2
    inside = sorted(h for h in heights if abs(h - middle) <= half + BOARD_THICKNESS_METRES)
    if not inside:
        return None
    # Not the median itself: objects a little lower would be under the board.
    median = inside[len(inside) // 2]
    return next(height for height in inside if height >= median - BOARD_THICKNESS_METRES)


def solids_of(
    obj: ObjectState, surface: float | None = None, cutouts: tuple[Rect, ...] = ()
) -> tuple[Solid, ...]:
    """Return the solids of an object that a ray can hit, in world axes.

    `surface` is the measured height of its surface, or None; `cutouts` are the holes in
    its board (`box_cutouts`).  An object that is held has no solids: it moves with the
    camera, and its place in the view is not recorded.  Nor has a window that goes round a corner.
    """
    is_bay_window = obj.objectType == "Window" and min(obj.box.size[::2]) > BAY_WINDOW_METRES
    if obj.isPickedUp or is_bay_window:
        return ()
    type_shape = shape_of_type(obj.objectType)
    opening = type_shape.open_faces
    if obj.isOpen and type_shape.open_faces_when_open is not None:
        opening = type_shape.open_faces_when_open
    box = _solid_box(obj, type_shape)
    pieces = _template_solids(obj, box, surface_height(obj, surface), type_shape, opening)
    if type_shape.back_share:
        pieces.append(back_solid(box, obj.rotation[1], type_shape.back_share))
    if type_shape.leg_thickness:
        pieces += leg_solids(box, pieces[0], type_shape.leg_thickness)
    if not cutouts or opening is not type_shape.open_faces:
        return tuple(pieces)
    least = MIN_BOARD_STRIP_METRES if type_shape.template is ShapeTemplate.BOARD else 0.0
    return tuple(piece for whole in pieces for piece in _subtract_cutouts(whole, cutouts, least))


def _template_solids(
    obj: ObjectState, box: Box, surface: float, type_shape: TypeShape, opening: OpenFaces
) -> list[Solid]:
    low, high = box.bottom, box.top
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
        case parts:
            return _part_solids(obj, box, parts, surface)


def _part_solids(obj: ObjectState, box: Box, parts: ShapeTemplate, surface: float) -> list[Solid]:
    match parts:
        case ShapeTemplate.LAMP:
            return lamp_solids(box)
        case ShapeTemplate.PLANT:
            return plant_solids(obj.box, box, obj.position)
        case ShapeTemplate.TOILET:
            return toilet_solids(box, obj.position, obj.rotation[1], surface)
        case _:
            return faucet_solids(box, obj.position)


def _subtract_cutouts(solid: Solid, cutouts: tuple[Rect, ...], least: float) -> tuple[Solid, ...]:
    """Return what cutouts leave of an aligned solid, in pieces wider than `least` metres."""
    (x, y, z), (width, height, depth) = solid.center, solid.size
    pieces = [Rect(x - width / 2, z - depth / 2, x + width / 2, z + depth / 2)]
    for gap in cutouts:
        pieces = [rest for piece in pieces for rest in piece.subtract(gap)]
    return tuple(
        Solid(
            ((piece.x0 + piece.x1) / 2, y, (piece.z0 + piece.z1) / 2),
            (piece.sides[0], height, piece.sides[1]),
            open_faces=solid.open_faces,
        )
        for piece in pieces
        if min(piece.sides) > least
    )


def _solid_box(obj: ObjectState, type_shape: TypeShape) -> Box:
    (x, y, z), (width, height, depth) = obj.box.center, obj.box.size
    if obj.affordances.pickupable and max(width, height, depth) > MAX_PORTABLE_METRES:
        side = OVERSIZED_PORTABLE_METRES
        return Box(obj.position, (side, side, side))
    if obj.objectType == "Bed" and obj.position[1] - obj.box.bottom > LOFT_BED_METRES:
        low, high = obj.position[1] - BED_DEPTH_METRES, obj.box.top
        return Box((x, (low + high) / 2, z), (width, high - low, depth), obj.box.yaw)
    if type_shape.shape is SolidShape.CYLINDER:
        # A pan's box includes its handle; its position is that of its bowl.
        side = min(width, depth)
        sine, cosine = yaw_sin_cos(obj.box.yaw)
        dx, dz = obj.position[0] - x, obj.position[2] - z
        most_along, most_across = (width - side) / 2, (depth - side) / 2
        along = min(max(dx * cosine - dz * sine, -most_along), most_along)
        across = min(max(dx * sine + dz * cosine, -most_across), most_across)
        x += along * cosine + across * sine
        z += across * cosine - along * sine
        width = depth = side
    size = (width * type_shape.width_share, height, depth * type_shape.width_share)
    return Box((x, y, z), size, obj.box.yaw)


def lamp_solids(box: Box) -> list[Solid]:
    """Return a lamp: a shade on a pole on a foot."""
    low, high = box.bottom, box.top
    center, (width, height, depth) = box.center, box.size
    shade, foot = high - LAMP_SHADE_SHARE * height, low + LAMP_FOOT_METRES
    pole = Box(center, (LAMP_POLE_METRES, height, LAMP_POLE_METRES), box.yaw)
    stand = Box(center, (width / 2, height, depth / 2), box.yaw)
    return [
        box_layer(box, shade, high, SolidShape.CYLINDER),
        box_layer(pole, foot, shade, SolidShape.CYLINDER),
        box_layer(stand, low, foot, SolidShape.CYLINDER),
    ]


def plant_solids(box: Box, crown: Box, position: Vec3) -> list[Solid]:
    """Return the leaves of a plant, and under them the pot that stands at `position`.

    `box` is the box of the whole plant, `crown` the box that the leaves are cut from.
    """
    low = box.bottom
    brim = low + PLANT_POT_HEIGHT_SHARE * box.size[1]
    wide = PLANT_POT_WIDTH_SHARE * min(box.size[0], box.size[2])
    pot = Box((position[0], box.center[1], position[2]), (wide, 1.0, wide), box.yaw)
    leaves = box_layer(crown, brim, box.top, SolidShape.CYLINDER)
    return [leaves, box_layer(pot, low, brim, SolidShape.CYLINDER)]


def faucet_solids(box: Box, position: Vec3) -> list[Solid]:
    """Return the box around spout and handles, and under it the pipe at `position`."""
    low, high = box.bottom, box.top
    spout = low + FAUCET_PIPE_HEIGHT_SHARE * (high - low)
    thick = FAUCET_PIPE_METRES
    pipe = Box((position[0], 0.0, position[2]), (thick, 1.0, thick), box.yaw)
    return [box_layer(box, spout, high), box_layer(pipe, low, spout)]


def toilet_solids(box: Box, position: Vec3, turn: float, top: float) -> list[Solid]:
    """Return a toilet's seat, and the tank behind it, whose upper side is at height `top`.

    AI2-THOR 3.1.0 has two toilets.  One is wide and has its position in front of the middle of its
    box; the other faces along its own x.  `turn` is the object's yaw, degrees.
    """
    low = box.bottom
    front = side_towards(box, position, _MIN_POSITION_OFFSET_METRES)
    if front is None:
        sine, cosine = yaw_sin_cos(round((turn - box.yaw) / 90.0) % 4 * 90.0)
        front = BoxSide(0, -round(cosine)) if round(cosine) else BoxSide(1, round(sine))
    lateral_offset = to_box_axes(box, position)[front.along_axis]
    half = axis_length(box, front.axis) / 2
    before, tank = min(TOILET_FRONT_METRES, half), min(TOILET_TANK_OFFSET_METRES, half)

    def part(start: float, end: float, high: float) -> Solid:
        wide = TOILET_WIDTH_METRES, 1.0, TOILET_WIDTH_METRES
        center = point_from_side(box, front, (start + end) / 2, lateral_offset)
        block = Box(center, with_length(wide, front.axis, end - start), box.yaw)
        return box_layer(block, low, max(high, low))

    back = min(half, TOILET_BACK_METRES)
    return [part(-tank, before, min(low + TOILET_SEAT_HEIGHT_METRES, top)), part(-back, -tank, top)]


def leg_solids(box: Box, board: Solid, thick: float) -> list[Solid]:
    """Return four legs, `thick` metres wide, from a box's bottom to its board; [] if too low."""
    low, high = box.bottom, board.center[1] - board.size[1] / 2
    if high - low < thick:
        return []
    (x, _, z), (width, _, depth) = box.center, box.size
    sine, cosine = yaw_sin_cos(box.yaw)
    u, w = (max(side - thick, 0.0) / 2 for side in (width, depth))
    corners = [
        (x + a * u * cosine + b * w * sine, (low + high) / 2, z + b * w * cosine - a * u * sine)
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    return [Solid(corner, (thick, high - low, thick), box.yaw) for corner in corners]


def back_solid(box: Box, turn: float, share: float) -> Solid:
    """Return the solid back, a `share` of the depth, of a box that faces along `turn`, degrees."""
    (x, y, z), (width, height, depth) = box.center, box.size
    quarter = round((turn - box.yaw) / 90.0) % 4
    deep = width if quarter % 2 else depth
    sine, cosine = yaw_sin_cos((box.yaw + 90.0 * quarter) % 360.0)
    back = (1.0 - share) * deep / 2
    size = (share * width, height, depth) if quarter % 2 else (width, height, share * depth)
    return Solid((x - back * sine, y, z - back * cosine), size, box.yaw)
