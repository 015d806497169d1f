"""Reads the limits that people set to what they ask for, so that none is dropped in silence.

"If the mug is dirty", "in five minutes", "a mug or a cup", "all but the knife", "be careful": what
such limits leave of an utterance is read like any other, and they are told or asked about.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from tatc.base.files import package_table
from tatc.home import assets
from tatc.language.conversation import dialogue_acts, normalization, order_words, orders
from tatc.language.conversation.order_reading import read_orders
from tatc.language.understanding import tokens
from tatc.tdl.properties import object_classes_of

_table = partial(package_table, __package__, "limits.toml")
_MOST_PARTS = 12
"""More sentences are a story if most order nothing; of a list or a choice so many are read."""
_LAST_LATIN, _FIRST_PICTURE = "\u024f", "\u2190"
_SENTENCE, _WORD = re.compile(r"([.!?;\n\u2026]+)"), re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


@dataclass(slots=True)
class Limited:
    """What is left of an utterance without its limits (`text`), and what these are.

    `notes` are to be told: keys of sentences, with the words that these are about.  What is `held`
    back needs consent: a key, the limit, and the words that it is set to.  Some things were `named`
    before, and `has_work` if orders are left to do.  `is_known` tells whether a type was seen.
    """

    named: Sequence[str] = ()
    has_work: bool = False
    is_known: Callable[[str], object] = bool
    text: str = ""
    notes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    held: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    def asks(self, words: str) -> bool:
        """Whether words ask for anything."""
        if not words.strip() or order_words.skill_of_verb(words) or order_words.is_task(words):
            return bool(words.strip())
        read = read_orders(words, (*self.named,))
        return bool(read.orders or read.impossible)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    text = _table()["patterns"][name]
    for part, words in _table()["parts"].items():
        text = text.replace(f"<{part}>", f"(?:{'|'.join(words)})")
    return re.compile(text)


def read_limits(text: str, found: Limited) -> Limited:
    """Take in an utterance; return its limits, and what it says without them."""
    said = normalization.reworded(text)
    sentences, ends = _SENTENCE.split(said)[::2], [*_SENTENCE.split(said)[1::2], ""]
    told = sum(_pattern("story").fullmatch(each.strip(" \"'")) is not None for each in sentences)
    is_story = len(sentences) > _MOST_PARTS and 2 * told > len(sentences)
    if len(text) > normalization.MAX_CHARACTERS or is_story:
        found.notes.append(("too_long", ""))
    elif dialogue_acts.act_of(text) is not None:
        found.text = text
    elif _is_foreign(said):
        found.notes.append(("only_english", ""))
    else:
        for words, end in zip(sentences, ends, strict=True):
            left = words
            for rule in (_ones, _exceptions, _told, _choices, _items, _conditions):
                left = rule(left, found) if left.strip() else ""
            found.text += (left + end) * bool(left.strip() or not said.strip())
        is_parted = len(sentences) > len(_SENTENCE.split(text)[::2])  # "hurry. get a fork"
        found.text = text if found.text == said and not is_parted else _trimmed(found.text)
    return found


def _is_foreign(said: str) -> bool:
    """Return whether a text is in another language, or has pictures and no words."""
    words = _WORD.findall(said)
    if not words:
        return any(each > _FIRST_PICTURE for each in said) and not any(map(str.isdigit, said))
    ours = sum(each in _table()["english"] for each in words)
    others = sum(each in _table()["foreign"] and each not in _table()["english"] for each in words)
    letters = [each > _LAST_LATIN for each in "".join(words)]
    return others > max(1, ours) or others == len(words) or 2 * sum(letters) > len(letters)


def _trimmed(words: str) -> str:
    return _pattern("edges").sub("", words).strip()


def _ones(words: str, found: Limited) -> str:
    """Name what "the smaller one" is one of: the thing named before it."""
    one = _pattern("one").search(words)
    before = order_words.phrases_meant(words[: one.start()]) if one else ()
    kinds = [each.what for each in before if each.what and each.relation in ("", "of")]
    if one is None or not kinds:
        return words
    how = one["how"] if dialogue_acts.state_of_word(one["how"]) else orders.OTHER
    return f"{words[: one.start()]}the {how} {orders.noun(kinds[-1])}{words[one.end() :]}"


def _told(words: str, found: Limited) -> str:
    """Take out what is only to be told: cautions, remarks, what cannot be told apart or done."""
    for name, key in _table()["told"].items():
        told = _pattern(name).search(words)
        if told is not None and not (name in ("everything", "use") and (found.named or found.text)):
            named = told.groupdict("")
            found.notes.append((key, _trimmed(named.get("tail", ""))))
            left = named.get("kept", "") + named.get("more", "")
            words = left if "kept" in named else _pattern(name).sub("", words)
    return words


def _exceptions(words: str, found: Limited) -> str:
    """Leave out of a class what is excepted, or hold words back where no goal can say it."""
    told = _pattern("exception").fullmatch(words)
    if told is None or order_words.skill_of_verb(told["what"]) or not found.asks(told["all"]):
        return words
    plain, excepted = told["all"] + told["after"], order_words.phrases_meant(told["what"])
    kinds = {each.what for each in excepted} - {""}
    for phrase in order_words.phrases_meant(plain):
        members = [e for e in assets.known_object_types() if phrase.what in object_classes_of(e)]
        if phrase.wants_all and kinds and kinds < {*members} and phrase.what not in members:
            names = (tokens.plurals_of(orders.noun(e))[0] for e in members if e not in kinds)
            meant = " and ".join(f"all the {each}" for each in names)
            found.notes.append(("leaves_out_of", _trimmed(told["what"])))
            return plain[: phrase.span.start] + meant + plain[phrase.span.end :]
    found.held.append(("cannot_except", _trimmed(told["what"]), _trimmed(plain)))
    return ""


def _choices(words: str, found: Limited) -> str:
    """Take one of what any will do of: one that was seen, or else the first."""
    marks = [*_pattern("or").finditer(words)][:_MOST_PARTS]
    phrases = [each for each in order_words.phrases_meant(words) if each.what] if marks else []
    for mark in marks:
        head, tail = words[: mark.start()], words[mark.end("or") :]
        if order_words.skill_of_verb(tail) and order_words.skill_of_verb(head):
            found.notes.append(("takes_first", f"{_trimmed(head)}; {_trimmed(tail)}"))
            return head
        among = [each for each in phrases if each.span.end > mark.start()][:1]
        for each in (e for e in phrases[::-1] if e.span.end <= mark.start() and among):
            between = words[each.span.end : among[0].span.start]  # "a plate, a bowl or a cup"
            if between == mark[0] or not between.strip(" ,"):
                among.insert(0, each)
        if len(among) > 1 and not _pattern("question").match(words):
            one = next((each for each in among if found.is_known(each.what)), among[0])
            said = words[one.span.start : one.span.end]
            told = f"the {orders.noun(one.what)}" if one.count in (None, 1) else said
            found.notes.append(("takes", told))
            before = _pattern("either").sub("", words[: among[0].span.start])
            return _pattern("any_fine").sub("", before + said + words[among[-1].span.end :])
    return words


def _items(words: str, found: Limited) -> str:
    """Take out of a list what is nothing known."""
    items = [*_pattern("item").finditer(words)][:_MOST_PARTS]
    is_list = bool(items) and any(each.what for each in order_words.phrases_meant(words))
    for item in items[::-1] * is_list:
        what = item["item"].split(" of ")[-1]  # the wine, not its glass
        is_named = any(e.what or e.is_dish for e in order_words.phrases_meant(what))
        if not (is_named or order_words.skill_of_verb(item["item"])):
            found.notes.append(("no_such_thing", item["item"].split(" ", 1)[1]))
            before, after = words[: item.start()], words[item.end() :]
            if any(each.relation == "on" for each in order_words.phrases_meant(before)):
                after = _pattern("its_place").sub("", after)
            words = before + after
    return words


def _conditions(words: str, found: Limited) -> str:
    """Hold back what shall be done when or if something is so, unless it does no harm anyway."""
    words = re.sub(r"\bshould (the \w+(?: \w+)?) be\b", r"if \1 is", words)
    time = _pattern("time").search(words)
    told = time or _pattern("condition").search(words)
    if told is None or (not time and _pattern("no_condition").search(words[: told.start()])):
        return words
    before, why, after = words[: told.start()], told[0], words[told.end() :]
    is_of_work = not time and _pattern("of_work").fullmatch(why)
    if is_of_work and (found.has_work or found.text or found.asks(before)):
        return words
    leads = _trimmed(after) and (not _trimmed(before) or _pattern("leads").search(before))
    start = len((_pattern("last_order").match(before) or ("",))[0])
    asked, left = (after, before) if leads else (before[start:], before[:start] + after)
    thing, state = _state_told(why)
    asked = re.sub(r"\b(?:it|them)\b", thing or r"\g<0>", _trimmed(asked), count=1)
    if order_words.pattern("news").match(re.split("[,;] ?", asked)[-1]) or not found.asks(asked):
        return words
    named = (each.what for each in order_words.phrases_meant(found.text + before))
    given = read_orders(asked, (*found.named, *named)).orders
    kind = dialogue_acts.noun_in(thing)[0]
    wanted = [(each.thing, _table()["done_if"].get(each.skill)) for each in given]
    if given and all(e in (kind, kind or e) and state in (s, "there") for e, s in wanted):
        found.notes.append(("only_if", f"it is {state}"))
        return f"{left} {asked}" if leads else f"{before} {after}"
    key = "cannot_check" if re.match("if|unless|in case", why) else "cannot_wait"
    found.held.append((key, _trimmed(why), asked))
    return left if _trimmed(left) else ""


def _state_told(why: str) -> tuple[str, str]:
    """Return what a condition is about, "" for "it", and the state that it wants."""
    told = _pattern("exists").fullmatch(why) or _pattern("state").fullmatch(why)
    if told is None:
        return "", ""
    thing = "" if told["thing"] in (None, "it", "they", "that") else f"the {told['thing']}"
    is_state = told.re is _pattern("state")
    state = dialogue_acts.state_of_word(told["state"]) if is_state else "there"
    is_opposite = ("n't" in why or " not " in why) != why.startswith("unless")
    return thing, _table()["opposites"].get(state, "") if is_opposite else state
