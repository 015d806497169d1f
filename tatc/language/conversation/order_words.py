"""What the words of an order say: its verb, its nouns, and the patterns of `orders.toml`."""

import re
from collections.abc import Sequence
from functools import cache

from tatc.language.conversation import dialogue_acts
from tatc.language.conversation.orders import order_table
from tatc.language.understanding import clause_reader, clauses, tokens


@cache
def pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of `orders.toml`, over text in lower case."""
    return re.compile(order_table()["patterns"][name])


@cache
def phrasings(table: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each pattern of a table of lists, with the name that its list has."""
    named: dict[str, list[str]] = order_table()[table]
    texts = ((name, text) for name, texts in named.items() for text in texts)
    return tuple((name, re.compile(rf"\b(?:{text})(?!\w)")) for name, text in texts)


def skill_of_verb(words: str) -> str:
    """Return the skill of the verb that words begin with, "" for none.

    Of several that fit, the longest is meant: "put down" before "put".
    """
    bare = bare_words(" ".join(each.text for each in tokens.read_terms(words, 0)))
    stem = pattern("gerund").sub(r"\1\2", bare)  # "putting" and "closing"
    forms = (bare, stem, stem.replace(" ", "e ", 1)) if stem != bare else (bare,)
    found = ((verb.match(form), skill) for form in forms for skill, verb in phrasings("skills"))
    ends = [(match.end(), skill) for match, skill in found if match is not None]
    return max(ends, key=lambda end: end[0])[1] if ends else ""


def bare_words(words: str) -> str:
    """Return words without those before an order that change nothing."""
    return pattern("trailers").sub("", pattern("fillers").sub("", dialogue_acts.plain_words(words)))


def find(name: str, text: str) -> re.Match[str] | None:
    """Return where a pattern of `orders.toml` is in a text, None for nowhere."""
    return pattern(name).search(dialogue_acts.plain_words(text))


def spelled_out(text: str) -> str:
    """Return a text in lower case with the words that orders are read in: "lamp 2 off pls"."""
    text = dialogue_acts.spelled_out(text)
    for words, told in phrasings("rewritten"):
        text = told.sub(words, text)
    return pattern("wanted_state").sub(_as_order, text)


def _as_order(wanted: re.Match[str]) -> str:
    """Return the order that asks for a state: "switch off it" for "make sure it's off"."""
    skill = order_table()["stated"].get(wanted["state"], "slice")
    return f"{skill} {'it' if wanted['thing'] in ('they', 'that') else wanted['thing']}"


def attribute_told(text: str) -> str:
    """Return the state or other attribute of the noun with which a text ends, "" for none."""
    found = pattern("stated").search(text)
    word = "" if found is None else found[1]
    is_known = word in order_table()["attributes"]
    return dialogue_acts.state_of_word(word) or (word if is_known else "")


def phrases_meant(text: str) -> list[clauses.NounPhrase]:
    """Return the noun phrases of a piece without those that are named as not meant."""
    return phrases_read(text)[0]


def phrases_read(text: str) -> tuple[list[clauses.NounPhrase], set[str]]:
    """Return the noun phrases that are meant, and the types of those that are not."""
    read = clause_reader.read_clauses(tokens.read_terms(text, 0))
    phrases = [each for clause in read for each in clause.phrases]
    ends = [*(each.span.start for each in phrases[1:]), len(text)]
    unmeant = [_is_unmeant(each, text, end) for each, end in zip(phrases, ends, strict=False)]
    denied = {each.what for each, no in zip(phrases, unmeant, strict=True) if no} - {""}
    pairs = zip(phrases, unmeant, strict=True)
    return [each for each, no in pairs if not no and each.what not in denied], denied


def _is_unmeant(phrase: clauses.NounPhrase, text: str, end: int) -> bool:
    """Return whether a phrase is denied, taken back at once, or no noun: "light the candle"."""
    before, after = text[: phrase.span.start], text[phrase.span.end : end]
    is_verb = bool(phrase.what) and end < len(text) and not (after.strip() or phrase.is_definite)
    is_denied = phrase.is_negated or pattern("contrast").search(before) is not None
    return is_verb or is_denied or pattern("taken_back").match(text, phrase.span.end) is not None


def skills_never_meant(skill: str) -> Sequence[str]:
    """Return the skills that the verb of a skill is never taken for."""
    return order_table()["never"].get(skill, ())
