"""What a dialogue has asked for so far: facts of its clauses, later ones over earlier ones."""

from dataclasses import replace

from tatc.understanding.noun_phrases import Clause, NounPhrase
from tatc.understanding.requests import Cleaning, FoodState, Hint, Placing
from tatc.understanding.tokens import Span

FOODS = ("Bread", "Tomato", "Lettuce", "Potato", "Apple", "Egg")
DISH_CONTAINERS = ("Plate", "Bowl")
TABLES = ("CounterTop", "DiningTable", "Tables", "CoffeeTable", "SideTable")
_STRONG_VERBS = frozenset(
    "slice cook boil poach toast clean put serve make fill water switch bring".split()
)
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
        for phrase in phrases:
            if phrase.what and phrase.relation != "near":
                self.mentioned.setdefault(phrase.what, []).append(phrase.span)
        if self._is_hint(clause, phrases):
            self._add_hints(clause, phrases)
            return
        self._add_hints(clause, phrases, only_near=True)
        for phrase in phrases:
            self._add_phrase(clause, phrase)
        self._add_placing(clause, phrases)
        self._remember(clause, phrases)

    def _resolved(self, clause: Clause) -> list[NounPhrase]:
        """Return the phrases with "it", "two" and "a slice" named after what they stand for."""
        phrases: list[NounPhrase] = []
        for phrase in clause.phrases:
            if not phrase.what:
                what = self._referent(phrase, phrases)
                if not what:
                    continue
                phrase = replace(phrase, what=what, is_dish=what == "toast")
            phrases.append(phrase)
        return phrases

    def _referent(self, phrase: NounPhrase, before: list[NounPhrase]) -> str:
        foods = [each.what for each in before if each.what in FOODS or each.what == "toast"]
        if phrase.is_slices or (self._asked_count and phrase.count is not None):
            if foods:
                return foods[-1]
            return self._follower_food or self._last_food
        things = [each.what for each in before if each.relation == ""]
        if things:
            return things[-1]
        if phrase.count is not None and self._last_food and not self._last_thing:
            return self._last_food
        return self._last_thing or self._last_food

    def _is_hint(self, clause: Clause, phrases: list[NounPhrase]) -> bool:
        strong = [verb for verb in clause.verbs if verb in _STRONG_VERBS]
        if strong:
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
        if subject and not only_near:
            self._last_thing = subject
            if subject in FOODS:
                self._last_food = subject

    def _remember(self, clause: Clause, phrases: list[NounPhrase]) -> None:
        for phrase in phrases:
            if phrase.relation in ("", "with") and phrase.what and not phrase.is_negated:
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
            self._count_coffee(phrase)
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
        food.is_sliced = food.is_sliced or phrase.is_slices or "slice" in actions
        food.is_cooked = food.is_cooked or "cook" in actions
        food.is_boiled = food.is_boiled or bool(actions & {"boil", "poach"})
        food.is_toasted = food.is_toasted or "toast" in actions
        if "boil" in actions:
            self.boil_spans.append(phrase.span)
        if phrase.adds and phrase.is_slices and phrase.count is None:
            food.implied += 1
        elif phrase.count is not None and (phrase.is_slices or actions - {"get", "put", "bring"}):
            if phrase.adds:
                food.implied += phrase.count
            elif food.count is None or phrase.count > food.count or phrase.is_only:
                food.count = phrase.count
        if phrase.is_slices and phrase.count is None:
            food.implied = max(food.implied, 0)

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
        if not set(clause.verbs) & _PLACING_VERBS and "get" not in clause.verbs:
            return
        things = [
            p for p in phrases if p.relation in ("", "of") and not p.is_dish and not p.is_negated
        ]
        places = [p for p in phrases if p.relation == "on"]
        if not things and places and self._last_thing and set(clause.verbs) & {"put", "bring"}:
            things = [NounPhrase(self._last_thing, False, places[-1].span)]
        if not things or not places:
            if things and clause.verbs and clause.verbs[-1] in ("get",):
                self._fetched = things[-1]
            return
        if not set(clause.verbs) & _PLACING_VERBS:
            self._fetched = things[-1]
            self.hints.append(Hint(things[-1].what, "on", places[-1].what, places[-1].span))
            return
        place = places[-1]
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
