"""The light network: from language, class maps and past actions to the next action.

As in E.T., words attend only to words, and a step attends to all words and to the steps
up to its own; here it does so by cross-attention, which is cheaper.  A step is one token,
the sum of the view, the action before it, the length of the run so far, the phrase that
the current run carries out, the phrase after that, and how often the current phrase still
asks for its action.  That runs follow phrases is given to the network, not learned; what
a phrase asks for, and where to click, is learned.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from tatc.follower.learned.light import network_inputs

_CLASS_CODE_WIDTH = 16
_CELL_FEATURE_WIDTH = 48
_CELL_COUNT = network_inputs.CLICK_GRID_SIDE**2
_LAYER_OPTIONS: dict[str, Any] = {"dropout": 0.0, "batch_first": True, "norm_first": True}


@dataclass(frozen=True, slots=True)
class LightNetworkSizes:
    """The network's sizes; one that `recalls` reads histories, whose runs follow no phrases."""

    words: int
    classes: int
    width: int = 128
    heads: int = 4
    readers: int = 1
    layers: int = 2
    feed: int = 256
    recalls: bool = False


@dataclass(frozen=True, slots=True)
class LanguageBatch:
    """Encoded texts (see `EncodedText`), each tensor (batch, words), padded with 0."""

    words: Tensor
    phrases: Tensor
    positions: Tensor
    repeat_counts: Tensor


@dataclass(frozen=True, slots=True)
class StepBatch:
    """Action histories, (batch, steps) each, and class maps, (batch, steps, 32, 32)."""

    actions: Tensor
    runs: Tensor
    repeats: Tensor
    maps: Tensor


@dataclass(frozen=True, slots=True)
class EncodedViews:
    """Encoded views: (n, width) as a whole, and (n, 64, features) by cell."""

    whole: Tensor
    cells: Tensor


@dataclass(frozen=True, slots=True)
class ActionScores:
    """Logits of actions, classes and click cells, each (batch, steps, choices)."""

    actions: Tensor
    classes: Tensor
    cells: Tensor


class ViewEncoder(nn.Module):
    """Encodes class maps cell by cell.

    The codes of the classes are fixed: learning them took half of an epoch's time.
    """

    codes: Tensor

    def __init__(self, sizes: LightNetworkSizes) -> None:
        """Make the layers."""
        super().__init__()
        self._cell_side = network_inputs.CLASS_MAP_SIDE // network_inputs.CLICK_GRID_SIDE
        codes = torch.empty(sizes.classes, _CLASS_CODE_WIDTH)
        self.register_buffer("codes", nn.init.normal_(codes))
        self.part = nn.Sequential(
            nn.Linear(_CLASS_CODE_WIDTH * self._cell_side**2, _CELL_FEATURE_WIDTH),
            nn.ReLU(),
            nn.Linear(_CELL_FEATURE_WIDTH, _CELL_FEATURE_WIDTH),
            nn.ReLU(),
        )
        self.whole = nn.Linear(_CELL_FEATURE_WIDTH * _CELL_COUNT, sizes.width)

    def forward(self, maps: Tensor) -> EncodedViews:
        """Return the encoded views of class maps, (n, 32, 32)."""
        side, cell_side = network_inputs.CLICK_GRID_SIDE, self._cell_side
        cut = maps.reshape(-1, side, cell_side, side, cell_side).swapaxes(2, 3)
        cells: Tensor = self.part(self.codes[cut.flatten(3)].flatten(3))
        return EncodedViews(self.whole(cells.flatten(1)), cells.flatten(1, 2))


