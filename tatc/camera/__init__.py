"""What an agent sees: shapes, rays, and the object that a click means.

Pure geometry, for the world and for the Commander's planning alike: pose and shapes in,
rays, object indices and depths out.  `recipes` says how each type is cut into solids,
`shapes`, `boards` and `doors` cut an object so, `tracing` finds where a ray meets one
solid, `geometry` where it meets a whole room, and `clicks` what a click means.

Frames come from the same rays.  `painter` draws them, with numpy (`painting`) or numba
(`compiled`); `looks` says which pattern and colours a type has, `patterns` what they
look like, `shading` and `air` how light falls on them, `shell` and `structure` what
stands in a room besides its objects.
"""
