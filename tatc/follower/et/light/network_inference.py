"""A light network in use: it has heard a text, looks, and weighs what to do next."""

from collections.abc import Sequence

import torch
from torch import Tensor

from tatc.actions import Click, Observation, Verb
from tatc.follower.et.input_modes import InputMode
from tatc.follower.et.light import mask_to_click
from tatc.follower.et.light.action_history import action_history
from tatc.follower.et.light.checkpoint import LightModel
from tatc.follower.et.light.class_map import (
    CLICK_GRID_SIDE,
    FIRST_NAMED_CLASS,
    SEGMENTATION_SIDE_PIXELS,
    blank_class_map,
    class_map,
)
from tatc.follower.et.light.network import ActionScores, LanguageBatch, StepBatch
from tatc.follower.et.light.word_encoding import encode_text, word_ids


class LightPolicy:
    """A network, what it has heard, and what it has seen and done since."""

    def __init__(self, model: LightModel, input_mode: InputMode) -> None:
        """Take a network, and what it may see."""
        self._model, self._input_mode = model, input_mode
        self._uses_vision = input_mode in (InputMode.FULL, InputMode.VISION_ONLY)
        self._word_ids = word_ids(model.words)
        self._class_ids = {name: i for i, name in enumerate(model.classes, FIRST_NAMED_CLASS)}
        self._language: LanguageBatch | None = None
        self._encoded_language: Tensor | None = None
        self._current_view: Tensor | None = None
        self._past_views: list[Tensor] = []
        self.past_verbs: list[Verb] = []

    def read_instruction(self, text: str) -> None:
        """Read a text, and forget what was seen and done before."""
        found = encode_text(text, self._word_ids)
        rows = (found.words, found.phrases, found.positions, found.repeat_counts)
        self._language = LanguageBatch(*(torch.tensor([row]) for row in rows))
        with torch.no_grad():
            self._encoded_language = self._model.network.encode_language(self._language)
        self._past_views, self.past_verbs = [], []

    def score_actions(self, observation: Observation) -> ActionScores:
        """Return what the network makes of the view; a text was read before."""
        with torch.no_grad():
            return self._score_actions(observation)

    def append_action(self, verb: Verb) -> None:
        """Remember the last view, and what is done upon it."""
        assert self._current_view is not None
        self._past_views.append(self._current_view)
        self.past_verbs.append(verb)

    def drop_last_action(self) -> None:
        """Forget the last view and what was done upon it: it did not work."""
        self._past_views.pop()
        self.past_verbs.pop()

    def best_object_type(self, scores: ActionScores) -> str:
        """Return the likeliest type."""
        return self._model.classes[int(scores.classes[0, -1, FIRST_NAMED_CLASS:].argmax())]

    def types_in_view(self, observation: Observation) -> frozenset[str] | None:
        """Return the types in view; None where it does not look."""
        if not self._uses_vision or observation.segments is None:
            return None
        view = observation.segments(mask_to_click.MASK_SIDES_PIXELS[0])
        return None if view is None else frozenset(view.types)

    def choose_click(
        self,
        object_type: str,
        scores: ActionScores,
        observation: Observation,
        refused_clicks: Sequence[Click],
    ) -> Click:
        """Return where to click on a type: a guess where none is in view."""
        cells = torch.softmax(scores.cells[0, -1].double(), dim=0)
        heat = cells.reshape(CLICK_GRID_SIDE, CLICK_GRID_SIDE).numpy()
        sees = self._input_mode is not InputMode.LANGUAGE_ONLY
        for size in (
            mask_to_click.MASK_SIDES_PIXELS if sees and observation.segments is not None else ()
        ):
            view = None if observation.segments is None else observation.segments(size)
            if view is not None and object_type in view.types:
                click = mask_to_click.click_on_type(view, object_type, heat, refused_clicks)
                return click or mask_to_click.hottest_cell_click(heat)
        return mask_to_click.hottest_cell_click(heat)

    def _score_actions(self, observation: Observation) -> ActionScores:
        network = self._model.network
        assert self._language is not None and self._encoded_language is not None
        view = None
        if self._uses_vision and observation.segments is not None:
            view = observation.segments(SEGMENTATION_SIDE_PIXELS)
        found = blank_class_map() if view is None else class_map(view, self._class_ids)
        looked = network.encode_views(torch.tensor(found.astype(int))[None])
        self._current_view = looked.whole
        before = action_history(self.past_verbs)
        rows = (before.actions, before.runs, before.repeats)
        actions, runs, repeats = (torch.tensor([row]) for row in rows)
        steps = StepBatch(actions, runs, repeats, torch.empty(0))
        whole = torch.stack([*self._past_views, looked.whole], dim=1)
        parts = looked.cells[:, None].expand(-1, whole.shape[1], -1, -1)
        return network.score_steps(self._encoded_language, self._language, steps, whole, parts)
