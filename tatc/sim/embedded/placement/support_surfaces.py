"""The surfaces of a receptacle, on which objects stand, from its type and box, and their areas.

Open furniture has its surface where `tatc.home.camera.shapes` has it, so that objects stand where
the camera sees a board.  Heights in closed receptacles and vessels are those of the lower sides of
resting objects within their boxes, in AI2-THOR 5.0.0 scene dumps and recorded TEACh start states.
The heights of objects that already rest there are better than any rule (`resting_heights`).

The areas of a surface are the free parts of counters, the strips of a round table, the half of a
double sink, the inside of a cabinet without its door, and a seat without its backrest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf

from tatc.base import files
from tatc.home import type_facts as facts
from tatc.home.camera import body_clearance, box_cutouts, door_geometry, shapes
from tatc.home.camera.solids import Rect, axis_length, footprint_of, lowest_of_groups, to_box_axes
from tatc.home.state import Box, ObjectState, rotate_yaw, yaw_off_axis_degrees, yaw_sin_cos
from tatc.sim.embedded.placement.dish_surfaces import DISH_TYPES, dish_surfaces
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.world_state import WorldState

THIN_COUNTER_METRES = 0.05
"""A counter whose box is thinner than this consists of its board only, metres."""
RESTING_LEVEL_TOLERANCE_METRES = 0.35
"""An object rests on a surface whose height by rule is this near to its own, metres."""


@dataclass(frozen=True, slots=True)
class _SurfaceRule:
    """The surfaces of a type.

    Each of `levels` is a height above the lower side of the box: a share of the box's height
    plus metres.  A type without levels has the surface of `tatc.home.camera.shapes`.  `inside`
    says whether walls stand around the surfaces, `roofed` whether the next level or the top
    of the box limits the height above them.
    """

    levels: tuple[tuple[float, float], ...] = ()
    inside: bool = False
    roofed: bool = False
    margin: float = 0.0  # metres between the box and the surface, on each side
    ends: float | None = None  # the same at both ends of its width, if it differs
    wall: float = 0.0  # metres by which walls cover the edges of the area


def _read_rules() -> Iterator[tuple[str, _SurfaceRule]]:
    rules = files.package_table("tatc.sim.embedded.placement", "surface_rules.toml")
    for names, raw in rules.items():
        for kind in names.split():
            levels = [*map(tuple, raw.get("levels", ()))]
            levels += [(share, 0.0) for share in facts.SHELF_HEIGHT_SHARES.get(kind, ())]
            if kind in facts.INNER_FLOOR_METRES:
                levels.append((0.0, facts.INNER_FLOOR_METRES[kind]))
            yield kind, _SurfaceRule(**(raw | {"levels": tuple(levels)}))


_SURFACE_RULES = dict(_read_rules())


def surfaces_of(obj: ObjectState, resting_heights: Sequence[float] = ()) -> tuple[Surface, ...]:
    """Return the surfaces of a receptacle, lowest first; empty if nothing can stand on it.

    `resting_heights` are those of the lower sides of objects that rested on it when the scene began
    (world, metres).  Each surface takes the nearest within 0.35 m of its height by rule.
    """
    if obj.objectType in DISH_TYPES:
        return dish_surfaces(obj)
    rule = _SURFACE_RULES.get(obj.objectType)
    if rule is None:
        return ()
    box = obj.box
    low = box.bottom
    levels = [low + share * box.size[1] + offset for share, offset in rule.levels]
    if obj.objectType in facts.SHELF_HEIGHT_SHARES:
        levels = lowest_of_groups(resting_heights, door_geometry.SAME_SHELF_METRES) or levels
    levels = levels or [_board_height(obj)]
    ends = rule.margin if rule.ends is None else rule.ends
    inner = (max(box.size[0] - 2 * ends, 0.02), max(box.size[2] - 2 * rule.margin, 0.02))
    return tuple(
        Surface(
            y=(height := _observed_height(level, resting_heights)),
            x=box.center[0],
            z=box.center[2],
            size=inner,
            yaw=box.yaw,
            headroom=roof - height if rule.roofed else inf,
            inside=rule.inside,
            lattice=_is_single_area(obj),
            wall=rule.wall,
        )
        for level, roof in zip(levels, [*levels[1:], low + box.size[1]], strict=True)
    )


def _is_single_area(obj: ObjectState) -> bool:
    """Return whether a surface is one area: the floor and L-shaped counters have several."""
    if obj.objectType == facts.COUNTER_TYPE:
        return min(obj.box.size[0], obj.box.size[2]) <= box_cutouts.MAX_STRAIGHT_COUNTER_METRES
    return obj.objectType != facts.FLOOR_TYPE


def _board_height(obj: ObjectState) -> float:
    box = obj.box
    if obj.objectType == facts.COUNTER_TYPE:
        high = box.top
        return high if box.size[1] < THIN_COUNTER_METRES else high - min(box.size[1] - 0.01, 0.1)
    return shapes.surface_height(obj)


def _observed_height(level: float, resting_heights: Sequence[float]) -> float:
    """Return the resting height nearest to a level, or the level itself if none is near."""
    ranked = sorted((abs(height - level), height) for height in resting_heights)
    return ranked[0][1] if ranked and ranked[0][0] < RESTING_LEVEL_TOLERANCE_METRES else level


STRIP_LENGTH_RATIO, STRIP_WIDTH_RATIO, STRIP_YAWS_DEGREES = (0.92, 0.404, (0.0, 90.0, 45.0, 135.0))
"""The areas of a round top: strips across its middle.

