"""Runs a light network in a session, one step at a time, and finds its clicks in masks."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tatc.follower.learned import InputMode
from tatc.follower.learned.checkpoint import NetworkModel
from tatc.follower.learned.light import network_inputs
from tatc.follower.learned.light.network import ActionScores, LanguageBatch, LightNetwork, StepBatch
from tatc.home.actions import Click, Verb
from tatc.home.observation import Observation, SegmentationFrame

MASK_SIDES_PIXELS = (150, 450)
"""The sides of the masks in pixels; the finer one is tried for objects too small for the other."""
REFUSED_RADIUS_SHARE = 0.06
"""How far around a refused click heat is removed: the standard deviation of a Gaussian, as
a share of the view's side."""
_MAX_BORDER_DISTANCE_PIXELS = 4  # farther from the border, no pixel is better than another
Floats = NDArray[np.float64]
LightModel = NetworkModel[LightNetwork]


class LightPolicy:
    """A network with the text it has read, and the views and actions since then."""

    def __init__(self, model: LightModel, input_mode: InputMode) -> None:
        """Use the network of a model, with the inputs that `input_mode` allows."""
        self._model, self._input_mode = model, input_mode
        self._uses_vision = input_mode in (InputMode.FULL, InputMode.VISION_ONLY)
        self._word_ids = network_inputs.word_ids(model.words)
        first = network_inputs.FIRST_NAMED_CLASS
        self._class_ids = {name: i for i, name in enumerate(model.classes, first)}
        self._language: LanguageBatch | None = None
        self._encoded_language: Tensor | None = None
        self._current_view: Tensor | None = None
        self._past_views: list[Tensor] = []
        self.past_verbs: list[Verb] = []

    def read_instruction(self, text: str) -> None:
        """Read a text, and forget the views and actions before it."""
        encoded = network_inputs.encode_text(text, self._word_ids)
        rows = (encoded.words, encoded.phrases, encoded.positions, encoded.repeat_counts)
        self._language = LanguageBatch(*(torch.tensor([row]) for row in rows))
        with torch.no_grad():
            self._encoded_language = self._model.network.encode_language(self._language)
        self._past_views, self.past_verbs = [], []

    def append_action(self, verb: Verb) -> None:
        """Remember the last scored view and the action that is taken on it."""
        assert self._current_view is not None
        self._past_views.append(self._current_view)
        self.past_verbs.append(verb)

    def drop_last_action(self) -> None:
        """Forget the last view and action, because the action failed."""
        self._past_views.pop()
        self.past_verbs.pop()

    def best_object_type(self, scores: ActionScores) -> str:
        """Return the object type with the highest score."""
        named = scores.classes[0, -1, network_inputs.FIRST_NAMED_CLASS :]
        return self._model.classes[int(named.argmax())]

    def types_in_view(self, observation: Observation) -> frozenset[str] | None:
        """Return the object types in view; None if the network does not see."""
        if not self._uses_vision or observation.segments is None:
            return None
        view = observation.segments(MASK_SIDES_PIXELS[0])
        return None if view is None else frozenset(view.types)

    def choose_click(
        self,
        object_type: str,
        scores: ActionScores,
        observation: Observation,
        refused_clicks: Sequence[Click],
    ) -> Click:
        """Return a click on an object of a type: on the hottest cell if none is in view."""
        cells = torch.softmax(scores.cells[0, -1].double(), dim=0)
        heat = cells.reshape(network_inputs.CLICK_GRID_SIDE, network_inputs.CLICK_GRID_SIDE).numpy()
        uses_masks = self._input_mode is not InputMode.LANGUAGE_ONLY
        segments = observation.segments if uses_masks else None
        for size in MASK_SIDES_PIXELS if segments is not None else ():
            view = None if segments is None else segments(size)
            if view is not None and object_type in view.types:
                click = click_on_type(view, object_type, heat, refused_clicks)
                return click or hottest_cell_click(heat)
        return hottest_cell_click(heat)

    @torch.no_grad()
    def score_actions(self, observation: Observation) -> ActionScores:
        """Return the scores after the current view; call `read_instruction` first.

        The batch is 1, and the last step is the one to be decided.
        """
        network = self._model.network
        assert self._language is not None and self._encoded_language is not None
        view = None
        if self._uses_vision and observation.segments is not None:
            view = observation.segments(network_inputs.SEGMENTATION_SIDE_PIXELS)
        seen = network_inputs.class_map(view, self._class_ids)
        encoded = network.encode_views(torch.tensor(seen.astype(int))[None])
        self._current_view = encoded.whole
        history = network_inputs.action_history(self.past_verbs)
        rows = (history.actions, history.runs, history.repeats)
        actions, runs, repeats = (torch.tensor([row]) for row in rows)
        steps = StepBatch(actions, runs, repeats, torch.empty(0))
        whole = torch.stack([*self._past_views, encoded.whole], dim=1)
        cells = encoded.cells[:, None].expand(-1, whole.shape[1], -1, -1)
        return network.score_steps(self._encoded_language, self._language, steps, whole, cells)


