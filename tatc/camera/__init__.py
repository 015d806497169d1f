"""What an agent sees: shapes, rays, and the object that a click means.

Pure geometry, for the world and for the Commander's planning alike: pose and shapes in,
rays, object indices and depths out.  `shape_table` says how each type is cut into solids,
`shapes`, `box_cutouts` and `door_geometry` cut an object so, `ray_intersection` finds where a ray
meets one
solid, `geometry` where it meets a whole room, and `clicks` what a click means.

Frames come from the same rays.  `renderer` draws them, with numpy (`numpy_backend`) or numba
(`compiled`); `materials` says which pattern and colours a type has, `patterns` what they
look like, `shading` and `ambient_occlusion` how light falls on them, `room_bounds` and
`static_geometry` what
stands in a room besides its objects.
"""
