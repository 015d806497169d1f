"""The canvas of a PNG plan: metres to pixels, and the shapes that the plan is made of."""

from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from tatc.home.state import Box, yaw_sin_cos
from tatc.sim.top_view.plan_model import Colour, Point

PIXELS_PER_METRE = 150
"""Pixels of the finished plan per metre."""
MARGIN_PIXELS = 40
SUPERSAMPLING_FACTOR = 2
"""A plan is drawn this many times larger and then reduced, so that its lines are smooth."""
DASH_PIXELS = 7
INK_COLOUR: Colour = (45, 45, 50)

PixelPoint = tuple[float, float]
"""Column and row, in canvas pixels unless said otherwise."""
PixelArea = tuple[float, float, float, float]
"""Left, top, right, bottom, in canvas pixels."""


@dataclass(frozen=True, slots=True)
class PlanCanvas:
    """An image drawn `SUPERSAMPLING_FACTOR` times as large as the finished plan.

    `top_left` is the x and z of the room's upper left corner, metres.
    """

    image: Image.Image
    draw: ImageDraw.ImageDraw
    top_left: Point

    @staticmethod
    def blank(size: tuple[int, int], top_left: Point, background: Colour) -> "PlanCanvas":
        """Return an empty canvas; `size` is that of the finished plan, in pixels."""
        image = Image.new(
            "RGB", (size[0] * SUPERSAMPLING_FACTOR, size[1] * SUPERSAMPLING_FACTOR), background
        )
        return PlanCanvas(image, ImageDraw.Draw(image), top_left)

    def to_pixel(self, x: float, z: float) -> PixelPoint:
        """Return the canvas pixel of a point of the floor."""
        left, top = self.top_left
        return (
            (MARGIN_PIXELS + (x - left) * PIXELS_PER_METRE) * SUPERSAMPLING_FACTOR,
            (1.5 * MARGIN_PIXELS + (top - z) * PIXELS_PER_METRE) * SUPERSAMPLING_FACTOR,
        )

    def box_corners(self, box: Box) -> list[PixelPoint]:
        """Return the four corners of a box seen from above, in canvas pixels."""
        sine, cosine = yaw_sin_cos(box.yaw)
        (x, _, z), (width, _, depth) = box.center, box.size
        ring = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        return [
            self.to_pixel(
                x + a * width * cosine + b * depth * sine, z - a * width * sine + b * depth * cosine
            )
            for a, b in ring
        ]

    def box_area(self, box: Box) -> PixelArea:
        """Return the upright rectangle around a box seen from above, in canvas pixels."""
        xs, ys = zip(*self.box_corners(box), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def font(self, size: float) -> Any:
        """Return the font whose size is given in pixels of the finished plan."""
        return ImageFont.load_default(size * SUPERSAMPLING_FACTOR)

    def text_width(self, text: str, size: float) -> float:
        """Return how wide a text will be, in pixels of the finished plan."""
        left, _, right, _ = self.draw.textbbox((0, 0), text, font=self.font(size))
        return (right - left) / SUPERSAMPLING_FACTOR

    def draw_text(
        self, at: PixelPoint, text: str, size: float, anchor: str, colour: Colour = INK_COLOUR
    ) -> None:
        """Write a text; `at` and `size` are in pixels of the finished plan."""
        place = (at[0] * SUPERSAMPLING_FACTOR, at[1] * SUPERSAMPLING_FACTOR)
        self.draw.text(place, text, colour, font=self.font(size), anchor=anchor)

    def draw_disc(
        self, at: PixelPoint, radius: float, fill: Colour, outline: Colour | None = None
    ) -> None:
        """Draw a disc around a canvas pixel; its radius is in pixels of the finished plan."""
        (x, y), r = at, radius * SUPERSAMPLING_FACTOR
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill, outline, SUPERSAMPLING_FACTOR)

    def draw_dashed_line(self, a: PixelPoint, b: PixelPoint, colour: Colour) -> None:
        """Draw a dashed line between two canvas pixels."""
        (ax, ay), (bx, by) = a, b
        dashes = max(
            1, round(max(abs(bx - ax), abs(by - ay)) / (DASH_PIXELS * SUPERSAMPLING_FACTOR))
        )
        for i in range(0, dashes, 2):
            start, end = i / dashes, min(1.0, (i + 1) / dashes)
            line = (
                ax + (bx - ax) * start,
                ay + (by - ay) * start,
                ax + (bx - ax) * end,
                ay + (by - ay) * end,
            )
            self.draw.line(line, colour, SUPERSAMPLING_FACTOR)
