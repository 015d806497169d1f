"""Guess into how many pieces an object is cut, from its type and upright size.

AI2-THOR has a few models of each type, and each model has its own number of pieces.  The
proportions identify most models: in recorded end states the guess is right for 9 of 10
loaves, potatoes and lettuces.
"""

from math import inf

from tatc.home.state import Vec3

APPLE_PIECES, DEFAULT_PIECES = 3, 7
POTATO_PIECES_BY_LENGTH_METRES = ((0.095, 6), (0.125, 8), (inf, 9))
"""The greatest length of a potato (metres), and the number of pieces up to that length."""
LONG_LETTUCE_RATIO = 1.6
"""A lettuce that is longer than this many times its width gives one more piece."""
CAKE_WIDTH_RATIO = 0.8
"""A loaf that is wider than this share of its length is cut into `CAKE_SLICES` pieces."""
CAKE_SLICES = 6
FLAT_LOAF_RATIO, LOW_LOAF_RATIO, PLAIN_LOAF_RATIO = 0.385, 0.54, 0.58
"""The greatest height of each kind of loaf, as a share of its length; higher loaves are
about as high as wide."""
LOW_LOAF_VOLUME_M3, HIGH_LOAF_VOLUME_M3 = 0.0065, 0.0062
"""The volume from which a low loaf gives 8 pieces instead of 9, and a high loaf 6 instead
of 5, m^3."""


def slice_count(object_type: str, size: Vec3) -> int:
    """Return the number of pieces into which an object is cut.

    `size` is the width, height and length of the upright object, metres.
    """
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
