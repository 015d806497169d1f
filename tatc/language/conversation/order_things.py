"""Reads what an order is done with, how many of it, and where: the nouns of a part of words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tatc.home import assets, type_facts
from tatc.language.conversation import dialogue_acts, order_words, orders
from tatc.language.conversation.order_words import find, pattern, phrases_meant, skill_of_verb
from tatc.language.conversation.orders import Order, order_table
from tatc.language.understanding import clauses, descriptions, tokens

_LEAST_SURE_OF_DESCRIPTION = 0.2


def orders_in(skill: str, piece: str, named: Sequence[str]) -> Iterator[Order]:
    """Yield the orders that a piece gives by a skill, one for each thing that it names."""
    text = pattern("short_is").sub("", piece)
    phrases = phrases_meant(text)
    if skill in order_table()["spills"]:  # "pour the coffee out of the cup"
        phrases = [each for each in phrases if not each.is_dish]
    if skill not in order_table()["skills"] or any(each.is_dish for each in phrases):
        return
    on = [each for each in phrases if each.relation == "on" and each.what]
    at, on = (on[0].what, on[1:]) if skill == orders.PUT and _leads(on, text) else ("", on)
    if skill == orders.PUT_DOWN and not on:
        yield Order(skill)
        return
    is_placed = _is_placed(skill, text, phrases)
    skill = orders.PUT if on and is_placed else skill
    near = [each for each in phrases if each.relation == "near" and each.what]
    is_back = skill == orders.PUT and not (on or near) and bool(pattern("back").search(text))
    first = next(
        (each.span.end for each in phrases if each.what and each.relation in ("", "of")), 0
    )
    if kind := _described(text, skill, on[-1].span.start if on and is_placed else len(text), first):
        yield Order(skill, kind, place=on[-1].what if on and is_placed else "")
        return
    yielded = list[str]()
    things = _things_among(phrases, skill) or _unsaid_it(text, on)
    if pattern("all_of_those").search(text):  # "pans, wash all of them"
        things = [replace(each, wants_all=True) for each in things]
    for phrase in things:
        later = [each for each in (*on, *near) if each.span.start > phrase.span.start]
        asked = _with_place(Order(skill, count=count_of(phrase)), later, on or near, is_back)
        told = (
            orders.OTHER
            if phrase.adds
            else order_words.attribute_told(text[: phrase.span.end]) or at
        )
        one = phrase.is_definite and bool(phrase.what) and not pattern("any").search(text)
        is_it = not phrase.what and phrase.count is None
        asked = replace(asked, which=told or asked.which, is_definite=one, is_it=is_it)
        for thing in _meant_by(phrase, asked, [*named, *yielded], text):
            is_bin = (asked.skill, thing) == (orders.THROW, orders.BIN_TYPE)
            is_again = thing in yielded and not asked.which  # "something to read, a book"
            if not (is_bin or is_again):
                if asked.needs_place and find("there", text):  # "put the keys inside"
                    there = _there([each for each in named if each != thing])
                    asked = replace(asked, place=there or asked.place, at=orders.LAST)
                fills = asked.skill == "water" and thing not in order_table()["grow"]
                yield replace(asked, skill="fill" if fills else asked.skill, thing=thing)
                yielded.append(thing)


def _leads(on: Sequence[clauses.NounPhrase], text: str) -> bool:
    """Whether the first of two places is where the thing is: "the mug in the sink on the desk"."""
    is_fixed = len(on) == 2 and not Order(orders.PUT, on[0].what).is_carried
    return is_fixed and bool(pattern("to").fullmatch(text[on[0].span.end : on[1].span.start]))


def _there(named: Sequence[str]) -> str:
    """Return the place that was named last, "" for none: of "the mug on the shelf" the shelf."""
    begins = [i for i, each in enumerate(named) if not each]
    groups = ([*filter(orders.is_place, named[i:])] for i in (*begins[::-1], 0))
    return next((each[0] for each in groups if each), "")


def _unsaid_it(text: str, on: Sequence[clauses.NounPhrase]) -> list[clauses.NounPhrase]:
    """Return "it" where words with a verb name no thing: "put on the table"."""
    alone = bool(
        on or find("there", text) or pattern("verb_alone").match(order_words.bare_words(text))
    )
    names_other = pattern("noun").search(text[: on[0].span.start] if on else "")
    if not (alone and skill_of_verb(text)) or names_other:
        return []
    return [clauses.NounPhrase("", is_dish=False, span=tokens.Span(0, 0, 0))]


def _is_placed(skill: str, text: str, phrases: Sequence[clauses.NounPhrase]) -> bool:
    """Whether a place that a piece names is where its thing shall be, not where it is."""
    if skill == orders.PICK_UP and pattern("wants").match(text):  # "I want the mug on the desk"
        return any(e.relation == "" and (e.is_definite or e.count) for e in phrases)
    throws_onto = skill == orders.THROW and not pattern("away").search(text)
    return skill in (orders.PUT, orders.PUT_DOWN) or throws_onto


def _with_place(
    asked: Order,
    later: Sequence[clauses.NounPhrase],
    anywhere: Sequence[clauses.NounPhrase],
    is_back: bool,
) -> Order:
    """Return an order with where its thing is put, or else with where it is now.

    The first of the places named `later` than the thing counts, or else one named `anywhere`.
    """
    if asked.skill != orders.PUT:
        is_bin = (orders.THROW, orders.BIN_TYPE)  # which is no place where a thing is
        told = (e.what for e in later if e.relation == "on" and (asked.skill, e.what) != is_bin)
        return replace(asked, which=next(told, ""))
    where = next(iter((*later, *anywhere)), None)
    if where is None:
        return replace(asked, place=orders.BACK if is_back else "")
    if where.what == orders.BIN_TYPE:
        return replace(asked, skill=orders.THROW)
    at = orders.OTHER if where.adds else orders.LAST if where.is_definite else ""
    return replace(asked, place=where.what, is_beside=where.relation == "near", at=at)


def _things_among(phrases: Sequence[clauses.NounPhrase], skill: str) -> list[clauses.NounPhrase]:
    """Return the phrases that name what something is done with, or pronouns that stand for it."""
    things = [each for each in phrases if each.relation in ("", "of")]
    things = [each for each in things if each.what] or things  # "the potato, put it there"
    if skill == orders.PUT:
        return things
    # "Dump what's in the bowl down the sink", "somebody left the fridge open, shut it".
    able = [each for each in phrases if each.what and Order(skill, each.what).is_possible]
    return things if any(each in able for each in things) else able or things or [*phrases]


def _described(text: str, skill: str, end: int, named: int) -> str:
    """Return the type that words describe, "" for none: "something to change channels".

    What is `named` before, up to there, is meant itself: "look at the plant, is something wrong?".
    """
    found = pattern("described").search(text[:end])
    if found is None or 0 < named <= found.start() or not found["what"].strip():
        return ""
    able = [each for each in assets.known_object_types() if Order(skill, each).is_possible]
    use = pattern("use_edges").sub("", dialogue_acts.plain_words(found["what"]))
    told = (descriptions.type_from_description(each, able) for each in (found["what"], use))
    return next((kind for kind, sure in told if sure >= _LEAST_SURE_OF_DESCRIPTION), "")


def _meant_by(
    phrase: clauses.NounPhrase, asked: Order, named: Sequence[str], text: str
) -> list[str]:
    """Return the types that a phrase means: of "it" the last one named that can be used so."""
    is_piece = phrase.is_slices and asked.skill != orders.SLICE
    pieces = type_facts.PIECE_TYPE_BY_WHOLE if is_piece else {}
    if phrase.what:
        return [pieces.get(phrase.what, phrase.what)]
    known = dict.fromkeys(pieces.get(each, each) for each in reversed(named) if each)
    known = [each for each in known if each in pieces.values()] if pieces else [*known]
    able = [each for each in known if replace(asked, thing=each).is_possible]
    said = text[phrase.span.start : phrase.span.end]
    if not pattern("all_of_them").search(said):
        return able[:1]
    begins = [i for i, each in enumerate(named) if not each]
    groups = ([each for each in named[i:] if each in able] for i in (*begins[::-1], 0))
    least = 2 if said in ("both", "everything") else 1
    found = (each for each in groups if len(each) > 1 and len({*each}) >= least)
    return list(dict.fromkeys(next(found, able)))[: 2 if said == "both" else None]


def count_of(phrase: clauses.NounPhrase) -> int | None:
    """Return how many are meant: all by "all", and by a plural with "the"."""
    is_all = phrase.is_plural and phrase.is_definite and phrase.count is None
    is_all = is_all and not phrase.what.endswith("s") and phrase.what not in order_table()["pairs"]
    return None if phrase.wants_all or is_all else phrase.count or 1
