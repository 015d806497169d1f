"""E.T.'s words, actions and object classes, their ids, and the variants in which they differ.

A token (spec 7.1) is a run of letters, of digits or of symbols, or one punctuation mark, in lower
case: what the original tokeniser yields after its tokens are stripped.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from unicodedata import category

from tatc.base import errors, files
from tatc.home.actions import FOLLOWER_VERBS, Role, Utterance, Verb

EDH_ACTIONS = (*FOLLOWER_VERBS[:9], Verb.NAVIGATION, *FOLLOWER_VERBS[9:])
"""The actions of EDH in the order of their ids; Stop is 0, which is also padding."""
PADDING_ID = 0  # the id of padding, among words and among actions
SPECIAL_TOKENS = ("<<pad>>", "<<seg>>", "<<goal>>", "<<mask>>")
"""The first words of every vocabulary; the first is padding."""
UTTERANCE_END_TOKEN, DIALOGUE_END_TOKEN = "<<instr>>", "<<stop>>"
_OBJECT_CLASSES: dict[str, str] = files.package_table(
    "tatc.follower.learned.et", "object_classes.toml"
)
ET_OBJECT_CLASSES = tuple(_OBJECT_CLASSES["classes"].split())
"""The object classes in the order of their ids; "None" stands for no object."""
DETECTOR_LABELS = frozenset(_OBJECT_CLASSES["detector_labels"].split())
"""The labels of E.T.'s detector; other classes are clicked at random."""
CORRECTIONS = ("stop", "speakers", "unknown")
UNKNOWN_TOKEN = "<<unk>>"
SPEAKER_TOKENS = {Role.COMMANDER: "<<commander>>", Role.FOLLOWER: "<<driver>>"}


@dataclass(frozen=True, slots=True)
class Variant:
    """Which corrections are made to E.T.; none in the official variant.

    Their weights have other shapes, so checkpoints of one variant do not load as another.  `stop`:
    padding has an id of its own, so that Stop is learned; officially both are 0, and Stop is masked
    from the loss and stripped from the prediction.  `speakers`: a token before each utterance says
    who speaks.  `unknown`: unknown words have an id of their own; officially they count as padding,
    and each hides one more token at the dialogue's end from the joint encoder, "<<stop>>" first.
    """

    stop: bool = False
    speakers: bool = False
    unknown: bool = False

    @property
    def name(self) -> str:
        """The corrections joined by "+", or "official"."""
        return "+".join([name for name in CORRECTIONS if getattr(self, name)]) or "official"

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions in the order of their ids; 0 pads where Stop has its own."""
        names = tuple(verb.value for verb in EDH_ACTIONS)
        return ("<<pad>>", *names) if self.stop else names

    @property
    def first_tokens(self) -> tuple[str, ...]:
        """The tokens that a vocabulary begins with."""
        unknown = (UNKNOWN_TOKEN,) if self.unknown else ()
        speakers = tuple(SPEAKER_TOKENS.values()) if self.speakers else ()
        return (*SPECIAL_TOKENS, *unknown, *speakers)


OFFICIAL_VARIANT = Variant()
CORRECTED_VARIANT = Variant(stop=True, speakers=True, unknown=True)


def variant_named(name: str) -> Variant:
    """Return a variant by name: "official", "corrected", or corrections joined by "+"."""
    if name in ("official", "corrected"):
        return OFFICIAL_VARIANT if name == "official" else CORRECTED_VARIANT
    made = name.split("+")
    for each in made:
        if each not in CORRECTIONS:
            known = ("official", "corrected", *CORRECTIONS)
            raise errors.UnknownName("variant", each, known, fix=f"name one of {', '.join(known)}")
    return Variant(**dict.fromkeys(made, True))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words in the order of their ids, and the variant that they are for."""

    words: tuple[str, ...]
    variant: Variant = OFFICIAL_VARIANT

    def __post_init__(self) -> None:
        """Check that the words begin with the variant's own tokens."""
        first = self.variant.first_tokens
        if self.words[: len(first)] != first:
            begins = f"begins with {' '.join(first)}, and not with {' '.join(self.words[:5])}"
            what = f"a vocabulary of the variant {self.variant.name} {begins}"
            raise errors.BadInput(what, fix="name the variant that it was made for")

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
