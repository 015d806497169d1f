"""Tells what each clause of an utterance does for the others, and puts the utterance without those.

"There's a towel on the floor, could you put it on the counter" introduces what is asked for,
"although there is a pencil, I would rather have a pen" concedes something, "that's a shame, then
some toast" remarks on what was said.  What is left is what is asked, with its nouns in place.
"""

import re
from functools import cache, lru_cache

from tatc.language.conversation import act_classifier, dialogue_acts, order_reading, orders
from tatc.language.conversation.normalization import MAX_CHARACTERS

_PARTS = re.compile(r"([.!?;:\n\u2026]+\s*|,\s+|\s+(?=but\b|so (?!that\b)))")
_MOST_PARTS = 12
_SURE_OF_ORDER = 0.5


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(orders.order_table()["clauses"][name])


@lru_cache(maxsize=1_000)
def asked(text: str) -> str:
    """Return normalised words without the clauses that only lead to what the others ask."""
    *split, last = (
        _PARTS.split(text, maxsplit=_MOST_PARTS) if len(text) < MAX_CHARACTERS else [text]
    )
    parts = [*zip(split[::2], split[1::2], strict=True), (last, "")]
    kept = list[tuple[str, str]]()
    for i, (words, mark) in [*enumerate(parts)][::-1]:
        following = kept[0][0] if kept else ""
        if not words.strip() or not _asks(following or (parts[i - 1][0] if i else "")):
            kept.insert(0, (words, mark))
        elif not following:
            kept[:0] = [] if _is_remark(words) else [(words, mark)]
        elif named := _introduced(words):
            meant = _pattern("pronoun").search(following)
            before = following[: meant.start()] if meant else ""
            if before and meant and not any(e.what for e in order_reading.phrases_meant(before)):
                after = _with_place(following[meant.end() :], words)
                kept[0] = (f"{before}{named}{after}", kept[0][1])
            elif not _pattern("concession").match(words):
                kept.insert(0, (words, mark))
        elif not _is_remark(words):
            kept.insert(0, (words, mark))
    return "".join(words + mark for words, mark in kept).strip(" ,")


def _asks(words: str) -> bool:
    """Whether a clause asks for something by itself."""
    bare = _pattern("leads").sub("", words.strip())
    if _pattern("statement").match(bare) or _pattern("wish").match(bare):
        return _pattern("wish").match(bare) is not None
    kind, sure = act_classifier.classify(bare)
    is_order = kind == "task" or kind in orders.order_table()["skills"]
    return bool(order_reading.skill_of_verb(bare)) or (is_order and sure >= _SURE_OF_ORDER)


def _introduced(words: str) -> str:
    """Return the thing that a statement is about, as "the towel"; "" if it is no statement."""
    told = _pattern("introduction").match(words.strip())
    if told is None or order_reading.skill_of_verb(words):
        return ""
    said = next(filter(None, told.groups()))
    thing = next((e for e in order_reading.phrases_meant(said) if e.what), None)
    if thing is None or thing.relation or said[: thing.span.start].strip():
        return ""
    noun = _pattern("article").sub("", said[: thing.span.end]).strip()
    return f"all the {noun}" if thing.wants_all else f"the {noun}"


def _with_place(words: str, told: str) -> str:
    """Return words with the place that was told before, which "there" means."""
    places = [e for e in order_reading.phrases_meant(told)[1:] if orders.is_place(e.what)]
    to = f"on the {orders.noun(places[-1].what)}" if places else r"\g<0>"
    return _pattern("there").sub(to, words)


def _is_remark(words: str) -> bool:
    """Whether a clause only says how its speaker finds or feels something, or why they ask."""
    said = _pattern("leads").sub("", words.strip(" ,.!?"))
    is_told = _pattern("statement").match(said) or _pattern("introduction").match(said)
    is_told = is_told and not _pattern("bare").fullmatch(said)
    is_told = is_told and not (_pattern("objection").search(said) or dialogue_acts.names_any(said))
    is_told = is_told and not order_reading.skill_of_verb(said)
    is_remark = is_told or _pattern("remark").fullmatch(words.strip(" ,.!?"))
    return bool(is_remark) and dialogue_acts.act_of(words) is None
