"""Reads what is to be put where, clause after clause."""

from dataclasses import replace

from tatc.language.understanding.asked_for import AskedFor
from tatc.language.understanding.clauses import Clause, NounPhrase, is_fixed

_VESSELS = ("Pot", "Pan", "CoffeeMachine")


class PlacingReader:
    """Adds what is put where to what is asked for; remembers what has no place yet.

    `number` is always that of the clause.
    """

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
        """Add what a clause puts where: the objects before the last place that follows them.

        `last_thing` is what was named last, which "it" is.
        """
        phrases = _with_own_places(phrases)
        things = [
            each
            for each in phrases
            if each.relation in ("", "of") and not is_fixed(each.what)
            if not each.is_dish and not each.is_negated
        ]
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

    def correct(
        self, clause: Clause, phrases: list[NounPhrase], asked_about: str, number: int
    ) -> None:
        """Put things at another place: "not the desk, the bed", or "the bed" after "the desk?".

        `asked_about` is the place that the Follower asked about, "" if none.
        """
        placing = self._asked.placings[-1] if self._asked.placings else None
        meant = next(each for each in phrases if not each.is_negated)
        if placing is None:
            return
        denies = any(each.is_negated and each.what == placing.place for each in phrases)
        corrects = placing.number == number - 1 and "sorry" in clause.marks
        if denies or corrects or asked_about == placing.place:
            placing.place = meant.what
            placing.spans.append(meant.span)

    def note_last_place(self, phrases: list[NounPhrase]) -> None:
        """Note where "there" is: of "the cabinet above the sink" the cabinet."""
        for relation in ("near", "on"):
            places = [each.what for each in phrases if each.relation == relation]
            self._last_place = places[-1] if places else self._last_place

    def _places(self, clause: Clause, phrases: list[NounPhrase]) -> list[NounPhrase]:
        places = [each for each in phrases if each.relation == "on"]
        places = [each for each in places if not each.is_dish and not each.is_pronoun]
        near = [each for each in phrases if each.relation == "near"]
        places += [each for each in near if each.what == "CoffeeMachine"]
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
    """Return the phrases with what follows a place and has one itself as an object.

    "The fork in the sink and the mug in the fridge" puts nothing in a mug.
    """
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
    left = [thing for thing in things if thing not in named]
    if found and not left:
        return found
    vessels = [each for each in places[:-1] if each.what in _VESSELS]
    return [(things, vessels[-1] if vessels else places[-1])]
