"""What a dialogue has asked for so far: facts of its clauses, later ones over earlier ones."""

from dataclasses import replace

from tatc.understanding.noun_phrases import Clause, NounPhrase
from tatc.understanding.requests import Cleaning, FoodState, Hint, Placing
from tatc.understanding.tokens import Span

FOODS = ("Bread", "Tomato", "Lettuce", "Potato", "Apple", "Egg")
DISH_CONTAINERS = ("Plate", "Bowl")
TABLES = ("CounterTop", "DiningTable", "Tables", "CoffeeTable", "SideTable")
DISH_NAMES = ("coffee", "sandwich", "salad", "breakfast", "toast", "omelette")
FIXED = frozenset(
    "ArmChair Bathtub Bed Blinds Cabinet Chair Chairs CoffeeMachine CoffeeTable CounterTop "
    "Curtains Desk DiningTable DogBed Drawer Dresser Faucet Floor FloorLamp Fridge Furniture "
    "GarbageCan "
    "LightSwitch Lights Microwave Mirror Ottoman Painting Safe Shelf ShelvingUnit SideTable Sink "
    "Sofa Stool StoveBurner StoveKnob TVStand Tables Television Toaster Toilet Window".split()
)
"""What nobody carries: furniture and appliances, which are places and no things to be put."""
_STRONG_VERBS = frozenset(
    "slice cook boil poach toast clean put serve make fill water switch bring".split()
)
_FOOD_VERBS = frozenset("slice cook boil toast poach".split())
_PLACING_VERBS = frozenset("put bring serve make".split())
_EATING_VESSELS = ("Mug", "Cup")


