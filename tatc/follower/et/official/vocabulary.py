"""E.T.'s words (spec 7.1): tokens of a dialogue, and their numbers.

Tokens are runs of letters, of digits or of symbols, and single punctuation marks, in
lower case, as the tokeniser of the original leaves them once they are stripped.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from unicodedata import category

from tatc.actions import Utterance
from tatc.errors import BadInput
from tatc.follower.et.official.labels import DIALOGUE_END_TOKEN, PADDING_ID, UTTERANCE_END_TOKEN
from tatc.follower.et.official.variants import (
    OFFICIAL_VARIANT,
    SPEAKER_TOKENS,
    UNKNOWN_TOKEN,
    Variant,
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words in the order of their numbers, and the variant they are for."""

    words: tuple[str, ...]
    variant: Variant = OFFICIAL_VARIANT

    def __post_init__(self) -> None:
        """Refuse words that are not of this variant.

        Raises:
            BadInput: they begin otherwise.

        """
        first = self.variant.first_tokens
        if self.words[: len(first)] != first:
            raise BadInput(
                f"a vocabulary of the variant {self.variant.name} begins with "
                f"{' '.join(first)}, and not with {' '.join(self.words[:5])}",
                fix="name the variant that it was made for",
            )

    def token_ids(self, tokens: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of tokens; of unknown ones, what the variant makes."""
        known = {word: i for i, word in enumerate(self.words)}
        other = known[UNKNOWN_TOKEN] if self.variant.unknown else PADDING_ID
        return tuple(known.get(token, other) for token in tokens)


def build_vocabulary(
    dialogues: Iterable[Sequence[Utterance]], variant: Variant = OFFICIAL_VARIANT
) -> Vocabulary:
    """Return the words of dialogues in the order in which they first come."""
    words = dict.fromkeys(variant.first_tokens)
    for dialogue in dialogues:
        words.update(dict.fromkeys(dialogue_tokens(dialogue, variant)))
    return Vocabulary(tuple(words), variant)


def dialogue_tokens(
    dialogue: Sequence[Utterance], variant: Variant = OFFICIAL_VARIANT
) -> tuple[str, ...]:
    """Return a dialogue's tokens: a mark after each utterance, and one at the end."""
    tokens: list[str] = []
    for utterance in dialogue:
        if variant.speakers:
            tokens.append(SPEAKER_TOKENS[utterance.speaker])
        tokens += tokenize(utterance.text)
        tokens.append(UTTERANCE_END_TOKEN)
    return (*tokens, DIALOGUE_END_TOKEN)


def tokenize(text: str) -> Iterator[str]:
    """Yield the tokens of a text."""
    for kind, run in groupby(text, lambda c: category(c)[0].replace("M", "L")):
        if kind in "LNS":
            yield "".join(run).lower()
        elif kind == "P":
            yield from run
