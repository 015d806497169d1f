"""A session as a film strip in HTML: what the Follower saw at its most telling moments."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape

from tatc.home import actions, state
from tatc.home.camera.views import encode_image
from tatc.session.timeline.moment import Moment, progress_change
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer

FRAMES, FRAME_PIXELS = 8, 150
"""How many frames a strip has at most, and the pixels along each side of a frame."""


def film_strip_html(heading: str, scene: state.Scene, moments: Sequence[Moment]) -> str:
    """Return the strip of a session that starts from a scene; it takes about 40 kB."""
    renderer = SnapshotRenderer(scene)
    frames = "".join(_frame_html(renderer, moments[i]) for i in telling_moments(moments))
    return f'<p>{escape(heading)}</p><div style="display:flex;flex-wrap:wrap">{frames}</div>'


def telling_moments(moments: Sequence[Moment]) -> list[int]:
    """Return the start, the end, then what changed goal conditions, what failed, what clicked."""
    last, inner = len(moments) - 1, moments[1:-1]
    changes = [each.index for each in inner if progress_change(moments[each.index - 1], each)]
    failures = [each.index for each in inner if each.failed]
    clicks = [each.index for each in inner if each.interaction and each.interaction.click]
    return sorted(list(dict.fromkeys((0, last, *changes, *failures, *clicks)))[:FRAMES])


def _frame_html(renderer: SnapshotRenderer, moment: Moment) -> str:
    pixels = renderer.frame(moment.snapshot, actions.Role.FOLLOWER, FRAME_PIXELS)
    image = b64encode(encode_image(pixels, "WEBP", quality=70)).decode()
    words = escape(f"{moment.index}: {moment.in_words()}")
    shown = f'<img alt="" src="data:image/webp;base64,{image}"><br>{words}'
    return f'<figure style="margin:3px;width:{FRAME_PIXELS}px;font-size:11px">{shown}</figure>'