class DialogueState:
    """Takes clauses in order and keeps what they ask for."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.foods: dict[str, FoodState] = {}
        self.named: dict[str, list[Span]] = {}
        self.coffees: int | None = None
        self.coffee_spans: list[Span] = []
        self.containers: list[tuple[str, Span]] = []
        self.tables: list[tuple[str, Span]] = []
        self.plates: int = 0
        self.placings: list[Placing] = []
        self.cleanings: list[Cleaning] = []
        self.plant_spans: list[Span] = []
        self.boil_spans: list[Span] = []
        self.switches: list[tuple[str, bool, bool, Span]] = []
        self.extras: dict[str, Span] = {}
        self.hints: list[Hint] = []
        self.mentioned: dict[str, list[Span]] = {}
        self.corrections = 0
        self._last_food = ""
        self._last_thing = ""
        self._fetched: NounPhrase | None = None
        self._unplaced: list[NounPhrase] = []
        self._last_place = ""
        self._asked_thing = ""
        self._asked_where = False
        self._asked_count = False
        self._follower_food = ""

    def food(self, name: str) -> FoodState:
        """Return the state of a food, new if it was not mentioned."""
        return self.foods.setdefault(name, FoodState())

    # What the Follower says

    def hear_follower(self, clauses: list[Clause]) -> None:
        """Note what the Follower asked about, which the next answer is read with."""
        for clause in clauses:
            self._asked_where = self._asked_where or "where" in clause.marks
            self._asked_count = self._asked_count or "how_many" in clause.marks
            for phrase in clause.phrases:
                if phrase.what and phrase.relation != "near":
                    self._asked_thing = phrase.what
                    if phrase.what in FOODS:
                        self._follower_food = phrase.what
                    elif phrase.what == "toast":
                        self._follower_food = "Bread"

    # What the Commander says

    def hear_commander(self, clauses: list[Clause]) -> None:
        """Add what an utterance of the Commander asks for."""
        for clause in clauses:
            self._read(clause)
        self._asked_where = self._asked_count = False
        self._asked_thing = self._follower_food = ""

    def _read(self, clause: Clause) -> None:
        if "sorry" in clause.marks:
            self.corrections += 1
        phrases = self._resolved(clause)
        self._correct(clause, phrases)
        for phrase in phrases:
            if phrase.what and phrase.relation != "near":
                self.mentioned.setdefault(phrase.what, []).append(phrase.span)
        if self._goes_on_placing(clause, phrases):
            self._place(self._unplaced, phrases[0])
            return
        if self._is_hint(clause, phrases):
            self._add_hints(clause, phrases)
            self._last_place = next(
                (each.what for each in reversed(phrases) if each.relation in ("on", "near")),
                self._last_place,
            )
            return
        self._add_hints(clause, phrases, only_near=True)
        for phrase in phrases:
            self._add_phrase(clause, phrase)
        self._add_placing(clause, phrases)
        self._remember(clause, phrases)

    def _correct(self, clause: Clause, phrases: list[NounPhrase]) -> None:
        """Put what was meant in place of what was said: "sorry, not toast, tomato"."""
        meant = [each for each in phrases if not each.is_negated and not each.relation]
        if clause.verbs or len(meant) != 1:
            return
        denied = [_food_name(each.what) for each in phrases if each.is_negated]
        if not denied and "sorry" in clause.marks and self._last_food in self.foods:
            denied = [self._last_food]
        new = _food_name(meant[0].what)
        for old in denied:
            if old in self.foods and new in FOODS and old != new:
                state = self.foods.pop(old)
                state.is_toasted = new == "Bread"
                state.is_sliced = True
                state.spans.append(meant[0].span)
                self.foods.setdefault(new, state)
                self._last_food = new

    def _goes_on_placing(self, clause: Clause, phrases: list[NounPhrase]) -> bool:
        """Return whether a clause is the end of "put all the pens", such as "in one drawer"."""
        return (
            bool(self._unplaced)
            and not clause.verbs
            and not self._asked_where
            and "be" not in clause.marks
            and len(phrases) == 1
            and phrases[0].relation == "on"
        )

    def _resolved(self, clause: Clause) -> list[NounPhrase]:
        """Return the phrases with "it", "two" and "a slice" named after what they stand for."""
        phrases: list[NounPhrase] = []
        for phrase in clause.phrases:
            if not phrase.what:
                what = self._referent(clause, phrase, phrases)
                if not what:
                    continue
                phrase = replace(phrase, what=what, is_dish=what in DISH_NAMES, is_negated=False)
            phrases.append(phrase)
        return phrases

    def _referent(self, clause: Clause, phrase: NounPhrase, before: list[NounPhrase]) -> str:
        foods = [each.what for each in before if each.what in FOODS or each.what == "toast"]
        is_cooking = phrase.verb in _FOOD_VERBS or bool(phrase.done_to & _FOOD_VERBS)
        asked = self._asked_count and phrase.count is not None
        if phrase.is_slices or asked or is_cooking:
            if foods:
                return foods[-1]
            return self._follower_food or self._last_food
        things = [each.what for each in before if each.relation == ""]
        if things:
            return things[-1]
        if phrase.count is not None and self._is_about_food(clause):
            return self._last_food
        return self._last_thing or self._last_food

    def _is_about_food(self, clause: Clause) -> bool:
        """Return whether a bare number counts slices: alone, or of what goes on a dish."""
        food = self.foods.get(self._last_food)
        on_dish = any(
            each.what in DISH_CONTAINERS and each.relation == "on" for each in clause.phrases
        )
        return food is not None and food.is_sliced and (on_dish or len(clause.phrases) == 1)

    def _is_hint(self, clause: Clause, phrases: list[NounPhrase]) -> bool:
        if any(verb in _STRONG_VERBS for verb in clause.verbs) or (_puts(clause) and phrases):
            return False
        if any(each.done_to & _STRONG_VERBS for each in phrases) and "make" in clause.marks:
            return False
        if "look" in clause.verbs or "open" in clause.verbs:
            return True
        has_place = any(each.relation in ("near", "on") for each in phrases)
        if "be" in clause.marks:
            return True
        starts_with_place = bool(phrases) and phrases[0].relation in ("near", "on")
        if starts_with_place and phrases[0].what not in DISH_CONTAINERS:
            return True
        if "get" in clause.verbs:
            return False
        return (
            has_place
            and not any(each.is_slices or each.is_dish or each.done_to for each in phrases)
            and not any(each.what in DISH_CONTAINERS and each.relation == "on" for each in phrases)
        )

    def _add_hints(
        self, clause: Clause, phrases: list[NounPhrase], only_near: bool = False
    ) -> None:
        subject = next((each.what for each in phrases if not each.relation and each.what), "")
        subject = subject or self._asked_thing or self._last_thing
        for phrase in phrases:
            if phrase.relation == "near" or (phrase.relation == "on" and not only_near):
                if subject and phrase.what != subject:
                    self.hints.append(Hint(subject, phrase.relation, phrase.what, phrase.span))
            elif not phrase.relation and phrase.what:
                subject = phrase.what
        if subject and not only_near and subject not in FIXED:
            self._last_thing = subject
            if subject in FOODS:
                self._last_food = subject

    def _remember(self, clause: Clause, phrases: list[NounPhrase]) -> None:
        for phrase in phrases:
            if phrase.relation in ("", "with") and phrase.what and not phrase.is_negated:
                if phrase.what not in FIXED:
                    self._last_thing = phrase.what
                if phrase.what in FOODS:
                    self._last_food = phrase.what
                elif phrase.what == "toast":
                    self._last_food = "Bread"
            elif phrase.what in FOODS and phrase.relation == "of":
                self._last_food = phrase.what

    # Facts

    def _add_phrase(self, clause: Clause, phrase: NounPhrase) -> None:
        what = phrase.what
        if phrase.relation == "near":
            return
        actions = set(phrase.done_to)
        if phrase.verb and phrase.relation in ("", "of", "with"):
            actions.add(phrase.verb)
        if phrase.is_dish:
            self._add_dish(clause, phrase)
        elif what in FOODS:
            if self._is_served(clause, phrase):
                actions.add("serve")
            self._add_food(phrase, actions)
        elif what == "HousePlant":
            self._add_plant(clause, phrase)
        self._add_things(clause, phrase, actions)

    def _add_things(self, clause: Clause, phrase: NounPhrase, actions: set[str]) -> None:
        what = phrase.what
        if what in DISH_CONTAINERS and not phrase.is_negated:
            self._add_container(clause, phrase, actions)
        if (
            "clean" in actions
            and not phrase.is_negated
            and what not in FOODS
            and not phrase.is_dish
        ):
            if "clean" not in phrase.done_to or phrase.relation == "":
                self._add_cleaning(phrase)
        if phrase.is_dirty and not clause.verbs and not phrase.relation and what not in FOODS:
            self._add_cleaning(phrase)
        if phrase.relation == "on" and what in TABLES and set(clause.verbs) & _PLACING_VERBS:
            self.tables.append((what, phrase.span))

    def _is_served(self, clause: Clause, phrase: NounPhrase) -> bool:
        """Return whether food belongs to a dish: "a tomato sandwich", "put it on a plate"."""
        if phrase.relation not in ("", "with", "of"):
            return False
        on_dish = any(
            each.what in DISH_CONTAINERS and each.relation == "on" for each in clause.phrases
        )
        in_dish = any(
            each.is_dish and each.what in ("sandwich", "salad") and each.relation != "near"
            for each in clause.phrases
        )
        return in_dish or (on_dish and bool({"put", "serve"} & set(clause.verbs)))

    def _is_to_clean(self, clause: Clause, phrase: NounPhrase, actions: set[str]) -> bool:
        if phrase.is_negated or phrase.is_dish or phrase.what in FOODS or phrase.relation == "on":
            return False
        return "clean" in actions or (phrase.is_dirty and not clause.verbs)

    def _add_plant(self, clause: Clause, phrase: NounPhrase) -> None:
        if "water" in clause.verbs or "fill" in clause.verbs:
            self.plant_spans.append(phrase.span)

    def _add_dish(self, clause: Clause, phrase: NounPhrase) -> None:
        what = phrase.what
        if what == "coffee":
            if phrase.relation == "on":
                return  # short for the coffee machine
            self._count_coffee(_with_cup_count(clause, phrase))
        elif what == "toast":
            self._add_food(replace(phrase, what="Bread", is_slices=True), {"toast"})
        elif phrase.is_negated:
            self.named.pop(what, None)
        else:
            self.named.setdefault(what, []).append(phrase.span)

    def _count_coffee(self, phrase: NounPhrase) -> None:
        if phrase.is_negated:
            self.coffee_spans.clear()
            return
        self.coffee_spans.append(phrase.span)
        if phrase.adds:
            self.coffees = (self.coffees or 1) + 1
        elif phrase.count:
            self.coffees = phrase.count

    def _add_food(self, phrase: NounPhrase, actions: set[str]) -> None:
        food = self.food(phrase.what)
        if phrase.is_negated:
            food.is_removed = True
            return
        if (
            actions & {"slice", "cook", "boil", "toast", "poach", "serve", "make", "put"}
            or phrase.is_slices
        ):
            food.is_removed = False
            food.spans.append(phrase.span)
        food.mentions += 1
        food.is_sliced = food.is_sliced or phrase.is_slices or bool(actions & {"slice", "serve"})
        food.is_cooked = food.is_cooked or "cook" in actions
        food.is_boiled = food.is_boiled or bool(actions & {"boil", "poach"})
        food.is_toasted = food.is_toasted or "toast" in actions
        if "boil" in actions:
            self.boil_spans.append(phrase.span)
        if phrase.adds and phrase.is_slices and phrase.count is None:
            food.implied += 1
        elif phrase.count is not None and actions != {"get"}:
            if phrase.adds:
                food.implied += phrase.count
            elif food.count is None or phrase.count > food.count or phrase.is_only:
                food.count = phrase.count
        if phrase.is_slices and phrase.count is None:
            food.implied = max(food.implied, 0)

    @staticmethod
    def _takes_away(phrase: NounPhrase) -> bool:
        """Return whether a "no" or "without" means the food, and not what is done to it."""
        return phrase.relation == "with" or phrase.verb in ("", "make", "put", "serve")

    def _add_container(self, clause: Clause, phrase: NounPhrase, actions: set[str]) -> None:
        placing = set(clause.verbs) & {"put", "serve", "make", "bring", "toast", "cook", "slice"}
        if phrase.relation == "on" and (placing or not clause.verbs):
            self.containers.append((phrase.what, phrase.span))
        elif "clean" in actions or (clause.verbs and clause.verbs[-1] in ("make", "get")):
            self.containers.append((phrase.what, phrase.span))
        if phrase.adds or (phrase.count or 0) > 1:
            self.plates += 1

    def _add_cleaning(self, phrase: NounPhrase) -> None:
        self.cleanings.append(
            Cleaning(phrase.what, phrase.count, phrase.wants_all, phrase.is_plural, [phrase.span])
        )

    def _add_placing(self, clause: Clause, phrases: list[NounPhrase]) -> None:
        """Note what is put where: the objects before the last place that the clause names."""
        things = [
            each
            for each in phrases
            if each.relation in ("", "of")
            and not each.is_dish
            and not each.is_negated
            and each.what not in FIXED
        ]
        places = [each for each in phrases if each.relation == "on" and not each.is_dish]
        if not places and "there" in clause.marks and "put" in clause.verbs and self._last_place:
            places = [NounPhrase(self._last_place, False, clause.span)]
        if not things and places and self._last_thing and _puts(clause):
            things = [NounPhrase(self._last_thing, False, places[-1].span)]
        if not _puts(clause):
            if things and "get" in clause.verbs:
                self._fetched = things[-1]
                if places:
                    thing, at = things[-1].what, places[-1]
                    self.hints.append(Hint(thing, "on", at.what, at.span))
            return
        if things and not places and set(clause.verbs) & {"put", "bring"}:
            self._unplaced = things
        if not things or not places:
            return
        self._place(things, places[-1])

    def _place(self, things: list[NounPhrase], place: NounPhrase) -> None:
        self._unplaced = []
        for thing in things:
            if thing.what == place.what:
                continue
            fetched = self._fetched
            if fetched is not None and fetched.what == thing.what and not thing.wants_all:
                thing = replace(
                    thing, wants_all=fetched.wants_all, count=thing.count or fetched.count
                )
            self.placings.append(
                Placing(
                    thing.what,
                    place.what,
                    thing.count,
                    thing.wants_all,
                    place.is_one_place,
                    place.is_any or place.is_plural,
                    thing.is_plural,
                    [thing.span, place.span],
                )
            )


def _food_name(what: str) -> str:
    return "Bread" if what == "toast" else what


def _puts(clause: Clause) -> bool:
    """Return whether a clause says where something is to be."""
    verbs = set(clause.verbs)
    if verbs & {"put", "serve", "bring"}:
        return True
    if "look" in verbs or "open" in verbs:
        return False
    gathers = any(each.is_one_place for each in clause.phrases if each.relation == "on")
    if "get" in verbs and gathers:
        return True
    wants = "make" in verbs and not verbs & (_STRONG_VERBS - {"make"})
    lists_all = not verbs and bool(clause.phrases) and clause.phrases[0].wants_all
    return wants or lists_all


def _with_cup_count(clause: Clause, coffee: NounPhrase) -> NounPhrase:
    """Return the phrase for coffee with the count of its cups: "two mugs of coffee"."""
    for each in clause.phrases:
        if (
            each.what in _EATING_VESSELS
            and each.relation == ""
            and coffee.relation in ("of", "with")
        ):
            return replace(coffee, count=coffee.count or each.count, adds=coffee.adds or each.adds)
        if each.what in _EATING_VESSELS and each.relation == "on" and (each.count or 0) > 1:
            return replace(coffee, count=coffee.count or each.count)
    return coffee
