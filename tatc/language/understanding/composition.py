"""Composes what is asked for from the state of a dialogue."""

from collections.abc import Sequence
from dataclasses import replace

from tatc.language.understanding.asked_for import (
    AskedFor,
    FoodState,
    Placing,
    ThingsRequest,
    is_on_the_way,
)
from tatc.language.understanding.clauses import CUPS, DISH_CONTAINERS, FOODS
from tatc.language.understanding.dish_composition import (
    compose_breakfast,
    compose_dish,
    compose_menu,
    filled_dishes,
    plain_dishes,
)
from tatc.language.understanding.goal import (
    PORTION_FOODS,
    Chore,
    ChoreWanted,
    Composed,
    GoalContent,
    OpenPart,
    unavailable_part,
)
from tatc.language.understanding.tokens import Span
from tatc.tdl.properties import object_classes_of

_FILLINGS = ("Lettuce", "Tomato", "Potato")
_HEATING_PLACES = ("Microwave", "StoveBurner", "Pan", "Pot")


def compose(state: AskedFor) -> Composed:
    """Return what the dialogue asks for, with an empty content if that is nothing.

    The first reading that finds something holds, because steps on the way to a dish ("wash the
    plate") are chores only where no dish is asked for.  Chores that are no such step are added.
    """
    made = with_joint_chores(state, _main_request(state))
    made.open_parts += [unavailable_part(each) for each in state.unavailable]
    return made


def _main_request(state: AskedFor) -> Composed:
    foods = _wanted_foods(state)
    if not state.coffee_spans:
        _take_machine_as_coffee(state)
    for read in (_as_breakfast, _as_boiling, _as_dish, _as_coffee, _as_watering, _as_egg):
        made = read(state, foods)
        if made is not None:
            return made
    return _as_chore(state)


