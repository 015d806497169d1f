"""Reads orders for single things: "take the mug, then open the fridge" is two of them.

A piece of an utterance that begins with a verb of `orders.toml`, or is like the sentences of a
skill in `examples.toml`, is an order; its nouns are read as those of any dialogue.  Dishes and
other tasks are none: those are understood as in any dialogue.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from tatc.language.conversation import act_classifier, dialogue_acts, order_words, orders
from tatc.language.conversation.order_things import count_of, orders_in
from tatc.language.conversation.order_words import find, pattern, phrases_meant, skill_of_verb
from tatc.language.conversation.orders import Order

_LEAST_SURE, _SURE_OF_OTHER = 0.25, 0.2
"""How sure the classifier must be of an order that begins with no verb, and of one that begins
with a verb and is likely another."""
_MAX_PIECES = 20


@dataclass(slots=True)
class Reading:
    """What an utterance orders, what it says shall not be done, and its other words.

    Nobody can do what is `impossible`: no window opens.  The orders stand `instead_of` others.
    """

    orders: list[Order] = field(default_factory=list[Order])
    impossible: list[Order] = field(default_factory=list[Order])
    denied: list[Order] = field(default_factory=list[Order])
    rest: str = ""
    instead_of: tuple[Order, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of an utterance that asks for one thing: its words, and what stands before it."""

    mark: str
    words: str
    skill: str = ""
    has_verb: bool = False


def read_orders(text: str, named: Sequence[str], wanted: Sequence[Order] = ()) -> Reading:
    """Read the orders of an utterance, in the order in which they shall be done.

    "It" is the last type of those `named` before with which that can be done; what was named at
    once stands after a "", and twice if several were.  Of "them" there are as many as `wanted`.
    """
    if telegram := _telegram(order_words.spelled_out(text)):
        return Reading(telegram)
    read, rest = Reading(), list[str]()
    postponed = list[Order]()
    for piece in _pieces(order_words.spelled_out(text)):
        is_why = pattern("reason").match(piece.words) and not dialogue_acts.names_any(piece.words)
        if is_why and (read.denied or (rest and pattern("denies").search(rest[-1]))):
            continue
        denied = _denied_by(piece, named, wanted)
        if denied is not None:
            read.denied += denied
            rest += [] if denied else [piece.words]
            named = [*named, "", *(each.thing for each in denied)]
            continue
        is_all = "everything" in piece.words  # that is to be picked up
        named = [*named, "", *(e.thing for e in wanted if is_all and e.skill == orders.PICK_UP)]
        asked = _asked_by(piece, named)
        of_task = piece.skill != "wash" and pattern("of_task").search(piece.words)
        if not asked or (of_task and any(map(order_words.is_task, rest))):
            rest.append(piece.words)
            named = [*named, "", *(e.what for e in phrases_meant(piece.words) if e.what)]
            continue
        asked = _as_many_as(asked, (*wanted, *read.orders), piece.words)
        able = [each for each in asked if each.is_possible and each not in read.orders[-1:]]
        read.impossible += [each for each in asked if not each.is_possible]
        conjuncts = map(str.strip, pattern("breaks").split(piece.words) if asked else ())
        unknown = filter(pattern("unknown_thing").fullmatch, conjuncts)
        rest += [
            each for each in unknown if not any(o.what or o.is_slices for o in phrases_meant(each))
        ]
        at = [e.what for e in phrases_meant(piece.words) if e.relation == "near" and e.what]
        named = [*named, "", *at, *(what for o in asked for what in orders.names_in(o) if what)]
        if piece.mark == "before" and not read.orders:
            postponed += able
        elif pattern("earlier").fullmatch(piece.mark) and read.orders:
            read.orders[-1:-1] = able
        else:
            read.orders += [*able, *postponed]
            postponed = []
    read.orders += postponed
    read.orders = orders.without_needless(read.orders, read.orders)
    put = {e.thing for e in read.orders if e.skill == orders.PUT and not e.needs_place}
    read.orders = [e for e in read.orders if not (e.needs_place and e.thing in put)]
    pairs = pairwise([*read.orders, Order("")])  # "light on! the desk lamp", "get it and cut it"
    read.orders = [e for e, later in pairs if not (later.narrows(e) or later.takes_up(e))]
    read.denied = [e for e in read.denied if not any(o.puts_away(e) for o in read.orders)]
    if read.orders or read.denied:  # "on second thoughts" says no more then
        rest = [each for each in rest if pattern("correction").sub("", each).strip()]
        rest = [each for each in rest if not pattern("interjection").fullmatch(each)]
    read.rest = ". ".join(rest)
    return read


