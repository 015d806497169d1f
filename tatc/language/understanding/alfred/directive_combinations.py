"""Which types go together in a task of ALFRED's, and which of a word's several types are meant.

ALFRED's tasks were generated from tables: a receptacle takes certain types, certain types can be
heated, and each room has its furniture.  "Cup" in "put the cup in the coffee maker" is a mug,
since nothing else goes there.  Words such as "table" mean the likeliest type of the room.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from tatc.language.understanding.alfred.directive_mentions import other_types

_FILE = Path(__file__).parent / "directive_combinations.json"
_CONFLICT = 2.0  # what a type costs that the room lacks, or that does not go with the others
_PER_RANK = (0.08, 0.15, 0.1, 0.1)  # what a less likely type of the same word costs, by parameter

_RETYPED = frozenset("Cart CoffeeTable Desk DiningTable Dresser Shelf SideTable TVStand".split())
"""Furniture that has another of these types in other versions of AI2-THOR."""
_AWAY = re.compile(r"\b(put|puts|putting|place|placing|store|storing|set)\b.*\baway\b")

Types = tuple[str, str, str, str]
"""The types of an object, a receptacle, a container that is moved and a lamp; "" for none."""


def likeliest_types(
    task: str, types: Types, text: str, home: Collection[str] = frozenset()
) -> Types:
    """Return the types that words for these most likely mean together.

    `text` is all that was said, in lower case, which may tell the room.  Of a `home` the types
    are known: they tell the room, and what it lacks is not meant.
    """
    marks: Mapping[str, str] = _table()["room_marks"]  # what only one room has
    seen = (room for room, kind in marks.items() if kind in home)
    room = next(seen, "living" if home else "") or _likeliest_room(task, types, text)
    thing, place, container, lamp = types
    if place in _table()["not_in"].get(task, ()) or (thing and task != "look" and not place):
        place = _usual_place(thing, text, room)
    options = [_candidates(kind, room) for kind in (thing, place, container, lamp)]
    carries = _table()["containers"].split()
    options[2] = [kind for kind in options[2] if not kind or kind in carries]
    ranked, is_named = product(*map(enumerate, options)), place not in _table()["generic"]
    best = min(ranked, key=lambda found: _cost(task, found, room, home, is_named))
    kinds = [kind for _, kind in best]
    return kinds[0], kinds[1], kinds[2], kinds[3]


def can_change(task: str, thing: str, place: str) -> bool:
    """Return whether ALFRED has a task in which this is done to a type that ends up in a place."""
    table = _table()
    able = table["changes"].get(task, thing).split()
    kinds = (thing, *other_types().get(thing, ()))
    return any(kind in able for kind in kinds) and is_end_of(task, place)


def is_end_of(task: str, place: str) -> bool:
    """Return whether something may end up in a place after this task."""
    return place not in _table()["not_in"].get(task, ())


def meanings_of(word: str) -> Sequence[str]:
    """Return the types that a word means which names none of them, such as "table"."""
    generic: Mapping[str, str] = _table()["generic"].get(word, {})
    return [kind for names in generic.values() for kind in names.split()]


def can_hold(container: str, thing: str) -> bool:
    """Return whether a container can hold a type, by one of the meanings of its word."""
    things = (thing, *other_types().get(thing, ()))
    containers = (container, *other_types().get(container, ()))
    holds = _table()["holds"]
    return any(kind in holds.get(each, "").split() for each in containers for kind in things)


def _usual_place(thing: str, text: str, room: str) -> str:
    """Return where a type is left if no place is said: where it is kept, if it is put away."""
    places: Mapping[str, str] = _table()["kept_in" if _AWAY.search(text) else "used_at"]
    kept = next((place for place, kinds in places.items() if thing in kinds.split()), "")
    if kept == "CoffeeMachine" and "coffee" not in text:
        kept = ""
    return kept or _table()["usual_places"][room]


def _candidates(kind: str, room: str) -> Sequence[str]:
    generic: Mapping[str, str] | None = _table()["generic"].get(kind)
    if generic is None:
        return (kind, *other_types().get(kind, ()))
    first = generic.get(room, next(iter(generic.values()))).split()
    rest = [each for names in generic.values() for each in names.split()]
    return tuple(dict.fromkeys((*first, *rest)))


def _cost(
    task: str, found: Sequence[tuple[int, str]], room: str, home: Collection[str], is_named: bool
) -> float:
    kinds = [kind for _, kind in found]
    elsewhere = sum(bool(k) and not (k in home if home else _is_in(k, room)) for k in kinds)
    elsewhere += task == "two" and list(home).count(kinds[0]) == 1
    rank, place = found[1]
    may_be_retyped = place in _RETYPED and place not in home and _is_in(place, room)
    if home and is_named and rank == 0 and may_be_retyped:
        elsewhere -= 1  # another version of the home may have it
    ranks = sum(cost * rank for cost, (rank, _) in zip(_PER_RANK, found, strict=True))
    return _CONFLICT * (elsewhere + _conflicts(task, kinds)) + ranks


def _conflicts(task: str, kinds: Sequence[str]) -> int:
    """Return how many rules of ALFRED's generator a combination breaks."""
    thing, place, container, _ = kinds
    table = _table()
    holds: Mapping[str, str] = table["holds"]
    carried = container or thing
    broken = bool(container) and thing not in holds.get(container, thing).split()
    broken += bool(place) and carried not in holds.get(place, carried).split()
    broken += task in table["changes"] and thing not in table["changes"][task].split()
    return broken + (place in table["not_in"].get(task, ()))


def _likeliest_room(task: str, types: Types, text: str) -> str:
    """Return the room that has all types and sees such tasks, or else most of them.

    Rooms are equally likely by these: then by the other words.
    """
    named = [rooms for kind in types if (rooms := _rooms_of(kind))]
    named.append(_table()["task_rooms"].get(task, "kitchen living bedroom bathroom").split())
    rooms = dict.fromkeys(room for each in named for room in each)
    words = {room: len(_room_words()[room].findall(text)) for room in rooms}
    return max(rooms, key=lambda room: (sum(room in each for each in named), words[room]))


def _is_in(kind: str, room: str) -> bool:
    rooms = _rooms_of(kind)
    return not rooms or room in rooms


def _rooms_of(kind: str) -> Sequence[str]:
    return _table()["rooms"].get(kind, "").split()


@lru_cache(maxsize=1)
def _room_words() -> Mapping[str, re.Pattern[str]]:
    words: Mapping[str, str] = _table()["room_words"]
    return {room: re.compile(rf"\b({'|'.join(each.split(','))})") for room, each in words.items()}


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Any]:
    return json.loads(_FILE.read_text(encoding="utf-8"))
