"""What the listener says to a person: sentences, and what it believes of the home in words."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial

from tatc.base.files import package_table
from tatc.follower.listener import semantic_map
from tatc.home import assets, state, type_facts
from tatc.language.conversation import dialogue_acts, normalization, order_words, orders
from tatc.language.object_names import location_words
from tatc.language.step_wording import NUMBER_WORDS
from tatc.language.understanding import tokens
from tatc.tdl.properties import is_of_type_or_class

_table = partial(package_table, __package__, "answers.toml")
NEAR_METRES = 1.5
"""How near a piece of furniture is by which the Follower says where it stands, metres."""
MAX_NAMED = 6  # things that a sentence lists, at most
MAX_QUOTED_CHARACTERS = 60  # of words that were not understood, so many are quoted


class Answers:
    """The sentences of `answers.toml`, those of a kind in turn: none comes twice in a row."""

    def __init__(self, belief: semantic_map.SemanticMap) -> None:
        """Speak of what is believed; begin with the first sentence of each kind."""
        self._belief = belief
        self._times = Counter[str]()
        self.typed = ""  # what was said last

    def say(self, key: str, **parts: object) -> str:
        """Return the next sentence of a kind, with its words filled in."""
        forms = _table()[key]
        self._times[key] += 1
        if "words" in parts:
            parts["words"] = self.quoted(str(parts["words"]))
        return forms[(self._times[key] - 1) % len(forms)].format(**parts).strip()

    def quoted(self, words: str) -> str:
        """Return words as the person typed them, so many of them as are quoted."""
        said = normalization.as_typed(words[:MAX_QUOTED_CHARACTERS], self.typed)
        is_cut = max(len(words), len(said)) > MAX_QUOTED_CHARACTERS
        return said[:MAX_QUOTED_CHARACTERS] + "..." * is_cut

    def own_place(self) -> str:
        """Answer where the Follower is."""
        fixed = [each for each in self._belief.objects if not each.affordances.pickupable]
        marks = [each for each in fixed if each.objectType not in _table()["dull_types"]]
        nearest = min(marks, key=self._distance_to, default=None)
        if nearest is None or self._distance_to(nearest) >= NEAR_METRES:
            return self.say("place_unknown")
        return self.say("place", where=f"at the {orders.noun(nearest.objectType)}")

    def seen(self, said: dialogue_acts.Said, it: str) -> str:
        """Answer what is in view, in the hand, or in or on a place; `it` was named last."""
        if said.is_place:
            return self._contents(said, said.thing or it * (not said.unknown))
        if any(each in said.words for each in ("hold", "hand", "carry")):
            held = self._belief.held_object()
            key = "holding_nothing" if held is None else "holding"
            return self.say(key, things="" if held is None else counted([held]))
        shown = [each for each in self.in_view() if each.objectType not in _table()["dull_types"]]
        return self.say("seen" if shown else "seen_nothing", things=counted(shown))

    def belief_words(self) -> str:
        """Return what is believed in one line: what is held, and what was seen."""
        held = self._belief.held_object()
        dull = _table()["dull_types"]
        seen = counted(each for each in self._belief.objects if each.objectType not in dull)
        return f"holds {counted([held]) if held else 'nothing'}; has seen {seen or 'nothing'}"

    def in_view(self) -> list[state.ObjectState]:
        """Return the objects that are in view now."""
        return [each for each in self._belief.objects if self._belief.is_in_view(each.objectId)]

    def _contents(self, said: dialogue_acts.Said, thing: str) -> str:
        places = self.known(thing) if thing else []
        if not places:
            words = said.unknown or orders.noun(thing) or "it"
            return self.say("where_unknown" if thing else "no_such_thing", thing=words, words=words)
        if order_words.find("near", said.words):
            (x, _, z), dull = places[0].box.center, _table()["dull_types"]
            known = [each for each in self._belief.objects if each.objectType not in dull]
            known = [each for each in known if each not in places and not each.isPickedUp]
            near = [e for e in known if e.box.horizontal_distance(x, z) < NEAR_METRES]
            key, words = "contents_near" if near else "contents_none", orders.noun(thing)
            return self.say(key, thing=words, where=f"near the {words}", things=counted(near))
        inside = [each for place in places for each in self._belief.contents_of(place.objectId)]
        kind = places[0].objectType
        where = location_words(kind)
        if inside:
            return self.say("contents", Where=where.capitalize(), things=counted(inside))
        is_shut = all(each.affordances.openable and not each.isOpen for each in places)
        key = "contents_shut" if is_shut else "contents_none"
        return self.say(key, thing=orders.noun(kind), where=where)

    def about_thing(self, said: dialogue_acts.Said, it: str) -> str:
        """Answer where a thing is, whether it was found, or how it is; `it` was named last."""
        thing = said.thing or it
        if said.unknown or not thing:
            return self.say("no_such_thing" if said.unknown else "which_thing", words=said.unknown)
        known, words = self.known(thing), orders.noun(thing)
        is_found = said.act == "ask_found"
        if not known:
            return self.say("found_no" if is_found else "where_unknown", thing=words)
        if said.state:  # which of a burner its knob tells
            touched = orders.order_table()["operated_by"].get(f"switch {said.state} {thing}", thing)
            return self._state(self.known(touched) or known, words, said.state)
        if "how many" in said.words.lower():
            known = [each for each in known if not said.at or self._fits(each, said.at, ())]
            where = f" {location_words(said.at)}" if said.at else ""
            return self.say("number", count=_number_of(len(known), words), where=where)
        places = list(dict.fromkeys(map(self.where, known)))[:MAX_NAMED]
        key = "found_yes" if is_found else "where" if len(known) == 1 else "where_several"
        key = "where_hand" if known[0].isPickedUp and not is_found else key
        shown = listed(places) if key == "where_several" else places[0]
        return self.say(key, thing=words, count=_number_of(len(known), words), where=shown)

    def _state(self, known: list[state.ObjectState], words: str, how: str) -> str:
        name, wanted = dialogue_acts.state_properties()[how]
        found = [getattr(each, name, state.ABSENT) for each in known]
        if all(value is state.ABSENT or value is None for value in found):
            return self.say("state_unknown", thing=words, state=how)
        if len(found) > 1:
            number = ("none", *NUMBER_WORDS, "many")[min(found.count(wanted), 13)]
            several = _number_of(len(found), words)
            return self.say("state_number", known=several, number=number, state=how)
        return self.say("state_yes" if wanted in found else "state_no", thing=words, state=how)

    def lost(self, missing: Collection[str], order: orders.Order) -> str:
        """Tell that something cannot be found, or only some of what an order asks for."""
        kind = min(missing, key=plainness)
        found, words = len(self.known(kind)), orders.noun(kind)
        wanted = order.count or 1 if kind == order.thing else 1
        number, several = NUMBER_WORDS[found - 1 : found], _number_of(wanted, words)
        key = "lost_some" if number and found < wanted else "lost"
        return self.say(key, thing=words, count=several, found="".join(number))

    def known(self, thing: str) -> list[state.ObjectState]:
        """Return what was seen of a type or class: what is held first, then what is near."""
        found = [each for each in self._belief.objects if is_of_type_or_class(each, thing)]
        return sorted(found, key=lambda each: (not each.isPickedUp, self._distance_to(each)))

    def meant_by(self, order: orders.Order, used: Sequence[str]) -> orders.Order:
        """Return an order with the object and the place that it means here, as far as is known.

        What cannot be held at once is put together where there is room.
        """
        if order.skill == orders.PICK_UP and order.count != 1:
            spots = [each for each in self.surfaces() if each.objectType != order.thing]
            return replace(order, skill=orders.PUT, place=spots[0].objectType) if spots else order
        if order.is_beside and (marks := self.known(order.place)):
            x, _, z = marks[0].position
            near = sorted(self.surfaces(), key=lambda each: each.box.horizontal_distance(x, z))
            kind = near[0].objectType if near else _table()["surface_types"][0]
            return replace(order, place=kind, is_beside=False)
        held = self._belief.held_object()
        acts = order.skill not in (orders.PICK_UP, orders.LOOK_AT, orders.GO_TO) and not order.which
        if acts and held and order.count == 1 and is_of_type_or_class(held, order.thing):
            return replace(order, only=held.objectId)
        if order.which:
            fits = [each for each in self.known(order.thing) if self._fits(each, order.which, used)]
            return replace(order, only=fits[0].objectId) if fits else order
        return order

    def used_last(
        self, order: orders.Order, used: Sequence[str], *, is_begun: bool
    ) -> orders.Order:
        """Return an order with those instances, of several, that were used last, by their ids.

        "Close the drawer" means one that is open, if none was used.  Which thing is meant no longer
        changes once that `is_begun`.
        """
        is_one = (order.is_definite or order.is_it) and order.count == 1 and not is_begun
        if is_one and not (order.which or order.only):
            how = orders.order_table()["changes"].get(order.skill, "")
            fits = [e.objectId for e in self.known(order.used_thing) if self._fits(e, how, ())]
            fits = fits if len(fits) == 1 or not order.is_carried else []
            usable = used if order.is_it or not fits else [e for e in used if e in fits]
            only = self._last(order.used_thing, usable) or next(iter(fits), "")
            order = replace(order, only=only) if only else order
        if order.at == orders.LAST:
            order = replace(order, at=self._last(order.place, used))
        if order.at == orders.OTHER:
            others = [e for e in self.known(order.place) if self._fits(e, orders.OTHER, used)]
            order = replace(order, at=others[0].objectId) if others else order
        named = orders.types_named(order.place)  # of which one that was seen is meant
        near = next((e.objectType for e in self.known(order.place) if e.objectType in named), "")
        is_class = order.place and order.place not in named and order.skill == orders.PUT
        return replace(order, place=near) if is_class and near else order

    def has_used_all(self, order: orders.Order, used: Sequence[str]) -> bool:
        """Whether an order means another place than those used, and all that are known were."""
        known = self.known(order.place) if order.at == orders.OTHER else []
        return bool(known) and not any(self._fits(each, orders.OTHER, used) for each in known)

    def _last(self, kind: str, used: Sequence[str]) -> str:
        """Return which object of a type or class was used last, "" if none or there is but one."""
        known = [each.objectId for each in self.known(kind) if not each.isSliced]
        return next((e for e in used[::-1] if e in known), "") if len(known) > 1 else ""

    def choices(self, order: orders.Order) -> list[tuple[str, state.ObjectState]]:
        """Return what an order for one thing may mean here, each with what tells it apart.

        Empty where it was told which, where there is but one, or where nothing tells them apart.
        """
        if not order.is_definite or order.count != 1 or order.which or order.only:
            return []
        known = [each for each in self.known(order.thing) if each.affordances.pickupable]
        found = dict[str, state.ObjectState]()
        for each in known:
            found.setdefault(f"the one {self.where(each)}", each)
        for how in _table()["told_by"] if len(found) == 1 < len(known) else ():
            fits = [each for each in known if self._fits(each, how, ())]
            if 0 < len(fits) < len(known):
                other = next(each for each in known if each not in fits)
                found = {f"the {how} one": fits[0], "the other one": other}
        return list(found.items())[:MAX_NAMED] if len(found) > 1 else []

    def chosen(
        self, text: str, among: Sequence[tuple[str, state.ObjectState]], order: orders.Order
    ) -> state.ObjectState | None:
        """Return which of several an answer means for an order, None if it says something else."""
        found, skill = [each for _, each in among], order_words.skill_of_verb(text)
        if skill not in ("", orders.PICK_UP, order.skill) or order_words.find("own_sense", text):
            return None
        if number := order_words.find("ordinal", text) or order_words.find("any", text):
            return found[min((number.lastindex or 1) - 1, len(found) - 1)]
        states = map(dialogue_acts.state_of_word, dialogue_acts.plain_words(text).split())
        told = (*filter(None, states), dialogue_acts.noun_in(text)[0])
        fits = [each for each in found for how in told if how and self._fits(each, how, ())]
        return next(iter(fits), found[-1] if order_words.find("other", text) else None)

    def with_place_before(self, order: orders.Order, used: Sequence[str]) -> orders.Order:
        """Return an order to put a thing back with the place that it was taken from, if known."""
        taken = map(self._belief.taken_from.get, used[::-1])
        place = self._belief.get(next(filter(None, taken), ""))
        known = replace(order, place="" if place is None else place.objectType)
        return known if order.place == orders.BACK else order

    def _fits(self, obj: state.ObjectState, which: str, used: Sequence[str]) -> bool:
        if which == orders.OTHER:
            return not obj.isPickedUp and obj.objectId not in used
        if which in dialogue_acts.state_properties():
            name, wanted = dialogue_acts.state_properties()[which]
            return getattr(obj, name, state.ABSENT) == wanted
        parents = map(self._belief.get, obj.parentReceptacles or ())
        return any(is_of_type_or_class(parent, which) for parent in parents)

    def surfaces(self) -> list[state.ObjectState]:
        """Return the furniture on which things can be put down, the nearest first."""
        kinds = _table()["surface_types"]
        found = [each for each in self._belief.objects if each.objectType in kinds]
        return sorted(found, key=self._distance_to)

    def _distance_to(self, obj: state.ObjectState) -> float:
        x, _, z = self._belief.body.position
        return obj.box.horizontal_distance(x, z)

    def where(self, obj: state.ObjectState) -> str:
        """Return where an object is, in words: "on the counter top"."""
        if obj.isPickedUp:
            return "in my hand"
        parents = [self._belief.get(name) for name in obj.parentReceptacles or ()]
        kinds = [each.objectType for each in parents if each is not None]
        return location_words(kinds[0]) if kinds else "over there"

    def unclear(self, words: str) -> str:
        """Answer words that ask for nothing known; some only tell something or show a feeling."""
        named, plain = orders.order_table()["remarks"], normalization.reworded(words)
        kinds = (key for key in named if order_words.pattern(key).match(plain))
        tool = order_words.find("use", words)
        is_it = order_words.skill_of_verb(words) and order_words.pattern("verb_it").fullmatch(words)
        key = next(kinds, "cannot_use" if tool else "which_thing" if is_it else "unclear")
        return self.say(key, words=tool[1] if tool else words, offers=self.offers())

    def offers(self) -> str:
        """Return examples of what can be done with what is in view, or in any home."""
        found = dict[str, str]()
        for obj in self.in_view():
            able, words = obj.affordances, orders.noun(obj.objectType)
            if able.pickupable:
                found.setdefault("carry", f"pick up the {words}")
            elif able.openable:
                found.setdefault("open", f"{'close' if obj.isOpen else 'open'} the {words}")
        usual = [words for kind, words in _table()["usual_offers"].items() if self.known(kind)]
        return listed([*found.values(), *usual, "look for a thing that you name"][:3], "or")


def told_orders(key: str, some: Sequence[orders.Order]) -> str:
    """Return orders as a sentence of a kind names them; where to put things, the things alone."""
    if key in ("where_to", "untouched", "will_not_open"):
        return listed(f"the {orders.noun(each.thing)}" for each in some)
    last = {"impossible": "or", "will_not": "and"}.get(key, "then")
    return listed((each.told() for each in some), last)


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return words as a list: "a, b and c"."""
    *head, tail = list(words) or [""]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def any_of(types: Collection[str]) -> str:
    """Return types as "a mug or a cup", what people carry first."""
    whole = type_facts.WHOLE_TYPE_BY_PIECE
    named = [each for each in types if whole.get(each) not in types]  # an egg, not its pieces
    names = map(orders.noun, sorted(named, key=plainness)[:MAX_NAMED])
    return listed((f"{_article(each)} {each}" for each in names), "or")


def plainness(kind: str) -> tuple[bool, int, str]:
    """Return a key that orders types: what people carry first, and short names."""
    known = assets.known_object_types().get(kind)
    return known is None or not known.affordances.pickupable, len(kind), kind


def _number_of(count: int, words: str) -> str:
    number = ("no", *NUMBER_WORDS)[count] if count <= len(NUMBER_WORDS) else count
    return f"{_article(words)} {words}" if count == 1 else f"{number} {tokens.plurals_of(words)[0]}"


def counted(objects: Iterable[state.ObjectState]) -> str:
    """Return what objects there are, by type, what people carry first."""
    counts = Counter(each.objectType for each in objects)
    kinds = sorted(counts, key=lambda kind: (plainness(kind)[0], -counts[kind], kind))
    named = [_number_of(counts[kind], orders.noun(kind)) for kind in kinds[:MAX_NAMED]]
    return listed([*named, *["more"] * (len(kinds) > MAX_NAMED)])


def _article(words: str) -> str:
    if words.endswith("s") and not words.endswith("ss"):
        return "some"  # blinds, boots, curtains
    return "an" if words[:1].lower() in "aeiou" else "a"
