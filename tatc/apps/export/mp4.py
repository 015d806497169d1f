"""A film as an H.264 MP4, which any browser plays, by PyAV (extra `video`)."""

from collections.abc import Iterable
from fractions import Fraction
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np

from tatc.apps.export.film import Film
from tatc.base.errors import MissingExtra

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
