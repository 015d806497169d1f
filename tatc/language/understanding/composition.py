"""Composes what is asked for from the state of a dialogue."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tatc.language.understanding.asked_for import (
    AskedFor,
    FoodState,
    Placing,
    ThingsRequest,
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
_SERVED_THINGS = (*FOODS, *DISH_CONTAINERS, *CUPS)


def compose(state: AskedFor) -> Composed:
    """Return what the dialogue asks for, with an empty content if that is nothing.

    The first reading that finds something holds, because steps on the way to a dish ("wash the
    plate") are chores only where no dish is asked for.  Chores that are no such step are added.
    """
    made = _with_joint_chores(state, _main_request(state))
    made.open_parts += [unavailable_part(each) for each in state.unavailable]
    return made


def _main_request(state: AskedFor) -> Composed:
    foods = _wanted_foods(state)
    if not state.coffee_spans:  # a mug that is put on the coffee machine is a wish for coffee
        for placing in state.placings:
            if placing.place == "CoffeeMachine" and placing.thing.what in CUPS:
                state.coffee_spans += placing.spans
    for read in (_as_breakfast, _as_boiling, _as_dish, _as_drink_or_egg):
        made = read(state, foods)
        if made is not None:
            return made
    return _as_chore(state)


def _as_breakfast(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    with_coffee = state.coffee_spans and (foods or {"sandwich", "salad"} & state.named.keys())
    if "breakfast" in state.named or with_coffee:
        return compose_breakfast(state, foods, Composed(GoalContent()))
    return None


def _as_boiling(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    """Return that a potato is boiled: a whole one is put into a pot, or only that is asked for."""
    potato = foods.get("Potato")
    in_pot = any(p.thing.what == "Potato" and p.place == "Pot" for p in state.placings)
    is_whole = potato is not None and not potato.is_cut and len(foods) == 1
    if not (in_pot and not foods and not state.containers) and not (state.boil_spans and is_whole):
        return None
    count = None if potato is None else potato.count
    return _one_chore(Chore.BOIL, "Potato", state.boil_spans, count or 1)


def _as_dish(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    if not foods and not {"sandwich", "salad"} & state.named.keys():
        return None
    placing = _main_placing(state)
    made = Composed(GoalContent())
    if placing is not None and not any(map(_is_wanted, foods.values())):
        return _arrangement(state, placing, made)
    fillings = {"Lettuce", "Tomato"} & foods.keys() or {"sandwich", "salad"} & state.named.keys()
    if "Bread" in foods and foods["Bread"].is_toasted and len(foods) > 1 and not fillings:
        # "Toast and an apple": nobody puts that on the toast.
        made.content = GoalContent(tuple(plain_dishes(state, foods, made)))
        return made
    filled = filled_dishes(state, foods)
    if filled == ("salad",):
        made.content = GoalContent(tuple(compose_menu(filled, state, foods, made)))
        return made
    return compose_dish(state, foods, made)


def _as_drink_or_egg(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    """Return coffee, water for a plant, or an egg."""
    if state.plant_spans:
        return _one_chore(Chore.WATER, "HousePlant", state.plant_spans)
    if state.coffee_spans:
        return _one_chore(Chore.COFFEE, "Mug", state.coffee_spans, state.coffees or 1)
    if state.poach_spans:
        return _one_chore(Chore.POACH, "Egg", state.poach_spans)
    spans = state.egg_spans or state.named.get("omelette")
    return _one_chore(Chore.FRY_EGG, "Egg", spans) if spans else None


def _as_chore(state: AskedFor) -> Composed:
    made = Composed(GoalContent())
    placing = _main_placing(state)
    if state.cleanings:
        # "Wash it, put it there": something is put down on the way to be cleaned.
        is_step = placing is None or (
            state.cleanings[0].spans[0].utterance <= placing.spans[0].utterance
            and not placing.thing.wants_all
            and not placing.one_place
        )
        if is_step:
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
    heated = any(p.thing.what == "Potato" and p.place in _HEATING_PLACES for p in state.placings)
    if potato is not None and potato.is_cut and heated:
        potato.is_cooked = True
    return {
        name: food
        for name, food in state.foods.items()
        if name in PORTION_FOODS and not food.is_removed and food.spans and _is_wanted(food)
    }


def _is_wanted(food: FoodState) -> bool:
    return food.is_sliced or food.is_cooked or food.is_toasted or food.is_boiled


def _main_placing(state: AskedFor) -> Placing | None:
    """Return the first placing that is no step on the way to something else."""
    for placing in state.placings:
        is_washing = placing.place == "Sink" and bool(state.cleanings)
        if not is_washing and not placing.is_on_the_way:
            return placing
    return None


def _arrangement(state: AskedFor, first: Placing, made: Composed) -> Composed:
    together = [each for each in state.placings if _goes_with(each, first)]
    several = len({each.thing.what for each in together}) > 1
    for asked, place in dict.fromkeys((each.thing.what, each.place) for each in together):
        same = [each for each in state.placings if each.thing.what == asked]
        if len({each.place for each in together if each.thing.what == asked}) > 1:
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
    is_beside = is_beside or (placing.thing.wants_all and placing.one_place)
    return is_beside and placing.thing.what != first.thing.what and not placing.is_on_the_way


def _cleaning(state: AskedFor, made: Composed) -> Composed:
    first = state.cleanings[0]
    beside = [each for each in state.cleanings if each.number == first.number]
    wanted = list(state.cleanings)
    if any(each.thing.wants_all or each.thing.is_plural for each in beside):
        wanted = beside  # what follows says which of them
    kinds = {each.thing.what for each in wanted if each in beside or not each.thing.is_pronoun}
    for asked in dict.fromkeys(each.thing.what for each in state.cleanings):
        if asked not in kinds or {*object_classes_of(asked)} & (kinds - {asked}):
            continue  # "clean the plate" belongs to "clean all the tableware"
        same = [each for each in state.cleanings if each.thing.what == asked]
        several = same[0] in beside and len({each.thing.what for each in beside} & kinds) > 1
        chore = ChoreWanted(Chore.CLEAN, asked, _number_said(same, several))
        made.content = GoalContent(chores=(*made.content.chores, chore))
        made.evidence.append((f"clean {asked}", [span for each in same for span in each.spans]))
    return made


def _number_said(same: Sequence[ThingsRequest], several: bool) -> int | None:
    """Return how many are meant, None for all: "the two forks", "both" and "the fork" are all.

    Where several kinds of things are named, one that is named in the singular is one.
    """
    first = same[0]
    if any(each.thing.wants_all for each in same) or (first.thing.is_definite and not several):
        return None
    if first.thing.count is not None and first.thing.count > 1:
        return first.thing.count
    return None if not several or first.thing.is_plural else 1


def _with_joint_chores(state: AskedFor, made: Composed) -> Composed:
    """Return a request with the chores beside it: "make toast, and water the plant".

    What is done on the way to a dish names the same things: a plate is washed, a mug is filled.  So
    only those chores are added that are no step of anything else, and of whose kind it has none.
    """
    if made.content.is_empty:
        return made
    kinds = {each.chore for each in made.content.chores}
    for chore, spans in _joint_chores(state):
        if chore.chore not in kinds and chore not in made.content.chores:
            made.content = replace(made.content, chores=(*made.content.chores, chore))
            made.evidence.append((f"{chore.chore} {chore.things}", spans))
    return made


def _joint_chores(state: AskedFor) -> Iterator[tuple[ChoreWanted, list[Span]]]:
    if state.coffee_wishes:
        yield ChoreWanted(Chore.COFFEE, "Mug", state.coffees or 1), state.coffee_wishes
    if state.plant_spans:
        yield ChoreWanted(Chore.WATER, "HousePlant", 1), state.plant_spans
    if state.poach_spans:
        yield ChoreWanted(Chore.POACH, "Egg", 1), state.poach_spans
    elif state.egg_spans:
        yield ChoreWanted(Chore.FRY_EGG, "Egg", 1), state.egg_spans
    for each in state.cleanings:
        if each.thing.wants_all and not each.thing.is_pronoun:
            yield ChoreWanted(Chore.CLEAN, each.thing.what), each.spans
    for each in state.placings:
        is_step = each.is_on_the_way or each.thing.what in _SERVED_THINGS
        if each.thing.wants_all and not each.thing.is_pronoun and not is_step:
            is_one = each.one_place or not each.any_place  # one place fulfils both
            yield ChoreWanted(Chore.PUT, each.thing.what, None, each.place, is_one), each.spans