def _as_many_as(asked: list[Order], before: Sequence[Order], words: str) -> list[Order]:
    """Return orders with the numbers of those before, as "them" and "the mugs" mean as many."""
    known = {each.thing: each.count for each in before}
    if pattern("all_of_them").search(words):
        both = 1 if "both" in words and len(asked) > 1 else None
        return [replace(e, count=known.get(e.thing, both or e.count)) for e in asked]
    several = {} if pattern("every").search(words) else {k: n for k, n in known.items() if n != 1}
    bare = [e.what for e in phrases_meant(words) if e.is_plural and not (e.count or e.is_definite)]
    asked = [
        replace(e, count=several.get(e.thing, e.count)) if e.thing in bare else e for e in asked
    ]
    return [replace(e, count=e.count or several.get(e.thing)) for e in asked]


def _denied_by(piece: _Piece, named: Sequence[str], wanted: Sequence[Order]) -> list[Order] | None:
    """Return what a piece says shall not be done, None if it says no such thing."""
    plain = dialogue_acts.plain_words(piece.words)
    matches = [pattern(each).match(plain) for each in ("no_more", "denial")]
    matches.append(pattern("dropped").match(piece.words))  # "no, spoon" takes none back
    denied = next(filter(None, matches), None)
    if denied is None:
        return None
    words = denied["what"]
    is_noun = denied.groupdict().get("any", "any") or pattern("noun").match(words)
    skill = skill_of_verb(words) if is_noun else order_words.skill_of(words, 0)
    found = told_by_number(words, wanted)
    found = found or list(orders_in(skill or orders.LOOK_AT, words, named))
    is_wanted = any(each.is_meant(no) for each in wanted for no in found)
    return found if is_wanted or denied.re is not pattern("dropped") else None


def _telegram(text: str) -> list[Order]:
    """Return the order of words that only name a thing and its place: "mug. sink."."""
    parts = [each.strip() for each in pattern("breaks").split(text)]
    parts = [each for each in parts if each and not pattern("urges").fullmatch(each)]
    named = [each for part in parts[:3] for each in phrases_meant(part)]
    if len(parts) != 2 or len(named) != 2 or any(map(order_words.besides_nouns, parts)):
        return []
    thing, place = (each.what for each in named)
    order = Order(orders.PUT, thing, count_of(named[0]), place)
    is_fixed = orders.is_place(place) and not Order(orders.PICK_UP, place).is_possible
    return [order] if is_fixed and order.is_possible else []


def _asked_by(piece: _Piece, named: Sequence[str]) -> list[Order]:
    """Return the orders of a piece that denies nothing, by its verb or else by example."""
    if find("narrative", piece.words):
        return []
    least_sure = _SURE_OF_OTHER if piece.skill else _LEAST_SURE  # "dust the lamp" is nothing known
    # "Get the tap running" picks up no tap.
    likely = order_words.skill_by_example(piece.words, least_sure)
    skills = dict.fromkeys((piece.skill, likely, skill_of_verb(piece.words)))
    read_as = [list(orders_in(each, piece.words, named)) for each in skills]
    asked = next((each for each in read_as if any(o.is_possible for o in each)), read_as[0])
    if piece.has_verb:
        return asked
    if "switch" in piece.skill and pattern("dark").search(piece.words):
        return [Order(piece.skill, "Lights")]
    # "The plate, please" is no order to put it somewhere, and an impossible one was likely none.
    asked = [replace(o, skill=orders.PICK_UP) if o.needs_place else o for o in asked]
    return asked if any(each.is_possible for each in asked) else []


def told_by_number(words: str, wanted: Sequence[Order]) -> list[Order]:
    """Return the wanted orders that words tell by number or skill: "the second", "the heating"."""
    if done := pattern("the_doing").fullmatch(words):
        return [each for each in wanted if each.skill == skill_of_verb(f"{done[1]} it")]
    told = pattern("numbered").fullmatch(words)
    number = find("ordinal", words) if told is not None else None
    if number is None or number.lastindex is None:
        return []
    several = pattern("number_of_them").search(words)
    many = 1 if several is None else 2 + (several[0] == "three")
    is_last = number.lastindex == pattern("ordinal").groups
    return [*wanted[-many:]] if is_last else [*wanted[number.lastindex - 1 :][:many]]


