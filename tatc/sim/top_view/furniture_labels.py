"""Writes the names of furniture onto a plan, where nothing else is drawn."""

from collections.abc import Iterator, Sequence

from PIL import Image, ImageDraw

from tatc.sim.top_view.plan_canvas import INK_COLOUR, SUPERSAMPLING_FACTOR, PixelArea, PlanCanvas
from tatc.sim.top_view.plan_model import Footprint

FONT_SIZES = (13, 11, 9)
UNLABELLED_TYPES = frozenset({"Cabinet", "Drawer", "Faucet", "Sink", "StoveBurner", "StoveKnob"})
LABEL_POSITION_SHARES = (0.5, 0.3, 0.7, 0.18, 0.82)
"""Where along and across a piece of furniture its name is tried, as shares of its size."""
LABEL_PADDING_PIXELS = 3 * SUPERSAMPLING_FACTOR


def draw_labels(
    canvas: PlanCanvas, furniture: Sequence[Footprint], badge_areas: Sequence[PixelArea]
) -> None:
    """Write the names of furniture, given in the order in which it was drawn.

    A name that would cover a badge, another name or a piece drawn later is left out.
    """
    areas = [canvas.box_area(each.box) for each in furniture]
    taken = list(badge_areas)
    for i in reversed(range(len(furniture))):
        name = furniture[i].object_type
        if name in UNLABELLED_TYPES:
            continue
        spot = _draw_label(canvas, name, areas[i], areas[i + 1 :] + taken)
        if spot is not None:
            taken.append(spot)


def _draw_label(
    canvas: PlanCanvas, text: str, area: PixelArea, occupied: Sequence[PixelArea]
) -> PixelArea | None:
    """Write a name into an area; return the area it takes, None if it fits nowhere."""
    left, top, right, bottom = area
    for size in FONT_SIZES:
        for mask in _text_masks(canvas, text, size):
            width, height = mask.size
            if (
                width > right - left - LABEL_PADDING_PIXELS
                or height > bottom - top - LABEL_PADDING_PIXELS
            ):
                continue
            for across in LABEL_POSITION_SHARES:
                for along in LABEL_POSITION_SHARES:
                    x = left + (right - left - width) * along
                    y = top + (bottom - top - height) * across
                    spot = (x, y, x + width, y + height)
                    if not any(_is_overlapping(spot, other) for other in occupied):
                        ink = Image.new("RGB", mask.size, INK_COLOUR)
                        canvas.image.paste(ink, (round(x), round(y)), mask)
                        return spot
    return None


def _text_masks(canvas: PlanCanvas, text: str, size: int) -> Iterator[Image.Image]:
    """Yield a text as a mask: first horizontal, then turned to read upwards."""
    font = canvas.font(size)
    left, top, right, bottom = canvas.draw.textbbox((0, 0), text, font=font)
    mask = Image.new("L", (int(right - left) + 2, int(bottom - top) + 2), 0)
    ImageDraw.Draw(mask).text((1 - left, 1 - top), text, 255, font=font)
    yield mask
    yield mask.rotate(90, expand=True)


def _is_overlapping(a: PixelArea, b: PixelArea) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
