"""What is put where in one clause that names several things and places."""

from dataclasses import replace

from tatc.language.understanding.clause_facts import is_fixed
from tatc.language.understanding.noun_phrases import NounPhrase

_VESSELS = ("Pot", "Pan", "CoffeeMachine")


def can_be_put(phrase: NounPhrase) -> bool:
    """Return whether a phrase names what can be put somewhere."""
    is_object = phrase.relation in ("", "of") and not is_fixed(phrase.what)
    return is_object and not phrase.is_dish and not phrase.is_negated


def with_own_places(phrases: list[NounPhrase]) -> list[NounPhrase]:
    """Return the phrases with what follows a place and has one itself as an object.

    "The fork in the sink and the mug in the fridge" puts nothing in a mug.
    """
    found = list(phrases)
    for i in range(1, len(phrases) - 1):
        around = phrases[i - 1], phrases[i], phrases[i + 1]
        if all(each.relation == "on" for each in around) and not is_fixed(phrases[i].what):
            found[i] = replace(phrases[i], relation="")
    return found


def things_with_places(
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
