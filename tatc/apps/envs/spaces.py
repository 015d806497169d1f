"""The Gymnasium spaces of observations and actions, and conversions to and from them."""

import re
from collections.abc import Callable, Mapping, Sequence
from string import printable
from typing import Any, cast

import numpy as np
from gymnasium import spaces

from tatc.apps.envs.symbolic_view import OBJECT_TYPES as OBJECT_TYPES, ROWS_BY_TYPE
from tatc.base import arguments, errors, json_fields
from tatc.home import actions
from tatc.home.observation import SegmentationFrame

MAX_TEXT_LENGTH = 2000  # the largest number of characters of a text; longer texts are cut
MAX_FLAT_TEXT_LENGTH = 200  # the number of characters of the text in a flat action
FOLLOWER_ENV_VERBS = (*actions.FOLLOWER_VERBS, actions.Verb.TEXT)
"""The Follower's verbs in the order of their ids: TEACh's order, then Text."""
DIALOGUE_ENV_VERBS = (*FOLLOWER_ENV_VERBS, actions.Verb.OPEN_PROGRESS_CHECK)
"""The verbs of both agents in the order of their ids; a verb of the other agent's has no
effect."""
MAX_FRAME_SIDE_PIXELS = 4096
FRAME_QUALITIES = ("full", "flat")
"""How frames are drawn: as everywhere, or each thing in one colour, which is quick."""

NOTHING_DONE, FAILED, SUCCEEDED = range(3)  # the values of `last`: how the last action went

_ALLOWED_CHARACTERS = frozenset(printable)
_TYPE_NAME_PATTERNS = tuple(
    re.compile(rf"\b{re.sub(r'(?<=[a-z])(?=[A-Z])', ' ?', name)}\b", re.IGNORECASE)
    for name in OBJECT_TYPES
)

# Gymnasium's types for these are incomplete.
flatten_space: Callable[[spaces.Dict], spaces.Box] = getattr(spaces, "flatten_space")  # noqa: B009
flatten: Callable[[spaces.Dict, dict[str, Any]], Any] = getattr(spaces, "flatten")  # noqa: B009


def text_space() -> spaces.Text:
    """Return the space of texts, the empty text included."""
    return spaces.Text(MAX_TEXT_LENGTH, min_length=0, charset=printable)


def view_spaces(symbolic: bool, size: int) -> dict[str, spaces.Space[Any]]:
    """Return the spaces of an agent's view by name.

    They are those of 8-bit RGB frames, (size, size, 3), and of masks with the type's number
    at each pixel, (size, size).  If symbolic, it is that of `symbolic_view`.
    """
    if symbolic:
        return {"view": spaces.Box(0.0, 1.0, (len(OBJECT_TYPES), 3), np.float32)}
    return {
        "frame": spaces.Box(0, 255, (size, size, 3), np.uint8),
        "mask": spaces.Box(0, len(OBJECT_TYPES), (size, size), np.uint8),
    }


def fit_text_space(text: str, length: int = MAX_TEXT_LENGTH) -> str:
    """Return a text that is in the space of texts: other characters are "?", the end is cut."""
    if _ALLOWED_CHARACTERS.issuperset(text):
        return text[:length]
    return "".join(c if c in _ALLOWED_CHARACTERS else "?" for c in text[:length])


def outcome_code(result: actions.ActionResult | None) -> int:
    """Return how an action went: `NOTHING_DONE` (for None), `FAILED` or `SUCCEEDED`."""
    if result is None:
        return NOTHING_DONE
    return SUCCEEDED if result.success else FAILED


def type_mask(segments: SegmentationFrame) -> Any:
    """Return the type's number at each pixel, rows by columns; 0 where there is no object."""
    numbers = [ROWS_BY_TYPE.get(object_type, -1) + 1 for object_type in segments.types]
    return np.array([*numbers, 0], np.uint8)[segments.pixels]


def flat_action_space() -> spaces.Box:
    """Return the space of flat actions; `flat_action` describes the entries."""
    return spaces.Box(0.0, 1.0, (3 + MAX_FLAT_TEXT_LENGTH,), np.float32)


def flat_action(verb: int, click: Any = (0.0, 0.0), text: str = "") -> Any:
    """Return an action as an array: the verb, the click's x and y, and the text's characters.

    The interval 0 to 1 is divided into as many parts as there are `DIALOGUE_ENV_VERBS`, and
    the verb is the middle of its part.  So is each character among `string.printable` and,
    as the last part, the end of the text.
    """
    end = len(printable)
    codes = [printable.index(c) for c in fit_text_space(text)[:MAX_FLAT_TEXT_LENGTH]]
    codes += [end] * (MAX_FLAT_TEXT_LENGTH - len(codes))
    parts = [(code + 0.5) / (end + 1) for code in codes]
    head = [(verb + 0.5) / len(DIALOGUE_ENV_VERBS), float(click[0]), float(click[1])]
    return np.array(head + parts, np.float32)


