"""The wording `steps`: motions in words, and interactions whose click the Follower finds.

"turn left, walk four steps, pick up the mug on the counter top".  An interaction names
its object, and where that is or what the hand holds; a part of the view is named where
the type alone is ambiguous ("open the lower left drawer"), and in the wording `bearings` the
direction too ("open the lower left drawer (40 degrees left)").
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tatc.home import actions
from tatc.language import meanings, object_names


class ViewRegion(StrEnum):
    """One of the nine parts of the view, three by three."""

    UPPER_LEFT = "upper left"
    UPPER = "upper"
    UPPER_RIGHT = "upper right"
    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"
    LOWER_LEFT = "lower left"
    LOWER = "lower"
    LOWER_RIGHT = "lower right"


def view_region_of(click: actions.Click) -> ViewRegion:
    """Return the part of the view that a click is in."""
    return tuple(ViewRegion)[3 * min(2, int(click.y * 3)) + min(2, int(click.x * 3))]


@dataclass(frozen=True, slots=True)
class MotionPhrase:
    """One motion, repeated once or more."""

    verb: actions.Verb
    times: int = 1

    def __post_init__(self) -> None:
        if self.verb not in actions.MOTION_VERBS or self.times < 1:
            raise ValueError(f"{self.verb!r} {self.times} times is no motion")


@dataclass(frozen=True, slots=True)
class InteractionPhrase:
    """An interaction without its click; `region` tells the object from others of its type.

    `other_type` is the type in the hand for Place and Pour, and else what the object is in or on.
    `bearing` is the object's direction from straight ahead, whole degrees to the right.
    """

    verb: actions.Verb
    object_type: str
    other_type: str | None = None
    region: ViewRegion | None = None
    bearing: int | None = None

    def __post_init__(self) -> None:
        if self.verb not in actions.INTERACTION_VERBS:
            raise ValueError(f"{self.verb!r} is no interaction")
        for name in (self.object_type, self.other_type):
            if name is not None and not actions.OBJECT_TYPE_PATTERN.fullmatch(name):
                raise ValueError(f"{name!r} is not the name of an object type")


Phrase = MotionPhrase | InteractionPhrase


@dataclass(frozen=True, slots=True)
class PhraseStretch:
    """What the Commander asks for, in phrases to carry out one after the other."""

    phrases: tuple[Phrase, ...]

    def __post_init__(self) -> None:
        if not self.phrases:
            raise ValueError("a stretch has at least one phrase")
        if merge_motions(self.phrases) != self.phrases:
            raise ValueError("motions by the same verb in a row are one phrase")


def merge_motions(phrases: Iterable[Phrase]) -> tuple[Phrase, ...]:
    """Return the phrases with neighbouring motions by the same verb joined."""
    joined: list[Phrase] = []
    for phrase in phrases:
        match joined[-1:], phrase:
            case [MotionPhrase(last_verb, times)], MotionPhrase(verb, more) if verb is last_verb:
                joined[-1] = MotionPhrase(verb, times + more)
            case _:
                joined.append(phrase)
    return tuple(joined)


NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
_DIRECTION_WORDS = {
    actions.Verb.FORWARD: "",
    actions.Verb.BACKWARD: " back",
    actions.Verb.PAN_LEFT: " left",
    actions.Verb.PAN_RIGHT: " right",
}
_VERB_OF_DIRECTION = {words.strip(): verb for verb, words in _DIRECTION_WORDS.items()}
_REPEAT_WORDS = {1: "", 2: " twice"}
_VERB_OF_TURN = {
    verb.value.lower(): verb
    for verb in actions.MOTION_VERBS
    if verb not in actions.TRANSLATION_VERBS
}
_COUNT_PATTERN = rf"{'|'.join(NUMBER_WORDS)}|[1-9]\d{{0,3}}"
_TRANSLATION_PATTERN = re.compile(
    rf"walk (?P<n>{_COUNT_PATTERN}) steps?(?: (?P<to>back|left|right))?"
)
_TURN_PATTERN = re.compile(
    rf"(?P<verb>{'|'.join(_VERB_OF_TURN)})"
    rf"(?: (?:(?P<twice>twice)|(?P<n>{_COUNT_PATTERN}) times))?"
)
_INTERACTION_WORDS = {
    actions.Verb.PICKUP: "pick up",
    actions.Verb.OPEN: "open",
    actions.Verb.CLOSE: "close",
    actions.Verb.TOGGLE_ON: "turn on",
    actions.Verb.TOGGLE_OFF: "turn off",
    actions.Verb.SLICE: "slice",
}
_VERB_OF_INTERACTION = {words: verb for verb, words in _INTERACTION_WORDS.items()}
_REGION_WORDS = "|".join(sorted(ViewRegion, key=len, reverse=True))
_OBJECT_PATTERN = rf"the (?:(?P<side>{_REGION_WORDS}) )?(?P<noun>{object_names.TYPE_WORDS_PATTERN})"
_AHEAD = "straight ahead"
_BEARING_PATTERN = rf"(?: \((?:{_AHEAD}|(?P<degrees>[1-9]\d{{0,2}}) degrees (?P<to>left|right))\))?"
_INTERACTION_PATTERN = re.compile(
    rf"(?P<verb>{'|'.join(_VERB_OF_INTERACTION)}) {_OBJECT_PATTERN}"
    rf"(?: (?:in|on) the (?P<other>{object_names.TYPE_WORDS_PATTERN}))?{_BEARING_PATTERN}"
)
_PUT_PATTERN = re.compile(
    rf"(?P<verb>put|pour) (?:it|the (?P<other>{object_names.TYPE_WORDS_PATTERN})) (?:in|on|into) "
    rf"{_OBJECT_PATTERN}{_BEARING_PATTERN}"
)


def say_phrases(stretch: PhraseStretch) -> str:
    """Return the words for phrases."""
    return ", ".join(
        _say_motion(each) if isinstance(each, MotionPhrase) else _say_interaction(each)
        for each in stretch.phrases
    )


def hear_phrases(text: str) -> PhraseStretch | meanings.NotUnderstood:
    """Return the phrases that a text means, or the first words that mean none."""
    heard: list[Phrase] = []
    for words in text.split(", "):
        phrase = _hear_motion(words) or _hear_interaction(words)
        if phrase is None:
            return meanings.NotUnderstood(words)
        heard.append(phrase)
    return PhraseStretch(merge_motions(heard))


def tells_way(text: str) -> bool:
    """Return whether a text says where to walk step by step."""
    return _TRANSLATION_PATTERN.search(text) is not None


def _say_motion(motion: MotionPhrase) -> str:
    number = NUMBER_WORDS[motion.times - 1] if motion.times <= len(NUMBER_WORDS) else motion.times
    if motion.verb in actions.TRANSLATION_VERBS:
        steps = "step" if motion.times == 1 else "steps"
        return f"walk {number} {steps}{_DIRECTION_WORDS[motion.verb]}"
    return motion.verb.value.lower() + _REPEAT_WORDS.get(motion.times, f" {number} times")


def _say_interaction(interaction: InteractionPhrase) -> str:
    words, bearing = _say_without_bearing(interaction), interaction.bearing
    if bearing is None:
        return words
    side = f"{abs(bearing)} degrees {'left' if bearing < 0 else 'right'}"
    return f"{words} ({side if bearing else _AHEAD})"


def _say_without_bearing(interaction: InteractionPhrase) -> str:
    other = interaction.other_type
    side = "" if interaction.region is None else f"{interaction.region} "
    noun = f"the {side}{object_names.words_for_type(interaction.object_type)}"
    if interaction.verb in (actions.Verb.PLACE, actions.Verb.POUR):
        held = "it" if other is None else f"the {object_names.words_for_type(other)}"
        if interaction.verb is actions.Verb.POUR:
            return f"pour {held} into {noun}"
        return f"put {held} {object_names.preposition_for(interaction.object_type)} {noun}"
    where = "" if other is None else f" {object_names.location_words(other)}"
    return f"{_INTERACTION_WORDS[interaction.verb]} {noun}{where}"


def _hear_motion(words: str) -> MotionPhrase | None:
    if found := _TRANSLATION_PATTERN.fullmatch(words):
        return MotionPhrase(_VERB_OF_DIRECTION[found["to"] or ""], _parse_count(found["n"]))
    if found := _TURN_PATTERN.fullmatch(words):
        times = 2 if found["twice"] else _parse_count(found["n"] or "one")
        return MotionPhrase(_VERB_OF_TURN[found["verb"]], times)
    return None


def _hear_interaction(words: str) -> InteractionPhrase | None:
    if found := _PUT_PATTERN.fullmatch(words):
        verb = actions.Verb.PLACE if found["verb"] == "put" else actions.Verb.POUR
    elif found := _INTERACTION_PATTERN.fullmatch(words):
        verb = _VERB_OF_INTERACTION[found["verb"]]
    else:
        return None
    nouns = [object_names.type_from_words(each) for each in found.group("noun", "other") if each]
    if not all(map(actions.OBJECT_TYPE_PATTERN.fullmatch, nouns)):
        return None
    side = ViewRegion(found["side"]) if found["side"] else None
    bearing = int(found["degrees"] or 0) if words.endswith(")") else None
    if bearing is not None and found["to"] == "left":
        bearing = -bearing
    return InteractionPhrase(verb, *nouns, region=side, bearing=bearing)


def _parse_count(word: str) -> int:
    return NUMBER_WORDS.index(word) + 1 if word in NUMBER_WORDS else int(word)
