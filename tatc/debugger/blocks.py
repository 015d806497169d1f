"""Pictures in a terminal: two pixels a letter, and letters laid over them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from rich.style import Style
from rich.text import Text

from tatc.camera.views import Rgb

Colour = tuple[int, int, int]

UPPER = "\N{UPPER HALF BLOCK}"


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter over the pixels; its background is theirs unless it has one."""

    letter: str
    colour: Colour
    background: Colour | None = None


@dataclass(slots=True)
class Canvas:
    """Pixels of shape (2 x rows, columns, 3), and glyphs by row and column."""

    pixels: Rgb
    glyphs: dict[tuple[int, int], Glyph] = field(
        default_factory=dict[tuple[int, int], Glyph]
    )

    @staticmethod
    def blank(columns: int, rows: int, colour: Colour) -> "Canvas":
        """Return a canvas of one colour."""
        return Canvas(np.full((2 * rows, columns, 3), colour, dtype=np.uint8))

    def write(
        self, row: int, column: int, text: str, colour: Colour, background: Colour
    ) -> None:
        """Write a text into one row."""
        for i, letter in enumerate(text):
            self.glyphs[row, column + i] = Glyph(letter, colour, background)

    def text(self) -> Text:
        """Return the canvas as lines of letters."""
        return as_text(self.pixels, self.glyphs)


def as_text(pixels: Rgb, glyphs: Mapping[tuple[int, int], Glyph] | None = None) -> Text:
    """Return pixels, and glyphs over them, as letters: the upper half block, mostly."""
    rows: list[list[list[int]]] = pixels.tolist()
    text = Text(no_wrap=True, end="")
    over = glyphs or {}
    for row in range(len(rows) // 2):
        if row:
            text.append("\n")
        _append_row(text, rows[2 * row], rows[2 * row + 1], row, over)
    return text


def _append_row(
    text: Text,
    upper: list[list[int]],
    lower: list[list[int]],
    row: int,
    glyphs: Mapping[tuple[int, int], Glyph],
) -> None:
    """Append a row; neighbours of one style share a span."""
    run, style = "", None
    for column, (above, below) in enumerate(zip(upper, lower, strict=True)):
        glyph = glyphs.get((row, column))
        if glyph is None:
            letter, here = UPPER, _style(tuple(above), tuple(below))
        else:
            ground = glyph.background or (above[0], above[1], above[2])
            letter, here = glyph.letter, _style(glyph.colour, ground, True)
        if here is not style and run:
            text.append(run, style)
            run = ""
        run, style = run + letter, here
    text.append(run, style)


@lru_cache(maxsize=1 << 14)
def _style(
    colour: tuple[int, ...], ground: tuple[int, ...], bold: bool = False
) -> Style:
    red, green, blue = colour
    r, g, b = ground
    return Style.parse(
        f"{'bold ' if bold else ''}rgb({red},{green},{blue}) on rgb({r},{g},{b})"
    )
