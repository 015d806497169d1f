"""Drawing frames: materials, textures, shading and the backends that colour pixels.

`tatc.home.camera` decides which object a pixel shows; nothing here can change it.  `renderer`
draws frames with numpy (`numpy_backend`) or numba (`numba_backend`).  `shader_inputs` gives each
object its material, `textures` holds the formulas, and `shading` and `ambient_occlusion` compute
the light.
"""
