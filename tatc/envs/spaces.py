"""What agents see and do, as Gymnasium's spaces, and how both are read and written."""

from string import printable
from typing import Any

import numpy as np
from gymnasium import spaces

from tatc.actions import (
    FOLLOWER_VERBS,
    INTERACTION_VERBS,
    Action,
    ActionResult,
    Click,
    SegmentationFrame,
    Verb,
)
from tatc.rooms.object_types import known_object_types

MAX_TEXT_LENGTH = 2000
"""Characters of a text, at most; longer ones are cut."""
MAX_FLAT_TEXT_LENGTH = 200
"""Characters of a text in a flat action."""
OBJECT_TYPES: tuple[str, ...] = tuple(known_object_types())
"""Every type of object; where a space counts types, 0 is none and 1 the first."""
FOLLOWER_ENV_VERBS = (*FOLLOWER_VERBS, Verb.TEXT)
"""The Follower's verbs by their numbers: TEACh's order, then Text."""
DIALOGUE_ENV_VERBS = (*FOLLOWER_ENV_VERBS, Verb.OPEN_PROGRESS_CHECK)
"""The verbs of both agents by their numbers; what is not an agent's does nothing."""
SYMBOLIC_VIEW_SIDE_PIXELS = 48
"""Pixels a side of the segmentation that a symbolic view is made of."""

NOTHING_DONE, FAILED, SUCCEEDED = range(3)
"""How the last action went."""

_ALLOWED_CHARACTERS = frozenset(printable)


def text_space() -> spaces.Text:
    """Return the space of texts, the empty one among them."""
    return spaces.Text(MAX_TEXT_LENGTH, min_length=0, charset=printable)


def frame_space(size: int) -> spaces.Box:
    """Return the space of frames: rows, columns, 8-bit RGB."""
    return spaces.Box(0, 255, (size, size, 3), np.uint8)


def mask_space(size: int) -> spaces.Box:
    """Return the space of segmentations: the number of the type at each pixel."""
    return spaces.Box(0, len(OBJECT_TYPES), (size, size), np.uint8)


def symbolic_view_space() -> spaces.Box:
    """Return the space of symbolic views, a row a type.

    A row holds the share of the view that shows the type (0: none in view), and where
    the nearest-looking thing of it is: x to the right, y down, as fractions.
    """
    return spaces.Box(0.0, 1.0, (len(OBJECT_TYPES), 3), np.float32)


def fit_text_space(text: str) -> str:
    """Return a text as the space of texts holds it."""
    kept = "".join(c if c in _ALLOWED_CHARACTERS else "?" for c in text)
    return kept[:MAX_TEXT_LENGTH]


def outcome_code(result: ActionResult | None) -> int:
    """Return how an action went, as a number."""
    if result is None:
        return NOTHING_DONE
    return SUCCEEDED if result.success else FAILED


def type_mask(segments: SegmentationFrame) -> Any:
    """Return the number of the type at each pixel."""
    numbers = [
        OBJECT_TYPES.index(object_type) + 1 if object_type in OBJECT_TYPES else 0
        for object_type in segments.types
    ]
    return np.array([*numbers, 0], np.uint8)[segments.pixels]


def symbolic_view(segments: SegmentationFrame) -> Any:
    """Return a symbolic view: by type its share, and where its largest thing is."""
    rows = np.zeros((len(OBJECT_TYPES), 3), np.float32)
    side, most = len(segments.pixels), dict[str, int]()
    for number, object_type in enumerate(segments.types):
        ys, xs = np.nonzero(segments.pixels == number)
        if object_type not in OBJECT_TYPES:
            continue
        row = rows[OBJECT_TYPES.index(object_type)]
        row[0] += len(xs) / side**2
        if len(xs) > most.get(object_type, 0):
            most[object_type] = len(xs)
            row[1:] = _most_central_pixel(xs, ys, side)
    return rows


def _most_central_pixel(xs: Any, ys: Any, side: int) -> tuple[float, float]:
    """Return the pixel of a thing that is nearest to the middle of its pixels."""
    away = (xs - xs.mean()) ** 2 + (ys - ys.mean()) ** 2
    i = int(away.argmin())
    return (xs[i] + 0.5) / side, (ys[i] + 0.5) / side


def flat_action_space() -> spaces.Box:
    """Return the space of actions as arrays; `flat_action` says what stands where."""
    return spaces.Box(0.0, 1.0, (3 + MAX_FLAT_TEXT_LENGTH,), np.float32)


def flat_action(verb: int, click: Any = (0.0, 0.0), text: str = "") -> Any:
    """Return an action as an array: verb, x, y, then a number a character.

    Each is the middle of its part of 0 to 1: of the verbs in `DIALOGUE_ENV_VERBS`, of the
    characters in `string.printable`, whose end is the last part.
    """
    end = len(printable)
    codes = [printable.index(c) for c in fit_text_space(text)[:MAX_FLAT_TEXT_LENGTH]]
    codes += [end] * (MAX_FLAT_TEXT_LENGTH - len(codes))
    parts = [(code + 0.5) / (end + 1) for code in codes]
    head = [(verb + 0.5) / len(DIALOGUE_ENV_VERBS), float(click[0]), float(click[1])]
    return np.array(head + parts, np.float32)


def parse_flat_action(array: Any) -> dict[str, Any]:
    """Return the action that an array stands for."""
    end, acts = len(printable), len(DIALOGUE_ENV_VERBS)
    codes = [min(int(part * (end + 1)), end) for part in array[3:]]
    spoken = codes[: codes.index(end)] if end in codes else codes
    return {
        "verb": min(int(array[0] * acts), acts - 1),
        "click": array[1:3],
        "text": "".join(printable[code] for code in spoken),
    }


def make_action(verb: Verb, click: Any, text: str) -> Action:
    """Return an action from its parts; what its verb has no use for is left out."""
    if verb is Verb.TEXT:
        return Action(verb, text=text)
    if verb in INTERACTION_VERBS:
        x, y = (min(max(float(value), 0.0), 1.0) for value in click)
        return Action(verb, Click(x, y))
    return Action(verb)
