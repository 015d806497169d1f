"""E.T.'s vocabulary (spec 7.1): the tokens of a dialogue and their ids.

A token is a run of letters, of digits or of symbols, or one punctuation mark, in lower
case: what the original tokeniser yields after its tokens are stripped.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from unicodedata import category

from tatc.base.errors import BadInput
from tatc.follower.learned.et.labels import DIALOGUE_END_TOKEN, PADDING_ID, UTTERANCE_END_TOKEN
from tatc.follower.learned.et.variants import (
    OFFICIAL_VARIANT,
    SPEAKER_TOKENS,
    UNKNOWN_TOKEN,
    Variant,
)
from tatc.home.actions import Utterance


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words in the order of their ids, and the variant that they are for."""

    words: tuple[str, ...]
    variant: Variant = OFFICIAL_VARIANT

    def __post_init__(self) -> None:
        """Check that the words begin with the variant's own tokens."""
        first = self.variant.first_tokens
        if self.words[: len(first)] != first:
            raise BadInput(
                f"a vocabulary of the variant {self.variant.name} begins with "
                f"{' '.join(first)}, and not with {' '.join(self.words[:5])}",
                fix="name the variant that it was made for",
            )

    def token_ids(self, tokens: Iterable[str]) -> tuple[int, ...]:
        """Return the ids of tokens; an unknown one is padding or the unknown token's id."""
        known = {word: i for i, word in enumerate(self.words)}
        other = known[UNKNOWN_TOKEN] if self.variant.unknown else PADDING_ID
        return tuple(known.get(token, other) for token in tokens)


def build_vocabulary(
    dialogues: Iterable[Sequence[Utterance]], variant: Variant = OFFICIAL_VARIANT
) -> Vocabulary:
    """Return the vocabulary of some dialogues, words in the order of first occurrence."""
    words = dict.fromkeys(variant.first_tokens)
    for dialogue in dialogues:
        words.update(dict.fromkeys(dialogue_tokens(dialogue, variant)))
    return Vocabulary(tuple(words), variant)


def dialogue_tokens(
    dialogue: Sequence[Utterance], variant: Variant = OFFICIAL_VARIANT
) -> tuple[str, ...]:
    """Return a dialogue's tokens, an end token after each utterance and one at the end."""
    tokens: list[str] = []
    for utterance in dialogue:
        if variant.speakers:
            tokens.append(SPEAKER_TOKENS[utterance.speaker])
        tokens += tokenize(utterance.text)
        tokens.append(UTTERANCE_END_TOKEN)
    return (*tokens, DIALOGUE_END_TOKEN)


def tokenize(text: str) -> Iterator[str]:
    """Yield the tokens of a text, in lower case."""
    for kind, run in groupby(text, lambda c: category(c)[0].replace("M", "L")):
        if kind in "LNS":
            yield "".join(run).lower()
        elif kind == "P":
            yield from run
