"""Reads what corrects orders before it: "no, the spoon", "three, not two", "the lamp first"."""

from collections.abc import Sequence
from dataclasses import replace

from tatc.language.conversation import dialogue_acts, order_things, order_words, orders
from tatc.language.conversation.order_reading import read_orders
from tatc.language.conversation.order_words import pattern, phrases_meant, phrases_read
from tatc.language.conversation.orders import Order, order_table
from tatc.language.object_names import preposition_for


def spoken_of(text: str, last: Order | None, wanted: Sequence[Order]) -> list[Order]:
    """Return the orders that words may correct, the likeliest first; `last` is the last one given.

    It is the one whose thing or place they deny or name, or else the last.  Words that name nothing
    that is wanted may also correct one of the three before.
    """
    denied = phrases_read(order_words.spelled_out(text))[1]
    known = [each for each in (last, *wanted[::-1]) if each is not None]
    named = next((each for each in known if denied & {each.thing, each.place}), None)
    if named is None and last is not None:  # "three cups, not two", "the mug in the sink instead"
        meant = [each for each in phrases_meant(order_words.spelled_out(text)) if each.what]
        tells = meant[1:] or order_words.skill_of_verb(text)  # "throw the mug away instead"
        said = {each.what for each in meant if each.count or tells}
        others = known if last.thing not in said else ()
        named = next((each for each in others if each.thing in said), None)
    corrects = order_words.find("correction", text) and last in wanted
    is_new = corrects and dialogue_acts.noun_in(text)[0] not in {each.thing for each in wanted}
    return [*filter(None, (named or last,)), *(wanted[:-4:-1] if is_new else ())]


def corrected(text: str, last: Order) -> list[Order]:
    """Return the last order with what is meant instead: "no, the spoon"; empty for none."""
    words = _words_that_correct(text, last)
    plain, (_, denied) = map(dialogue_acts.plain_words, (text, words)), phrases_read(words)
    if last.count and (renumbered := _renumbered(last, words)):
        return renumbered
    one = None if order_words.skill_of_verb(words) else pattern("one_of").match(words)
    if last.thing and one is not None and not pattern("too").search(words):
        which = _which_told(one["how"], one["where"])
        return [replace(last, which=which, only="")] if which else []
    if last.skill == orders.THROW and orders.BIN_TYPE in denied:
        last = replace(last, skill=orders.PUT, place=orders.BIN_TYPE)
    there = pattern("not_there").sub(" ", words)  # "not in the sink, on the table"
    if last.place and (there != words or last.place in denied) and (put := placed(last, there)):
        return put
    corrects = any(map(pattern("correction").search, plain)) or last.thing in denied
    if pattern("several_there").search(words) or not corrects or _only_denies(words, last):
        return []
    bare = pattern("correction").sub(" ", words).strip(" ,.")
    is_other = last.thing not in denied and pattern("only_denied").match(words)
    if is_other or (last.thing in denied and not phrases_meant(bare)):
        return []  # "not the knives"
    if turned := _turned(last, bare) or _turned(last, dialogue_acts.plain_words(words)):
        return turned
    bare = pattern("count_alone").sub(rf"\1 {orders.noun(last.thing)}", bare)
    if not denied and (pattern("also").search(bare) or pattern("at_first").search(text.lower())):
        return []
    if order_words.skill_of_verb(bare):
        told = read_orders(bare, (last.thing,)).orders
        is_new = all(e.skill != last.skill and e.thing != last.thing for e in told)
        return [] if is_new and not pattern("takes_back").search(words) else told
    return _named_instead(last, (words, bare) if denied else (bare, words))


def _only_denies(words: str, last: Order) -> bool:
    """Return whether words only take the last order back: "don't put the mug in the sink"."""
    kinds = {each.what for each in dialogue_acts.phrases_in(words)}
    is_no = pattern("denial").match(words) and kinds <= {"", last.thing, last.place}
    return bool(is_no) and not any(map(order_words.skill_of_verb, pattern("breaks").split(words)))


def with_given(
    wanted: Sequence[Order], given: Sequence[Order], gone: Sequence[Order], *, first: bool = False
) -> list[Order]:
    """Return orders with those `given`, in the place of those `gone`, or else first or last.

    What was to be done with the thing of the last one gone is done with the one meant instead.
    """
    kept = [e for e in wanted if e not in given and not any(e is old for old in gone)]
    old, new = gone[-1] if gone else given[-1], given[-1]
    if len(given) == 1 and old.skill == new.skill != orders.GO_TO and old.thing != new.thing:
        meant = [replace(e, thing=new.thing, only="") if e.thing == old.thing else e for e in kept]
        kept = [each for each in meant if each.is_possible and each not in given]
    put = {each.thing for each in given if gone and each.skill == orders.PUT}
    kept = [each for each in kept if each.skill != orders.PUT or each.thing not in put]
    at = 0 if first else len(kept)
    at = next((i for i, each in enumerate(wanted) if each in gone), at)
    return [*kept[:at], *given, *kept[at:]]


