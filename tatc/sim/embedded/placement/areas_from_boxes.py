"""Derive a surface's areas from boxes.

These are the free parts of counters, the strips of a round table, the half of a double sink.
"""

from collections.abc import Sequence

from tatc.home.camera.body_clearance import SQUARE_TOLERANCE_METRES
from tatc.home.camera.rects import Rect, footprint_of
from tatc.home.state import ObjectState
from tatc.home.types.facts import BASIN_TYPE_BY_SINK
from tatc.sim.embedded.placement.sink_areas import double_sink_area
from tatc.sim.embedded.placement.surface import Surface, crop_surface
from tatc.sim.embedded.world_state import WorldState

ROUND_TABLE_TYPE = "DiningTable"
"""The type whose top is round if its box is square, seen from above."""
STRIP_LENGTH_RATIO, STRIP_WIDTH_RATIO, STRIP_YAWS_DEGREES = (0.92, 0.404, (0.0, 90.0, 45.0, 135.0))
"""The areas of a round top: strips across its middle.

Their length and width are shares of the top's width; their yaws are in degrees.  They are
fitted to the poses of objects on the round tables of recorded sessions."""


def areas_from_boxes(
    world: WorldState, receptacle: ObjectState, surface: Surface
) -> Sequence[Surface]:
    """Return the areas of a surface, or the surface itself if it is a single area."""
    areas = world.free_counter_areas.get(receptacle.objectId)
    if areas:
        return [crop_surface(surface, area) for area in areas]
    if receptacle.objectType in BASIN_TYPE_BY_SINK:
        return _areas_of_sink(world, receptacle, surface)
    width, depth = surface.size
    is_square = abs(width - depth) < SQUARE_TOLERANCE_METRES
    if receptacle.objectType != ROUND_TABLE_TYPE or not is_square:
        return [surface]
    half_length, half_width = (STRIP_LENGTH_RATIO * width / 2, STRIP_WIDTH_RATIO * depth / 2)
    strip = Rect(-half_length, -half_width, half_length, half_width)
    return [
        crop_surface(surface, strip, (surface.x, surface.z), (surface.yaw + turn) % 360.0)
        for turn in STRIP_YAWS_DEGREES
    ]


def _areas_of_sink(world: WorldState, sink: ObjectState, surface: Surface) -> Sequence[Surface]:
    around = footprint_of(sink)
    for basin in world.of_type(BASIN_TYPE_BY_SINK[sink.objectType]):
        if around.contains_center_of(footprint_of(basin)):
            found = double_sink_area(sink, basin.box)
            if found is not None:
                return [crop_surface(surface, found[0], (surface.x, surface.z), found[1])]
    return [surface]
