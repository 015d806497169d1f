"""The light network: language, class maps and past actions to the next action.

As in E.T., language sees language only, and a step sees all language and the steps up
to its own; here it does so by cross-attention, which is cheaper.  A step is one token:
what is seen, the action before it, how often that has been done in a row, and two
phrases of the utterance: the one that the present run of actions should be of, and the
one after it, and how often the former still asks for its action.  That runs follow
phrases is told, not learned; what a phrase asks for, and where to click, is learned.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from tatc.follower.et.light.history import MOST_ACTIONS, START, VERBS
from tatc.follower.et.light.sight import SIDE
from tatc.follower.et.light.words import MOST_IN_PHRASE, MOST_PHRASES, MOST_WORDS

GRID = 8
"""Cells along each side of the view that a click is predicted in."""
_CODE = 16
_FEATURES = 48


@dataclass(frozen=True, slots=True)
class Sizes:
    """What a network depends on: numbers of words and classes, widths, and its words.

    One that `recalls` reads a session (see `recall`), not an utterance: then the newest
    phrases count throughout, and runs of actions follow none.
    """

    words: int
    classes: int
    width: int = 128
    heads: int = 4
    readers: int = 1
    layers: int = 2
    feed: int = 256
    recalls: bool = False


@dataclass(frozen=True, slots=True)
class Language:
    """Utterances as numbers, each of shape (batch, words); 0 where one has ended.

    See `words.Read`.
    """

    words: Tensor
    phrases: Tensor
    places: Tensor
    counts: Tensor


@dataclass(frozen=True, slots=True)
class Steps:
    """Past actions as numbers (batch, steps), and class maps (batch, steps, 32, 32)."""

    actions: Tensor
    runs: Tensor
    repeats: Tensor
    maps: Tensor


@dataclass(frozen=True, slots=True)
class Seen:
    """Views as numbers: (n, width) as a whole, and (n, 64, features) in parts."""

    whole: Tensor
    parts: Tensor


@dataclass(frozen=True, slots=True)
class Scores:
    """Logits for each step: of actions, of classes, and of the cells of the view."""

    actions: Tensor
    classes: Tensor
    cells: Tensor


class Sight(nn.Module):
    """Class maps as numbers: cut into GRID by GRID parts, each read by the same layers.

    Classes have codes that are drawn at random and stay: learning them took half of
    the time of an epoch.
    """

    codes: Tensor

    def __init__(self, sizes: Sizes) -> None:
        """Make the layers."""
        super().__init__()
        self._cells = SIDE // GRID
        self.register_buffer("codes", torch.randn(sizes.classes, _CODE))
        self.part = nn.Sequential(
            nn.Linear(_CODE * self._cells**2, _FEATURES),
            nn.ReLU(),
            nn.Linear(_FEATURES, _FEATURES),
            nn.ReLU(),
        )
        self.whole = nn.Linear(_FEATURES * GRID * GRID, sizes.width)

    def forward(self, maps: Tensor) -> Seen:
        """Return what maps of shape (n, 32, 32) show."""
        cut = maps.reshape(-1, GRID, self._cells, GRID, self._cells).swapaxes(2, 3)
        parts: Tensor = self.part(self.codes[cut.flatten(3)].flatten(3))
        return Seen(self.whole(parts.flatten(1)), parts.flatten(1, 2))


class LightNetwork(nn.Module):
    """Scores of the next action after each step of a batch of utterances."""

    def __init__(self, sizes: Sizes) -> None:
        """Make the layers; the weights are drawn from torch's generator."""
        super().__init__()
        self.sizes = sizes
        width = sizes.width
        self.word = nn.Embedding(sizes.words, width, padding_idx=0)
        self.phrase = nn.Embedding(MOST_PHRASES, width)
        self.place = nn.Embedding(MOST_IN_PHRASE, width)
        self.word_at = nn.Embedding(MOST_WORDS, width)
        self.action = nn.Embedding(START + 1, width)
        self.repeat = nn.Embedding(MOST_IN_PHRASE, width)
        self.left = nn.Embedding(2 * MOST_IN_PHRASE, width)
        self.step_at = nn.Embedding(MOST_ACTIONS, width)
        self.sight = Sight(sizes)
        self.reader = _reader(sizes)
        self.joint = _joint(sizes)
        self.present = nn.Linear(width, width)
        self.coming = nn.Linear(width, width)
        self.next_action = nn.Linear(width, len(VERBS))
        self.next_class = nn.Linear(width, sizes.classes)
        self.seek = nn.Linear(width, _FEATURES)
        self.habit = nn.Linear(width, GRID * GRID)
        for module in self.modules():
            if isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=0.1)

    def forward(self, language: Language, steps: Steps) -> Scores:
        """Return the scores for each step, shapes (batch, steps, choices)."""
        batch, length = steps.actions.shape
        seen = self.look(steps.maps.flatten(0, 1))
        whole = seen.whole.reshape(batch, length, -1)
        parts = seen.parts.reshape(batch, length, GRID * GRID, -1)
        return self.decide(self.read(language), language, steps, whole, parts)

    def look(self, maps: Tensor) -> Seen:
        """Return views as numbers."""
        return self.sight(maps)

    def read(self, language: Language) -> Tensor:
        """Return utterances as numbers, (batch, words, width)."""
        at = torch.arange(language.words.shape[1], device=language.words.device)
        words = self.word(language.words) + self.phrase(language.phrases)
        words = words + self.place(language.places) + self.word_at(at)
        return self.reader(words, src_key_padding_mask=language.words == 0)

    def decide(
        self,
        read: Tensor,
        language: Language,
        steps: Steps,
        whole: Tensor,
        parts: Tensor,
    ) -> Scores:
        """Return the scores for each step of utterances and views as numbers."""
        length = steps.actions.shape[1]
        at = torch.arange(length, device=whole.device)
        if self.sizes.recalls:
            steps = replace(steps, runs=torch.zeros_like(steps.runs))
        done = self.action(steps.actions) + self.phrase(steps.runs)
        done = done + self.repeat(steps.repeats) + self.step_at(at) + whole
        phrases = _phrases(read, language)
        done = done + self.coming(_picked(phrases, steps.runs + 1))
        done = done + self.present(_picked(phrases, steps.runs))
        done = done + self.left(
            _asked(language, steps) - steps.repeats + MOST_IN_PHRASE
        )
        later = torch.ones(length, length, dtype=torch.bool, device=whole.device)
        state: Tensor = self.joint(
            done,
            read,
            tgt_mask=torch.triu(later, diagonal=1),
            memory_key_padding_mask=language.words == 0,
        )
        sought = torch.einsum("btf,btpf->btp", self.seek(state), parts)
        return Scores(
            self.next_action(state),
            self.next_class(state + whole),
            sought + self.habit(state),
        )