Their length and width are shares of the top's width; their yaws are in degrees.  They are
fitted to the poses of objects on the round tables of recorded sessions."""


def areas_from_boxes(world: WorldState, place: ObjectState, surface: Surface) -> Sequence[Surface]:
    """Return the areas that boxes show of a surface, or the surface itself if it is one area."""
    areas = world.free_counter_areas.get(place.objectId)
    if areas:
        return [surface.crop(area) for area in areas]
    if place.objectType in facts.BASIN_TYPE_BY_SINK:
        return _areas_of_sink(world, place, surface)
    width, depth = surface.size
    is_square = abs(width - depth) < body_clearance.SQUARE_TOLERANCE_METRES
    if place.objectType != "DiningTable" or not is_square:  # else its top is round
        return [surface]
    half_length, half_width = (STRIP_LENGTH_RATIO * width / 2, STRIP_WIDTH_RATIO * depth / 2)
    strip = Rect(-half_length, -half_width, half_length, half_width)
    return [
        surface.crop(strip, (surface.x, surface.z), (surface.yaw + turn) % 360.0)
        for turn in STRIP_YAWS_DEGREES
    ]


def _areas_of_sink(world: WorldState, sink: ObjectState, surface: Surface) -> Sequence[Surface]:
    around = footprint_of(sink.box)
    for basin in world.of_type(facts.BASIN_TYPE_BY_SINK[sink.objectType]):
        if around.contains_center_of(footprint_of(basin.box)):
            found = double_sink_area(sink, basin.box)
            if found is not None:
                return [surface.crop(found[0], (surface.x, surface.z), found[1])]
    return [surface]


END_MARGIN_METRES = 0.005
"""How far from each end of a cabinet's width its area ends, metres (the median)."""
MAX_CABINET_DOOR_METRES = 0.053
"""No cabinet has a thicker door, metres: the areas of those whose hinges are 26 mm behind the
front end 49 mm behind it, and 28 mm behind it where the hinges are deeper."""


def cabinet_area_box(cabinet: ObjectState) -> Box | None:
    """Return the part of a closed cabinet's box over its area; None for all without a known front.

    The area reaches from the back to the inner face of the door, and almost from end to end (the
    lattices of 262 cabinets in recorded sessions).  The hinge, which the cabinet's position marks,
    is in the middle of the door's thickness; where that would make a thicker door than there are,
    it is at the door's inner face.
    """
    front = next(iter(door_geometry.sides_at_hinge(cabinet)), None)
    if front is None:
        return None
    box = cabinet.box
    hinge = front.sign * to_box_axes(box, cabinet.position)[front.axis]
    behind = max(axis_length(box, front.axis) / 2 - hinge, 0.0)
    door = 2 * behind if 2 * behind <= MAX_CABINET_DOOR_METRES else behind
    width, height, depth = box.size
    if front.axis == 0:
        size, shift = (width - door, height, depth - 2 * END_MARGIN_METRES), (-door / 2, 0.0, 0.0)
    else:
        size, shift = (width - 2 * END_MARGIN_METRES, height, depth - door), (0.0, 0.0, -door / 2)
    x, y, z = (front.sign * each for each in rotate_yaw(shift, box.yaw))
    return Box((box.center[0] + x, box.center[1] + y, box.center[2] + z), size, box.yaw)


