"""What an agent sees: shapes, rays, and the object that a click means.

This is pure geometry, used both by the world and by the Commander's planning: it takes a
pose and shapes, and returns rays, object indices and depths.  `solids` says how each type is cut;
`shapes`, `box_cutouts` and `door_geometry` cut an object that way, and `scene_solids` all objects
of a room.  `counter_fronts` tells which way doors face, and so which part of a counter's box is
floor.  `ray_intersection` finds where a ray meets one solid, `geometry` where it meets a whole
room, and `clicks` which object a click means.  `visible_parts` finds where one object shows
(`object_pixels`), `traced_views` what a whole view shows, and `compiled_views` says when numba
(`numba_*`) does both.  Frames come from the same rays; `tatc.home.rendering` draws them.
"""
