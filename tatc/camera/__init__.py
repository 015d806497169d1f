"""What an agent sees: shapes, rays, and the object that a click means.

Pure geometry, for the world and for the Commander's planning alike: pose and shapes in,
rays, object indices and depths out.  `recipes` says how each type is cut into solids,
`shapes`, `boards` and `doors` cut an object so, `tracing` finds where a ray meets one
solid, `geometry` where it meets a whole room, and `clicks` what a click means.
"""
