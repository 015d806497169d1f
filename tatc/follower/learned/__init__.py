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

    The first three are of E.T., the others of the pointing Follower, which cannot click without
    sight: four controls, and forms without something that is given and not learned.
    """

    FULL = "full"
    FRAME_BLANK = "frame-blank"  # it decides without seeing, but its clicks still use masks
    LANGUAGE_ONLY = "language-only"  # it never sees anything, masks included
    VISION_ONLY = "vision-only"  # it knows that something was said, but not the words
    NO_WORDS = "no-words"  # it knows that something was said, but not what
    NO_MEMORY = "no-memory"  # it knows only what is in view
    NO_MAP = "no-map"  # it has no map of the floor
    NO_GEOMETRY = "no-geometry"  # it knows what types are in view, and not where
    NO_VERB_MASKS = "no-verb-masks"  # what the hand allows, and training did to such a thing
    NO_BUMPS = "no-bumps"  # steps that were refused, or that depth shows as blocked
    NO_UNDOING = "no-undoing"  # a motion is not undone at once
    NO_REPEATS = "no-repeats"  # what was done there, or does not fit a thing, is less likely
    NO_BORDER = "no-border"  # clicks keep off the mask's border
    NO_REACH = "no-reach"  # what is too far is not clicked
    NO_PATHS = "no-paths"  # path lengths over its map, and which motions lose on them
    NO_KEPT_AIM = "no-kept-aim"  # of equal things, what was pointed at stays
    NO_SEARCH = "no-search"  # how to look for what goals name, and it asks nothing
    NO_QUESTIONS = "no-questions"  # it asks how, where it looked in vain
    NO_GOAL_MEMORY = "no-goal-memory"  # what was put where goals want it


def require_learned_extra() -> None:
    """Check that what learned Followers need is installed."""
    MissingExtra.check("learned", *REQUIRED_PACKAGES)