FRONT_MARGIN_METRES, BACK_SHARE = 0.03, 0.3
"""How far a seat's area ends behind the front, metres, and before the back, as a share of the
depth (medians of the lattices of 18 armchairs and 27 sofas of recorded sessions)."""
_ALIGNED_DEGREES = 1.0  # degrees by which a box may differ from its object's axes


def seat_area_box(seat: ObjectState, centred: tuple[float, float]) -> Box | None:
    """Return the part of a seat's box over its area.

    `centred` is the area's size along the box's axes if it were in the middle (metres); it keeps
    its width.  None without a backrest, and where the box is not along the seat's own axes.
    """
    turns = (seat.rotation[1] - seat.box.yaw) / 90.0
    is_askew = abs(turns - round(turns)) * 90 > _ALIGNED_DEGREES
    if is_askew or seat.objectType not in facts.BACKREST_TYPES:
        return None
    is_crosswise = round(turns) % 2 == 1
    (along, height, across) = seat.box.size
    depth = along if is_crosswise else across
    width = centred[1 if is_crosswise else 0]
    back = BACK_SHARE * depth
    deep = depth - back - FRONT_MARGIN_METRES
    # AI2-THOR's seats face along their own z axis.
    x, _, z = rotate_yaw((0.0, 0.0, (back - FRONT_MARGIN_METRES) / 2), seat.rotation[1])
    center = seat.box.center[0] + x, seat.box.center[1], seat.box.center[2] + z
    size = (deep, height, width) if is_crosswise else (width, height, deep)
    return replace(seat.box, center=center, size=size)


BASIN_OFFSET_SHARE, MIN_BASIN_OFFSET_SHARE = 0.465, 0.3
"""How far the basin of a double sink is from the sink's middle, and how far it is at least,
in half lengths of the sink."""
AREA_OFFSET_SHARE, AREA_LENGTH_SHARE, AREA_DEPTH_SHARE = 0.466, 0.444, 0.942
"""How far the middle of the area is from the sink's, in half lengths of the sink, and the
area's length and depth as shares of those of the sink."""
MIN_SKEW_DEGREES = 1.0  # a sink that is turned by less stands along the axes of its box, degrees


def double_sink_area(sink: ObjectState, basin: Box) -> tuple[Rect, float] | None:
    """Return the area of a double sink, or None for a sink whose basin is in its middle.

    AI2-THOR gives a sink with two basins one SinkBasin; the other basin is the Sink's own area.
    On five double sinks of several sizes, objects stood on the lattice of a rectangle in that
    half, which had the same shares of the sink in all five (recordings).

    The area is along axes with the returned yaw (degrees) and with their origin at the
    middle of the sink's box, metres.
    """
    body = _own_box(sink, basin)
    offsets = to_box_axes(body, basin.center)
    lengthwise = abs(offsets[0]) > abs(offsets[1])
    offset = offsets[0 if lengthwise else 1]
    length, depth = body.size[::2] if lengthwise else body.size[::-2]
    if abs(offset) <= MIN_BASIN_OFFSET_SHARE * length / 2 or depth > 2 * length:
        return None
    middle = (-1 if offset > 0 else 1) * AREA_OFFSET_SHARE * length / 2
    half, wide = AREA_LENGTH_SHARE * length / 2, AREA_DEPTH_SHARE * depth / 2
    area = Rect(middle - half, -wide, middle + half, wide)
    return (area if lengthwise else Rect(-wide, area.x0, wide, area.x1)), body.yaw


def _own_box(sink: ObjectState, basin: Box) -> Box:
    """Return an askew sink's box along its own axes, worked out from where its basin is."""
    skew = yaw_off_axis_degrees(sink.rotation[1] - sink.box.yaw)
    if abs(skew) < MIN_SKEW_DEGREES:
        return sink.box
    along, across = to_box_axes(turned := Box(sink.box.center, sink.box.size, skew), basin.center)
    sine, cosine = (abs(value) for value in yaw_sin_cos(skew))
    length = 2 * hypot(along, across) / BASIN_OFFSET_SHARE
    depth = max((max(sink.box.size[::2]) - length * cosine) / sine, 0.0)
    width, deep = (length, depth) if abs(along) > abs(across) else (depth, length)
    return Box(turned.center, (width, sink.box.size[1], deep), sink.box.yaw + skew)