class LightNetwork(nn.Module):
    """Scores the next action, its object class and its click after each step."""

    format, sizes_class = "tatc-light-1", LightNetworkSizes

    def __init__(self, sizes: LightNetworkSizes, *vocabulary: Sequence[str]) -> None:
        """Make the layers; torch's generator draws the weights."""
        super().__init__()
        self.sizes = sizes
        width = sizes.width
        self.word = nn.Embedding(sizes.words, width, padding_idx=0)
        self.phrase = nn.Embedding(network_inputs.MAX_PHRASES, width)
        self.place = nn.Embedding(network_inputs.MAX_WORDS_PER_PHRASE, width)
        self.word_at = nn.Embedding(network_inputs.MAX_WORDS, width)
        self.action = nn.Embedding(network_inputs.START_INDEX + 1, width)
        self.repeat = nn.Embedding(network_inputs.MAX_WORDS_PER_PHRASE, width)
        self.left = nn.Embedding(2 * network_inputs.MAX_WORDS_PER_PHRASE, width)
        self.step_at = nn.Embedding(network_inputs.MAX_ACTIONS_PER_UTTERANCE, width)
        self.sight = ViewEncoder(sizes)
        shape, how = (width, sizes.heads, sizes.feed), _LAYER_OPTIONS
        words = nn.TransformerEncoderLayer(*shape, **how)
        norm = nn.LayerNorm(width)
        self.reader = nn.TransformerEncoder(words, sizes.readers, norm, enable_nested_tensor=False)
        steps = nn.TransformerDecoderLayer(*shape, **how)
        self.joint = nn.TransformerDecoder(steps, sizes.layers, nn.LayerNorm(width))
        self.present = nn.Linear(width, width)
        self.coming = nn.Linear(width, width)
        self.next_action = nn.Linear(width, len(network_inputs.NETWORK_VERBS))
        self.next_class = nn.Linear(width, sizes.classes)
        self.seek = nn.Linear(width, _CELL_FEATURE_WIDTH)
        self.habit = nn.Linear(width, _CELL_COUNT)
        for module in self.modules():
            if isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=0.1)

    def forward(self, language: LanguageBatch, steps: StepBatch) -> ActionScores:
        """Return the scores after each step, (batch, steps, choices)."""
        batch, length = steps.actions.shape
        views = self.encode_views(steps.maps.flatten(0, 1))
        whole = views.whole.reshape(batch, length, -1)
        cells = views.cells.reshape(batch, length, _CELL_COUNT, -1)
        return self.score_steps(self.encode_language(language), language, steps, whole, cells)

    def encode_views(self, maps: Tensor) -> EncodedViews:
        """Return the encoded views of class maps, (n, 32, 32)."""
        return self.sight(maps)

    def encode_language(self, language: LanguageBatch) -> Tensor:
        """Return the encoded words, (batch, words, width)."""
        at = torch.arange(language.words.shape[1], device=language.words.device)
        words = self.word(language.words) + self.phrase(language.phrases)
        words = words + self.place(language.positions) + self.word_at(at)
        return self.reader(words, src_key_padding_mask=language.words == 0)

    def score_steps(
        self,
        encoded_language: Tensor,
        language: LanguageBatch,
        steps: StepBatch,
        views: Tensor,
        view_cells: Tensor,
    ) -> ActionScores:
        """Return the scores after each step; class maps in `steps` are not used.

        `encoded_language` is (batch, words, width), `views` are whole, (batch, steps, width), and
        `view_cells` by cell, (batch, steps, 64, features).
        """
        length = steps.actions.shape[1]
        at = torch.arange(length, device=views.device)
        if self.sizes.recalls:
            steps = replace(steps, runs=torch.zeros_like(steps.runs))
        done = self.action(steps.actions) + self.phrase(steps.runs)
        done = done + self.repeat(steps.repeats) + self.step_at(at) + views
        phrases = _phrase_sums(encoded_language, language)
        done = done + self.coming(_select_phrases(phrases, steps.runs + 1))
        done = done + self.present(_select_phrases(phrases, steps.runs))
        left = _requested_repeats(language, steps) - steps.repeats
        done = done + self.left(left + network_inputs.MAX_WORDS_PER_PHRASE)
        later = torch.ones(length, length, dtype=torch.bool, device=views.device)
        state: Tensor = self.joint(
            done,
            encoded_language,
            tgt_mask=torch.triu(later, diagonal=1),
            memory_key_padding_mask=language.words == 0,
        )
        sought = torch.einsum("btf,btpf->btp", self.seek(state), view_cells)
        return ActionScores(
            self.next_action(state), self.next_class(state + views), sought + self.habit(state)
        )


def _phrase_sums(encoded_language: Tensor, language: LanguageBatch) -> Tensor:
    """Return sums of phrases' words, (batch, phrases, width); row i + 1 is phrase i, row 0 zero."""
    words = encoded_language * (language.words != 0).unsqueeze(-1) / 4.0
    batch, _, width = encoded_language.shape
    sums = encoded_language.new_zeros(batch, network_inputs.MAX_PHRASES + 2, width)
    index = (language.phrases + 1).unsqueeze(-1).expand_as(words)
    return sums.scatter_add(1, index, words)


def _requested_repeats(language: LanguageBatch, steps: StepBatch) -> Tensor:
    """Return how often the phrase of each step's run asks for its action, (batch, steps)."""
    asked = language.repeat_counts
    counts = asked.new_zeros(len(asked), network_inputs.MAX_PHRASES + 2)
    counts = counts.scatter_reduce(1, language.phrases + 1, asked, "amax")
    return counts.gather(1, steps.runs)


def _select_phrases(phrases: Tensor, indices: Tensor) -> Tensor:
    index = indices.unsqueeze(-1).expand(-1, -1, phrases.shape[-1])
    return phrases.gather(1, index)
