"""Tells what each clause of an utterance does for the others, and puts the utterance without those.

"There's a towel on the floor, could you put it on the counter" introduces what is asked for,
"although there is a pencil, I would rather have a pen" concedes something, "that's a shame, then
some toast" remarks on what was said.  What is left is what is asked, with its nouns in place.
"""

import re
from functools import lru_cache, partial

from tatc.language.conversation import act_classifier, dialogue_acts, order_words, orders
from tatc.language.conversation.normalization import MAX_CHARACTERS

_PARTS = re.compile(r"([.!?;:\n\u2026]+\s*|,\s+|(?<!\s)\s+(?=but\b|so (?!that\b)))")
_MOST_PARTS = 12
_SURE_OF_ORDER = 0.5
_pattern = partial(order_words.pattern, table="clauses")


@lru_cache(maxsize=1_000)
def asked(text: str) -> str:
    """Return normalised words without the clauses that only lead to what the others ask."""
    if len(text) >= MAX_CHARACTERS:
        return text
    parts = [*_PARTS.split(text, maxsplit=_MOST_PARTS), ""]
    kept = [("", "")]
    for i in range(len(parts) - 2, -1, -2):
        words, (following, mark) = parts[i], kept[0]
        leads = bool(words.strip()) and _asks(following or (parts[i - 2] if i else ""))
        named = _introduced(words) if leads and following else ""
        if joined := _joined(following, named, words):
            kept[0] = (joined, mark)
        elif not leads or not (_grants(words, following) if named else _is_remark(words)):
            kept.insert(0, (words, parts[i + 1]))
    return "".join(map("".join, kept)).strip(" ,")


def _asks(words: str) -> bool:
    """Whether a clause asks for something by itself."""
    bare = _pattern("leads").sub("", words.strip())
    if _pattern("statement").match(bare) or _pattern("wish").match(bare):
        return _pattern("wish").match(bare) is not None
    kind, sure = act_classifier.classify(bare)
    is_order = kind == "task" or kind in orders.order_table()["skills"]
    return bool(order_words.skill_of_verb(bare)) or (is_order and sure >= _SURE_OF_ORDER)


def _introduced(words: str) -> str:
    """Return the thing that a statement is about, as "the towel"; "" if it is no statement."""
    told = _pattern("introduction").match(words.strip())
    if told is None or order_words.skill_of_verb(words):
        return ""
    said = next(filter(None, told.groups()))
    thing = next((e for e in order_words.phrases_meant(said) if e.what), None)
    if thing is None or thing.relation or said[: thing.span.start].strip():
        return ""
    noun = _pattern("article").sub("", said[: thing.span.end]).strip()
    return f"all the {noun}" if thing.wants_all else f"the {noun}"


def _joined(words: str, named: str, told: str) -> str:
    """Return words with what was `named` for "it", and with the place told for "there"."""
    it = _pattern("pronoun").search(words)
    if not (it and named and words[: it.start()]) or _types_in(words[: it.start()]):
        return ""
    places = [*filter(orders.is_place, _types_in(told)[1:])]
    to = f"on the {orders.noun(places[-1])}" if places else r"\g<0>"
    return words[: it.start()] + named + _pattern("there").sub(to, words[it.end() :])


def _grants(words: str, following: str) -> bool:
    """Whether a statement concedes, or only tells how what comes next is: "the plant is dry"."""
    tells = _pattern("told_state").fullmatch(words.strip()) is not None
    is_same = tells and {*_types_in(words)} == {*_types_in(following)}
    return is_same or _pattern("concession").match(words) is not None


def _types_in(words: str) -> list[str]:
    return [each.what for each in order_words.phrases_meant(words) if each.what]


def _is_remark(words: str) -> bool:
    """Whether a clause only says how its speaker finds or feels something, or why they ask."""
    said = _pattern("leads").sub("", words.strip(" ,.!?"))
    is_told = any(_pattern(each).match(said) for each in ("statement", "introduction"))
    is_other = _pattern("objection").search(said) or _pattern("bare").fullmatch(said)
    is_other = is_other or dialogue_acts.names_any(said) or order_words.skill_of_verb(said)
    is_remark = (is_told and not is_other) or _pattern("remark").fullmatch(words.strip(" ,.!?"))
    return bool(is_remark) and dialogue_acts.act_of(words) is None
