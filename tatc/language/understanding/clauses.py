"""Noun phrases ("two slices of cooked potato", "any table"), and the clauses that hold them.

A clause tells what it says by itself, whatever was said before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tatc.home.assets import known_object_types
from tatc.language.understanding.descriptions import fixed_types
from tatc.language.understanding.tokens import Span, Term

IT_IS = ("it is", "it's", "its")  # words that say something of what was named before
FOODS = ("Bread", "Tomato", "Lettuce", "Potato", "Apple", "Egg")
DISH_CONTAINERS = ("Plate", "Bowl")
DISH_NAMES = ("coffee", "sandwich", "salad", "breakfast", "toast", "omelette")
FILLED_DISHES = ("sandwich", "salad")
FOOD_VERBS = frozenset("slice cook boil toast poach".split())
STRONG_VERBS = FOOD_VERBS | frozenset("clean put serve make fill water switch bring".split())
CUPS = ("Mug", "Cup")
_GOING_ON = ("also", "too", "well", "next")  # "well" of "as well"
_FIXED_CLASSES = frozenset("Chairs Furniture Lamps Lights Tables".split())


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """What a clause names, how many of it, and in which relation.

    `what` is an object type, a class, the name of a dish ("coffee"), or empty for "it", "two"
    and "a slice".  `count` is None where none was said.  `relation` is "" for a subject or an
    object, else "on", "near", "with" or "of".  `verb` is the verb before it, `done_to` the
    verbs that follow it ("needs to be cleaned") or stand in it ("cooked").
    """

    what: str
    is_dish: bool
    span: Span
    count: int | None = None
    wants_all: bool = False
    adds: bool = False
    is_any: bool = False
    is_one_place: bool = False
    is_definite: bool = False
    is_plural: bool = False
    is_slices: bool = False
    is_negated: bool = False
    is_only: bool = False
    is_dirty: bool = False
    is_pronoun: bool = False
    relation: str = ""
    verb: str = ""
    done_to: frozenset[str] = frozenset()

    @property
    def actions(self) -> set[str]:
        """The verbs that are done to it: its own as an object, and passive ones."""
        own = {self.verb} if self.verb and self.relation in ("", "of", "with") else set[str]()
        return own | self.done_to


@dataclass(slots=True)
class Clause:
    """The parts of one clause, in order."""

    utterance: int
    phrases: list[NounPhrase] = field(default_factory=list[NounPhrase])
    verbs: list[str] = field(default_factory=list[str])
    marks: set[str] = field(default_factory=set[str])
    terms: list[Term] = field(default_factory=list[Term])

    @property
    def span(self) -> Span:
        """Where the clause stands."""
        return Span(self.utterance, self.terms[0].span.start, self.terms[-1].span.end)

    def terms_between(self, first: NounPhrase, second: NounPhrase) -> list[Term]:
        """Return the terms after one of its phrases and before another."""
        start, end = first.span.end, second.span.start
        return [term for term in self.terms if start <= term.span.start and term.span.end <= end]

    def lists(self, first: NounPhrase, second: NounPhrase) -> bool:
        """Return whether an "and" stands between two of its phrases."""
        return any(term.value("and") for term in self.terms_between(first, second))

    @property
    def puts(self) -> bool:
        """Whether the clause says where something is to be."""
        verbs = set(self.verbs)
        if verbs & {"put", "serve", "bring"}:
            return True
        if "look" in verbs or "open" in verbs:
            return False
        gathers = any(each.is_one_place for each in self.phrases if each.relation == "on")
        wants = "make" in verbs and not verbs & (STRONG_VERBS - {"make"})
        lists_all = not verbs and bool(self.phrases) and self.phrases[0].wants_all
        return wants or lists_all or ("get" in verbs and gathers)

    @property
    def says_it_is(self) -> bool:
        """Whether it says where something is that was named before: "it is here"."""
        return self.terms[0].text in IT_IS

    @property
    def asks_and_says_where(self) -> bool:
        """Whether it lists slices with where they are: "one slice of X that is there"."""
        first = self.phrases[0] if self.phrases else None
        relative = any(term.text in ("which", "that") for term in self.terms[1:])
        return first is not None and first.is_slices and first.count is not None and relative

    def tries_one_more(self, phrases: Sequence[NounPhrase]) -> bool:
        """Return whether it asks for a further slice: "try one more", but not "try another"."""
        says_more = any({"more", "extra"} & set(term.text.split()) for term in self.terms)
        return says_more and any(each.is_slices and each.adds for each in phrases)

    def lacks_coffee(self, coffee: NounPhrase) -> bool:
        """Return whether it says that coffee is missing: "the mug does not have coffee"."""
        named = [each for each in self.phrases if not each.relation and not each.is_negated]
        cups = [each for each in named if each.what in CUPS]
        return coffee.is_negated and bool(cups) and cups[0].span.end <= coffee.span.start

    @property
    def is_on_dish(self) -> bool:
        """Whether it names a plate or a bowl as the place of something."""
        return any(each.what in DISH_CONTAINERS and each.relation == "on" for each in self.phrases)

    @property
    def says_served(self) -> bool:
        """Whether it says that something is on a dish: "I have placed it on the plate"."""
        is_done = "be" in self.marks or any(term.text.endswith("ed") for term in self.terms)
        return is_done and self.is_on_dish

    @property
    def names_dish_with_filling(self) -> bool:
        """Whether it is about a sandwich or a salad, whose filling may stand beside."""
        return any(each.what in FILLED_DISHES and each.relation != "near" for each in self.phrases)

    @property
    def lists_foods_alone(self) -> bool:
        """Whether it is a bare list of foods: "lettuce and tomato"."""
        is_doubt = self.terms[0].text == "or"  # a second thought of where something is
        foods = ("", *FOODS)  # "" for "one slice each"
        names = all(food_name(each.what) in foods and not each.relation for each in self.phrases)
        return names and not is_doubt and not self.verbs and "be" not in self.marks

    @property
    def lists_portions(self) -> bool:
        """Whether it is a bare list that says how much of each: "1 tomato, 2 potatoes"."""
        counted = [each for each in self.phrases if each.count is not None and each.what in FOODS]
        return len(counted) > 1 and self.lists_foods_alone

    @property
    def says_what_it_needs(self) -> bool:
        """Whether it says what is in something named before: "it needs one tomato"."""
        return bool(self.terms[0].value("pronoun")) and self.verbs == ["make"]

    @property
    def takes_back_dishes(self) -> bool:
        """Whether it puts a dish in the place of others: "sorry, I meant a coffee"."""
        adds = any(term.text in _GOING_ON for term in self.terms)
        if "instead" in self.marks:
            return not adds and self.verbs in ([], ["make"])
        corrects = bool(self.terms[0].value("sorry")) and "not" not in self.marks
        return corrects and not adds and not self.verbs

    @property
    def switch_direction(self) -> bool | None:
        """Whether it switches on; None if it switches nothing."""
        if "switch on" in self.verbs or "switch off" in self.verbs:
            return "switch on" in self.verbs
        if "switch" not in self.verbs:
            return None
        last = self.terms[-1]
        return True if last.text == "on" else False if last.value("off") else None

    def stands_beside_dishes(self, toast: NounPhrase) -> bool:
        """Return whether it lists toast as a dish: "coffee, toast and a sandwich"."""
        for each in () if toast.relation else self.phrases:
            if each.is_dish and each.what != "toast":
                between = self.terms_between(*sorted((toast, each), key=lambda p: p.span.start))
                if between and all(term.value("and") or term.text == "," for term in between):
                    return True
        return False

    def food_for(self, dish: NounPhrase) -> str:
        """Return the food that a plate or bowl is for, "" if none: "a bowl for the potatoes"."""
        after = [each for each in self.phrases if each.span.start >= dish.span.end]
        food = food_name(after[0].what) if after else ""
        is_for = food in FOODS and any(t.text == "for" for t in self.terms_between(dish, after[0]))
        return food if is_for else ""

    def with_cup_count(self, coffee: NounPhrase) -> NounPhrase:
        """Return the phrase for coffee with the count of its cups: "two mugs of coffee"."""
        if coffee.relation == "of":  # "one mug is clean, and two cups of coffee"
            before = [each for each in self.phrases if each.span.end <= coffee.span.start]
            if before and before[-1].what in CUPS and before[-1].count is not None:
                return replace(coffee, count=coffee.count or before[-1].count)
        for cup in (each for each in self.phrases if each.what in CUPS):
            count = coffee.count or cup.count
            if cup.relation in ("", "with") and coffee.relation in ("", "of", "with"):
                return replace(coffee, count=count, adds=coffee.adds or cup.adds)
            if cup.relation == "on" and (cup.count or 0) > 1:
                return replace(coffee, count=count)
        return coffee

    def implied_object(self, last_food: str, last_thing: str) -> NounPhrase | None:
        """Return what a verb without an object is done to: the last food, plant or thing."""
        if not self.verbs or any(not each.relation for each in self.phrases):
            return None
        verb = self.verbs[-1]
        if verb == "clean" and not is_fixed(last_thing):
            what = last_thing
        else:
            what = last_food if verb in FOOD_VERBS else last_thing if verb == "water" else ""
        if not what or (verb == "water" and what != "HousePlant") or "not" in self.marks:
            return None
        return NounPhrase(what, is_dish=False, span=self.span, verb=verb, is_pronoun=True)

    def with_elided_verb(self, phrases: list[NounPhrase], verb: str) -> list[NounPhrase]:
        """Return phrases with the verb of the clause before: "slice the bread", "then the egg"."""
        first = phrases[0] if phrases else None
        if not verb or first is None or self.verbs or "be" in self.marks or first.relation:
            return phrases
        ends = (self.terms[0], self.terms[-1])
        goes_on = ends[0].value("then") or any(term.text in _GOING_ON for term in ends)
        if not goes_on or first.what not in FOODS or first.is_slices or first.count is not None:
            return phrases
        return [
            replace(each, done_to=each.done_to | {verb}) if each.what in FOODS else each
            for each in phrases
        ]


def is_fixed(what: str) -> bool:
    """Return whether nobody carries it: furniture and appliances are places, and no things."""
    stays = what in fixed_types() and what != "HousePlant"  # which is watered
    return stays or what in _FIXED_CLASSES


def is_place(what: str) -> bool:
    """Return whether things can be in or on it, where several are listed: "in the pot or bowl"."""
    known = known_object_types().get(what)
    takes = known is not None and known.affordances.receptacle
    return takes or what == "coffee" or is_fixed(what)


def food_name(what: str) -> str:
    """Return the food that a word means: bread for toast."""
    return "Bread" if what == "toast" else what


def says_place(phrases: Sequence[NounPhrase]) -> bool:
    """Return whether phrases say where something is."""
    return any(each.relation in ("near", "on") for each in phrases)
