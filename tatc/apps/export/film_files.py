"""Films as files: animated GIFs by Pillow, and H.264 MP4s by PyAV (extra `video`)."""

from collections.abc import Iterable
from fractions import Fraction
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from tatc.apps.export.film import (
    AGENT_COLOURS,
    BACKGROUND_COLOUR,
    DIM_COLOUR,
    FAILURE_COLOUR,
    LINE_COLOUR,
    SUCCESS_COLOUR,
    TEXT_COLOUR,
    Film,
)
from tatc.base.errors import MissingExtra

_PALETTE_SAMPLE_FRAMES = 6  # from which the film's colours are chosen
_THEME_COLOURS = (
    BACKGROUND_COLOUR,
    TEXT_COLOUR,
    DIM_COLOUR,
    LINE_COLOUR,
    SUCCESS_COLOUR,
    FAILURE_COLOUR,
    *AGENT_COLOURS.values(),
)
# One colour is left for pixels that do not change from frame to frame.
_SAMPLED_COLOUR_COUNT = 255 - len(_THEME_COLOURS)
_LAST_FRAME_MILLISECONDS = 2000  # how long the last frame stays before the film starts again


def encode_gif(film: Film, steps: Iterable[int], span: range, fps: float) -> bytes:
    """Return a film of these steps as a GIF file, which repeats for ever.

    All frames share one palette, so that nothing flickers.  It is chosen from frames
    spread over `span` and contains the exact colours of text and marks.  Other colours
    are dithered, because flat walls would show bands.
    """
    palette = _shared_palette(film, span)
    frames = (
        film.frame(step).quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG)
        for step in steps
    )
    each = round(1000 / fps)
    buffer = BytesIO()
    next(frames).save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=[*[each] * (len(span) - 1), max(each, _LAST_FRAME_MILLISECONDS)],
        loop=0,
    )
    return buffer.getvalue()


def _shared_palette(film: Film, span: range) -> Image.Image:
    """Return an image that has the film's palette."""
    count = min(_PALETTE_SAMPLE_FRAMES, len(span))
    steps = [span[i * (len(span) - 1) // max(count - 1, 1)] for i in range(count)]
    width, height = film.frame_size
    sample = Image.new("RGB", (width, height * count))
    for i, step in enumerate(steps):
        sample.paste(film.frame(step), (0, i * height))
    found = sample.quantize(_SAMPLED_COLOUR_COUNT, Image.Quantize.MEDIANCUT).getpalette() or []
    colours = [
        *found[: 3 * _SAMPLED_COLOUR_COUNT],
        *(part for colour in _THEME_COLOURS for part in colour),
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours)
    return palette


_X264_CRF = "20"  # on x264's scale lower is better; 18 looks like the original


def load_pyav() -> Any:
    """Return PyAV."""
    try:
        return import_module("av")
    except ImportError as fault:
        raise MissingExtra("video", "av") from fault


def encode_mp4(film: Film, steps: Iterable[int], fps: float) -> bytes:
    """Return a film of these steps as an MP4 file."""
    av = load_pyav()
    buffer = BytesIO()
    width, height = film.frame_size
    with av.open(buffer, "w", format="mp4") as file:
        rate = Fraction(fps).limit_denominator(1000)
        options = {"crf": _X264_CRF, "preset": "medium"}
        stream = file.add_stream("libx264", rate=rate, options=options)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for step in steps:
            pixels = np.asarray(film.frame(step))
            file.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        file.mux(stream.encode())
    return buffer.getvalue()
