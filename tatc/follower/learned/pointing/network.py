"""The pointing network: which instance, then which verb, then where within its mask.

One query, made of what is held, done and asked for, attends to the words and then to instances and
past interactions, twice.  It points at an instance, at "not seen yet" or at "nothing".  The verb is
chosen for what it points at, with the map of the floor into which that is drawn, and the path
lengths to it over that map.  The click's cell is chosen within its mask.

That runs of actions follow the text's phrases, and path lengths, are given and not learned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import embedding

from tatc.follower.learned.pointing import decision, floor_map, instance_memory, network_inputs
from tatc.language.object_names import words_for_type

NOT_SEEN, NOTHING, FIRST_INSTANCE = 0, 1, 2
"""What the pointer chooses: an instance that is not seen yet, none, or the first instance."""
VERB_COUNT = len(network_inputs.NETWORK_VERBS)
CELL_COUNT = instance_memory.CROP_SIDE**2
LEAST_MASK_SHARE = 0.2  # a cell of which less is mask cannot be clicked
_PATCH = 4  # cells around the body that the verb sees one by one
_CHANNELS = 6
RULED_OUT = -1e4  # the logit of what cannot be chosen
_NEAR_SIDE = 2 * _PATCH + 1


@dataclass(frozen=True, slots=True)
class PointingSizes:
    """The network's sizes."""

    words: int
    classes: int
    width: int = 64
    heads: int = 4
    blocks: int = 2


@dataclass(frozen=True, slots=True)
class PointingBatch:
    """Texts (texts, words), see `EncodedText`, and decisions, each with the number of its text.

    `features` and `types` are padded to (decisions, instances) with type 0; `windows` stay numpy's,
    because floods run over them.
    """

    words: Tensor
    phrases: Tensor
    positions: Tensor
    repeat_counts: Tensor
    text_of: Tensor
    features: Tensor
    types: Tensor
    windows: NDArray[np.uint8]
    numbers: Tensor


def make_batch(
    texts: Sequence[network_inputs.EncodedText],
    text_of: Sequence[int],
    decisions: Sequence[decision.Decision],
) -> PointingBatch:
    """Return encoded texts and decisions as a batch."""
    length, most = max(len(each.words) for each in texts), max(len(d.types) for d in decisions)
    words = np.zeros((4, len(texts), length), np.int64)
    for i, each in enumerate(texts):
        rows = each.words, each.phrases, each.positions, each.repeat_counts
        words[:, i, : len(each.words)] = rows
    features = np.zeros((len(decisions), max(1, most), instance_memory.FEATURE_COUNT), np.float32)
    types = np.zeros((len(decisions), max(1, most)), np.int64)
    for row, each in enumerate(decisions):
        features[row, : len(each.types)] = each.features
        types[row, : len(each.types)] = each.types
    numbers = np.stack([each.numbers for each in decisions]).astype(np.int64)
    ids, phrases, positions, repeats = (torch.as_tensor(each) for each in words)
    return PointingBatch(
        ids,
        phrases,
        positions,
        repeats,
        torch.tensor(text_of),
        torch.as_tensor(features),
        torch.as_tensor(types),
        np.stack([each.window for each in decisions]),
        torch.as_tensor(numbers),
    )


@dataclass(frozen=True, slots=True)
class Pointing:
    """The pointer's logits (decisions, 2 + instances), and what the next choices are made of."""

    logits: Tensor
    state: Tensor
    keys: Tensor


