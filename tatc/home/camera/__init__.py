"""What an agent sees: shapes, rays, and the object that a click means.

This is pure geometry, used both by the world and by the Commander's planning: it takes a
pose and shapes, and returns rays, object indices and depths.  `shape_table` says how each
type is cut into solids; `shapes`, `box_cutouts` and `door_geometry` cut an object that
way.  `counter_fronts` and `counter_clearance` tell which way doors face, and so which part
of a counter's box is floor.  `ray_intersection` finds where a ray meets one solid,
`geometry` where it meets a whole room, and `clicks` which object a click means.
`room_bounds` and `static_geometry` give what a room contains besides its objects: walls,
ceiling and the body of the stove.

Frames come from the same rays; `tatc.home.rendering` draws them.
"""
