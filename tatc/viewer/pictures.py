"""What the agents see, drawn and packed for the page."""

from io import BytesIO

import numpy as np
from PIL import Image

from tatc.actions import Role
from tatc.camera.clicks import Eye
from tatc.camera.views import Rgb
from tatc.sim.embedded.render import Renderer, View
from tatc.state import Snapshot

SIZE = 450
"""Pixels along each side of a picture: half of TEACh's frame."""

KIND = "image/webp"
SUFFIX = ".webp"

_GLOW = (255, 196, 61)
_QUALITY = 82


def encoded(frame: Rgb) -> bytes:
    """Return a frame as a file of `KIND`."""
    buffer = BytesIO()
    Image.fromarray(frame).save(buffer, "WEBP", quality=_QUALITY, method=2)
    return buffer.getvalue()


def seen_by(
    renderer: Renderer, snapshot: Snapshot, role: Role, size: int = SIZE
) -> bytes:
    """Return what an agent sees at a moment."""
    frame = renderer.frame(snapshot, role, size)
    assert frame is not None  # this world can draw
    return encoded(frame)


def showing(renderer: Renderer, snapshot: Snapshot, eye: Eye, index: int) -> bytes:
    """Return a view in which one object glows and all else is dimmed."""
    drawn = renderer.draw(snapshot, eye, SIZE, (View.RGB, View.IDS))
    assert drawn.rgb is not None and drawn.ids is not None
    frame = drawn.rgb.astype(np.float64)
    shown = drawn.ids == index
    frame[shown] = frame[shown] * 0.45 + np.array(_GLOW) * 0.55
    frame[~shown] *= 0.72
    return encoded(frame.astype(np.uint8))
