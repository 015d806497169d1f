"""What colours pixels: materials, textures, shading and the backends that draw frames.

Which object a pixel shows is decided in `tatc.camera`; nothing here can change it.
"""