class _Attention(nn.Module):
    """One query attends to tokens, and is changed by what it finds."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.query, self.key_value = nn.Linear(width, width), nn.Linear(width, 2 * width)
        self.out = nn.Linear(width, width)

    def forward(self, state: Tensor, key_value: Tensor, mask: Tensor) -> Tensor:
        count, length, double = key_value.shape
        size = double // 2 // self.heads
        query = self.query(self.norm(state)).view(count, self.heads, 1, size)
        key, value = key_value.view(count, length, 2, self.heads, size).permute(2, 0, 3, 1, 4)
        scores = (query * key).sum(-1) / sqrt(size)
        weights = scores.masked_fill(~mask[:, None, :], RULED_OUT).softmax(-1)
        return state + self.out((weights[..., None] * value).sum(2).flatten(1))


class PointingNetwork(nn.Module):
    """Chooses an instance, a verb and a cell."""

    format = "tatc-pointing-1"

    def __init__(self, sizes: PointingSizes, words: Sequence[str], types: Sequence[str]) -> None:
        """Make the layers; torch's generator draws the weights."""
        super().__init__()
        self.sizes = sizes
        width = sizes.width
        # Not of the context's device: a checkpoint's network is made without memory.
        self._type_words = torch.tensor(_word_shares(words, types), device="cpu")
        table: dict[str, int] = {
            "word": sizes.words, "phrase": network_inputs.MAX_PHRASES + 2,
            "place": network_inputs.MAX_WORDS_PER_PHRASE, "word_at": network_inputs.MAX_WORDS,
            "kind": sizes.classes, "run": network_inputs.MAX_PHRASES, "last": VERB_COUNT + 1,
            "repeat": network_inputs.MAX_WORDS_PER_PHRASE,
            "left": 2 * network_inputs.MAX_WORDS_PER_PHRASE, "pitch": decision.PITCHES, "failed": 2,
            "count": decision.MAX_ACTIONS + 1, "told": 4, "past_verb": VERB_COUNT + 1,
            "past_outcome": 4, "past_at": decision.PAST, "click_verb": VERB_COUNT,
        }  # fmt: skip
        self.tables = nn.ModuleDict({name: nn.Embedding(n, width) for name, n in table.items()})
        self.recent = nn.Embedding(VERB_COUNT + 1, 16)
        self.recent_all = nn.Linear(16 * decision.RECENT, width)
        self.held, self.present, self.coming = (nn.Linear(width, width) for _ in range(3))
        self.looked = nn.Linear(4, width)
        self.reader = nn.TransformerEncoderLayer(
            width, sizes.heads, 2 * width, dropout=0.0, batch_first=True, norm_first=True
        )
        self.word_norm, self.token_norm, self.state_norm = (nn.LayerNorm(width) for _ in range(3))
        self.describe = _two_layers(instance_memory.FEATURE_COUNT, width, width)
        self.no_instance = nn.Parameter(torch.zeros(2, width))
        blocks = range(sizes.blocks)
        self.to_words = nn.ModuleList(_Attention(width, sizes.heads) for _ in blocks)
        self.to_things = nn.ModuleList(_Attention(width, sizes.heads) for _ in blocks)
        self.feed = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), *_two_layers(width, 2 * width, width))
            for _ in blocks
        )
        self.pointer, self.pointed = nn.Linear(width, width), nn.Linear(width, width)
        self.target = nn.Linear(width, width)
        self.target_features = _two_layers(instance_memory.FEATURE_COUNT, width, width)
        self.map = nn.Sequential(
            nn.Conv2d(_CHANNELS, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 24, 3, 2, 1), nn.ReLU(),
            nn.Flatten(1), nn.Linear(24 * 81, width),
        )  # fmt: skip
        self.near = nn.Linear(_CHANNELS * _NEAR_SIDE**2, 2 * width)
        self.near_out, self.length = nn.Linear(2 * width, width), _two_layers(1, width, width)
        self.verb = nn.Sequential(
            nn.LayerNorm(width), *_two_layers(width, 2 * width, 2 * width), nn.ReLU(),
            nn.Linear(2 * width, VERB_COUNT),
        )  # fmt: skip
        self.crop = nn.Sequential(nn.Linear(3 * CELL_COUNT, 2 * width), nn.ReLU())
        self.click_state = nn.Linear(2 * width, 2 * width)
        self.click = nn.Sequential(nn.ReLU(), *_two_layers(2 * width, 2 * width, CELL_COUNT))
        for module in self.modules():
            if isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=0.1)

    def point(self, batch: PointingBatch) -> Pointing:
        """Return what the pointer chooses among: not seen, nothing, and the instances."""
        numbers, count = _groups(batch.numbers), len(batch.numbers)
        words, sums, asked = self._read(batch)
        run = numbers["run"]
        left = asked[batch.text_of, run] - numbers["repeat"]
        look, types = self._look_up, self._type_vectors()
        state = look("left", (left + network_inputs.MAX_WORDS_PER_PHRASE).clamp(min=0))
        for name in ("last", "run", "repeat", "pitch", "failed", "count", "told"):
            state = state + look(name, numbers[name])
        state = state + self.present(sums[batch.text_of, run])
        state = state + self.coming(sums[batch.text_of, run + 1])
        state = state + self.held(embedding(numbers["held"], types))
        state = state + self.recent_all(self.recent(numbers["recent"]).flatten(1))
        state = state + self.looked(numbers["looked"].float())
        things = self.token_norm(self.describe(batch.features) + embedding(batch.types, types))
        past = look("past_verb", numbers["past_verbs"]) + embedding(numbers["past_types"], types)
        past = past + look("past_outcome", numbers["past_outcomes"])
        past = self.token_norm(past + look("past_at", torch.arange(decision.PAST)))
        tokens = torch.cat([self.no_instance.expand(count, 2, -1), things, past], 1)
        there = torch.cat([torch.ones(count, 2, dtype=torch.bool), batch.types > 0], 1)
        mask = torch.cat([there, numbers["past_verbs"] != network_inputs.START_INDEX], 1)
        is_word = (batch.words != 0)[batch.text_of]
        blocks: Any = zip(self.to_words, self.to_things, self.feed, strict=True)
        for to_words, to_things, feed in blocks:
            read = to_words.key_value(words).index_select(0, batch.text_of)
            state = to_words(state, read, is_word)
            state = to_things(state, to_things.key_value(tokens), mask)
            state = state + feed(state)
        state, keys = self.state_norm(state), tokens[:, : there.shape[1]]
        logits = (self.pointer(state)[:, None] * self.pointed(keys)).sum(-1)
        logits = (logits / sqrt(self.sizes.width)).masked_fill(~there, RULED_OUT)
        return Pointing(logits, state, keys)

    def act(
        self, batch: PointingBatch, found: Pointing, chosen: Tensor, *, paths: bool = True
    ) -> tuple[Tensor, Tensor]:
        """Return the verbs' logits for what is chosen, and the state for `click_logits`."""
        row = torch.arange(len(chosen))
        none = batch.features.new_zeros(len(chosen), 2, instance_memory.FEATURE_COUNT)
        features = torch.cat([none, batch.features], 1)[row, chosen]
        drawn, lengths = map_channels(batch.windows, features.numpy(), chosen.numpy(), paths=paths)
        channels = torch.as_tensor(drawn)
        around = slice(floor_map.MIDDLE - _PATCH, floor_map.MIDDLE + _PATCH + 1)
        near = channels[:, :, around, around]
        state = found.state + self.target(found.keys[row, chosen]) + self.target_features(features)
        state = state + self.map(channels) + self.near_out(torch.relu(self.near(near.flatten(1))))
        state = state + self.length(torch.as_tensor(lengths))
        return self.verb(state), state

    def click_logits(self, state: Tensor, verbs: Tensor, crops: Tensor) -> Tensor:
        """Return the cells' logits (decisions, cells); `crops` are `InstanceMemory.crop`s."""
        told = torch.cat([state, self._look_up("click_verb", verbs)], 1)
        logits = self.click(self.crop(crops.flatten(1)) + self.click_state(told))
        return logits.masked_fill(crops[:, 0].flatten(1) < LEAST_MASK_SHARE, RULED_OUT)

    def _read(self, batch: PointingBatch) -> tuple[Tensor, Tensor, Tensor]:
        """Return encoded words, sums of phrases (row i + 1 is phrase i), and repeats asked for."""
        look = self._look_up
        at = torch.arange(batch.words.shape[1])
        words = look("word", batch.words) + look("phrase", batch.phrases)
        words = words + look("place", batch.positions) + look("word_at", at)
        is_word = batch.words != 0
        words = self.word_norm(self.reader(words, src_key_padding_mask=~is_word))
        shown, row = words * is_word.unsqueeze(-1) / 4, batch.phrases + 1
        most = network_inputs.MAX_PHRASES + 2
        sums = words.new_zeros(len(words), most, words.shape[-1])
        sums = sums.scatter_add(1, row.unsqueeze(-1).expand_as(words), shown)
        asked = batch.repeat_counts.new_zeros(len(words), most)
        return words, sums, asked.scatter_reduce(1, row, batch.repeat_counts, "amax")

    def _look_up(self, table: str, ids: Tensor) -> Tensor:
        return self.tables[table](ids)

    def _type_vectors(self) -> Tensor:
        """Return the vector of each type: its own, plus the mean of its words' vectors."""
        word: Tensor = self.tables["word"].weight  # pyright: ignore[reportAssignmentType]
        own: Tensor = self.tables["kind"].weight  # pyright: ignore[reportAssignmentType]
        return own + self._type_words @ word