def click_on_type(
    segments: SegmentationFrame,
    object_type: str,
    heat: Floats,
    refused_clicks: Sequence[Click] = (),
) -> Click | None:
    """Return a click on an object of a type; None if none is in view.

    As in E.T., masks decide: the instance with most heat (the probability of a click in each cell,
    rows by columns) is clicked at its hottest pixel well inside, and away from refused clicks.
    """
    size = len(segments.pixels)
    warmth = _upsample_heat(heat, size) * _refused_click_weights(refused_clicks, size)
    best, score = -1, 0.0
    for number, name in enumerate(segments.types):
        if name == object_type:
            mine = float(warmth[segments.pixels == number].sum())
            if mine > score:
                best, score = number, mine
    if best < 0:
        return None
    inside = _distance_to_border(segments.pixels == best)
    row, column = np.unravel_index(np.argmax(warmth * inside), warmth.shape)
    return _cell_center_click(int(row), int(column), size)


def hottest_cell_click(heat: Floats) -> Click:
    """Return the centre of the hottest cell: a click without a mask."""
    row, column = np.unravel_index(np.argmax(heat), heat.shape)
    return _cell_center_click(int(row), int(column), len(heat))


def _refused_click_weights(refused_clicks: Sequence[Click], size: int) -> Floats:
    """Return the factor, 0 to 1, by which refused clicks reduce the heat of each pixel."""
    at = (np.arange(size) + 0.5) / size
    left = np.ones((size, size))
    for click in refused_clicks:
        away = (at - click.x)[None, :] ** 2 + (at - click.y)[:, None] ** 2
        left *= 1.0 - np.exp(-away / (2.0 * REFUSED_RADIUS_SHARE**2))
    return left + 1e-12


def _distance_to_border(mask: NDArray[np.bool_]) -> Floats:
    """Return each pixel's depth in a mask, `_MAX_BORDER_DISTANCE_PIXELS` at most; 0 outside."""
    left = np.pad(mask, 1)
    found = np.zeros(mask.shape)
    for _ in range(_MAX_BORDER_DISTANCE_PIXELS):
        found += left[1:-1, 1:-1]
        rows = left[:-2] & left[1:-1] & left[2:]
        kept = rows[:, :-2] & rows[:, 1:-1] & rows[:, 2:]
        left = np.pad(kept, 1)
    return found


def _upsample_heat(heat: Floats, size: int) -> Floats:
    """Return the heat of each pixel, interpolated linearly between the cells' centres."""
    at = (np.arange(size) + 0.5) * len(heat) / size - 0.5
    low = np.clip(np.floor(at).astype(int), 0, len(heat) - 2)
    share = np.clip(at - low, 0.0, 1.0)
    rows = heat[low] * (1 - share)[:, None] + heat[low + 1] * share[:, None]
    return rows[:, low] * (1 - share) + rows[:, low + 1] * share + 1e-9


def _cell_center_click(row: int, column: int, size: int) -> Click:
    return Click((column + 0.5) / size, (row + 0.5) / size)
