"""Learned Followers: E.T. as TEACh published it (`et`), and a light network of tatc's (`light`).

torch (the extra `learned`) is imported only when one of them is made.
"""

from enum import StrEnum

from tatc.base.errors import MissingExtra

LEARNED_FAMILY = "et"
"""The learned Follower that comes with tatc; `et:FILE` is one with the user's own checkpoint."""
REQUIRED_PACKAGES = ("torch", "safetensors")


class InputMode(StrEnum):
    """What a learned Follower sees and hears: everything, or less for ablations.

    FRAME_BLANK: it decides without seeing, but its clicks still use masks.
    LANGUAGE_ONLY: it never sees anything, masks included.
    VISION_ONLY: it knows that something was said, but not the words.
    """

    FULL = "full"
    FRAME_BLANK = "frame-blank"
    LANGUAGE_ONLY = "language-only"
    VISION_ONLY = "vision-only"


def require_learned_extra() -> None:
    """Check that what learned Followers need is installed."""
    MissingExtra.check("learned", *REQUIRED_PACKAGES)