def _renumbered(last: Order, words: str) -> list[Order]:
    """Return the last order with the number that words tell: "one fork less", "three eggs"."""
    named = phrases_meant(words)
    if pattern("fewer").search(words):
        less = [e.count or 1 for e in named if e.what == last.thing]
        return [replace(last, count=max(1, (last.count or 1) - less[0]))] if less else []
    is_number = [e.what for e in named if e.count and not e.adds] == [last.thing]
    bare = is_number and not named[1:] and not order_words.besides_nouns(words)
    return [replace(last, count=named[0].count)] if bare else []


def _words_that_correct(text: str, last: Order) -> str:
    """Return words without what is told beside them; "use the pan" chooses it."""
    words = pattern("beside").sub("", order_words.spelled_out(text))
    words = pattern("more_of_it").sub("", words)
    tools = order_table()["tools"].get(last.skill, ())
    is_tool = any(each.what in tools for each in phrases_meant(words))
    return words if is_tool else pattern("use").sub(r"\1 instead", words)


def _named_instead(last: Order, texts: Sequence[str]) -> list[Order]:
    """Return the last order with what the first of some texts names that names anything."""
    tail = f" {preposition_for(last.place)} the {orders.noun(last.place)}" if last.place else ""
    for each in texts:
        read_as = [
            o
            for o in order_things.orders_in(last.skill, each + tail, (last.thing,))
            if o.is_possible
        ]
        read_as = [as_many(o, last, each) for o in read_as]  # "mugs instead"
        found = next((o for o in read_as if o != replace(last, only="")), None)
        if read_as:  # "no, three, and the salt"
            return [] if found is None else [found, *read_as[read_as.index(found) + 1 :]]
    return placed(last, min(texts, key=len)) if last.place else []


def _which_told(how: str, where: str) -> str:
    """Return which one is told by what it is like ("the other one"), or by where it is."""
    *article, word = ("", *how.split())
    told = orders.OTHER if order_words.find("other", word) else dialogue_acts.state_of_word(word)
    told = told or (order_words.attribute_told(f"the {word} one") if article[1:] else "")
    return next((each.what for each in phrases_meant(where) if each.what), "") or told


def as_many(order: Order, last: Order, text: str) -> Order:
    """Return an order with the number of the last one, where a mere plural says none."""
    named = (each for each in phrases_meant(text) if each.what == order.thing)
    is_bare = any(e.is_plural and not (e.is_definite or e.wants_all or e.count) for e in named)
    return replace(order, count=last.count) if is_bare else order


def placed(order: Order, text: str) -> list[Order]:
    """Return an order with the last place that words name, empty if they name none."""
    found = [each for each in phrases_meant(text) if orders.is_place(each.what)][-1:]
    told = {"at": orders.OTHER if found[-1].adds else ""} if found else {}
    near = (replace(order, place=e.what, is_beside=e.relation == "near", only="") for e in found)
    return [replace(each, **told) for each in near]


def moved_on(text: str, last: Order) -> list[Order]:
    """Return the order to put somewhere what was last to be picked up: "on the table"."""
    if turned := _turned(last, order_words.bare_words(text)):  # "then off"
        return turned
    moves = last.skill not in (orders.PUT, orders.GO_TO, orders.LOOK_AT)
    is_so = moves and order_words.find("only_place", text)
    put = placed(replace(last, skill=orders.PUT), text) if is_so else []
    return [each for each in put if each.is_possible]


def swapped(text: str, wanted: Sequence[Order]) -> list[Order]:
    """Return the last two orders, each with the place of the other, if words ask for that."""
    put = [each for each in wanted[-2:] if each.skill == orders.PUT]
    is_so = put[1:] and order_words.pattern("swaps").fullmatch(dialogue_acts.plain_words(text))
    pairs = zip(put, put[::-1], strict=True) if is_so else ()
    return [replace(each, place=to.place, at=to.at) for each, to in pairs]


def _turned(last: Order, words: str) -> list[Order]:
    """Return the last order, or its opposite, if words only tell the state that is meant."""
    said = pattern("on_or_off").fullmatch(words)
    skill = order_table()["stated"][said[1]] if said is not None else ""
    is_one = last.skill in (skill, *orders.skills_never_meant(skill))
    return [replace(last, skill=skill, only="")] if is_one else []


def reordered(text: str, wanted: Sequence[Order]) -> list[Order]:
    """Return orders in the sequence that words tell ("the lamp first"), empty if they tell none."""
    words = pattern("aside").sub("", order_words.spelled_out(text))
    if len(wanted) > 1 and pattern("reversed_order").search(words):
        return [*wanted[::-1]]
    told = None if order_words.skill_of_verb(words) else pattern("reorder").fullmatch(words)
    first = None if told is None else _wanted_one(told["what"], wanted)
    if told is None or first is None:
        return []
    later = _wanted_one(told["than"] or "", wanted) or wanted[0]
    rest = [each for each in wanted if each is not first]
    at = rest.index(later) if later in rest else 0
    return [*rest[:at], first, *rest[at:]]


def _wanted_one(words: str, wanted: Sequence[Order]) -> Order | None:
    """Return the order that words name by its thing or its number, None for none."""
    number = order_words.find("ordinal", words)
    if number is not None and number.lastindex is not None:
        return next(iter(wanted[number.lastindex - 1 :]), None)
    kind, _ = dialogue_acts.noun_in(words)
    meant = Order(orders.LOOK_AT, kind)
    return next((each for each in wanted if kind and each.is_meant(meant)), None)
