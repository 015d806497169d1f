"""What a learned Follower may see and hear: all inputs, or fewer for ablations."""

from enum import StrEnum


class InputMode(StrEnum):
    """What a learned Follower is allowed to see and hear.

    FRAME_BLANK: nothing is seen while it decides; its clicks still find their masks.
    LANGUAGE_ONLY: nothing is ever seen.
    VISION_ONLY: words are not heard, but that something was said.
    """

    FULL = "full"
    FRAME_BLANK = "frame-blank"
    LANGUAGE_ONLY = "language-only"
    VISION_ONLY = "vision-only"
