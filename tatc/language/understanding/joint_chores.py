"""Chores that are asked for beside the main request: "make toast, and water the plant".

What is done on the way to a dish names the same things: a plate is washed, a mug is filled.  So
only those chores count that are no step of anything else.
"""

from dataclasses import replace

from tatc.language.understanding.asked_for import AskedFor
from tatc.language.understanding.clause_facts import CUPS, DISH_CONTAINERS, FOODS
from tatc.language.understanding.goal_content import Chore, ChoreWanted, Composed
from tatc.language.understanding.requests import is_on_the_way
from tatc.language.understanding.tokens import Span

_SERVED_THINGS = (*FOODS, *DISH_CONTAINERS, *CUPS)


def with_joint_chores(state: AskedFor, made: Composed) -> Composed:
    """Return a request with those chores added of whose kind it has none."""
    if made.content.is_empty:
        return made
    kinds = {each.chore for each in made.content.chores}
    for chore, spans in _chores(state):
        if chore.chore not in kinds and chore not in made.content.chores:
            made.content = replace(made.content, chores=(*made.content.chores, chore))
            made.evidence.append((f"{chore.chore} {chore.things}", spans))
    return made


def _chores(state: AskedFor) -> list[tuple[ChoreWanted, list[Span]]]:
    found: list[tuple[ChoreWanted, list[Span]]] = []
    if state.coffee_wishes:
        wish = ChoreWanted(Chore.COFFEE, "Mug", state.coffees or 1)
        found.append((wish, state.coffee_wishes))
    if state.plant_spans:
        found.append((ChoreWanted(Chore.WATER, "HousePlant", 1), state.plant_spans))
    if state.poach_spans:
        found.append((ChoreWanted(Chore.POACH, "Egg", 1), state.poach_spans))
    elif state.egg_spans:
        found.append((ChoreWanted(Chore.FRY_EGG, "Egg", 1), state.egg_spans))
    for each in state.cleanings:
        if each.wants_all and not each.is_pronoun:
            found.append((ChoreWanted(Chore.CLEAN, each.things), each.spans))
    for each in state.placings:
        is_step = is_on_the_way(each) or each.things in _SERVED_THINGS
        if each.wants_all and not each.is_pronoun and not is_step:
            is_one = each.one_place or not each.any_place  # one place fulfils both
            put = ChoreWanted(Chore.PUT, each.things, None, each.place, is_one)
            found.append((put, each.spans))
    return found
