"""Into how many pieces a thing falls when it is cut, by its type and upright size.

AI2-THOR's things of one type are a few models, each with its own pieces; their shapes
tell most of them apart (recorded end states: 9 of 10 loaves, potatoes and lettuces).
"""

from math import inf

from tatc.state import Vec3

APPLE, OTHERS = 3, 7
POTATOES = ((0.095, 6), (0.125, 8), (inf, 9))
"""The longest potato that falls into so many pieces, metres."""
SLIM = 1.6
"""A lettuce longer than this many times its width falls into a piece more."""
CAKE = 0.8
"""A loaf wider than this share of its length is cut into `CAKE_SLICES`."""
CAKE_SLICES = 6
FLAT, LOW, PLAIN = 0.385, 0.54, 0.58
"""How high loaves of each kind are at most, as a share of their length; the others are
as high as wide."""
LIGHT, SMALL = 0.0065, 0.0062
"""The volume of a low and of a high loaf from which on it is of another kind, m^3."""


def portions_of(kind: str, size: Vec3) -> int:
    """Return how many pieces a thing of a type and a size (metres) falls into."""
    width, _, length = size
    match kind:
        case "Apple":
            return APPLE
        case "Bread":
            return _slices_of_loaf(size)
        case "Lettuce":
            return OTHERS + (length > SLIM * width)
        case "Potato":
            return next(count for longest, count in POTATOES if length <= longest)
        case _:
            return OTHERS


def _slices_of_loaf(size: Vec3) -> int:
    width, height, length = size
    share, volume = height / length, width * height * length
    if width > CAKE * length:
        return CAKE_SLICES
    if share <= FLAT or LOW < share <= PLAIN:
        return 7
    if share <= LOW:
        return 9 if volume < LIGHT else 8
    return 5 if volume < SMALL else 6