def _as_breakfast(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    with_coffee = bool(state.coffee_spans) and _are_breakfast_foods(state, foods)
    if "breakfast" in state.named or with_coffee:
        return compose_breakfast(state, foods, Composed(GoalContent()))
    return None


def _as_boiling(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    if not _is_boiling(state, foods):
        return None
    count = foods["Potato"].count if "Potato" in foods else None
    return _one_chore(Chore.BOIL, "Potato", state.boil_spans, count or 1)


def _as_dish(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    if not foods and not {"sandwich", "salad"} & state.named.keys():
        return None
    placing = _main_placing(state)
    made = Composed(GoalContent())
    if placing is not None and not _are_prepared(foods):
        return _arrangement(state, placing, made)
    if _are_several_plates(state, foods):
        made.content = GoalContent(tuple(plain_dishes(state, foods, made)))
        return made
    filled = filled_dishes(state, foods)
    if filled == ("salad",):
        made.content = GoalContent(tuple(compose_menu(filled, state, foods, made)))
        return made
    return compose_dish(state, foods, made)


def _are_several_plates(state: AskedFor, foods: dict[str, FoodState]) -> bool:
    """Return whether toast is wanted beside foods that nobody puts on it: "toast and an apple"."""
    filled = {"Lettuce", "Tomato"} & foods.keys() or {"sandwich", "salad"} & state.named.keys()
    return "Bread" in foods and foods["Bread"].is_toasted and len(foods) > 1 and not filled


def _as_coffee(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    if not state.coffee_spans or state.plant_spans:
        return None
    return _one_chore(Chore.COFFEE, "Mug", state.coffee_spans, state.coffees or 1)


def _as_watering(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    if not state.plant_spans:
        return None
    return _one_chore(Chore.WATER, "HousePlant", state.plant_spans)


def _as_egg(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    if state.poach_spans:
        return _one_chore(Chore.POACH, "Egg", state.poach_spans)
    spans = state.egg_spans or state.named.get("omelette")
    return _one_chore(Chore.FRY_EGG, "Egg", spans) if spans else None


def _as_chore(state: AskedFor) -> Composed:
    made = Composed(GoalContent())
    placing = _main_placing(state)
    if state.cleanings and (placing is None or _is_step(state, placing)):
        return _cleaning(state, made)
    if placing is not None:
        return _arrangement(state, placing, made)
    for switching in state.switchings[:1]:
        chore = Chore.SWITCH_ON if switching.turns_on else Chore.SWITCH_OFF
        return _one_chore(chore, switching.things, switching.spans, None)
    return made


def _one_chore(chore: Chore, things: str, spans: list[Span], count: int | None = 1) -> Composed:
    content = GoalContent(chores=(ChoreWanted(chore, things, count),))
    return Composed(content, [(f"{chore} {things}", spans)])


def _is_step(state: AskedFor, placing: Placing) -> bool:
    """Return whether something is put down on the way to be cleaned: "wash it, put it there"."""
    cleaning = state.cleanings[0]
    earlier = cleaning.spans[0].utterance <= placing.spans[0].utterance
    return earlier and not placing.wants_all and not placing.one_place


def _is_boiled_in_pot(state: AskedFor, foods: dict[str, FoodState]) -> bool:
    """Return whether a whole potato is put into a pot, and nothing else is asked for."""
    in_pot = any(p.things == "Potato" and p.place == "Pot" for p in state.placings)
    return in_pot and not foods and not state.containers


def _take_machine_as_coffee(state: AskedFor) -> None:
    """Take a mug that is put on the coffee machine for a wish for coffee."""
    for placing in state.placings:
        if placing.place == "CoffeeMachine" and placing.things in ("Mug", "Cup"):
            state.coffee_spans += placing.spans


def _wanted_foods(state: AskedFor) -> dict[str, FoodState]:
    """Return the foods that are to be prepared.

    Of a salad or sandwich they are also those of which the Commander only said where they are.
    """
    if {"salad", "sandwich"} & state.named.keys():
        for hint in state.hints:
            food = state.foods.get(hint.things)
            if hint.things in _FILLINGS and (food is None or not food.is_removed):
                food = state.foods.setdefault(hint.things, FoodState())
                food.is_sliced = True
                food.spans.append(hint.span)
    potato = state.foods.get("Potato")
    heated = any(p.things == "Potato" and p.place in _HEATING_PLACES for p in state.placings)
    if potato is not None and potato.is_cut and heated:
        potato.is_cooked = True
    return {
        name: food
        for name, food in state.foods.items()
        if name in PORTION_FOODS and not food.is_removed and food.spans and _is_wanted(food)
    }


def _is_wanted(food: FoodState) -> bool:
    return food.is_sliced or food.is_cooked or food.is_toasted or food.is_boiled


def _are_prepared(foods: dict[str, FoodState]) -> bool:
    return any(_is_wanted(food) for food in foods.values())


def _are_breakfast_foods(state: AskedFor, foods: dict[str, FoodState]) -> bool:
    return bool(foods) or bool({"sandwich", "salad"} & state.named.keys())


def _is_boiling(state: AskedFor, foods: dict[str, FoodState]) -> bool:
    potato = foods.get("Potato")
    if _is_boiled_in_pot(state, foods):
        return True
    is_whole = potato is not None and not potato.is_cut
    return bool(state.boil_spans) and is_whole and len(foods) == 1


def _main_placing(state: AskedFor) -> Placing | None:
    """Return the first placing that is no step on the way to something else."""
    for placing in state.placings:
        is_washing = placing.place == "Sink" and bool(state.cleanings)
        if not is_washing and not is_on_the_way(placing):
            return placing
    return None


def _arrangement(state: AskedFor, first: Placing, made: Composed) -> Composed:
    together = [each for each in state.placings if _goes_with(each, first)]
    several = len({each.things for each in together}) > 1
    for asked, place in dict.fromkeys((each.things, each.place) for each in together):
        same = [each for each in state.placings if each.things == asked]
        if len({each.place for each in together if each.things == asked}) > 1:
            same = [each for each in same if each.place == place]
        one = any(each.one_place for each in same if each.place == place)
        any_place = any(each.any_place for each in same if each.place == place)
        if not one and not any_place:
            one = True
            if OpenPart.ONE_PLACE not in made.open_parts:
                made.open_parts.append(OpenPart.ONE_PLACE)
        count = _number_said(same, several)
        chore = ChoreWanted(Chore.PUT, asked, count, place, one)
        made.content = GoalContent(chores=(*made.content.chores, chore))
        spans = [span for each in same for span in each.spans]
        made.evidence.append((f"{asked} on {place}", spans))
    return made


def _goes_with(placing: Placing, first: Placing) -> bool:
    """Return whether a placing is asked for beside the first one, and is no step towards it.

    It is if it is in the same clause, or about other things in the same utterance, or about all of
    them and one place.
    """
    if placing.number == first.number:
        return True
    is_beside = placing.spans[0].utterance == first.spans[0].utterance
    is_beside = is_beside or (placing.wants_all and placing.one_place)
    return is_beside and placing.things != first.things and not is_on_the_way(placing)


def _cleaning(state: AskedFor, made: Composed) -> Composed:
    first = state.cleanings[0]
    beside = [each for each in state.cleanings if each.number == first.number]
    wanted = list(state.cleanings)
    if any(each.wants_all or each.is_plural for each in beside):
        wanted = beside  # what follows says which of them
    kinds = {each.things for each in wanted if each in beside or not each.is_pronoun}
    for asked in dict.fromkeys(each.things for each in state.cleanings):
        if asked not in kinds or any(_includes(other, asked) for other in kinds):
            continue  # "clean the plate" belongs to "clean all the tableware"
        same = [each for each in state.cleanings if each.things == asked]
        several = same[0] in beside and len({each.things for each in beside} & kinds) > 1
        chore = ChoreWanted(Chore.CLEAN, asked, _number_said(same, several))
        made.content = GoalContent(chores=(*made.content.chores, chore))
        made.evidence.append((f"clean {asked}", [span for each in same for span in each.spans]))
    return made


def _includes(kind: str, things: str) -> bool:
    """Return whether a class has things of a type or class that is not itself."""
    return kind != things and kind in object_classes_of(things)


def _number_said(same: Sequence[ThingsRequest], several: bool) -> int | None:
    """Return how many are meant, None for all: "the two forks", "both" and "the fork" are all.

    Where several kinds of things are named, one that is named in the singular is one.
    """
    first = same[0]
    if any(each.wants_all for each in same) or (first.is_definite and not several):
        return None
    if first.count is not None and first.count > 1:
        return first.count
    return None if not several or first.is_plural else 1


# Chores that are asked for beside the main request: "make toast, and water the plant".
#
# What is done on the way to a dish names the same things: a plate is washed, a mug is filled.  So
# only those chores count that are no step of anything else.

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
