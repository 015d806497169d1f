"""Examples seen in a mirror: left is right, so that one game teaches two rooms."""

import re
from dataclasses import replace

import numpy as np

from tatc.actions import Verb
from tatc.follower.et.light.history import VERBS
from tatc.training.examples import CELLS, NO_CLICK, Example

_SIDES = {"left": "right", "right": "left"}
_WORD = re.compile(r"\b(left|right)\b")
_PAIRS = {
    Verb.TURN_LEFT: Verb.TURN_RIGHT,
    Verb.TURN_RIGHT: Verb.TURN_LEFT,
    Verb.PAN_LEFT: Verb.PAN_RIGHT,
    Verb.PAN_RIGHT: Verb.PAN_LEFT,
}
_ACTIONS = np.array([VERBS.index(_PAIRS.get(v, v)) for v in VERBS], dtype=np.int16)


def mirrored(example: Example) -> Example:
    """Return what the example would be in a mirror; that one's mirror is itself."""
    rows, columns = example.cells // CELLS, example.cells % CELLS
    cells = rows * CELLS + (CELLS - 1 - columns)
    return replace(
        example,
        texts=tuple(
            _WORD.sub(lambda word: _SIDES[word[0]], text) for text in example.texts
        ),
        actions=_ACTIONS[example.actions],
        cells=np.where(example.cells == NO_CLICK, NO_CLICK, cells).astype(np.int16),
        maps=example.maps[:, :, ::-1],
    )