def map_channels(
    windows: NDArray[np.uint8], features: NDArray[np.float32], chosen: NDArray[np.int64],
    *, paths: bool = True,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:  # fmt: skip
    """Return the map as channels, and the path length from the body to what is chosen / 8.

    The channels are its four bits, what is chosen, and how much nearer to it each cell is than the
    body's own.  What is not seen may be where the map ends.
    """
    channels = np.zeros((len(windows), _CHANNELS, *windows.shape[1:]), np.float32)
    for bit in range(4):
        channels[:, bit] = (windows >> bit) & 1
    costs = floor_map.step_costs(windows)
    gaps = floor_map.gaps_to_boxes(decision.boxes_of(features))
    is_thing = (chosen >= FIRST_INSTANCE)[:, None, None]
    channels[:, 4] = (gaps <= 0.13) & is_thing
    own = np.zeros((len(windows), 1, 1), np.float32)
    if paths:
        beside = floor_map.cells_beside(gaps, floor_map.reachable_cells(costs))
        goals = np.where(is_thing, beside, floor_map.frontier(windows))
        goals &= (chosen != NOTHING)[:, None, None]
        ends = np.where(goals, 0, floor_map.FAR)
        lengths = floor_map.path_lengths(costs, ends).astype(np.float32)
        own = lengths[:, floor_map.MIDDLE, floor_map.MIDDLE][:, None, None]
        channels[:, 5] = np.clip(lengths - own, -6, 6) / 2 * (own < floor_map.FAR)
    return channels, (np.minimum(own[:, 0], 40) / 8).astype(np.float32)


def _two_layers(first: int, hidden: int, last: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(first, hidden), nn.ReLU(), nn.Linear(hidden, last))


def _groups(numbers: Tensor) -> dict[str, Tensor]:
    """Return the groups of `Decision.numbers` by name; single ids as (decisions,)."""
    found = {name: numbers[:, part] for name, part in decision.NUMBERS.items()}
    return {name: ids[:, 0] if ids.shape[1] == 1 else ids for name, ids in found.items()}


def _word_shares(words: Sequence[str], types: Sequence[str]) -> NDArray[np.float32]:
    """Return the share of each word in the name of each type, (types, words), by their ids."""
    ids = network_inputs.word_ids(words)
    size = len(types) + decision.FIRST_TYPE, len(words) + network_inputs.FIRST_WORD_ID
    shares = np.zeros(size, np.float32)
    for row, name in enumerate(types, decision.FIRST_TYPE):
        said = words_for_type(name).lower().split()
        for word in said:
            if word in ids:
                shares[row, ids[word]] += 1 / len(said)
    return shares
