"""Reads clause after clause: what "it" is, what an answer answers, what is only a hint."""

from dataclasses import replace

from tatc.language.understanding.asked_for import AskedFor
from tatc.language.understanding.clauses import (
    DISH_CONTAINERS,
    DISH_NAMES,
    FILLED_DISHES,
    FOOD_VERBS,
    FOODS,
    STRONG_VERBS,
    Clause,
    NounPhrase,
    food_name,
    is_fixed,
    says_place,
)

_VESSELS = ("Pot", "Pan", "CoffeeMachine")
_APART = ("own", "separate", "different")


class DialogueState:
    """Takes the utterances of both agents in order, and keeps what they ask for in `asked`.

    `requests` are the clauses that ask for anything, with what their pronouns stand for.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        self.asked = AskedFor()
        self.requests: list[tuple[Clause, list[NounPhrase]]] = []
        self._clause_number = 0
        self._last_food = ""
        self._last_food_verb = ""
        self._served: set[str] = set()  # foods that were asked for when a dish was to be filled
        self._is_assembled = False  # the Follower said that they are on the dish
        self._last_thing = ""
        self._placings = PlacingReader(self.asked)
        self._forget_question()

    def _forget_question(self) -> None:
        self._asked_thing = self._asked_food = ""
        self._asked_where = self._asked_count = self._asked_container = False

    def hear_follower(self, clauses: list[Clause]) -> None:
        """Note what the Follower asked about, which the next answer is read with."""
        asks = any("asks" in clause.marks for clause in clauses)
        named = {phrase.what for clause in clauses for phrase in clause.phrases}
        self._asked_container = named.issuperset(DISH_CONTAINERS)
        for clause in clauses:
            reports = bool(self._served) and not asks and clause.says_served
            self._is_assembled = self._is_assembled or reports
            self._asked_where = self._asked_where or "where" in clause.marks
            self._asked_count = self._asked_count or "how_many" in clause.marks
            for phrase in clause.phrases:
                if phrase.what and phrase.relation != "near":
                    self._asked_thing = phrase.what
                    if food_name(phrase.what) in FOODS:
                        self._asked_food = food_name(phrase.what)

    def hear_commander(self, clauses: list[Clause]) -> None:
        """Add what an utterance of the Commander asks for."""
        for clause in clauses:
            self._read(clause)
        self._forget_question()

    def _read(self, clause: Clause) -> None:
        self._clause_number += 1
        self.asked.corrections += "sorry" in clause.marks
        phrases = clause.with_elided_verb(self._resolved(clause), self._last_food_verb)
        self._correct(clause, phrases)
        if self._placings.goes_on(clause, phrases) and not self._asked_where:
            self._placings.go_on(phrases[0], self._clause_number)
        elif self._is_hint(clause, phrases):
            self._add_hints(clause, phrases)
            self._placings.note_last_place(phrases)
        else:
            self.requests.append((clause, phrases))
            self.asked.add_unavailable(clause)
            self._add_hints(clause, phrases, only_near=not clause.asks_and_says_where)
            dish = ""
            if clause.lists_portions:
                self.asked.count_anew([each.what for each in phrases if each.count is not None])
            for phrase in phrases:
                # The foods after a filled dish are parts of it, up to its plate or another dish.
                if phrase.is_dish:
                    is_filled = phrase.what in FILLED_DISHES and not phrase.is_negated
                    dish = phrase.what if is_filled else ""
                elif phrase.what in DISH_CONTAINERS:
                    dish = ""
                self._add_phrase(clause, phrase, dish)
            self._placings.add(clause, phrases, self._last_thing, self._clause_number)
            if clause.is_on_dish:
                self._served.update(self.asked.foods)
            self._remember(phrases)
            food_verbs = [verb for verb in clause.verbs if verb in FOOD_VERBS]
            self._last_food_verb = food_verbs[-1] if food_verbs else ""

    # What words stand for

    def _resolved(self, clause: Clause) -> list[NounPhrase]:
        """Return the phrases with "it", "two" and "a slice" named after what they stand for."""
        phrases: list[NounPhrase] = []
        for phrase in clause.phrases:
            if not phrase.what:
                what = self._referent(clause, phrase, phrases)
                if not what:
                    continue
                phrase = replace(phrase, what=what, is_dish=what in DISH_NAMES, is_pronoun=True)
            phrases.append(phrase)
        implied = clause.implied_object(self._last_food, self._last_thing)
        return phrases if implied is None else [implied, *phrases]

    def _referent(self, clause: Clause, phrase: NounPhrase, before: list[NounPhrase]) -> str:
        if phrase.is_slices and "toast" in phrase.actions:
            return "Bread"
        is_cooking = phrase.verb in FOOD_VERBS or bool(phrase.done_to & FOOD_VERBS)
        answers = self._asked_count and phrase.count is not None
        if phrase.is_slices and any(
            food_name(each.what) == self._last_food for each in clause.phrases
        ):  # "two slices, and a slice of tomato": the two are of another food
            counted = self.asked.food_counted_so(replace(phrase, is_definite=True), "")
            if counted and counted != self._last_food:
                return counted
        if phrase.is_slices or answers or is_cooking:
            foods = [each.what for each in before if food_name(each.what) in FOODS]
            counted = self.asked.food_counted_so(phrase, self._last_food)
            return foods[-1] if foods else counted or self._asked_food or self._last_food
        things = [each.what for each in before if each.relation == ""]
        if things:
            return things[-1]
        if phrase.count is not None and (len(clause.phrases) == 1 or clause.is_on_dish):
            # A bare number counts slices: alone, or of what goes on a dish.
            food = self.asked.foods.get(self._last_food)
            if food is not None and food.is_sliced:
                return self._last_food
        return self._last_thing or self._last_food

    def _remember(self, phrases: list[NounPhrase]) -> None:
        for phrase in phrases:
            if phrase.relation not in ("", "with", "of") or phrase.is_negated:
                continue
            if phrase.relation != "of" and not is_fixed(phrase.what):
                self._last_thing = phrase.what
            if food_name(phrase.what) in FOODS:
                self._last_food = food_name(phrase.what)
                self._asked_food = ""

    def _correct(self, clause: Clause, phrases: list[NounPhrase]) -> None:
        """Put what was meant in place of what was said: "sorry, not toast, tomato"."""
        meant = [each for each in phrases if not each.is_negated and not each.relation]
        if meant and meant[0].is_dish and clause.takes_back_dishes:
            self.asked.take_back_dishes()
            return
        if clause.verbs or len(meant) != 1 or meant[0].adds:
            return
        if is_fixed(meant[0].what):
            asked = "" if self._asked_where else self._asked_thing
            self._placings.correct(clause, phrases, asked, self._clause_number)
            return
        if "sorry" in clause.marks and meant[0].what not in FOODS and not meant[0].is_dish:
            self.asked.correct_things(meant[0], self._clause_number)
            return
        denied = [food_name(each.what) for each in phrases if each.is_negated]
        if not denied and "sorry" in clause.marks:
            denied = [self._last_food]
        new = food_name(meant[0].what)
        for old in denied:
            if old in self.asked.foods and new in FOODS and old != new:
                self.asked.replace_food(old, new, meant[0].span)
                self._last_food = new

    # Hints

    def _is_hint(self, clause: Clause, phrases: list[NounPhrase]) -> bool:
        if any(verb in STRONG_VERBS for verb in clause.verbs) or (clause.puts and phrases):
            return False
        if "look" in clause.verbs or "open" in clause.verbs:
            return not clause.tries_one_more(phrases)
        if "be" in clause.marks and not clause.asks_and_says_where:
            if clause.tries_one_more(phrases) and not says_place(phrases):
                return False  # "it is asking for one more slice of tomato"
            dishes = [each for each in phrases if each.is_dish and not each.relation]
            fills = clause.names_dish_with_filling and any(each.is_slices for each in phrases)
            # "Breakfast is a coffee and a sandwich", "the sandwich is two slices of toast".
            return len(dishes) < 2 and not fills
        if says_place(phrases[:1]) and phrases[0].what not in DISH_CONTAINERS:
            return True
        if "get" in clause.verbs or clause.is_on_dish:
            return False
        asks = any(each.is_slices or each.is_dish or each.done_to for each in phrases)
        return says_place(phrases) and not asks

    def _add_hints(
        self, clause: Clause, phrases: list[NounPhrase], only_near: bool = False
    ) -> None:
        subject = next((each.what for each in phrases if not each.relation), "")
        if not subject or clause.says_it_is:
            subject = self._asked_thing or self._last_thing
        for phrase in phrases:
            if phrase.relation == "near" or (phrase.relation == "on" and not only_near):
                self.asked.add_hint(subject, phrase)
            elif not phrase.relation:
                subject = phrase.what
        if subject and not only_near and not is_fixed(subject):
            self._last_thing = subject
            if subject in FOODS:
                self._last_food = subject

    # Facts

    def _add_phrase(self, clause: Clause, phrase: NounPhrase, dish: str) -> None:
        if phrase.relation == "near":
            return
        actions = phrase.actions
        if phrase.is_dish:
            self.asked.add_dish(clause, phrase)
        elif phrase.what in FOODS:
            if self._is_served(clause, phrase):
                actions.add("serve")
                phrase = self._once_more(clause, phrase)
            self.asked.add_food(phrase, actions, dish)
        elif phrase.what == "HousePlant":
            self.asked.add_plant(clause, phrase)
        if phrase.what == "Egg":
            self.asked.add_egg(clause, phrase, actions)
        self.asked.add_things(clause, phrase, actions, self._clause_number)
        self._note_container(clause, phrase)

    def _once_more(self, clause: Clause, phrase: NounPhrase) -> NounPhrase:
        """Return a phrase that asks for one more slice where there is one on the dish already."""
        is_there = self._is_assembled and phrase.what in self._served
        names_one = phrase.is_slices and not phrase.is_definite and (phrase.count or 1) == 1
        if is_there and names_one and clause.is_on_dish and not phrase.adds:
            return replace(phrase, adds=True)
        return phrase

    def _note_container(self, clause: Clause, phrase: NounPhrase) -> None:
        """Note on which dish the foods of a clause go, or the last food if it names none."""
        if phrase.what not in DISH_CONTAINERS:
            return
        if self._asked_container and not phrase.is_negated:
            self.asked.choose_container(phrase)
        if food := clause.food_for(phrase):
            self.asked.container_of[food] = phrase.what
        if phrase.relation == "on" and not phrase.is_negated:
            foods = [food_name(each.what) for each in clause.phrases]
            foods = [each for each in foods if each in FOODS] or [self._last_food]
            self.asked.container_of.update(dict.fromkeys(foods, phrase.what))
            if any(term.text in _APART for term in clause.terms):
                self.asked.apart.update(foods)
            each_apart = any(term.value("each") for term in clause.terms)
            if each_apart and not phrase.is_plural:
                self.asked.one_on_each(foods, phrase.what)
            counted = {food_name(each.what) for each in clause.phrases if (each.count or 0) > 1}
            if not phrase.is_plural and phrase.count is None and not each_apart:
                self.asked.together |= counted & set(FOODS)

    def _is_served(self, clause: Clause, phrase: NounPhrase) -> bool:
        """Return whether food belongs to a dish: "a tomato sandwich", "put it on a plate"."""
        if phrase.relation not in ("", "with", "of"):
            return False
        has_filling = any(each in self.asked.named for each in FILLED_DISHES)
        lists_filling = clause.lists_foods_alone and not self._asked_where
        answers = has_filling and (lists_filling or clause.says_what_it_needs)
        placed = clause.is_on_dish and bool({"put", "serve"} & set(clause.verbs))
        return answers or clause.lists_portions or placed or clause.names_dish_with_filling


class PlacingReader:
    """Adds what is put where to what is asked for; `number` is always that of the clause."""

    def __init__(self, asked: AskedFor) -> None:
        """Start with nothing."""
        self._asked = asked
        self._last_place = ""
        self._fetched: NounPhrase | None = None
        self._unplaced: list[NounPhrase] = []

    def goes_on(self, clause: Clause, phrases: list[NounPhrase]) -> bool:
        """Return whether a clause is the end of "put all the pens", such as "in one drawer"."""
        is_place = len(phrases) == 1 and phrases[0].relation == "on"
        return bool(self._unplaced) and is_place and not clause.verbs and "be" not in clause.marks

    def go_on(self, place: NounPhrase, number: int) -> None:
        """Put what had no place yet there."""
        self._place(self._unplaced, place, number)

    def add(self, clause: Clause, phrases: list[NounPhrase], last_thing: str, number: int) -> None:
        """Add what a clause puts where; if it names no object, `last_thing` is put there."""
        phrases = _with_own_places(phrases)
        meant = [each for each in phrases if not each.is_dish and not each.is_negated]
        things = [e for e in meant if e.relation in ("", "of") and not is_fixed(e.what)]
        places = self._places(clause, phrases)
        if not clause.puts:
            if things and "get" in clause.verbs:
                self._fetched = things[-1]  # "it" may be put elsewhere: its place is a hint
                if places:
                    self._asked.add_hint(things[-1].what, places[-1])
            return
        if not things and places and last_thing:
            things = [NounPhrase(last_thing, False, places[-1].span)]
        if places and self._moves_elsewhere(clause, things, places[-1]):
            return
        if places:
            for put, place in _things_with_places(phrases, things, places):
                self._place(put, place, number)
        elif things and ({"put", "bring"} & set(clause.verbs) or "put" in things[0].done_to):
            self._unplaced = things

    def _moves_elsewhere(self, clause: Clause, things: list[NounPhrase], place: NounPhrase) -> bool:
        """Put the same things at another place: "put them in a drawer instead"."""
        placing = self._asked.placings[-1] if self._asked.placings else None
        if placing is None or "be" in clause.marks or not {"sorry", "instead"} & clause.marks:
            return False
        if not all(each.is_pronoun or each.what == placing.thing.what for each in things):
            return False
        placing.place = place.what
        placing.one_place = placing.one_place or place.is_one_place
        placing.spans.append(place.span)
        return True

    def correct(self, clause: Clause, phrases: list[NounPhrase], about: str, number: int) -> None:
        """Put things elsewhere: "not the desk, the bed", or "the bed" after "the desk?".

        `about` is the place that the Follower asked about, "" for none.
        """
        meant = next(each for each in phrases if not each.is_negated)
        for placing in self._asked.placings[-1:]:
            denies = any(each.is_negated and each.what == placing.place for each in phrases)
            corrects = placing.number == number - 1 and "sorry" in clause.marks
            if denies or corrects or about == placing.place:
                placing.place = meant.what
                placing.spans.append(meant.span)

    def note_last_place(self, phrases: list[NounPhrase]) -> None:
        """Note where "there" is: of "the cabinet above the sink" the cabinet."""
        for relation in ("near", "on"):
            places = [each.what for each in phrases if each.relation == relation]
            self._last_place = places[-1] if places else self._last_place

    def _places(self, clause: Clause, phrases: list[NounPhrase]) -> list[NounPhrase]:
        on = [each for each in phrases if each.relation == "on"]
        places = [each for each in on if not (each.is_dish or each.is_pronoun)]
        places += [e for e in phrases if (e.relation, e.what) == ("near", "CoffeeMachine")]
        if not places and "there" in clause.marks and "put" in clause.verbs and self._last_place:
            places = [NounPhrase(self._last_place, False, clause.span)]
        return places

    def _place(self, things: list[NounPhrase], place: NounPhrase, number: int) -> None:
        self._unplaced = []
        for thing in things:
            if thing.what == place.what:
                continue
            fetched = self._fetched
            if fetched is not None and fetched.what == thing.what and not thing.wants_all:
                count = thing.count or fetched.count
                thing = replace(thing, wants_all=fetched.wants_all, count=count)
            self._asked.add_placing(thing, place, number)


def _with_own_places(phrases: list[NounPhrase]) -> list[NounPhrase]:
    """Return the phrases with what has a place itself as an object: "the mug in the fridge"."""
    found = list(phrases)
    for i in range(1, len(phrases) - 1):
        around = phrases[i - 1], phrases[i], phrases[i + 1]
        if all(each.relation == "on" for each in around) and not is_fixed(phrases[i].what):
            found[i] = replace(phrases[i], relation="")
    return found


def _things_with_places(
    phrases: list[NounPhrase], things: list[NounPhrase], places: list[NounPhrase]
) -> list[tuple[list[NounPhrase], NounPhrase]]:
    """Return what is put where, in order: "the cup in the sink and the pen on the desk".

    Of several places that follow one another the last counts, as in "in the box on the desk".
    """
    found: list[tuple[list[NounPhrase], NounPhrase]] = []
    waiting: list[NounPhrase] = []
    has_place = False
    for phrase in phrases:
        if phrase in things:
            waiting = [phrase] if has_place else [*waiting, phrase]
            has_place = False
        elif phrase in places and waiting:
            if has_place and found[-1][1].what in _VESSELS:
                continue  # "in the pot on the stove"
            if has_place:
                found.pop()
            found.append((waiting, phrase))
            has_place = True
    named = [thing for put, _ in found for thing in put]
    if found and not [thing for thing in things if thing not in named]:
        return found
    vessels = [each for each in places[:-1] if each.what in _VESSELS]
    return [(things, vessels[-1] if vessels else places[-1])]
