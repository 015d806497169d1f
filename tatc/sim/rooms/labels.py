"""Puts names on the furniture of a plan where they hide nothing and nothing them."""

from collections.abc import Iterator, Sequence

from PIL import Image, ImageDraw

from tatc.sim.rooms.sheet import FINE, INK, Area, Sheet
from tatc.state import ObjectState

SIZES = (13, 11, 9)
UNNAMED = frozenset({"Cabinet", "Drawer", "Faucet", "Sink", "StoveBurner", "StoveKnob"})
ALONG = (0.5, 0.3, 0.7, 0.18, 0.82)
"""Where along and across a piece its name is tried."""
PADDING = 3 * FINE


def label_all(
    sheet: Sheet, things: Sequence[ObjectState], badges: Sequence[Area]
) -> None:
    """Name the things, which come in the order in which they were drawn."""
    areas = [sheet.area(thing.box) for thing in things]
    taken = list(badges)
    for i in reversed(range(len(things))):
        if things[i].objectType in UNNAMED:
            continue
        spot = _spot(sheet, things[i].objectType, areas[i], areas[i + 1 :] + taken)
        if spot is not None:
            taken.append(spot)


def _spot(sheet: Sheet, text: str, area: Area, others: Sequence[Area]) -> Area | None:
    """Write a name into an area; return where, or None: no place for it."""
    left, top, right, bottom = area
    for size in SIZES:
        for stamp in _stamps(sheet, text, size):
            width, height = stamp.size
            if width > right - left - PADDING or height > bottom - top - PADDING:
                continue
            for across in ALONG:
                for along in ALONG:
                    x = left + (right - left - width) * along
                    y = top + (bottom - top - height) * across
                    spot = (x, y, x + width, y + height)
                    if not any(_meet(spot, other) for other in others):
                        ink = Image.new("RGB", stamp.size, INK)
                        sheet.image.paste(ink, (round(x), round(y)), stamp)
                        return spot
    return None


def _stamps(sheet: Sheet, text: str, size: int) -> Iterator[Image.Image]:
    """Yield a text as a mask, lying and standing."""
    font = sheet.font(size)
    left, top, right, bottom = sheet.draw.textbbox((0, 0), text, font=font)
    stamp = Image.new("L", (int(right - left) + 2, int(bottom - top) + 2), 0)
    ImageDraw.Draw(stamp).text((1 - left, 1 - top), text, 255, font=font)
    yield stamp
    yield stamp.rotate(90, expand=True)


def _meet(a: Area, b: Area) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
