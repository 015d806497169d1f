"""Tells by example what an utterance does: "that plate could do with a wash" is an order to wash.

`examples.toml` lists sentences by dialogue act, by the skill of an order, or as a `task`.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from threading import Lock, Thread

from tatc.base.files import package_table
from tatc.language import text_classifier
from tatc.language.conversation import dialogue_acts
from tatc.language.understanding import tokens

_SURE_OF_SMALL_TALK = 0.6
_LEARNING = Lock()
_GRAVE = ("cancel", "goodbye", "repeat")
"""Acts that undo or add something: most of their words must stand in some example."""
_AFTER_VERBS = ("the", "a", "an", "my", "that", "this", "it", "some", "me")  # "microwave the egg"


@lru_cache(maxsize=1_000)
def classify(text: str) -> tuple[str, float]:
    """Return what an utterance most likely does, and how sure that is, from 0 to about 1."""
    return _classifier().classify(text)


def guessed_act(words: str, least_sure: float) -> dialogue_acts.Said | None:
    """Return the dialogue act that words most likely are, None if none is that likely."""
    kind, sure = classify(words)
    said = dialogue_acts.plain_words(words).split()
    is_vague = kind in _GRAVE and 2 * sum(map(_classifier().has_feature, said)) < len(said)
    is_vague |= not any(map(str.isalpha, words))
    if is_vague or (kind == "cancel" and dialogue_acts.cancels_one(words)):
        return None  # "forget the toast" leaves the rest
    is_act = sure >= least_sure and kind in dialogue_acts.known_acts()
    return dialogue_acts.told_by_example(kind, words) if is_act else None


def is_small_talk(words: str) -> bool:
    """Return whether words are no order, no task and no dialogue act, but talk of other things."""
    kind, sure = classify(words)
    return kind == "chat" and sure >= _SURE_OF_SMALL_TALK


def learn_meanwhile() -> None:
    """Learn from the examples in a thread, so that the first words need not wait for it."""
    if not _fitted.cache_info().currsize:
        Thread(target=_classifier, daemon=True).start()


def _classifier() -> text_classifier.TextClassifier:
    with _LEARNING:  # which happens once, whoever asks
        return _fitted()


@cache
def _fitted() -> text_classifier.TextClassifier:
    examples: dict[str, list[str]] = package_table("tatc.language.conversation", "examples.toml")
    return text_classifier.TextClassifier(examples, _features)


def _features(text: str) -> Iterable[str]:
    """Yield the features of a text in which all things have one name."""
    terms = tokens.read_terms(dialogue_acts.plain_words(text), 0, describes=False)
    following = [each.text for each in terms[1:]] + [""]
    shown = " ".join(
        "thing" if each.value("thing") and after not in _AFTER_VERBS else each.text
        for each, after in zip(terms, following, strict=False)
    )
    return text_classifier.word_features([*shown.split(), *("?" if "?" in text else "")])
