"""A film as an animated GIF, by Pillow."""

from collections.abc import Iterable
from io import BytesIO

from PIL import Image

from tatc.export.film import Film

_SAMPLES = 6  # frames that the film's colours are chosen from
_COLOURS = 255  # one is left for what does not change from frame to frame


def encode(film: Film, steps: Iterable[int], span: range, fps: float) -> bytes:
    """Return a film of these steps as a file; it goes on from the start for ever.

    All frames share one palette, so that nothing flickers; it is chosen from frames
    spread over the span of the steps.
    """
    palette = _palette(film, span)
    frames = (
        film.frame(step).quantize(palette=palette, dither=Image.Dither.NONE)
        for step in steps
    )
    buffer = BytesIO()
    next(frames).save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=round(1000 / fps),
        loop=0,
    )
    return buffer.getvalue()


def _palette(film: Film, span: range) -> Image.Image:
    """Return an image whose palette suits all of a film."""
    count = min(_SAMPLES, len(span))
    steps = [span[i * (len(span) - 1) // max(count - 1, 1)] for i in range(count)]
    width, height = film.shape
    sheet = Image.new("RGB", (width, height * count))
    for i, step in enumerate(steps):
        sheet.paste(film.frame(step), (0, i * height))
    return sheet.quantize(_COLOURS, Image.Quantize.MEDIANCUT)
