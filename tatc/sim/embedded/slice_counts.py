"""Into how many pieces a thing falls when it is cut, by its type and upright size.

AI2-THOR's things of one type are a few models, each with its own pieces; their shapes
tell most of them apart (recorded end states: 9 of 10 loaves, potatoes and lettuces).
"""

from math import inf

from tatc.state import Vec3

APPLE_PIECES, DEFAULT_PIECES = 3, 7
POTATO_PIECES_BY_LENGTH_METRES = ((0.095, 6), (0.125, 8), (inf, 9))
"""The longest potato that falls into so many pieces, metres."""
LONG_LETTUCE_RATIO = 1.6
"""A lettuce longer than this many times its width falls into a piece more."""
CAKE_WIDTH_RATIO = 0.8
"""A loaf wider than this share of its length is cut into `CAKE_SLICES`."""
CAKE_SLICES = 6
FLAT_LOAF_RATIO, LOW_LOAF_RATIO, PLAIN_LOAF_RATIO = 0.385, 0.54, 0.58
"""How high loaves of each kind are at most, as a share of their length; the others are
as high as wide."""
LOW_LOAF_VOLUME_M3, HIGH_LOAF_VOLUME_M3 = 0.0065, 0.0062
"""The volume of a low and of a high loaf from which on it is of another kind, m^3."""


def slice_count(object_type: str, size: Vec3) -> int:
    """Return how many pieces a thing of a type and a size (metres) falls into."""
    width, _, length = size
    match object_type:
        case "Apple":
            return APPLE_PIECES
        case "Bread":
            return _loaf_slice_count(size)
        case "Lettuce":
            return DEFAULT_PIECES + (length > LONG_LETTUCE_RATIO * width)
        case "Potato":
            return next(
                count for longest, count in POTATO_PIECES_BY_LENGTH_METRES if length <= longest
            )
        case _:
            return DEFAULT_PIECES


def _loaf_slice_count(size: Vec3) -> int:
    width, height, length = size
    share, volume = height / length, width * height * length
    if width > CAKE_WIDTH_RATIO * length:
        return CAKE_SLICES
    if share <= FLAT_LOAF_RATIO or LOW_LOAF_RATIO < share <= PLAIN_LOAF_RATIO:
        return 7
    if share <= LOW_LOAF_RATIO:
        return 9 if volume < LOW_LOAF_VOLUME_M3 else 8
    return 5 if volume < HIGH_LOAF_VOLUME_M3 else 6