def _pieces(text: str) -> list[_Piece]:
    """Return the parts of an utterance that each ask for one thing.

    Words that ask for nothing by themselves belong to those before them, or to those after.
    """
    marks = [(0, 0), *(mark.span() for mark in pattern("breaks").finditer(text))][:_MAX_PIECES]
    pieces = list[_Piece]()
    for (start, end), (following, _) in pairwise([*marks, (len(text), 0)]):
        mark, chunk = text[start:end], text[end:following].strip()
        if not re.search(r"\w", chunk):
            continue
        is_earlier = pattern("subordinate").fullmatch(mark.strip())
        chunk = chunk.removeprefix("you ") if is_earlier else chunk
        verb = skill_of_verb(chunk)
        is_first = not any(each.skill for each in pieces)
        least_sure = _LEAST_SURE if is_earlier else order_words.LEAST_SURE_OF_LATER
        skill = order_words.skill_of(chunk, least_sure) if verb or " " in chunk or is_first else ""
        piece = _Piece(mark.strip(), chunk, skill, bool(verb or is_earlier))
        before = pieces[-1] if pieces else None
        denials = (pattern("denial"), pattern("dropped"))
        said = (chunk, before.words) if before is not None else ()
        is_denied = any(each.match(text) for each in denials for text in said)
        words = f"{before.words} {mark.strip()} {chunk}" if before is not None else ""
        if before is None or is_denied:  # "forget the fork and the mug"
            is_noun = pattern("noun").match(chunk) and not order_words.besides_nouns(chunk)
            is_listed = is_noun and piece.mark in ("and", "or", "n", "&")
            listed = [before] if before is not None and is_listed else []
            pieces[-1:] = [replace(e, words=words) for e in listed] or [*pieces[-1:], piece]
            continue
        named = phrases_meant(pattern("unknown_noun").sub("", chunk))  # "translate this letter"
        at = [each.relation in ("on", "near") for each in named]
        is_other = not (skill or pattern("statement").match(chunk))
        is_other = is_other and (not at or bool(pattern("no_order").search(chunk)))
        is_other |= not (skill or is_earlier) and bool(pattern("unknown_verb").fullmatch(chunk))
        is_other |= not skill and bool(pattern("makes").match(chunk)) and order_words.is_task(chunk)
        moving = (orders.PUT, orders.PICK_UP, orders.GO_TO)  # "and the cup on the shelf"
        goes_on = before.has_verb or before.skill in (*moving, "")
        is_complete = pattern("complete").search(before.words)
        is_next = any(at) and (pattern("placed").search(before.words) or is_complete)
        is_put = is_next and is_complete and not skill  # "tap on, towel on the rail"
        if is_put or (before.skill and is_other and not verb):  # which is told to be beyond it
            pieces.append(replace(piece, skill=orders.PUT) if is_put else piece)
            continue
        adds_noun = not verb and skill in moving and goes_on and not is_next
        is_why = pattern("it").search(chunk) or pattern("dark").search(before.words)
        leads_in = not before.has_verb and verb and is_why
        if before.skill and not verb and pattern("remark").match(chunk):
            continue  # "heat my mug, it went cold"
        names_thing = any(each.what for each in phrases_meant(before.words))
        is_talk = act_classifier.is_small_talk(before.words) and not (leads_in and names_thing)
        is_unknown = leads_in and pattern("unknown_order").match(before.words)  # "peel and slice"
        names_thing = names_thing or (leads_in and pattern("what").match(before.words))
        says_other = is_talk or is_unknown or not names_thing or order_words.is_task(before.words)
        if verb and not before.skill and says_other:
            pieces.append(piece)
        elif verb and (not before.skill or leads_in):  # "this pan is dirty, wash it"
            pieces[-1] = _Piece(before.mark, words, skill, has_verb=True)
        elif not before.skill or not skill or adds_noun:
            skill = order_words.skill_of(words, _LEAST_SURE) or before.skill or skill
            pieces[-1] = _Piece(before.mark, words, skill, before.has_verb)
        else:
            pieces.append(piece)
    return [replace(each, words=pattern("edges").sub("", each.words)) for each in pieces]
