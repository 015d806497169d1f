"""A film as an animated GIF, by Pillow."""

from collections.abc import Iterable
from io import BytesIO

from PIL import Image

from tatc.export.film import Film
from tatc.export.palette import AGENTS, BAD, FAINT, GOOD, GROUND, INK, LINE

_SAMPLES = 6  # frames that the film's colours are chosen from
_OURS = (GROUND, INK, FAINT, LINE, GOOD, BAD, *AGENTS.values())
_COLOURS = 255 - len(_OURS)  # one is for what does not change from frame to frame
_REST = 2000  # milliseconds that the last frame stays, before the film starts again


def encode(film: Film, steps: Iterable[int], span: range, fps: float) -> bytes:
    """Return a film of these steps as a file; it goes on from the start for ever.

    All frames share one palette, so that nothing flickers; it is chosen from frames
    spread over the span of the steps, and has the colours of words and marks as such.
    What lies between two colours is dithered: flat walls would show bands.
    """
    palette = _palette(film, span)
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
        duration=[*[each] * (len(span) - 1), max(each, _REST)],
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
    found = sheet.quantize(_COLOURS, Image.Quantize.MEDIANCUT).getpalette() or []
    colours = [*found[: 3 * _COLOURS], *(part for colour in _OURS for part in colour)]
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours)
    return palette
