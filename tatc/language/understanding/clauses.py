"""What one clause says, whatever was said before it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from tatc.home.type_defaults import known_object_types
from tatc.language.understanding.tokens import Span, Term

# Noun phrases ("two slices of cooked potato", "any table"), and the clauses that hold them.

IT_IS = ("it is", "it's", "its")
"""Words that say something of what was named before."""


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


@dataclass(slots=True)
class Clause:
    """The parts of one clause, in order."""

    utterance: int
    phrases: list[NounPhrase] = field(default_factory=list[NounPhrase])
    verbs: list[str] = field(default_factory=list[str])
    marks: set[str] = field(default_factory=set[str])
    terms: list[Term] = field(default_factory=list[Term])

    def lists(self, first: NounPhrase, second: NounPhrase) -> bool:
        """Return whether an "and" stands between two of its phrases."""
        return any(
            first.span.end <= term.span.start
            and term.span.end <= second.span.start
            and term.value("and")
            for term in self.terms
        )

    @property
    def span(self) -> Span:
        """Where the clause stands."""
        return Span(self.utterance, self.terms[0].span.start, self.terms[-1].span.end)


@dataclass(slots=True)
class PendingNoun:
    """What was said of a noun that is still to come."""

    count: int | None = None
    wants_all: bool = False
    adds: bool = False
    is_any: bool = False
    is_one: bool = False
    is_definite: bool = False
    is_slices: bool = False
    is_dirty: bool = False
    states: set[str] = field(default_factory=set[str])
    first: Term | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said yet."""
        return self.first is None

    @property
    def stands_alone(self) -> bool:
        """Whether it names something without a noun: "two", "a slice", "another"."""
        return (
            self.count is not None or self.is_slices or self.wants_all or self.adds or self.is_one
        )


def slices_of(slices: NounPhrase, food: NounPhrase) -> NounPhrase:
    """Return the phrase for "two slices" and "the cooked potato", which "of" joined."""
    return replace(
        food,
        span=Span(food.span.utterance, slices.span.start, food.span.end),
        count=food.count if slices.count is None else slices.count,
        wants_all=slices.wants_all or food.wants_all,
        adds=slices.adds or food.adds,
        is_slices=True,
        relation=slices.relation,
        done_to=slices.done_to | food.done_to,
    )


FOODS = ("Bread", "Tomato", "Lettuce", "Potato", "Apple", "Egg")
DISH_CONTAINERS = ("Plate", "Bowl")
DISH_NAMES = ("coffee", "sandwich", "salad", "breakfast", "toast", "omelette")
FILLED_DISHES = ("sandwich", "salad")
FOOD_VERBS = frozenset("slice cook boil toast poach".split())
STRONG_VERBS = FOOD_VERBS | frozenset("clean put serve make fill water switch bring".split())
CUPS = ("Mug", "Cup")
_GOING_ON = ("also", "too", "well", "next")  # "well" of "as well"
_FIXED_CLASSES = frozenset("Chairs Furniture Lamps Lights Tables".split())


@cache
def _fixed_types() -> frozenset[str]:
    known = known_object_types().items()
    # A plant is no place: it is watered.
    return frozenset(k for k, v in known if not v.affordances.pickupable and k != "HousePlant")


def is_fixed(what: str) -> bool:
    """Return whether nobody carries it: furniture and appliances are places, and no things."""
    return what in _FIXED_CLASSES or what in _fixed_types()


def is_place(what: str) -> bool:
    """Return whether things can be in or on it, where several are listed: "in the pot or bowl"."""
    known = known_object_types().get(what)
    takes = known is not None and known.affordances.receptacle
    return takes or what == "coffee" or is_fixed(what)


def food_name(what: str) -> str:
    """Return the food that a word means: bread for toast."""
    return "Bread" if what == "toast" else what


def puts(clause: Clause) -> bool:
    """Return whether a clause says where something is to be."""
    verbs = set(clause.verbs)
    if verbs & {"put", "serve", "bring"}:
        return True
    if "look" in verbs or "open" in verbs:
        return False
    gathers = any(each.is_one_place for each in clause.phrases if each.relation == "on")
    if "get" in verbs and gathers:
        return True
    wants = "make" in verbs and not verbs & (STRONG_VERBS - {"make"})
    lists_all = not verbs and bool(clause.phrases) and clause.phrases[0].wants_all
    return wants or lists_all