def _phrases(read: Tensor, language: Language) -> Tensor:
    """Return the sum of each phrase's words, after a row of zeros for no phrase."""
    words = read * (language.words != 0).unsqueeze(-1) / 4.0
    found = read.new_zeros(len(read), MOST_PHRASES + 2, read.shape[-1])
    index = (language.phrases + 1).unsqueeze(-1).expand_as(words)
    return found.scatter_add(1, index, words)


def _asked(language: Language, steps: Steps) -> Tensor:
    """Return how often the phrase of each step's run asks for its action."""
    counts = language.counts.new_zeros(len(language.counts), MOST_PHRASES + 2)
    index = language.phrases + 1
    counts = counts.scatter_reduce(1, index, language.counts, "amax")
    return counts.gather(1, steps.runs)


def _picked(phrases: Tensor, numbers: Tensor) -> Tensor:
    index = numbers.unsqueeze(-1).expand(-1, -1, phrases.shape[-1])
    return phrases.gather(1, index)


def _reader(sizes: Sizes) -> nn.TransformerEncoder:
    layer = nn.TransformerEncoderLayer(
        sizes.width,
        sizes.heads,
        sizes.feed,
        dropout=0.0,
        batch_first=True,
        norm_first=True,
    )
    norm = nn.LayerNorm(sizes.width)
    return nn.TransformerEncoder(layer, sizes.readers, norm, enable_nested_tensor=False)


def _joint(sizes: Sizes) -> nn.TransformerDecoder:
    layer = nn.TransformerDecoderLayer(
        sizes.width,
        sizes.heads,
        sizes.feed,
        dropout=0.0,
        batch_first=True,
        norm_first=True,
    )
    return nn.TransformerDecoder(layer, sizes.layers, nn.LayerNorm(sizes.width))
