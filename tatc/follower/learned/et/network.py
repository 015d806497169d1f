"""E.T.'s network (spec 7.4), with the names and shapes of the published checkpoints.

One encoder with a causal mask reads language, frames and past actions.  Its output at
each frame, multiplied with the action embedding, scores the next action; with a skip
connection from the frame added, it also scores the object class.
"""

from collections import OrderedDict
from dataclasses import dataclass
from math import log, sqrt

import torch
from torch import Tensor, nn

from tatc.follower.learned.et.vocabulary import ET_OBJECT_CLASSES, PADDING_ID

FEATURE_SHAPE = (512, 7, 7)  # the shape of a frame's features: channels, rows, columns


@dataclass(frozen=True, slots=True)
class ETSettings:
    """The network's sizes; the defaults are the official ones."""

    word_count: int
    action_count: int
    data_set: str = "edh"
    width: int = 768
    heads: int = 12
    feed_forward_width: int = 768
    layers: int = 2
    dropout: float = 0.1
    frame_dropout: float = 0.3
    max_words: int = 2000
    max_positions: int = 1250
    class_count: int = len(ET_OBJECT_CLASSES)


@dataclass(frozen=True, slots=True)
class Logits:
    """Logits for each frame: (batch, frames, actions) and (batch, frames, classes)."""

    actions: Tensor
    classes: Tensor


class PositionalEncoding(nn.Module):
    """Sinusoidal encodings of positions, a table of shape (1, positions, width)."""

    pe: Tensor

    def __init__(self, width: int, positions: int) -> None:
        """Fill the table."""
        super().__init__()
        rates = torch.exp(torch.arange(0, width, 2) * (-log(10000.0) / width))
        angles = torch.arange(positions)[:, None] * rates
        table = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        self.register_buffer("pe", table[None])
        self._scale = sqrt(width)

    def encode(self, positions: Tensor) -> Tensor:
        """Return the encodings of these positions, divided by sqrt(width)."""
        table: Tensor = self.pe[0, positions]
        return table / self._scale


class FeatureFlat(nn.Module):
    """Turns a frame's features, 512 x 7 x 7, into one vector."""

    def __init__(self, width: int) -> None:
        """Make the layers; their order is part of the weights' names."""
        super().__init__()
        channels, height, breadth = FEATURE_SHAPE
        self.layers = nn.Sequential(
            nn.Conv2d(channels, 256, 1),
            nn.BatchNorm2d(256),
            nn.ReLU(),
            nn.Conv2d(256, 64, 1),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(64 * height * breadth, width),
        )

    def forward(self, frames: Tensor) -> Tensor:
        """Return (batch, frames, width) for (batch, frames, 512, 7, 7)."""
        flat: Tensor = self.layers(frames.flatten(0, 1))
        return flat.reshape(*frames.shape[:2], -1)


class EncoderLang(nn.Module):
    """The language encoder: every word attends to all words that are not padding."""

    def __init__(self, settings: ETSettings) -> None:
        """Make the layers."""
        super().__init__()
        self.enc_transformers = nn.ModuleDict({settings.data_set: _transformer_encoder(settings)})
        self.enc_layernorm = nn.LayerNorm(settings.width)
        self.enc_pos = PositionalEncoding(settings.width, settings.max_words)
        self._data_set = settings.data_set

    def forward(self, embedded: Tensor, padding: Tensor) -> Tensor:
        """Return the encoded words, (batch, words, width); `padding` is (batch, words)."""
        positions = torch.arange(embedded.shape[1], device=embedded.device)
        placed = self.enc_layernorm(embedded + self.enc_pos.encode(positions))
        return self.enc_transformers[self._data_set](placed, src_key_padding_mask=padding)


class EncoderVL(nn.Module):
    """The joint encoder of language, frames and actions."""

    def __init__(self, settings: ETSettings) -> None:
        """Make the layers."""
        super().__init__()
        self.enc_transformer = _transformer_encoder(settings)
        self.enc_layernorm = nn.LayerNorm(settings.width)
        self.enc_pos = PositionalEncoding(settings.width, settings.max_positions)
        self._max_positions = settings.max_positions

    def forward(
        self, language: Tensor, words: Tensor, steps: tuple[Tensor, Tensor, Tensor]
    ) -> Tensor:
        """Return the encoder's output at the frames, (batch, frames, width).

        `language` holds encoded words, (batch, words, width), and `words` their number, (batch,).
        `steps` are embedded frames and actions, (batch, frames, width), and their number, (batch,).
        """
        frames, actions, lengths = steps
        count, device = frames.shape[1], frames.device
        at = torch.arange(language.shape[1], device=device)
        step = torch.arange(count, device=device)
        first = words.clamp(max=self._max_positions - count)
        positions = self.enc_pos.encode(first[:, None] + step)
        blocks = [language + self.enc_pos.encode(at), frames + positions, actions + positions]
        unused = step >= lengths[:, None]
        encoded: Tensor = self.enc_transformer(
            self.enc_layernorm(torch.cat(blocks, dim=1)),
            mask=attention_mask(language.shape[1], count).to(device),
            src_key_padding_mask=torch.cat([at >= words[:, None], unused, unused], dim=1),
        )
        return encoded[:, len(at) : len(at) + count]