def says_it_is(clause: Clause) -> bool:
    """Return whether a clause says where something is that was named before: "it is here"."""
    return clause.terms[0].text in IT_IS


def says_place(phrases: Sequence[NounPhrase]) -> bool:
    """Return whether phrases say where something is."""
    return any(each.relation in ("near", "on") for each in phrases)


def asks_and_says_where(clause: Clause) -> bool:
    """Return whether a clause lists slices with where they are: "one slice of X that is there"."""
    first = clause.phrases[0] if clause.phrases else None
    relative = any(term.text in ("which", "that") for term in clause.terms[1:])
    return first is not None and first.is_slices and first.count is not None and relative


def tries_one_more(clause: Clause, phrases: list[NounPhrase]) -> bool:
    """Return whether a clause asks for a further slice: "try one more", but not "try another"."""
    says_more = any({"more", "extra"} & set(term.text.split()) for term in clause.terms)
    return says_more and any(each.is_slices and each.adds for each in phrases)


def lacks_coffee(clause: Clause, coffee: NounPhrase) -> bool:
    """Return whether a clause says that coffee is missing: "the mug does not have coffee"."""
    cups = [
        each
        for each in clause.phrases
        if each.what in CUPS and not each.relation and not each.is_negated
    ]
    return coffee.is_negated and bool(cups) and cups[0].span.end <= coffee.span.start


def is_on_dish(clause: Clause) -> bool:
    """Return whether a clause names a plate or a bowl as the place of something."""
    return any(each.what in DISH_CONTAINERS and each.relation == "on" for each in clause.phrases)


def says_served(clause: Clause) -> bool:
    """Return whether a clause says that something is on a dish: "I have placed it on the plate"."""
    is_done = "be" in clause.marks or any(term.text.endswith("ed") for term in clause.terms)
    return is_done and is_on_dish(clause)


def names_dish_with_filling(clause: Clause) -> bool:
    """Return whether a clause is about a sandwich or a salad, whose filling may stand beside."""
    return any(each.what in FILLED_DISHES and each.relation != "near" for each in clause.phrases)


def lists_foods_alone(clause: Clause) -> bool:
    """Return whether a clause is a bare list of foods: "lettuce and tomato"."""
    if clause.terms[0].text == "or":
        return False  # a second thought of where something is
    foods = ("", *FOODS)  # "" for "one slice each"
    names = all(food_name(each.what) in foods and not each.relation for each in clause.phrases)
    return names and not clause.verbs and "be" not in clause.marks


def says_what_it_needs(clause: Clause) -> bool:
    """Return whether a clause says what is in something named before: "it needs one tomato"."""
    first = clause.terms[0]
    return bool(first.value("pronoun")) and clause.verbs == ["make"]


def takes_back_dishes(clause: Clause) -> bool:
    """Return whether a clause puts a dish in the place of others: "sorry, I meant a coffee"."""
    adds = any(term.text in _GOING_ON for term in clause.terms)
    if "instead" in clause.marks:
        return not adds and clause.verbs in ([], ["make"])
    corrects = bool(clause.terms[0].value("sorry")) and "not" not in clause.marks
    return corrects and not adds and not clause.verbs


def lists_portions(clause: Clause) -> bool:
    """Return whether a clause is a bare list that says how much of each: "1 tomato, 2 potatoes"."""
    counted = [each for each in clause.phrases if each.count is not None and each.what in FOODS]
    return len(counted) > 1 and lists_foods_alone(clause)


def switch_direction(clause: Clause) -> bool | None:
    """Return whether a clause switches on, None if it switches nothing."""
    if "switch on" in clause.verbs or "switch off" in clause.verbs:
        return "switch on" in clause.verbs
    if "switch" not in clause.verbs:
        return None
    last = clause.terms[-1]
    return True if last.text == "on" else False if last.value("off") else None


