"""The area of a double sink: its half without the basin that is an object of its own.

AI2-THOR gives a sink with two basins one SinkBasin; the other basin is the Sink's own area.
In recordings of five double sinks of several sizes, objects put on the Sink stood on the
lattice of a rectangle in that half, which had the same shares of the sink in all five.
"""

from math import hypot

from tatc.home.camera.box_sides import to_box_axes
from tatc.home.camera.rects import Rect
from tatc.home.state import Box, ObjectState, yaw_off_axis_degrees, yaw_sin_cos

BASIN_OFFSET_SHARE, MIN_BASIN_OFFSET_SHARE = 0.465, 0.3
"""How far the basin of a double sink is from the sink's middle, and how far it is at least,
in half lengths of the sink."""
AREA_OFFSET_SHARE, AREA_LENGTH_SHARE, AREA_DEPTH_SHARE = 0.466, 0.444, 0.942
"""How far the middle of the area is from the sink's, in half lengths of the sink, and the
area's length and depth as shares of those of the sink."""
MIN_SKEW_DEGREES = 1.0
"""A sink that is turned by less stands along the axes of its box, degrees."""


def double_sink_area(sink: ObjectState, basin: Box) -> tuple[Rect, float] | None:
    """Return the area of a double sink, or None for a sink whose basin is in its middle.

    The area is along axes with the returned yaw (degrees) and with their origin at the
    middle of the sink's box, metres.
    """
    body = _own_box(sink, basin)
    offsets = to_box_axes(body, basin.center)
    lengthwise = abs(offsets[0]) > abs(offsets[1])
    offset, (length, depth) = (
        (offsets[0], (body.size[0], body.size[2]))
        if lengthwise
        else (offsets[1], (body.size[2], body.size[0]))
    )
    if abs(offset) <= MIN_BASIN_OFFSET_SHARE * length / 2 or depth > 2 * length:
        return None
    middle = (-1 if offset > 0 else 1) * AREA_OFFSET_SHARE * length / 2
    half, wide = AREA_LENGTH_SHARE * length / 2, AREA_DEPTH_SHARE * depth / 2
    area = Rect(middle - half, -wide, middle + half, wide)
    return (area if lengthwise else Rect(-wide, area.x0, wide, area.x1)), body.yaw


def _own_box(sink: ObjectState, basin: Box) -> Box:
    """Return a sink's box along the sink's own axes, worked out from where its basin is.

    The box of a sink that stands askew is along the world's axes and holds more than it.
    """
    skew = yaw_off_axis_degrees(sink.rotation[1] - sink.box.yaw)
    if abs(skew) < MIN_SKEW_DEGREES:
        return sink.box
    along, across = to_box_axes(turned := Box(sink.box.center, sink.box.size, skew), basin.center)
    sine, cosine = (abs(value) for value in yaw_sin_cos(skew))
    length = 2 * hypot(along, across) / BASIN_OFFSET_SHARE
    depth = max((max(sink.box.size[::2]) - length * cosine) / sine, 0.0)
    width, deep = (length, depth) if abs(along) > abs(across) else (depth, length)
    return Box(turned.center, (width, sink.box.size[1], deep), sink.box.yaw + skew)
