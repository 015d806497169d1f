"""What pages load: data as scripts, and what the agents see as WebP images."""

import json
from functools import partial
from typing import Any

import numpy as np
from starlette.responses import Response

from tatc.home.actions import Role
from tatc.home.camera.rays import Eye
from tatc.home.camera.views import encode_image
from tatc.home.state import Snapshot
from tatc.sim.embedded.snapshot_renderer import ImageKind, SnapshotRenderer

IMAGE_PIXELS = 450
"""Pixels along each side of an image: half of TEACh's frame."""
IMAGE_HEADERS = {"content-type": "image/webp", "cache-control": "private, max-age=3600"}
IMAGE_SUFFIX = ".webp"
_HIGHLIGHT_COLOUR = (255, 196, 61)
_encode_webp = partial(encode_image, file_format="WEBP", quality=82, method=2)


def agent_view_image(
    renderer: SnapshotRenderer, snapshot: Snapshot, role: Role, size: int = IMAGE_PIXELS
) -> bytes:
    """Return what an agent sees at a moment, `size` pixels a side, as WebP."""
    return _encode_webp(renderer.frame(snapshot, role, size))


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
    return _encode_webp(frame.astype(np.uint8))


def data_script(name: str, value: Any) -> bytes:
    """Return a script that gives the page a JSON value under a name.

    A page opened from disk may not fetch files, but it may load scripts.  So data comes as
    `tatc.put("name", {...})` both from a server and from disk.
    """
    encoded = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return f"tatc.put({json.dumps(name)},{encoded});\n".encode()


def script_response(name: str, value: Any) -> Response:
    """Return the answer that sends `data_script`."""
    return Response(data_script(name, value), media_type="text/javascript; charset=utf-8")
