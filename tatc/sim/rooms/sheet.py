"""The paper of a plan: metres to pixels, and the few strokes that it needs."""

from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from tatc.sim.rooms.groups import Colour
from tatc.state import Box, turned

METRE = 150
"""Pixels a metre."""
MARGIN = 40
FINE = 2
"""A plan is drawn this many times larger and then made smaller, for smooth lines."""
DASH = 7
INK: Colour = (45, 45, 50)

Point = tuple[float, float]
Area = tuple[float, float, float, float]
"""Left, top, right, bottom, in drawn pixels."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture `FINE` times as large as it will be; `corner` is its x, z, top left."""

    image: Image.Image
    draw: ImageDraw.ImageDraw
    corner: Point

    @staticmethod
    def blank(size: tuple[int, int], corner: Point, paper: Colour) -> "Sheet":
        """Return an empty sheet of a final size in pixels."""
        image = Image.new("RGB", (size[0] * FINE, size[1] * FINE), paper)
        return Sheet(image, ImageDraw.Draw(image), corner)

    def at(self, x: float, z: float) -> Point:
        """Return the drawn pixel of a point of the floor."""
        left, top = self.corner
        return (
            (MARGIN + (x - left) * METRE) * FINE,
            (1.5 * MARGIN + (top - z) * METRE) * FINE,
        )

    def corners(self, box: Box) -> list[Point]:
        """Return the four corners of a box seen from above, in drawn pixels."""
        sine, cosine = turned(box.yaw)
        (x, _, z), (width, _, depth) = box.center, box.size
        ring = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        return [
            self.at(
                x + a * width * cosine + b * depth * sine,
                z - a * width * sine + b * depth * cosine,
            )
            for a, b in ring
        ]

    def area(self, box: Box) -> Area:
        """Return the drawn pixels around a box seen from above."""
        xs, ys = zip(*self.corners(box), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def font(self, size: float) -> Any:
        """Return a font of a size in final pixels."""
        return ImageFont.load_default(size * FINE)

    def width(self, text: str, size: float) -> float:
        """Return how wide a text will be, final pixels."""
        left, _, right, _ = self.draw.textbbox((0, 0), text, font=self.font(size))
        return (right - left) / FINE

    def write(
        self, at: Point, text: str, size: float, anchor: str, colour: Colour = INK
    ) -> None:
        """Write at final pixels."""
        place = (at[0] * FINE, at[1] * FINE)
        self.draw.text(place, text, colour, font=self.font(size), anchor=anchor)

    def disc(
        self, at: Point, side: float, fill: Colour, outline: Colour | None = None
    ) -> None:
        """Draw a disc around a drawn pixel, its radius in final pixels."""
        (x, y), r = at, side * FINE
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill, outline, FINE)

    def dashed(self, a: Point, b: Point, colour: Colour) -> None:
        """Draw a dashed line between drawn pixels."""
        (ax, ay), (bx, by) = a, b
        dashes = max(1, round(max(abs(bx - ax), abs(by - ay)) / (DASH * FINE)))
        for i in range(0, dashes, 2):
            start, end = i / dashes, min(1.0, (i + 1) / dashes)
            line = (
                ax + (bx - ax) * start,
                ay + (by - ay) * start,
                ax + (bx - ax) * end,
                ay + (by - ay) * end,
            )
            self.draw.line(line, colour, FINE)
