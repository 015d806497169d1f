"""What a sentence of ALFRED's annotators mentions, and which of a word's several types are meant.

Mentions are things, places, lamps, and marks of what is done ("chilled", "two"), each with its
preposition: what something is put *in* or *on* is where it ends up.  ALFRED's tasks were generated
from tables: "cup" in "put the cup in the coffee maker" is a mug, since nothing else goes there.
Words such as "table" mean the likeliest type of the room.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import product
from math import fsum
from typing import Any

from tatc.base import files
from tatc.language.understanding import descriptions
from tatc.language.understanding.tokens import plurals_of

_WORDS: dict[str, Any] = files.package_table(__package__, "directive_words.json")
_COMBINATIONS: dict[str, Any] = files.package_table(__package__, "directive_combinations.json")
_CONFLICT = 2.0  # what a type costs that the home lacks, or that does not go with the others
_OTHER_PLACE = 2.4  # what another place than the named one costs in an unknown home
_PER_RANK = (0.08, 0.15, 0.1, 0.1)  # what a less likely type of the same word costs, by parameter
_STORING, _AWAY, _BACK, _THROWING, _WHAT_IS_THROWN, _BIN = (
    re.compile(_WORDS["patterns"][name]) for name in "storing away back throwing thrown bin".split()
)
_ROOM_WORDS = {
    room: re.compile(rf"\b({'|'.join(words.split(','))})")
    for room, words in _COMBINATIONS["room_words"].items()
}
_MAX_PHRASE = 4  # words
_MAX_SENTENCE = 20_000  # characters; the rest of a longer one is not read
_TOKEN = re.compile(r"[a-z]+|\d+|[.,;]")

INTO = frozenset("in on into onto inside to atop within upon unto at under".split())
"""Prepositions of where something ends up; "under" the sink is a cabinet."""
BESIDE = frozenset("next by near beside".split())  # prepositions of what something stands beside
ASIDE = BESIDE | frozenset("behind under underneath beneath below from off out".split())
ELSEWHERE = BESIDE | frozenset(
    "from off below beneath above over front across behind between against of with "
    "underneath opposite out closest nearest that for".split()
)
"""Prepositions of what says where a thing is, or where it comes from."""
_REWRITES = [(re.compile(pattern), plain) for pattern, plain in _WORDS["rewrites"]]
"""How places and orders are said in plainer words, one after another."""


class MentionKind(StrEnum):
    """What a phrase can be."""

    THING = "things"
    PLACE = "places"
    LAMP = "lamps"
    MARK = "marks"


@dataclass(frozen=True, slots=True)
class Mention:
    """A known phrase: its kind, the type or mark that it means, and the preposition before it."""

    kind: MentionKind
    value: str
    preposition: str
    is_plural: bool = False
    clause: int = 0


_WHERE = frozenset((MentionKind.PLACE, MentionKind.LAMP))
_Meanings = dict[MentionKind, tuple[str, bool]]
"""What a phrase means as each kind: a type or mark, and whether it is a plural."""


def mentions_in(sentence: str) -> tuple[Mention, ...]:
    """Return what a sentence mentions, in order."""
    words = _with_names(_TOKEN.findall(_in_plain_order(sentence)))
    conceded = tuple(_find_mentions(words))
    for start, end in reversed([*descriptions.unmeant(words, _known_words(words))]):
        del words[start:end]
    found = tuple(_find_mentions(words))
    if all(each.kind is not MentionKind.THING for each in found):
        found = conceded  # "although two pens are there, take one"
    there = _BACK.match(sentence.lower())
    places = [e for e in conceded if there and e.kind is MentionKind.PLACE]
    pointed = [e for e in places if there and (there["back"] or not e.preposition)]
    return (*found, *(replace(each, preposition="to") for each in pointed[:1]))


def is_described(sentence: str) -> bool:
    """Return whether a sentence describes something that it does not name."""
    words = _TOKEN.findall(_in_plain_order(sentence))
    return _with_names([*words]) != words


def _types_meant(kind: str) -> Sequence[str]:
    """Return a type, and those that the words for it may also mean, the likeliest first."""
    return (kind, *_WORDS["also"].get(kind, ()))


def _in_plain_order(sentence: str) -> str:
    text = " ".join(sentence[:_MAX_SENTENCE].lower().split())
    for pattern, plain in _REWRITES:
        text = pattern.sub(plain, text)
    return text if _BIN.search(text) else _with_garbage_can(text)


def _with_garbage_can(text: str) -> str:
    """Return a text in which what is thrown away is put into a garbage can."""
    last_away = max((found.start() for found in _AWAY.finditer(text)), default=-1)

    def put_away(found: re.Match[str]) -> str:
        is_thrown = found.end() <= last_away or _WHAT_IS_THROWN.match(text, found.end())
        return "put in garbage can , " if is_thrown else found[0]

    return _THROWING.sub(put_away, text)


def occur_in_order(first: re.Pattern[str], then: re.Pattern[str], text: str) -> bool:
    """Return whether one expression is found in a text, and another behind it."""
    found = first.search(text)
    return found is not None and then.search(text, found.end()) is not None


def _with_names(words: list[str]) -> list[str]:
    """Return words that name what they describe: "a watch" for "something that tells the time"."""
    things, places = (
        {name.removesuffix("Basin"): texts[0] for name, texts in _WORDS[kind].items()}
        for kind in (MentionKind.THING, MentionKind.PLACE)
    )
    topic = descriptions.topic_of(words, _known_words(words), things)
    if topic.confidence:
        words[: topic.end] = ["the", *things[topic.type].split(), "."]
    known = _known_words(words)
    carried = {name: things[name] for name in _COMBINATIONS["containers"].split()}
    plain, found = (
        [*descriptions.descriptions_in(words, known, things, {**places, **carried}, any_noun)]
        for any_noun in (False, True)
    )
    covered = {k for each in found for k in range(each.start, each.end)}
    named = {words[k] for k in known.keys() - covered if known[k] == "name"} - {*carried.values()}
    for each in reversed(found):
        if named and each.type in things and each not in plain:
            continue  # of what else a sentence says that names a thing
        leads = ["in", "the"] if words[each.start].startswith("where") else ["the"]
        words[each.start : each.end] = [*leads, *{**things, **places}[each.type].split()]
    return words


def _known_words(words: list[str]) -> Mapping[int, str]:
    known, i = dict[int, str](), 0
    while i < len(words):
        length, found = _longest_phrase(words, i)
        kind = "place" if found.keys() & _WHERE else "name"
        kind = "state" if found.keys() == {MentionKind.MARK} else kind
        known.update(dict.fromkeys(range(i, i + length) if found else (), kind))
        i += length
    return known


def _find_mentions(words: list[str]) -> Iterator[Mention]:
    i, preposition, clause = 0, "", 0
    while i < len(words):
        length, found = _longest_phrase(words, i)
        skipped = MentionKind.THING if preposition in INTO else MentionKind.PLACE
        for kind, (value, is_plural) in found.items():
            if kind is skipped and found.keys() >= {MentionKind.THING, MentionKind.PLACE}:
                continue  # a place where something is put, else a thing
            yield Mention(kind, value, preposition, is_plural, clause)
            if kind is not MentionKind.MARK:
                preposition = ""
        if not found:
            clause += words[i] in ".,;"
            if words[i] in INTO | ELSEWHERE and not (words[i] == "of" and preposition):
                preposition = words[i]
            elif words[i] in ("and", "then", ",", ".", ";", "it", "them"):
                preposition = ""
        i += length


def _longest_phrase(words: list[str], i: int) -> tuple[int, _Meanings]:
    for length in range(_MAX_PHRASE, 0, -1):
        found = _phrases().get(tuple(words[i : i + length]))
        if found is not None and i + length <= len(words):
            return length, found
    return 1, {}


@lru_cache(maxsize=1)
def _phrases() -> Mapping[tuple[str, ...], _Meanings]:
    phrases = dict[tuple[str, ...], _Meanings]()
    for kind in MentionKind:
        for value, texts in _WORDS[kind].items():
            for text in texts:
                words = tuple(text.split())
                phrases.setdefault(words, {})[kind] = (value, False)
                for form in _plural_forms(words) if kind is not MentionKind.MARK else ():
                    phrases.setdefault(form, {}).setdefault(kind, (value, True))
    return phrases


def _plural_forms(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    *head, last = words
    for plural in _plurals(last):
        yield (*head, plural)
    if "of" in words:
        for plural in _plurals(words[0]):
            yield (plural, *words[1:])


def _plurals(noun: str) -> list[str]:
    return [*plurals_of(noun), *([f"{noun[:-1]}ves"] if noun.endswith("f") else [])]


Types = tuple[str, str, str, str]
"""The types of an object, a receptacle, a container that is moved and a lamp; "" for none."""


def likeliest_types(task: str, types: Types, text: str, home: Collection[str] = ()) -> Types:
    """Return the types that words for these most likely mean together.

    `text` is all that was said, in lower case.  The types of a `home` tell the room, else the text
    may; what a home lacks is not meant.
    """
    marks: Mapping[str, str] = _COMBINATIONS["room_marks"]  # what only one room has
    seen = (room for room, kind in marks.items() if kind in home)
    room = next(seen, "living" if home else "") or _likeliest_room(task, types, text)
    thing, place, container, lamp = types
    if not is_end_of(task, place) or (thing and task != "look" and not place):
        place = _usual_place(thing, text, room)
    options = [_candidates(kind, room) for kind in (thing, place, container, lamp)]
    carries = _COMBINATIONS["containers"].split()
    options[2] = [kind for kind in options[2] if not kind or kind in carries]
    ranked, is_named = product(*map(enumerate, options)), place not in _COMBINATIONS["generic"]
    best = min(ranked, key=lambda found: _cost(task, found, room, home, is_named))
    kinds = [kind for _, kind in best]
    return kinds[0], kinds[1], kinds[2], kinds[3]


def can_change(task: str, thing: str, place: str) -> bool:
    """Return whether ALFRED has a task in which this is done to a type that ends up in a place."""
    able = _COMBINATIONS["changes"].get(task, thing).split()
    return any(kind in able for kind in _types_meant(thing)) and is_end_of(task, place)


def is_end_of(task: str, place: str) -> bool:
    """Return whether something may end up in a place after this task."""
    return place not in _COMBINATIONS["not_in"].get(task, ())


def meanings_of(word: str) -> Sequence[str]:
    """Return the types that a word such as "table" means without naming any of them."""
    generic: Mapping[str, str] = _COMBINATIONS["generic"].get(word, {})
    return [kind for names in generic.values() for kind in names.split()]


def closest_name(name: str, later: Sequence[str]) -> str:
    """Return a name, or the closer one of the same kind that is said later: a drawer, of a desk."""
    closer = _COMBINATIONS["closer"].get(name, "").split()
    return next((each for each in later if each in closer), name)


def can_hold(container: str, thing: str) -> bool:
    """Return whether a container can hold a type, by one of the meanings of its word."""
    taken = [_COMBINATIONS["holds"].get(each, "").split() for each in _types_meant(container)]
    return any(kind in kinds for kinds in taken for kind in _types_meant(thing))


def _usual_place(thing: str, text: str, room: str) -> str:
    """Return where a type is left if no place is said: where it is kept, if it is put away."""
    is_stored = occur_in_order(_STORING, _AWAY, text)
    places: Mapping[str, str] = _COMBINATIONS["kept_in" if is_stored else "used_at"]
    kept = next((place for place, kinds in places.items() if thing in kinds.split()), "")
    if kept == "CoffeeMachine" and "coffee" not in text:
        kept = ""
    return kept or _COMBINATIONS["usual_places"][room]


def _candidates(kind: str, room: str) -> Sequence[str]:
    generic: Mapping[str, str] | None = _COMBINATIONS["generic"].get(kind)
    if generic is None:
        return _types_meant(kind)
    first = generic.get(room, next(iter(generic.values()))).split()
    rest = [each for names in generic.values() for each in names.split()]
    return tuple(dict.fromkeys((*first, *rest)))


def _cost(
    task: str, found: Sequence[tuple[int, str]], room: str, home: Collection[str], is_named: bool
) -> float:
    kinds = [kind for _, kind in found]
    elsewhere = sum(k not in home for k in kinds if k) if home else 0
    elsewhere += task == "two" and list(home).count(kinds[0]) == 1
    rank, place = found[1]
    rooms: str = _COMBINATIONS["retyped"].get(place, "")  # where other versions have it
    may_be_retyped = place not in home and room in rooms.split()
    if home and is_named and rank == 0 and may_be_retyped:
        elsewhere -= 1  # another version of the home may have it
    ranks = fsum(cost * rank for cost, (rank, _) in zip(_PER_RANK, found, strict=True))
    ranks += _OTHER_PLACE * (rank > 0 and is_named and not home)
    return _CONFLICT * (elsewhere + _conflicts(task, kinds)) + ranks


def _conflicts(task: str, kinds: Sequence[str]) -> int:
    """Return how many rules of ALFRED's generator a combination breaks."""
    thing, place, container, _ = kinds
    holds, changes = _COMBINATIONS["holds"], _COMBINATIONS["changes"]
    carried = container or thing
    broken = bool(container) and thing not in holds.get(container, thing).split()
    broken += bool(place) and carried not in holds.get(place, carried).split()
    broken += task in changes and thing not in changes[task].split()
    return broken + (not is_end_of(task, place))


def _likeliest_room(task: str, types: Types, text: str) -> str:
    """Return the room with most of the types and such tasks; of several, by the other words."""
    rooms_of = _COMBINATIONS["rooms"]
    named = [rooms_of[kind].split() for kind in types if kind in rooms_of]
    named.append(_COMBINATIONS["task_rooms"].get(task, "kitchen living bedroom bathroom").split())
    rooms = dict.fromkeys(room for each in named for room in each)
    words = {room: len(_ROOM_WORDS[room].findall(text)) for room in rooms}
    return max(rooms, key=lambda room: (sum(room in each for each in named), words[room]))
