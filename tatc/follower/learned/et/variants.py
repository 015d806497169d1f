"""Variants of E.T.: the official one, and ones with named corrections.

- `stop`: padding has an id of its own, so that Stop is learned and predicted.
  Officially both are 0: Stop is masked from the loss and stripped from the prediction.
- `speakers`: a token before each utterance says who speaks.  Officially it is dropped.
- `unknown`: unknown words have an id of their own.  Officially they count as padding,
  and for each of them one more token at the end of the dialogue is hidden from the joint
  encoder, beginning with the last, "<<stop>>".

The weights of a variant have other shapes than the official ones, so the checkpoints of
one cannot be loaded as the other.
"""

from dataclasses import dataclass

from tatc.base.errors import UnknownName
from tatc.follower.learned.et.labels import EDH_ACTIONS, SPECIAL_TOKENS
from tatc.home.actions import Role

CORRECTIONS = ("stop", "speakers", "unknown")

UNKNOWN_TOKEN = "<<unk>>"
SPEAKER_TOKENS = {Role.COMMANDER: "<<commander>>", Role.FOLLOWER: "<<driver>>"}
PADDING_ACTION = "<<pad>>"
"""The name of action 0 where Stop has an id of its own."""


@dataclass(frozen=True, slots=True)
class Variant:
    """Which corrections are made."""

    stop: bool = False
    speakers: bool = False
    unknown: bool = False

    @property
    def name(self) -> str:
        """The corrections joined by "+", or "official"."""
        made = [name for name in CORRECTIONS if getattr(self, name)]
        return "+".join(made) or "official"

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions in the order of their ids."""
        names = tuple(verb.value for verb in EDH_ACTIONS)
        return (PADDING_ACTION, *names) if self.stop else names

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
            fix = f"name one of {', '.join(known)}"
            raise UnknownName("variant", each, known, fix=fix)
    return Variant(**dict.fromkeys(made, True))
