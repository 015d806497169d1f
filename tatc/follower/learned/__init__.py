"""Learned Followers: a pointing network of tatc's (`pointing`), and E.T. as TEACh published it.

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

    The pointing Follower cannot click without sight, and has forms of its own.  Controls:
    NO_WORDS: it knows that something was said, but not what; NO_MEMORY: it knows only what is in
    view; NO_MAP: it has no map of the floor; NO_GEOMETRY: it knows what types are in view, and not
    where.  Without what is given and not learned: NO_VERB_MASKS (what the hand allows and
    training did to such a thing), NO_BUMPS (steps that were refused, or that depth shows as
    blocked), NO_UNDOING (a motion is not undone at once), NO_REPEATS (what was done in the same
    place is less likely, and what did not fit a thing is not tried again), NO_BORDER (clicks
    keep off the mask's border), NO_REACH (what is too far), NO_PATHS (path lengths over its
    map, and which motions lose on them), NO_KEPT_AIM (of equal things, what was pointed at stays),
    NO_SEARCH (how to look for what goals name), NO_GOAL_MEMORY (what was put where goals want it).
    """

    FULL = "full"
    FRAME_BLANK = "frame-blank"
    LANGUAGE_ONLY = "language-only"
    VISION_ONLY = "vision-only"
    NO_WORDS = "no-words"
    NO_MEMORY = "no-memory"
    NO_MAP = "no-map"
    NO_GEOMETRY = "no-geometry"
    NO_VERB_MASKS = "no-verb-masks"
    NO_BUMPS = "no-bumps"
    NO_UNDOING = "no-undoing"
    NO_REPEATS = "no-repeats"
    NO_BORDER = "no-border"
    NO_REACH = "no-reach"
    NO_PATHS = "no-paths"
    NO_KEPT_AIM = "no-kept-aim"
    NO_SEARCH = "no-search"
    NO_GOAL_MEMORY = "no-goal-memory"


def require_learned_extra() -> None:
    """Check that what learned Followers need is installed."""
    MissingExtra.check("learned", *REQUIRED_PACKAGES)