def parse_flat_action(array: Any) -> dict[str, Any]:
    """Return the dictionary of the action that `flat_action` turned into an array."""
    end, verb_count = len(printable), len(DIALOGUE_ENV_VERBS)
    if np.shape(array) != (3 + MAX_FLAT_TEXT_LENGTH,):
        why = f"should be an array of {3 + MAX_FLAT_TEXT_LENGTH} numbers"
        raise errors.BadInput(why, where="action", fix="make it with flat_action")
    for place, value in enumerate(array):
        part = ("verb", "click", "click")[place] if place < 3 else "text"
        arguments.check_share(value, f"action: {part}")
    codes = [min(int(part * (end + 1)), end) for part in array[3:]]
    text_codes = codes[: codes.index(end)] if end in codes else codes
    return {
        "verb": min(int(array[0] * verb_count), verb_count - 1),
        "click": array[1:3],
        "text": "".join(printable[code] for code in text_codes),
    }


def wordless_observation_space(symbolic: bool, size: int) -> spaces.Dict:
    """Return the space without texts; `named` is 1 for each of `OBJECT_TYPES` that was heard."""
    named = spaces.Box(0, 1, (len(OBJECT_TYPES),), np.uint8)
    return spaces.Dict({"named": named, "last": spaces.Discrete(3), **view_spaces(symbolic, size)})


def named_types(text: str) -> Any:
    """Return 1 for each of `OBJECT_TYPES` that a text names, in either spelling, else 0."""
    found = (pattern.search(text) is not None for pattern in _TYPE_NAME_PATTERNS)
    return np.array([*found], np.uint8)


def parts_of(given: Any, *names: str) -> list[Any]:
    """Return what a dictionary, such as an action, has under these names."""
    try:
        return [given[name] for name in names]
    except (IndexError, KeyError, TypeError) as fault:
        why = f"should be a dictionary of {', '.join(names)}"
        raise errors.BadInput(why, where="action", fix="give each of them") from fault


def make_action(action: Any, verbs: Sequence[actions.Verb]) -> actions.Action:
    """Return an action; `click` and `text` are ignored by verbs that do not take them."""
    number, click, text = parts_of(action, "verb", "click", "text")
    verb = verbs[check_part(number, len(verbs), "verb")]
    if verb is actions.Verb.TEXT:
        if not isinstance(text, str):
            raise errors.BadInput("should be a text", where="action: text", fix="give words")
        return actions.Action(verb, text=text)
    if verb in actions.INTERACTION_VERBS:
        return actions.Action(verb, actions.Click(*_click(click)))
    return actions.Action(verb)


def _click(click: Any) -> tuple[float, float]:
    if np.shape(click) != (2,):
        raise errors.BadInput("should be two numbers", where="action: click", fix="give x and y")
    x, y = (arguments.check_share(value, "action: click") for value in click)
    return x, y


def check_reset(seed: Any, options: Any = None, *known: str) -> int | None:
    """Return the seed of a reset as Gymnasium takes it; check that its options are `known`."""
    fix = f"leave it out{', or name ' * bool(known)}{' or '.join(known)}"
    if not isinstance(options, Mapping | None):
        why = f"should be a dictionary or None, is {json_fields.short_repr(options)}"
        raise errors.BadInput(why, where="options", fix=fix)
    for name in cast("Mapping[object, object]", options or {}):
        if name not in known:
            raise errors.UnknownName("option", str(name), known, where="options", fix=fix)
    return None if seed is None else arguments.check_number_from(0, None, seed, "seed")


def check_size(size: Any) -> int:
    """Return the side of a frame in pixels."""
    return arguments.check_number_from(1, MAX_FRAME_SIDE_PIXELS, size, "size")


def check_part(number: Any, count: int, part: str) -> int:
    """Return a part of an action, which is one of so many numbers from 0 on."""
    if type(number) is int and 0 <= number < count:  # as nearly all are
        return number
    return arguments.check_number_from(0, count - 1, number, f"action: {part}")


def observation_space(symbolic: bool, size: int, **others: spaces.Space[Any]) -> spaces.Dict:
    """Return what an agent observes, `others` included; `size` is a frame's side."""
    parts = {"heard": text_space(), "message": text_space(), "last": spaces.Discrete(3), **others}
    return spaces.Dict(parts | view_spaces(symbolic, size))


def dict_action_space(verbs: Sequence[actions.Verb]) -> spaces.Dict:
    """Return the space of actions with these verbs."""
    click = spaces.Box(0.0, 1.0, (2,), np.float32)
    return spaces.Dict({"verb": spaces.Discrete(len(verbs)), "click": click, "text": text_space()})
