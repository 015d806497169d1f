"""What the agents see, as WebP images for the page."""

from io import BytesIO

import numpy as np
from PIL import Image

from tatc.actions import Role
from tatc.camera.clicks import Eye
from tatc.camera.views import Rgb
from tatc.sim.embedded.snapshot_renderer import ImageKind, SnapshotRenderer
from tatc.state import Snapshot

IMAGE_PIXELS = 450
"""Pixels along each side of an image: half of TEACh's frame."""

IMAGE_MEDIA_TYPE = "image/webp"
IMAGE_SUFFIX = ".webp"

_HIGHLIGHT_COLOUR = (255, 196, 61)
_WEBP_QUALITY = 82


def encode_webp(frame: Rgb) -> bytes:
    """Return an image as a WebP file."""
    buffer = BytesIO()
    Image.fromarray(frame).save(buffer, "WEBP", quality=_WEBP_QUALITY, method=2)
    return buffer.getvalue()


def agent_view_image(
    renderer: SnapshotRenderer, snapshot: Snapshot, role: Role, size: int = IMAGE_PIXELS
) -> bytes:
    """Return what an agent sees at a moment, `size` pixels a side, as WebP."""
    frame = renderer.frame(snapshot, role, size)
    assert frame is not None  # this world can draw
    return encode_webp(frame)


def highlighted_view_image(
    renderer: SnapshotRenderer, snapshot: Snapshot, eye: Eye, index: int
) -> bytes:
    """Return a view as WebP with one object tinted and all else dimmed."""
    drawn = renderer.draw(snapshot, eye, IMAGE_PIXELS, (ImageKind.RGB, ImageKind.IDS))
    assert drawn.rgb is not None and drawn.ids is not None
    frame = drawn.rgb.astype(np.float64)
    shown = drawn.ids == index
    frame[shown] = frame[shown] * 0.45 + np.array(_HIGHLIGHT_COLOUR) * 0.55
    frame[~shown] *= 0.72
    return encode_webp(frame.astype(np.uint8))