class Transformer(nn.Module):
    """E.T.: from dialogue, frames and past actions to the next action and object class."""

    def __init__(self, settings: ETSettings) -> None:
        """Make the layers; torch's generator draws the weights."""
        super().__init__()
        width = settings.width
        self.settings = settings
        self.embs_ann = nn.ModuleDict({settings.data_set: nn.Embedding(settings.word_count, width)})
        self.encoder_lang = EncoderLang(settings)
        self.encoder_vl = EncoderVL(settings)
        self.vis_feat = FeatureFlat(width)
        self.object_feat = FeatureFlat(width)
        self.emb_action = nn.Embedding(settings.action_count, width)
        self.dec_action = nn.Linear(width, width)
        linear: nn.Module = nn.Linear(width, settings.class_count)
        self.dec_object = nn.Sequential(OrderedDict(linear=linear))  # as checkpoints name it
        self.dropout_vis = nn.Dropout(settings.frame_dropout)
        nn.init.uniform_(self.emb_action.weight, -0.1, 0.1)
        for embedding in self.embs_ann.parameters():
            nn.init.uniform_(embedding, -0.1, 0.1)

    def forward(self, words: Tensor, frames: Tensor, actions: Tensor, lengths: Tensor) -> Logits:
        """Return the logits of the next action at each frame.

        `words` are ids, (batch, words), 0 for padding; `frames` features, (batch, frames, 512, 7,
        7); `actions` the ids taken, (batch, frames).  A frame attends only to the action before it,
        so the last id is not used.  `lengths` are the numbers of frames, (batch,).
        """
        counts = (words != PADDING_ID).sum(dim=1)
        embedded: Tensor = self.embs_ann[self.settings.data_set](words)
        language = self.encoder_lang(embedded, words == PADDING_ID)
        language = language[:, : max(int(counts.max()), 1)]
        frames = self.dropout_vis(frames)
        steps = (self.vis_feat(frames), self.emb_action(actions), lengths)
        state = self.encoder_vl(language, counts, steps)
        return Logits(
            self.dec_action(state) @ self.emb_action.weight.T,
            self.dec_object(state + self.object_feat(frames)),
        )


class ET(nn.Module):
    """The network, wrapped so that its weights are named as in checkpoints."""

    def __init__(self, settings: ETSettings) -> None:
        """Make the network."""
        super().__init__()
        self.model = Transformer(settings)

    def forward(self, words: Tensor, frames: Tensor, actions: Tensor, lengths: Tensor) -> Logits:
        """Return the logits of the next action at each frame; see `Transformer`."""
        return self.model(words, frames, actions, lengths)


def attention_mask(words: int, steps: int) -> Tensor:
    """Return the attention mask, (tokens, tokens): True where row may not attend to column.

    The tokens are the words, the frames, then the actions.  Words attend to words.  A frame
    attends to all words, to the frames up to its own and to the one action before it.  An
    action attends to what its frame does, and so not to itself.
    """
    size = words + 2 * steps
    hidden = torch.ones(size, size, dtype=torch.bool)
    hidden[:, :words] = False
    later = torch.triu(torch.ones(steps, steps, dtype=torch.bool), diagonal=1)
    not_before = ~torch.diag(torch.ones(steps - 1, dtype=torch.bool), diagonal=-1)
    for row in (words, words + steps):
        hidden[row : row + steps, words : words + steps] = later
        hidden[row : row + steps, words + steps :] = not_before
    return hidden


def _transformer_encoder(settings: ETSettings) -> nn.TransformerEncoder:
    sizes = settings.width, settings.heads, settings.feed_forward_width
    layer = nn.TransformerEncoderLayer(*sizes, settings.dropout, batch_first=True)
    return nn.TransformerEncoder(layer, settings.layers, enable_nested_tensor=False)