def actions_of(phrase: NounPhrase) -> set[str]:
    """Return the verbs that are done to a phrase: its own as an object, and passive ones."""
    actions = set(phrase.done_to)
    if phrase.verb and phrase.relation in ("", "of", "with"):
        actions.add(phrase.verb)
    return actions


def with_cup_count(clause: Clause, coffee: NounPhrase) -> NounPhrase:
    """Return the phrase for coffee with the count of its cups: "two mugs of coffee"."""
    if coffee.relation == "of":  # "one mug is clean, and two cups of coffee"
        before = [each for each in clause.phrases if each.span.end <= coffee.span.start]
        if before and before[-1].what in CUPS and before[-1].count is not None:
            return replace(coffee, count=coffee.count or before[-1].count)
    for each in clause.phrases:
        if each.what not in CUPS:
            continue
        if each.relation in ("", "with") and coffee.relation in ("", "of", "with"):
            return replace(coffee, count=coffee.count or each.count, adds=coffee.adds or each.adds)
        if each.relation == "on" and (each.count or 0) > 1:
            return replace(coffee, count=coffee.count or each.count)
    return coffee


def dish_around(phrase: NounPhrase, dish: str) -> str:
    """Return the dish that the foods after a phrase are parts of, given that before it."""
    if phrase.is_dish:
        return phrase.what if phrase.what in FILLED_DISHES and not phrase.is_negated else ""
    return "" if phrase.what in DISH_CONTAINERS else dish


def implied_object(clause: Clause, last_food: str, last_thing: str) -> NounPhrase | None:
    """Return what a clause does something to without naming it: "grab a potato and boil it".

    It is the last food where food is prepared, and the last plant where something is watered; None
    where the clause names its object.
    """
    if not clause.verbs or any(not each.relation for each in clause.phrases):
        return None
    verb = clause.verbs[-1]
    if verb == "clean" and not is_fixed(last_thing):
        what = last_thing
    else:
        what = last_food if verb in FOOD_VERBS else last_thing if verb == "water" else ""
    if not what or (verb == "water" and what != "HousePlant") or "not" in clause.marks:
        return None
    return NounPhrase(what, is_dish=False, span=clause.span, verb=verb, is_pronoun=True)


def with_elided_verb(clause: Clause, phrases: list[NounPhrase], verb: str) -> list[NounPhrase]:
    """Return the phrases with the verb of the clause before: "slice the bread", "then the egg"."""
    first = phrases[0] if phrases else None
    if not verb or first is None or clause.verbs or "be" in clause.marks or first.relation:
        return phrases
    goes_on = bool(clause.terms[0].value("then")) or any(
        term.text in _GOING_ON for term in (clause.terms[0], clause.terms[-1])
    )
    if not goes_on or first.what not in FOODS or first.is_slices or first.count is not None:
        return phrases
    return [
        replace(each, done_to=each.done_to | {verb}) if each.what in FOODS else each
        for each in phrases
    ]


def meant_for(clause: Clause, dish: NounPhrase) -> str:
    """Return the food that a plate or bowl is for, "" if none: "a bowl for the potatoes"."""
    after = [each for each in clause.phrases if each.span.start >= dish.span.end]
    food = food_name(after[0].what) if after else ""
    between = (
        term.text
        for term in clause.terms
        if after and dish.span.end <= term.span.start < after[0].span.start
    )
    return food if food in FOODS and "for" in between else ""


def stands_beside_dishes(clause: Clause, toast: NounPhrase) -> bool:
    """Return whether a list of dishes names toast as one: "coffee, toast and a sandwich"."""
    others = [each for each in clause.phrases if each.is_dish and each.what != "toast"]
    return not toast.relation and any(_are_listed(clause, toast, each) for each in others)


def _are_listed(clause: Clause, first: NounPhrase, second: NounPhrase) -> bool:
    """Return whether only a comma or "and" stands between two phrases."""
    first, second = sorted((first, second), key=lambda each: each.span.start)
    between = [
        term
        for term in clause.terms
        if first.span.end <= term.span.start and term.span.end <= second.span.start
    ]
    return bool(between) and all(term.value("and") or term.text == "," for term in between)
