"""The words of orders: patterns and verbs of `orders.toml`, and which nouns are meant."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from tatc.language.conversation import act_classifier, dialogue_acts, normalization, orders
from tatc.language.conversation.orders import order_table
from tatc.language.understanding import clauses, tokens

LEAST_SURE_OF_LATER = 0.45
"""How sure the classifier must be of an order without a verb that follows another."""
_SURE = 0.62  # of an order that begins with the verb of another skill


@cache
def pattern(name: str, table: str = "patterns") -> re.Pattern[str]:
    """Return a pattern of `orders.toml`, over text in lower case."""
    return re.compile(order_table()[table][name])


@cache
def _verbs() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return each pattern of a verb, with its skill."""
    texts = ((text, name) for name, texts in order_table()["skills"].items() for text in texts)
    return tuple((re.compile(rf"\b(?:{text})(?!\w)"), name) for text, name in texts)


@lru_cache
def skill_of_verb(words: str) -> str:
    """Return the skill of the verb that words begin with, "" for none.

    Of several that fit, the longest is meant: "put down" before "put".
    """
    bare = bare_words(" ".join(each.text for each in tokens.read_terms(words, 0)))
    bare = pattern("noun_alone").sub("", bare)  # "scrub brush too"
    stem = pattern("gerund").sub(r"\1\2", bare)  # "putting" and "closing"
    forms = (bare, stem, stem.replace(" ", "e ", 1)) if stem != bare else (bare,)
    found = ((verb.match(form), skill) for form in forms for verb, skill in _verbs())
    ends = [(match.end(), skill) for match, skill in found if match is not None]
    return max(ends, key=lambda end: end[0])[1] if ends else ""


@lru_cache
def bare_words(words: str) -> str:
    """Return words without those before an order that change nothing."""
    return pattern("trailers").sub("", pattern("fillers").sub("", dialogue_acts.plain_words(words)))


def find(name: str, text: str) -> re.Match[str] | None:
    """Return where a pattern of `orders.toml` is in a text, None for nowhere."""
    return pattern(name).search(dialogue_acts.plain_words(text))


@lru_cache
def spelled_out(text: str) -> str:
    """Return a text in lower case with the words that orders are read in: "lamp 2 off pls"."""
    return normalization.ruled("orders", normalization.reworded(text))


def attribute_told(text: str) -> str:
    """Return the state or other attribute of the noun with which a text ends, "" for none."""
    found = pattern("stated").search(text)
    word = "" if found is None else found[1]
    is_known = word in order_table()["attributes"]
    return dialogue_acts.state_of_word(word) or (word if is_known else "")


def phrases_meant(text: str) -> Sequence[clauses.NounPhrase]:
    """Return the noun phrases of a piece without those that are named as not meant."""
    return phrases_read(text)[0]


@lru_cache
def phrases_read(text: str) -> tuple[Sequence[clauses.NounPhrase], frozenset[str]]:
    """Return the noun phrases that are meant, and the types of those that are not."""
    phrases = dialogue_acts.phrases_in(text)
    pairs = zip(phrases, [*(each.span.start for each in phrases[1:]), len(text)], strict=False)
    unmeant = [each for each, end in pairs if _is_unmeant(each, text, end)]
    denied = frozenset(each.what for each in unmeant) - {""}
    return tuple(e for e in phrases if e not in unmeant and e.what not in denied), denied


def _is_unmeant(phrase: clauses.NounPhrase, text: str, end: int) -> bool:
    """Return whether a phrase is denied, taken back at once, or no noun: "light the candle"."""
    before, after = text[: phrase.span.start], text[phrase.span.end : end]
    is_verb = bool(phrase.what) and end < len(text) and not (after.strip() or phrase.is_definite)
    is_denied = phrase.is_negated or pattern("contrast").search(before) is not None
    return is_verb or is_denied or pattern("taken_back").match(text, phrase.span.end) is not None


def skill_of(words: str, least_sure: float) -> str:
    """Return the skill that words ask for, by their verb or by example, "" for none."""
    verb = skill_of_verb(words)
    return skill_by_example(words, _SURE if verb else least_sure) or verb


def skill_by_example(words: str, least_sure: float) -> str:
    """Return the skill of the sentences that words are most like, "" for none."""
    says_how_it_is = pattern("no_order").search(words) or pattern("narrative").search(words)
    if says_how_it_is and not skill_of_verb(words):
        return ""
    if not any(each.what for each in phrases_meant(words)):  # "with a bit of jam on it"
        least_sure = max(least_sure, LEAST_SURE_OF_LATER)
    (kind, sure), verb = act_classifier.classify(words), skill_of_verb(words)
    if not (verb or besides_nouns(words)) and kind in order_table()["never_unsaid"]:
        kind = orders.PICK_UP  # "a knife, a tomato and a plate"
    if (kind == orders.SLICE and verb not in ("", kind)) or kind in orders.skills_never_meant(verb):
        return ""  # "put one slice on the plate"
    least_sure = max(least_sure, LEAST_SURE_OF_LATER * (kind == orders.PUT_DOWN))
    kind = orders.PUT if not verb and find("only_place", words) else kind
    return kind if sure >= least_sure and kind in order_table()["skills"] else ""


def besides_nouns(words: str) -> str:
    """Return what words say besides nouns and what may stand beside them: "needs a wash"."""
    besides = dialogue_acts.plain_words(words.replace(",", " and "))
    for each in phrases_meant(besides)[::-1]:
        besides = besides[: each.span.start] + besides[each.span.end :]
    return "" if pattern("with_nouns").fullmatch(besides) else besides


def is_task(words: str) -> bool:
    """Return whether words ask for a whole task rather than for a single thing."""
    return act_classifier.classify(words)[0] == "task"
