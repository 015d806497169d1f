"""Orders for single things, such as "put the mug in the sink", and what they come to."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

from tatc.base.files import package_table
from tatc.home import assets, type_facts
from tatc.language.object_names import preposition_for, words_for_type
from tatc.language.understanding import Goal, goal_tasks, goals, tokens
from tatc.tdl.properties import object_classes_of

order_table = partial(package_table, __package__, "orders.toml")
"""Returns what `orders.toml` holds."""
PUT_DOWN, PICK_UP, PUT, GO_TO, LOOK_AT = "put down", "pick up", "put", "go to", "look at"
THROW, SLICE, OTHER, BACK, LAST = "throw away", "slice", "other", "back", "last"
BIN_TYPE = "GarbageCan"


@dataclass(frozen=True, slots=True)
class Order:
    """An order: a `skill` of `orders.toml` done with `count` of a `thing` (a type or class).

    All of them are meant if `count` is None.  `place` is where they are put, "" for nowhere, or
    beside what.  `which` of the things is told by a state of `dialogue_acts.toml`, as `OTHER`, or
    by the type of what it is in or on; `only` is the id of the object that fits.  One that
    `is_definite` was named as if there were no other: "the mug"; one that `is_it`, by a pronoun.
    `at` is the id of the place, `LAST` if that is the one of its type that was used last.
    """

    skill: str
    thing: str = ""
    count: int | None = 1
    place: str = ""
    is_beside: bool = False
    which: str = ""
    only: str = ""
    is_definite: bool = field(default=False, compare=False)
    is_it: bool = field(default=False, compare=False)
    at: str = field(default="", compare=False)

    @property
    def is_possible(self) -> bool:
        """Whether things of this kind can be used so: a window does not open."""
        needed = order_table()["needs"].get(self.skill, ())
        return not needed or any(_allows(self.used_thing, each) for each in needed)

    @property
    def used_thing(self) -> str:
        """The thing that is touched: a burner is switched by its knob."""
        return order_table()["operated_by"].get(f"{self.skill} {self.thing}", self.thing)

    @property
    def is_carried(self) -> bool:
        """Whether things of its kind can be picked up."""
        return replace(self, skill=PICK_UP).is_possible

    @property
    def needs_place(self) -> bool:
        """Whether it was left open where to put the thing."""
        return self.skill == PUT and self.place in ("", BACK)

    @property
    def goal(self) -> Goal | None:
        """What holds once it is done, None for what nobody can do, or no task can say."""
        if not self.thing or not self.is_possible or self.needs_place:
            return None
        if self.is_beside:  # whose place is known once that is found
            wanted = goals.ChoreWanted(goals.Chore.FIND, self.place, 1)
            return goal_tasks.goal_for(goals.GoalContent(chores=(wanted,)))
        chore = goals.Chore(order_table()["chores"].get(self.skill, self.skill))
        place = BIN_TYPE if self.skill == THROW else types_named(self.place)[0] or None
        ends_state = order_table()["stated"].get(self.which) in (
            self.skill,
            *skills_never_meant(self.skill),
        )
        # Until the dirty mug is seen, its order asks for all mugs: a clean one would fulfil "one".
        count = None if ends_state and not self.only else self.count
        at = self.at if self.place in object_classes_of(self.at.partition("|")[0]) else ""
        wanted = goals.ChoreWanted(chore, self.used_thing, count, place, only=self.only, at=at)
        return goal_tasks.goal_for(goals.GoalContent(chores=(wanted,)))

    def brings_about(self, how: str, kind: str) -> bool:
        """Whether things of a type or class are in a state once this is done: "open"."""
        is_one = self.thing == kind or kind in object_classes_of(self.thing)
        made, changed = order_table()["stated"].get(how), order_table()["changes"].get(self.skill)
        return is_one and made == self.skill and changed != how

    def is_meant(self, denied: "Order") -> bool:
        """Whether this is what a denied order names: one to find a thing means any with it."""
        is_kind = noun(self.thing).endswith(f" {noun(denied.thing)}")  # "not the bottle"
        is_one = is_kind or denied.thing in (self.thing, *object_classes_of(self.thing))
        is_moved = (self.skill, denied.skill) == (PUT, PICK_UP)  # "don't take the box"
        return is_one and (is_moved or denied.skill in (self.skill, LOOK_AT))

    def narrows(self, other: "Order") -> bool:
        """Whether this is an order for a type where the other was for a class that it is of."""
        is_one = self.thing != other.thing and other.thing in object_classes_of(self.thing)
        return is_one and self.skill == other.skill

    def takes_up(self, other: "Order") -> bool:
        """Whether this cuts or throws away what the other picks up, so that it is not kept."""
        is_one = (self.thing, other.skill) == (other.thing, PICK_UP)
        return is_one and self.skill in (SLICE, THROW)

    def puts_away(self, denied: "Order") -> bool:
        """Whether this puts away what is not needed: "I don't need the cup, throw it away"."""
        is_one = (self.thing, LOOK_AT) == (denied.thing, denied.skill)
        return is_one and self.skill in (PUT, THROW, PUT_DOWN)

    def told(self, *, done: bool = False) -> str:
        """Return the order in plain words: "put 2 forks in the sink", or what was done."""
        said = order_table()["done" if done else "told"].get(self.skill, self.skill)
        one, which = noun(self.thing), self.which
        has_plural = self.thing in type_facts.KNOWN_OBJECT_TYPES or self.thing.endswith("s")
        plural = self.count != 1 and has_plural
        number = "all the" if self.count is None else "the" if self.count == 1 else str(self.count)
        is_place = which in type_facts.KNOWN_OBJECT_CLASSES
        if self.thing:
            adjective = f" {which}" if which and not is_place else ""
            first, *of = one.split(" of ")  # "slices of bread"
            first = (tokens.plurals_of(first) or [first])[0] if plural else first
            said += f" {number}{adjective} {' of '.join((first, *of))}"
        said += f" {preposition_for(which)} the {noun(which)}" if is_place else ""
        if self.place == BACK:
            said += " back"
        elif self.place:
            to = "next to" if self.is_beside else preposition_for(self.place)
            said += f" {to} the {noun(self.place)}"
        return said


def noun(kind: str) -> str:
    """Return the words for one of a type or class: a table for "Tables"."""
    if whole := type_facts.WHOLE_TYPE_BY_PIECE.get(kind):
        return f"slice of {words_for_type(whole)}"
    if kind in order_table()["names"]:
        return order_table()["names"][kind]
    is_class = kind not in type_facts.KNOWN_OBJECT_TYPES
    return words_for_type(kind).removesuffix("s") if is_class else words_for_type(kind)


def skills_never_meant(skill: str) -> Sequence[str]:
    """Return the skills that the verb of a skill is never taken for."""
    return order_table()["never"].get(skill, ())


def without_needless(wanted: Sequence[Order], at_once: Sequence[Order]) -> list[Order]:
    """Return orders without those to pick up what is put somewhere.

    Of those given `at_once` the sequence counts: "put it in the fridge, then bring it back".
    """
    last = {each.thing: i for i, each in enumerate(at_once) if each.skill == PUT}
    kept = [each for i, each in enumerate(at_once) if i > last.get(each.thing, i)]
    put = {each.thing for each in wanted if each.skill == PUT}
    return [e for e in wanted if e.skill != PICK_UP or e.thing not in put or e in kept]


def names_in(order: Order) -> tuple[str, ...]:
    """Return what an order names: its places, and its thing, twice if that is several."""
    at = order.which if is_place(order.which) else ""
    return (at, order.place, order.thing, "" if order.count == 1 else order.thing)


def is_place(kind: str) -> bool:
    """Return whether things can be put in or on things of a type or class."""
    return bool(kind) and _allows(kind, "receptacle")


@cache
def types_named(kind: str) -> Sequence[str]:
    """Return the types of a class that its own word names: no shelf for a table; or the class."""
    types = [each for each in assets.known_object_types() if kind in object_classes_of(each)]
    return [each for each in types if noun(each).endswith(noun(kind))] or [kind]


@cache
def _allows(kind: str, affordance: str) -> bool:
    kind = type_facts.WHOLE_TYPE_BY_PIECE.get(kind, kind)
    known = assets.known_object_types().items()
    able = (name for name, usual in known if getattr(usual.affordances, affordance))
    return any(kind in object_classes_of(name) for name in able)
