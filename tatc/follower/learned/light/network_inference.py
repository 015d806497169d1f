"""Runs a light network in a session, one step at a time."""

from collections.abc import Sequence

import torch
from torch import Tensor

from tatc.follower.learned.input_modes import InputMode
from tatc.follower.learned.light import mask_to_click
from tatc.follower.learned.light.action_history import action_history
from tatc.follower.learned.light.checkpoint import LightModel
from tatc.follower.learned.light.class_map import (
    CLICK_GRID_SIDE,
    FIRST_NAMED_CLASS,
    SEGMENTATION_SIDE_PIXELS,
    blank_class_map,
    class_map,
)
from tatc.follower.learned.light.network import ActionScores, LanguageBatch, StepBatch
from tatc.follower.learned.light.word_encoding import encode_text, word_ids
from tatc.home.actions import Click, Verb
from tatc.home.observation import Observation


class LightPolicy:
    """A network with the text it has read, and the views and actions since then."""

    def __init__(self, model: LightModel, input_mode: InputMode) -> None:
        """Use the network of a model, with the inputs that `input_mode` allows."""
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
        """Read a text, and forget the views and actions before it."""
        encoded = encode_text(text, self._word_ids)
        rows = (encoded.words, encoded.phrases, encoded.positions, encoded.repeat_counts)
        self._language = LanguageBatch(*(torch.tensor([row]) for row in rows))
        with torch.no_grad():
            self._encoded_language = self._model.network.encode_language(self._language)
        self._past_views, self.past_verbs = [], []

    def score_actions(self, observation: Observation) -> ActionScores:
        """Return the scores after the current view; call `read_instruction` first.

        The batch is 1, and the last step is the one to be decided.
        """
        with torch.no_grad():
            return self._score_actions(observation)

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
        return self._model.classes[int(scores.classes[0, -1, FIRST_NAMED_CLASS:].argmax())]

    def types_in_view(self, observation: Observation) -> frozenset[str] | None:
        """Return the object types in view; None if the network does not see."""
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
        """Return a click on an object of a type: on the hottest cell if none is in view."""
        cells = torch.softmax(scores.cells[0, -1].double(), dim=0)
        heat = cells.reshape(CLICK_GRID_SIDE, CLICK_GRID_SIDE).numpy()
        uses_masks = self._input_mode is not InputMode.LANGUAGE_ONLY
        segments = observation.segments if uses_masks else None
        for size in mask_to_click.MASK_SIDES_PIXELS if segments is not None else ():
            view = None if segments is None else segments(size)
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
        seen = blank_class_map() if view is None else class_map(view, self._class_ids)
        encoded = network.encode_views(torch.tensor(seen.astype(int))[None])
        self._current_view = encoded.whole
        history = action_history(self.past_verbs)
        rows = (history.actions, history.runs, history.repeats)
        actions, runs, repeats = (torch.tensor([row]) for row in rows)
        steps = StepBatch(actions, runs, repeats, torch.empty(0))
        whole = torch.stack([*self._past_views, encoded.whole], dim=1)
        cells = encoded.cells[:, None].expand(-1, whole.shape[1], -1, -1)
        return network.score_steps(self._encoded_language, self._language, steps, whole, cells)
