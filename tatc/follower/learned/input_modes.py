"""The inputs that a learned Follower gets: all of them, or fewer for ablations."""

from enum import StrEnum


class InputMode(StrEnum):
    """What a learned Follower sees and hears.

    FRAME_BLANK: it decides without seeing, but its clicks still use masks.
    LANGUAGE_ONLY: it never sees anything, masks included.
    VISION_ONLY: it knows that something was said, but not the words.
    """

    FULL = "full"
    FRAME_BLANK = "frame-blank"
    LANGUAGE_ONLY = "language-only"
    VISION_ONLY = "vision-only"


LEARNED_FAMILY = "et"
"""The learned Follower that comes with tatc; `et:FILE` is one with the user's own checkpoint."""
