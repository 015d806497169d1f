"""Reads orders for single things: "take the mug, then open the fridge" is two of them.

A piece of an utterance that begins with a verb of `orders.toml`, or is like the sentences of a
skill in `examples.toml`, is an order; its nouns are read as those of any dialogue.  Dishes and
other tasks are none: those are understood as in any dialogue.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import pairwise

from tatc.home import assets, type_facts
from tatc.language.conversation import act_classifier, dialogue_acts, normalization, orders
from tatc.language.conversation.orders import Order, order_table
from tatc.language.understanding import clauses, descriptions, tokens

_LEAST_SURE, _LEAST_SURE_OF_LATER, _SURE, _SURE_OF_OTHER = 0.25, 0.45, 0.62, 0.2
"""How sure the classifier must be of an order that begins with no verb, more after another; and of
one that begins with the verb of another skill."""
_LEAST_SURE_OF_DESCRIPTION = 0.2
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
    ends = [*(each.span.start for each in phrases[1:]), len(text)]
    pairs = zip(phrases, ends, strict=False)
    unmeant = [each for each, end in pairs if _is_unmeant(each, text, end)]
    denied = frozenset(each.what for each in unmeant) - {""}
    return tuple(e for e in phrases if e not in unmeant and e.what not in denied), denied


def _is_unmeant(phrase: clauses.NounPhrase, text: str, end: int) -> bool:
    """Return whether a phrase is denied, taken back at once, or no noun: "light the candle"."""
    before, after = text[: phrase.span.start], text[phrase.span.end : end]
    is_verb = bool(phrase.what) and end < len(text) and not (after.strip() or phrase.is_definite)
    is_denied = phrase.is_negated or pattern("contrast").search(before) is not None
    return is_verb or is_denied or pattern("taken_back").match(text, phrase.span.end) is not None


def _skill_of(words: str, least_sure: float) -> str:
    """Return the skill that words ask for, by their verb or by example, "" for none."""
    verb = skill_of_verb(words)
    return _skill_by_example(words, _SURE if verb else least_sure) or verb


def _skill_by_example(words: str, least_sure: float) -> str:
    """Return the skill of the sentences that words are most like, "" for none."""
    says_how_it_is = pattern("no_order").search(words) or pattern("narrative").search(words)
    if says_how_it_is and not skill_of_verb(words):
        return ""
    if not any(each.what for each in phrases_meant(words)):  # "with a bit of jam on it"
        least_sure = max(least_sure, _LEAST_SURE_OF_LATER)
    (kind, sure), verb = act_classifier.classify(words), skill_of_verb(words)
    if not (verb or besides_nouns(words)) and kind in order_table()["never_unsaid"]:
        kind = orders.PICK_UP  # "a knife, a tomato and a plate"
    if (kind == orders.SLICE and verb not in ("", kind)) or kind in orders.skills_never_meant(verb):
        return ""  # "put one slice on the plate"
    least_sure = max(least_sure, _LEAST_SURE_OF_LATER * (kind == orders.PUT_DOWN))
    kind = orders.PUT if not verb and find("only_place", words) else kind
    return kind if sure >= least_sure and kind in order_table()["skills"] else ""


def read_orders(text: str, named: Sequence[str], wanted: Sequence[Order] = ()) -> Reading:
    """Read the orders of an utterance, in the order in which they shall be done.

    "It" is the last type of those `named` before with which that can be done; what was named at
    once stands after a "", and twice if several were.  Of "them" there are as many as `wanted`.
    """
    if telegram := _telegram(spelled_out(text)):
        return Reading(telegram)
    read, rest = Reading(), list[str]()
    postponed = list[Order]()
    for piece in _pieces(spelled_out(text)):
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
        if not asked or (of_task and any(map(is_task, rest))):
            rest.append(piece.words)
            named = [*named, "", *(e.what for e in phrases_meant(piece.words) if e.what)]
            continue
        asked = _as_many_as(asked, (*wanted, *read.orders), piece.words)
        able = [each for each in asked if each.is_possible and each not in read.orders[-1:]]
        read.impossible += [each for each in asked if not each.is_possible]
        conjuncts = map(str.strip, pattern("breaks").split(piece.words) if asked else ())
        unknown = filter(pattern("unknown_thing").fullmatch, conjuncts)
        rest += [each for each in unknown if not any(o.what for o in phrases_meant(each))]
        at = [e.what for e in phrases_meant(piece.words) if e.relation == "near" and e.what]
        named = [*named, "", *at, *(what for o in asked for what in orders.names_in(o) if what)]
        if piece.mark == "before" and not read.orders:
            postponed += able
        elif pattern("earlier").fullmatch(piece.mark) and read.orders:
            read.orders[-1:-1] = able
        else:
            read.orders += [*able, *postponed]
            postponed = []
    read.orders = orders.without_needless(read.orders + postponed)
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
    skill = skill_of_verb(words) if is_noun else _skill_of(words, 0)
    found = told_by_number(words, wanted)
    found = found or list(orders_in(skill or orders.LOOK_AT, words, named))
    is_wanted = any(each.is_meant(no) for each in wanted for no in found)
    return found if is_wanted or denied.re is not pattern("dropped") else None


def _telegram(text: str) -> list[Order]:
    """Return the order of words that only name a thing and its place: "mug. sink."."""
    parts = [each.strip() for each in pattern("breaks").split(text)]
    parts = [each for each in parts if each and not pattern("urges").fullmatch(each)]
    named = [each for part in parts[:3] for each in phrases_meant(part)]
    if len(parts) != 2 or len(named) != 2 or any(map(besides_nouns, parts)):
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
    likely = _skill_by_example(piece.words, least_sure)  # "get the tap running" picks up no tap
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


def is_task(words: str) -> bool:
    """Return whether words ask for a whole task rather than for a single thing."""
    return act_classifier.classify(words)[0] == "task"


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
        least_sure = _LEAST_SURE if is_earlier else _LEAST_SURE_OF_LATER
        skill = _skill_of(chunk, least_sure) if verb or " " in chunk or is_first else ""
        piece = _Piece(mark.strip(), chunk, skill, bool(verb or is_earlier))
        before = pieces[-1] if pieces else None
        denials = (pattern("denial"), pattern("dropped"))
        said = (chunk, before.words) if before is not None else ()
        is_denied = any(each.match(text) for each in denials for text in said)
        words = f"{before.words} {mark.strip()} {chunk}" if before is not None else ""
        if before is None or is_denied:  # "forget the fork and the mug"
            is_noun = pattern("noun").match(chunk) and not besides_nouns(chunk)
            is_listed = is_noun and piece.mark in ("and", "or", "n", "&")
            listed = [before] if before is not None and is_listed else []
            pieces[-1:] = [replace(e, words=words) for e in listed] or [*pieces[-1:], piece]
            continue
        named = phrases_meant(pattern("unknown_noun").sub("", chunk))  # "translate this letter"
        at = [each.relation in ("on", "near") for each in named]
        is_other = not (skill or pattern("statement").match(chunk))
        is_other = is_other and (not at or bool(pattern("no_order").search(chunk)))
        is_other |= not (skill or is_earlier) and bool(pattern("unknown_verb").fullmatch(chunk))
        is_other |= not skill and bool(pattern("makes").match(chunk)) and is_task(chunk)
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
        says_other = is_talk or is_unknown or not names_thing or is_task(before.words)
        if verb and not before.skill and says_other:
            pieces.append(piece)
        elif verb and (not before.skill or leads_in):  # "this pan is dirty, wash it"
            pieces[-1] = _Piece(before.mark, words, skill, has_verb=True)
        elif not before.skill or not skill or adds_noun:
            skill = _skill_of(words, _LEAST_SURE) or before.skill or skill
            pieces[-1] = _Piece(before.mark, words, skill, before.has_verb)
        else:
            pieces.append(piece)
    return [replace(each, words=pattern("edges").sub("", each.words)) for each in pieces]


def besides_nouns(words: str) -> str:
    """Return what words say besides nouns and what may stand beside them: "needs a wash"."""
    besides = dialogue_acts.plain_words(words.replace(",", " and "))
    for each in phrases_meant(besides)[::-1]:
        besides = besides[: each.span.start] + besides[each.span.end :]
    return "" if pattern("with_nouns").fullmatch(besides) else besides


def orders_in(skill: str, piece: str, named: Sequence[str]) -> Iterator[Order]:
    """Yield the orders that a piece gives by a skill, one for each thing that it names."""
    text = pattern("short_is").sub("", piece)
    phrases = phrases_meant(text)
    if skill in order_table()["spills"]:  # "pour the coffee out of the cup"
        phrases = [each for each in phrases if not each.is_dish]
    if skill not in order_table()["skills"] or any(each.is_dish for each in phrases):
        return
    on = [each for each in phrases if each.relation == "on" and each.what]
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
        place = on[-1].what if on and is_placed else ""
        yield Order(skill, kind, place=place)
        return
    yielded = list[str]()
    things = _things_among(phrases, skill) or _unsaid_it(text, on)
    if pattern("all_of_those").search(text):  # "pans, wash all of them"
        things = [replace(each, wants_all=True) for each in things]
    for phrase in things:
        later = [each for each in (*on, *near) if each.span.start > phrase.span.start]
        asked = _with_place(Order(skill, count=count_of(phrase)), later, on or near, is_back)
        told = orders.OTHER if phrase.adds else attribute_told(text[: phrase.span.end])
        one = phrase.is_definite and bool(phrase.what) and not pattern("any").search(text)
        asked = replace(asked, which=told or asked.which, is_definite=one)
        for thing in _meant_by(phrase, asked, [*named, *yielded], text):
            is_bin = (asked.skill, thing) == (orders.THROW, orders.BIN_TYPE)
            is_again = thing in yielded and not asked.which  # "something to read, a book"
            if not (is_bin or is_again):
                if asked.needs_place and find("there", text):  # "put the keys inside"
                    there = _there([each for each in named if each != thing])
                    asked = replace(asked, place=there or asked.place)
                fills = asked.skill == "water" and thing not in order_table()["grow"]
                yield replace(asked, skill="fill" if fills else asked.skill, thing=thing)
                yielded.append(thing)


def _there(named: Sequence[str]) -> str:
    """Return the place that was named last, "" for none: of "the mug on the shelf" the shelf."""
    begins = [i for i, each in enumerate(named) if not each]
    groups = ([*filter(orders.is_place, named[i:])] for i in (*begins[::-1], 0))
    return next((each[0] for each in groups if each), "")


def _unsaid_it(text: str, on: Sequence[clauses.NounPhrase]) -> list[clauses.NounPhrase]:
    """Return "it" where words with a verb name no thing: "put on the table"."""
    alone = bool(on or find("there", text) or pattern("verb_alone").match(bare_words(text)))
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
    return replace(asked, place=where.what, is_beside=where.relation == "near")


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
