"""The renderer's numba backend: it compiles the same formulas that numpy evaluates.

The formulas of `ray_intersection`, `textures` and `shading` work on numbers and arrays
alike.  Here they are compiled for one pixel, so that a frame needs no intermediate arrays.
Nothing is reordered or fused: the result equals numpy's to the last bit.  This package is
imported only where frames are drawn and numba is installed.
"""

from tatc.base.errors import MissingExtra

MissingExtra.check("fast", "numba")

# These imports need the extra.
from tatc.home.rendering.numba_backend.frame_tracer import fill_background, trace_frame  # noqa: E402
from tatc.home.rendering.numba_backend.object_tracer import visible_part  # noqa: E402
from tatc.home.rendering.numba_backend.pixel_shader import shade_frame  # noqa: E402
from tatc.home.rendering.numba_backend.pixel_tracer import objects_seen  # noqa: E402
from tatc.home.rendering.numba_backend.solid_windows import bounding_window  # noqa: E402
from tatc.home.rendering.numba_backend.view_contents import bounds_hit, count_pixels  # noqa: E402

__all__ = [
    "bounding_window",
    "bounds_hit",
    "count_pixels",
    "fill_background",
    "objects_seen",
    "shade_frame",
    "trace_frame",
    "visible_part",
]
