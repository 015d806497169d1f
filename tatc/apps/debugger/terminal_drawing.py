"""Drawing in a terminal: colours, texts beside a heading, and images with letters over them.

An image shows two pixels per character.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from textwrap import wrap

import numpy as np
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from tatc.home.camera.views import Rgb

DIM_COLOUR, HIGHLIGHT_COLOUR = "#7f8694", "#ffd65c"
SUCCESS_COLOUR, FAILURE_COLOUR = "#7ee2a8", "#ff8d85"
COMMANDER_COLOUR, FOLLOWER_COLOUR = "#d6a0ff", "#78d6ff"
"""The colours of the Commander and the Follower."""
MAX_LISTED = 40
"""The most lines of one list in a pane; longer ones are slow to lay out."""


def append_hanging(text: Text, head: Text, body: str, style: str, width: int) -> None:
    """Append a heading and a body that is wrapped beside it."""
    text_width = max(width - len(head), 12)
    lines = wrap(body, text_width) or [""]
    text.append_text(head)
    text.append(f"{lines[0]}\n", style)
    for line in lines[1:]:
        text.append(f"{' ' * len(head)}{line}\n", style)


def append_row(text: Text, name: str, value: str, width: int, style: str = "") -> None:
    """Append a named value; append nothing if it is empty."""
    if value:
        append_hanging(text, Text(f"{name:<8}", DIM_COLOUR), value, style, width)


Colour = tuple[int, int, int]
UPPER_HALF_BLOCK = "\N{UPPER HALF BLOCK}"


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter over the pixels; without a background of its own it keeps theirs."""

    letter: str
    colour: Colour
    background: Colour | None = None


@dataclass(slots=True)
class Canvas:
    """Pixels, shape (2 * rows, columns, 3), and glyphs by (row, column)."""

    pixels: Rgb
    glyphs: dict[tuple[int, int], Glyph] = field(default_factory=dict[tuple[int, int], Glyph])

    @staticmethod
    def blank(columns: int, rows: int, colour: Colour) -> "Canvas":
        """Return a canvas of one colour."""
        return Canvas(np.full((2 * rows, columns, 3), colour, dtype=np.uint8))

    def write_text(
        self, row: int, column: int, text: str, colour: Colour, background: Colour
    ) -> None:
        """Write a text into a row of characters."""
        for i, letter in enumerate(text):
            self.glyphs[row, column + i] = Glyph(letter, colour, background)

    def segment_rows(self) -> list[list[Segment]]:
        """Return the canvas as rows of characters: upper half blocks and glyphs."""
        rows: list[list[list[int]]] = self.pixels.tolist()
        return [
            self._segment_row(rows[2 * row], rows[2 * row + 1], row)
            for row in range(len(rows) // 2)
        ]

    def _segment_row(
        self, upper: list[list[int]], lower: list[list[int]], row: int
    ) -> list[Segment]:
        """Return a row; neighbours of equal style share a segment."""
        line: list[Segment] = []
        run, style = "", _letter_style((0, 0, 0), (0, 0, 0))
        for column, (above, below) in enumerate(zip(upper, lower, strict=True)):
            glyph = self.glyphs.get((row, column))
            if glyph is None:
                letter, here = UPPER_HALF_BLOCK, _letter_style((*above,), (*below,))
            else:
                ground = glyph.background or (*above,)
                letter, here = glyph.letter, _letter_style(glyph.colour, ground, True)
            if here is not style and run:
                line.append(Segment(run, style))
                run = ""
            run, style = run + letter, here
        line.append(Segment(run, style))
        return line


@lru_cache(maxsize=1 << 14)
def _letter_style(colour: tuple[int, ...], ground: tuple[int, ...], bold: bool = False) -> Style:
    red, green, blue = colour
    r, g, b = ground
    return Style.parse(f"{'bold ' if bold else ''}rgb({red},{green},{blue}) on rgb({r},{g},{b})")
