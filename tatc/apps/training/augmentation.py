"""Mirrors examples, with left and right swapped, so that one game shows two rooms."""

import re
from dataclasses import replace

import numpy as np

from tatc.apps.training.examples import NO_CLICK, Example
from tatc.follower.learned.light.action_history import NETWORK_VERBS
from tatc.follower.learned.light.class_map import CLICK_GRID_SIDE
from tatc.home.actions import Verb

_OPPOSITE_SIDE = {"left": "right", "right": "left"}
_SIDE_WORD_PATTERN = re.compile(r"\b(left|right)\b")
_OPPOSITE_VERB = {
    Verb.TURN_LEFT: Verb.TURN_RIGHT,
    Verb.TURN_RIGHT: Verb.TURN_LEFT,
    Verb.PAN_LEFT: Verb.PAN_RIGHT,
    Verb.PAN_RIGHT: Verb.PAN_LEFT,
}
_MIRRORED_ACTIONS = np.array(
    [NETWORK_VERBS.index(_OPPOSITE_VERB.get(v, v)) for v in NETWORK_VERBS], dtype=np.int16
)


def mirror_example(example: Example) -> Example:
    """Return the mirror image of an example: its views, clicks, verbs and words.

    The mirror image of the mirror image is the example.
    """
    rows, columns = example.cells // CLICK_GRID_SIDE, example.cells % CLICK_GRID_SIDE
    cells = rows * CLICK_GRID_SIDE + (CLICK_GRID_SIDE - 1 - columns)
    return replace(
        example,
        texts=tuple(
            _SIDE_WORD_PATTERN.sub(lambda word: _OPPOSITE_SIDE[word[0]], text)
            for text in example.texts
        ),
        actions=_MIRRORED_ACTIONS[example.actions],
        cells=np.where(example.cells == NO_CLICK, NO_CLICK, cells).astype(np.int16),
        maps=example.maps[:, :, ::-1],
    )
