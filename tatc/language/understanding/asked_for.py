"""What a dialogue asks for so far, collected phrase by phrase: foods, chores and hints."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tatc.home.type_facts import KNIFE_TYPES
from tatc.language.understanding.clauses import DISH_CONTAINERS, FOODS, Clause, NounPhrase
from tatc.language.understanding.goals import Chore, PlaceHint
from tatc.language.understanding.tokens import Span


@dataclass(slots=True)
class FoodState:
    """What was said of one food."""

    is_sliced: bool = False
    is_cut: bool = False  # said of it, not only that it belongs to a dish
    is_cooked: bool = False
    is_boiled: bool = False
    is_toasted: bool = False
    is_removed: bool = False
    count: int | None = None
    implied: int = 0
    spans: list[Span] = field(default_factory=list[Span])


@dataclass(slots=True)
class ThingsRequest:
    """Things that are to be clean or put somewhere; `number` is that of the clause that says so."""

    thing: NounPhrase
    spans: list[Span]
    number: int


@dataclass(slots=True)
class Placing(ThingsRequest):
    """Things that are to be put somewhere."""

    place: str
    one_place: bool
    any_place: bool

    @property
    def is_on_the_way(self) -> bool:
        """Whether things are put there on the way to something else."""
        is_several = self.thing.wants_all or self.thing.is_plural
        return (self.thing.what in _TOOLS and not is_several) or self.place in _STEP_PLACES


_TABLES = ("CounterTop", "DiningTable", "Tables", "CoffeeTable", "SideTable")
_EXTRAS = ("Fork", "Spoon")
_SWITCHED = ("Lights", "Lamps", "DeskLamp", "FloorLamp", "LightSwitch", "Television", "Candle")
_WANTING_VERBS = frozenset("slice cook boil toast poach serve make put".split())
_SERVING_VERBS = frozenset("put serve make bring toast cook slice".split())
_TABLE_VERBS = frozenset("put bring serve make".split())
_STEP_PLACES = (
    *("Plate", "Bowl", "Mug", "Cup"),
    *("Microwave", "Toaster", "CoffeeMachine", "StoveBurner", "Pan", "Pot"),
)
_TOOLS = (*KNIFE_TYPES, "Faucet")


class AskedFor:
    """Foods, dishes, chores and hints; later words add to them or change them."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.foods: dict[str, FoodState] = {}
        self.foods_of: dict[str, dict[str, FoodState]] = {}  # by dish: "a salad with tomato"
        self.named: dict[str, list[Span]] = {}
        self.coffees: int | None = None
        self.mugs = 1
        self.coffee_spans: list[Span] = []
        self.coffee_wishes: list[Span] = []  # "make coffee", which is no step of anything else
        self.containers: list[tuple[str, Span]] = []
        self.container_of: dict[str, str] = {}
        self.dish_counts: dict[str, int] = {}  # "clean two bowls"
        self.apart: set[str] = set()  # foods with a dish of their own
        self.toast_plates = 0  # "two plates of toast"
        self.together: set[str] = set()  # foods of which several slices go on one dish
        self.tables: list[tuple[str, Span]] = []
        self.placings: list[Placing] = []
        self.cleanings: list[ThingsRequest] = []
        self.plant_spans: list[Span] = []
        self.boil_spans: list[Span] = []
        self.egg_spans: list[Span] = []
        self.poach_spans: list[Span] = []
        self.switchings: list[tuple[Chore, str, Span]] = []
        self.extras: dict[str, Span] = {}
        self.hints: list[PlaceHint] = []
        self.unavailable: dict[str, Span] = {}  # "make tea": what no home has
        self.corrections = 0

    def add_dish(self, clause: Clause, phrase: NounPhrase) -> None:
        """Add a dish that is called by its name, such as a salad."""
        what = phrase.what
        if what == "coffee":
            if phrase.relation != "on":  # there it is short for the coffee machine
                denied = phrase.is_negated and not clause.lacks_coffee(phrase)
                phrase = replace(phrase, is_negated=denied)
                self._add_coffee(clause.with_cup_count(phrase))
        elif what == "toast":
            plates = [each for each in clause.phrases if each.what == "Plate"]
            plates = plates if phrase.relation == "of" else []
            if plates or clause.stands_beside_dishes(phrase):
                self.named.setdefault(what, []).append(phrase.span)
            self.toast_plates = max([self.toast_plates, *(each.count or 0 for each in plates)])
            self.add_food(replace(phrase, what="Bread", is_slices=True), {"toast"})
        elif phrase.is_negated:
            self._take_back_dish(what)
        else:
            self.named.setdefault(what, []).append(phrase.span)

    def take_back_dishes(self) -> None:
        """Take away all dishes, foods and coffee that were asked for."""
        for asked in (self.named, self.foods, self.foods_of, self.coffee_spans, self.coffee_wishes):
            asked.clear()

    def _take_back_dish(self, dish: str) -> None:
        """Take a dish away, with the foods that were named as parts of no other."""
        self.named.pop(dish, None)
        for name in self.foods_of.pop(dish, {}):
            if name in self.foods and not any(name in foods for foods in self.foods_of.values()):
                self.foods[name].is_removed = True

    def _add_coffee(self, phrase: NounPhrase) -> None:
        if phrase.is_negated:
            self.coffee_spans.clear()
            self.coffee_wishes.clear()
            return
        self.coffee_spans.append(phrase.span)
        if phrase.verb == "make" and not phrase.relation:
            self.coffee_wishes.append(phrase.span)
        if phrase.adds:
            self.coffees = (self.coffees or 1) + 1
        elif phrase.count and (phrase.count > (self.coffees or 0) or phrase.is_only):
            self.coffees = phrase.count

    def add_unavailable(self, clause: Clause) -> None:
        """Note what a clause asks for that no home has."""
        for k, term in enumerate(clause.terms):
            is_denied = any(each.value("not") for each in clause.terms[max(0, k - 2) : k])
            if term.value("unavailable") and not is_denied:
                self.unavailable.setdefault(term.text, term.span)

    def add_hint(self, things: str, place: NounPhrase) -> None:
        """Add where things are, unless it says nothing of them."""
        if things and place.what != things and not place.is_negated:
            self.hints.append(PlaceHint(things, place.relation, place.what, place.span))

    def add_food(self, phrase: NounPhrase, actions: set[str], dish: str = "") -> None:
        """Add what is done to food, within a `dish` unless that is "", and the slices wanted."""
        self._add_to(self.foods, phrase, actions)
        self._add_to(self.foods_of.setdefault(dish, {}), phrase, actions)

    def _add_to(self, foods: dict[str, FoodState], phrase: NounPhrase, actions: set[str]) -> None:
        food = foods.setdefault(phrase.what, FoodState())
        if phrase.is_negated:
            # "Don't cut it" leaves it; "no tomato" and "without tomato" take it away.
            means_food = phrase.relation == "with" or phrase.verb in ("", "make", "put", "serve")
            means_food = means_food and not phrase.done_to  # "the bread is not toasted yet"
            food.is_removed = food.is_removed or (means_food and not phrase.is_pronoun)
            return
        if actions & _WANTING_VERBS or phrase.is_slices:
            food.is_removed = False
            food.spans.append(phrase.span)
        food.is_sliced = food.is_sliced or phrase.is_slices or bool(actions & {"slice", "serve"})
        food.is_cut = food.is_cut or phrase.is_slices or "slice" in actions
        food.is_cooked = food.is_cooked or "cook" in actions
        food.is_boiled = food.is_boiled or bool(actions & {"boil", "poach"})
        food.is_toasted = food.is_toasted or "toast" in actions
        if "boil" in actions and foods is self.foods:
            self.boil_spans.append(phrase.span)
        _count_slices(food, phrase, actions)

    def one_on_each(self, names: Sequence[str], dish: str) -> None:
        """Note that there is one slice on each plate or bowl, of which several were asked for."""
        for food in self._named_foods(names):
            if food.count in (None, 1) and self.dish_counts.get(dish, 1) > 1:
                food.count = self.dish_counts[dish]

    def count_anew(self, names: Sequence[str]) -> None:
        """Forget how many slices of foods were asked for, because a list says it at last."""
        for food in self._named_foods(names):
            food.count, food.implied = None, 0

    def _named_foods(self, names: Sequence[str]) -> list[FoodState]:
        lists = (self.foods, *self.foods_of.values())
        return [foods[name] for foods in lists for name in names if name in foods]

    def food_counted_so(self, phrase: NounPhrase, last: str) -> str:
        """Return the food of "the two pieces", "" if none or if it may be the one named `last`."""
        if not phrase.is_definite or phrase.count is None:
            return ""
        counted = [name for name, food in self.foods.items() if food.count == phrase.count]
        return counted[-1] if counted and last not in counted else ""

    def replace_food(self, old: str, new: str, span: Span) -> None:
        """Put a food in the place of another, by the words at a span."""
        for foods in (self.foods, *self.foods_of.values()):
            if old in foods:
                food = foods.pop(old)
                food.is_toasted, food.is_sliced, food.is_removed = new == "Bread", True, False
                food.spans.append(span)
                foods.setdefault(new, food)

    def choose_container(self, dish: NounPhrase) -> None:
        """Note what the foods go on, as the answer to "a plate or a bowl?"."""
        self.containers.append((dish.what, dish.span))
        self.container_of.update(dict.fromkeys(self.foods, dish.what))

    def correct_things(self, meant: NounPhrase, number: int) -> None:
        """Put other things in the place of those that were named just before: "sorry, a mug"."""
        for request in (*self.cleanings[-1:], *self.placings[-1:]):
            if request.number == number - 1:
                request.thing = replace(request.thing, what=meant.what)
                request.spans.append(meant.span)

    def add_egg(self, clause: Clause, phrase: NounPhrase, actions: set[str]) -> None:
        """Add an egg to be poached or fried."""
        if phrase.is_negated:
            return
        if actions & {"poach", "boil"}:
            self.poach_spans.append(phrase.span)
        elif actions & {"cook", "fry egg"} or any(each.is_dish for each in clause.phrases):
            self.egg_spans.append(phrase.span)

    def add_plant(self, clause: Clause, phrase: NounPhrase) -> None:
        """Add that a plant is to be watered, if the clause says anything of water."""
        names_water = any(term.value("water") for term in clause.terms)
        if names_water or {"water", "fill"} & set(clause.verbs):
            self.plant_spans.append(phrase.span)

    def add_things(
        self, clause: Clause, phrase: NounPhrase, actions: set[str], number: int
    ) -> None:
        """Add dishes, tables and chores; `number` is that of the clause."""
        what = phrase.what
        if phrase.is_negated:
            return
        if what in DISH_CONTAINERS:
            self._add_container(clause, phrase, actions)
        if what == "Mug" and actions & {"clean", "fill", "get", "make"}:
            self.mugs = max(self.mugs, phrase.count or (2 if phrase.adds else 1))
        serves = _TABLE_VERBS & set(clause.verbs) or clause.puts or not clause.verbs
        if phrase.relation == "on" and what in _TABLES and serves:
            self.tables.append((what, phrase.span))
        self._add_extra(clause, phrase)
        turns_on = clause.switch_direction
        fills = any(term.text.startswith("fill") for term in clause.terms)
        if what == "CoffeeMachine" and (turns_on or (fills and phrase.relation == "on")):
            self.coffee_spans.append(phrase.span)
        if what in _SWITCHED and not phrase.relation and turns_on is not None:
            switching = Chore.SWITCH_ON if turns_on else Chore.SWITCH_OFF
            self.switchings.append((switching, what, phrase.span))
        if "clean" in actions:
            is_to_clean = "clean" not in phrase.done_to or not phrase.relation
        else:
            is_to_clean = phrase.is_dirty and not clause.verbs and not phrase.relation
        if is_to_clean and what not in FOODS and not phrase.is_dish:
            self.cleanings.append(ThingsRequest(phrase, [phrase.span], number))

    def _add_container(self, clause: Clause, phrase: NounPhrase, actions: set[str]) -> None:
        serves = bool(_SERVING_VERBS & set(clause.verbs)) or not clause.verbs
        is_place = phrase.relation == "on" and serves
        is_asked = bool(clause.verbs) and clause.verbs[-1] in ("make", "get")
        if is_place or "clean" in actions or is_asked:
            self.containers.append((phrase.what, phrase.span))
            if phrase.count is not None:
                self.dish_counts[phrase.what] = phrase.count

    def _add_extra(self, clause: Clause, phrase: NounPhrase) -> None:
        """Add what belongs on the dish beside the food: "with a fork"."""
        on_dish = any(each.what in DISH_CONTAINERS or each.is_dish for each in clause.phrases)
        if phrase.what in _EXTRAS and on_dish and phrase.relation != "near":
            if not set(clause.verbs) - {"put", "serve", "make", "fill"}:
                self.extras.setdefault(phrase.what, phrase.span)

    def add_placing(self, thing: NounPhrase, place: NounPhrase, number: int) -> None:
        """Add that a thing is to be put at a place; `number` is that of the clause."""
        thing = replace(thing, wants_all=thing.wants_all or thing.adds)
        one, any_place = place.is_one_place, place.is_any or place.is_plural
        spans = [thing.span, place.span]
        self.placings.append(Placing(thing, spans, number, place.what, one, any_place))


def _count_slices(food: FoodState, phrase: NounPhrase, actions: set[str]) -> None:
    if phrase.is_pronoun and phrase.wants_all:
        return  # "all four slices" counts those of other foods too
    if phrase.adds and phrase.is_definite and phrase.is_pronoun and not phrase.is_slices:
        return  # "the other one" is one that was meant before
    if phrase.adds and (phrase.is_slices or phrase.count is not None):
        food.implied += phrase.count or 1
    elif phrase.count is not None:
        # "Get two slices" says how many are wanted; "one" of them is only fetched.
        gets_slices = phrase.is_slices and food.count is None and phrase.count > 1
        is_wanted = actions != {"get"} or gets_slices
        if is_wanted and (food.count is None or phrase.count > food.count or phrase.is_only):
            food.count = phrase.count
