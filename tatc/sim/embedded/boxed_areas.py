"""A level's areas as boxes tell of them: stretches of counters, a round table's top."""

from collections.abc import Sequence

from tatc.camera.rects import Rect
from tatc.sim.embedded.house import House
from tatc.sim.floorplan.outlines import ROUNDED_SQUARE
from tatc.sim.surfaces import Surface, cut_to
from tatc.state import ObjectState

ROUND_TABLE = "DiningTable"
"""The type whose top is round where it is square, seen from above."""
LONG, BROAD, TURNS = 0.92, 0.404, (0.0, 90.0, 45.0, 135.0)
"""The areas of a round top: strips across its middle, how long and broad as shares of
its width and how they are turned, degrees (from where and how things stood on the round
tables of recorded sessions)."""


def boxed_areas(
    house: House, receptacle: ObjectState, level: Surface
) -> Sequence[Surface]:
    """Return the areas of a level, or the level itself where it is one area."""
    areas = house.areas.get(receptacle.objectId)
    if areas:
        return [cut_to(level, area) for area in areas]
    width, depth = level.size
    square = abs(width - depth) < ROUNDED_SQUARE
    if receptacle.objectType != ROUND_TABLE or not square:
        return [level]
    long, broad = LONG * width / 2, BROAD * depth / 2
    strip = Rect(-long, -broad, long, broad)
    return [
        cut_to(level, strip, (level.x, level.z), (level.yaw + turn) % 360.0)
        for turn in TURNS
    ]
