"""Composes what is asked for from the state of a dialogue: dishes, breakfasts, chores."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tatc.language.understanding import clauses, goals, tokens
from tatc.language.understanding.asked_for import AskedFor, FoodState, Placing, ThingsRequest
from tatc.tdl.properties import object_classes_of

_Foods = dict[str, FoodState]  # by name
_FILLINGS = ("Lettuce", "Tomato", "Potato")
_HEATING_PLACES = ("Microwave", "StoveBurner", "Pan", "Pot")
_SERVED_THINGS = (*clauses.FOODS, *clauses.DISH_CONTAINERS, *clauses.CUPS)


def compose(state: AskedFor) -> goals.Composed:
    """Return what the dialogue asks for, with an empty content if that is nothing.

    The first reading that finds something holds: steps on the way to a dish ("wash the plate") are
    chores only where no dish is asked for.
    """
    made = _with_joint_chores(state, _main_request(state))
    made.open_parts += [f"{goals.UNAVAILABLE_PREFIX}{each}" for each in state.unavailable]
    return made


def _main_request(state: AskedFor) -> goals.Composed:
    foods = _wanted_foods(state)
    if not state.coffee_spans:  # a mug that is put on the coffee machine is a wish for coffee
        for placing in state.placings:
            if placing.place == "CoffeeMachine" and placing.thing.what in clauses.CUPS:
                state.coffee_spans += placing.spans
    for read in (_as_breakfast, _as_boiling, _as_dish, _as_drink_or_egg):
        made = read(state, foods)
        if made is not None:
            return made
    return _as_chore(state)


def _as_breakfast(state: AskedFor, foods: _Foods) -> goals.Composed | None:
    with_coffee = state.coffee_spans and (foods or {"sandwich", "salad"} & state.named.keys())
    if "breakfast" not in state.named and not with_coffee:
        return None
    made = goals.Composed()
    coffees = max(state.coffees or 1, state.mugs)
    name = _dish_name(state, foods)
    if filled := _filled_dishes(state, foods):
        dishes = _compose_menu(filled, state, foods, made)
    elif name in clauses.FILLED_DISHES and "Apple" not in foods:
        dishes = [_dish_of(name, state, foods, made)]
    else:
        dishes = _plain_dishes(state, foods, made)
    table = "CounterTop"
    if state.tables:
        kind, span = state.tables[-1]
        made.evidence.append((kind, [span]))
        table = kind if kind == "CounterTop" else "DiningTable"
    else:
        made.open_parts.append(goals.OpenPart.TABLE)
    made.evidence.append(("coffee", state.coffee_spans))
    coffee = goals.ChoreWanted(goals.Chore.COFFEE, "Mug", coffees)
    made.content = goals.GoalContent(tuple(dishes), (coffee,), table)
    return made


def _as_boiling(state: AskedFor, foods: _Foods) -> goals.Composed | None:
    """Return that a potato is boiled: a whole one is put into a pot, or only that is asked for."""
    potato = foods.get("Potato")
    in_pot = any(p.thing.what == "Potato" and p.place == "Pot" for p in state.placings)
    is_whole = potato is not None and not potato.is_cut and len(foods) == 1
    if not (in_pot and not foods and not state.containers) and not (state.boil_spans and is_whole):
        return None
    count = None if potato is None else potato.count
    return _one_chore(goals.Chore.BOIL, "Potato", state.boil_spans, count or 1)


def _as_dish(state: AskedFor, foods: _Foods) -> goals.Composed | None:
    if not foods and not {"sandwich", "salad"} & state.named.keys():
        return None
    placing = _main_placing(state)
    if placing is not None and not any(map(_is_wanted, foods.values())):
        return _arrangement(state, placing)
    made = goals.Composed()
    fillings = {"Lettuce", "Tomato"} & foods.keys() or {"sandwich", "salad"} & state.named.keys()
    if "Bread" in foods and foods["Bread"].is_toasted and len(foods) > 1 and not fillings:
        # "Toast and an apple": nobody puts that on the toast.
        dishes = _plain_dishes(state, foods, made)
    elif (filled := _filled_dishes(state, foods)) == ("salad",):
        dishes = _compose_menu(filled, state, foods, made)
    else:
        dishes = [_dish_of(_dish_name(state, foods), state, foods, made)]
    made.content = goals.GoalContent(tuple(dishes))
    return made


def _as_drink_or_egg(state: AskedFor, foods: _Foods) -> goals.Composed | None:
    if state.plant_spans:
        return _one_chore(goals.Chore.WATER, "HousePlant", state.plant_spans)
    if state.coffee_spans:
        return _one_chore(goals.Chore.COFFEE, "Mug", state.coffee_spans, state.coffees or 1)
    if state.poach_spans:
        return _one_chore(goals.Chore.POACH, "Egg", state.poach_spans)
    spans = state.egg_spans or state.named.get("omelette")
    return _one_chore(goals.Chore.FRY_EGG, "Egg", spans) if spans else None


def _as_chore(state: AskedFor) -> goals.Composed:
    placing = _main_placing(state)
    if placing is not None and state.cleanings:
        # "Wash it, put it there": something is put down on the way to be cleaned.
        is_aim = placing.thing.wants_all or placing.one_place
        is_before = placing.spans[0].utterance < state.cleanings[0].spans[0].utterance
        placing = placing if is_aim or is_before else None
    if placing is not None:
        return _arrangement(state, placing)
    if state.cleanings:
        return _cleaning(state)
    for chore, things, span in state.switchings[:1]:
        return _one_chore(chore, things, [span], None)
    return goals.Composed()


def _one_chore(
    chore: goals.Chore, things: str, spans: list[tokens.Span], count: int | None = 1
) -> goals.Composed:
    content = goals.GoalContent(chores=(goals.ChoreWanted(chore, things, count),))
    return goals.Composed(content, [(f"{chore} {things}", spans)])


def _wanted_foods(state: AskedFor) -> _Foods:
    """Return the foods to prepare; of a salad or sandwich also those said to be somewhere."""
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
        if name in goals.PORTION_FOODS and not food.is_removed and food.spans and _is_wanted(food)
    }


def _is_wanted(food: FoodState) -> bool:
    return food.is_sliced or food.is_cooked or food.is_toasted or food.is_boiled


def _main_placing(state: AskedFor) -> Placing | None:
    washing_place = "Sink" if state.cleanings else None
    lasting = (each for each in state.placings if each.place != washing_place)
    return next((each for each in lasting if not each.is_on_the_way), None)


def _arrangement(state: AskedFor, first: Placing) -> goals.Composed:
    made = goals.Composed()
    together = [each for each in state.placings if _goes_with(each, first)]
    several = len({each.thing.what for each in together}) > 1
    for asked, place in dict.fromkeys((each.thing.what, each.place) for each in together):
        same = [each for each in state.placings if each.thing.what == asked]
        if len({each.place for each in together if each.thing.what == asked}) > 1:
            same = [each for each in same if each.place == place]
        one = any(each.one_place for each in same if each.place == place)
        if not one and not any(each.any_place for each in same if each.place == place):
            one = True
            made.open_parts[:] = [goals.OpenPart.ONE_PLACE]
        chore = goals.ChoreWanted(goals.Chore.PUT, asked, _number_said(same, several), place, one)
        made.content = goals.GoalContent(chores=(*made.content.chores, chore))
        spans = [span for each in same for span in each.spans]
        made.evidence.append((f"{asked} on {place}", spans))
    return made


def _goes_with(placing: Placing, first: Placing) -> bool:
    """Return whether a placing is asked for beside the first one, and is no step towards it."""
    if placing.number == first.number:
        return True
    is_beside = placing.spans[0].utterance == first.spans[0].utterance
    is_beside = is_beside or (placing.thing.wants_all and placing.one_place)
    return is_beside and placing.thing.what != first.thing.what and not placing.is_on_the_way


def _cleaning(state: AskedFor) -> goals.Composed:
    made = goals.Composed()
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
        chore = goals.ChoreWanted(goals.Chore.CLEAN, asked, _number_said(same, several))
        made.content = goals.GoalContent(chores=(*made.content.chores, chore))
        made.evidence.append((f"clean {asked}", [span for each in same for span in each.spans]))
    return made


def _number_said(same: Sequence[ThingsRequest], several: bool) -> int | None:
    """Return how many are meant, None for all, as in "the two forks", "both" and "the fork"."""
    first = same[0]
    if any(each.thing.wants_all for each in same) or (first.thing.is_definite and not several):
        return None
    if first.thing.count is not None and first.thing.count > 1:
        return first.thing.count
    return None if not several or first.thing.is_plural else 1


def _with_joint_chores(state: AskedFor, made: goals.Composed) -> goals.Composed:
    """Return a request with the chores beside it that are no step of it: "and water the plant"."""
    kinds = {each.chore for each in made.content.chores}
    for chore, spans in _joint_chores(state):
        if chore.chore not in kinds and chore not in made.content.chores:
            made.content = replace(made.content, chores=(*made.content.chores, chore))
            made.evidence.append((f"{chore.chore} {chore.things}", spans))
    return made


def _joint_chores(state: AskedFor) -> Iterator[tuple[goals.ChoreWanted, list[tokens.Span]]]:
    if state.coffee_wishes:
        yield goals.ChoreWanted(goals.Chore.COFFEE, "Mug", state.coffees or 1), state.coffee_wishes
    if state.plant_spans:
        yield goals.ChoreWanted(goals.Chore.WATER, "HousePlant", 1), state.plant_spans
    if state.poach_spans:
        yield goals.ChoreWanted(goals.Chore.POACH, "Egg", 1), state.poach_spans
    elif state.egg_spans:
        yield goals.ChoreWanted(goals.Chore.FRY_EGG, "Egg", 1), state.egg_spans
    for each in state.cleanings:
        if each.thing.wants_all and not each.thing.is_pronoun:
            yield goals.ChoreWanted(goals.Chore.CLEAN, each.thing.what), each.spans
    for each in state.placings:
        is_step = each.is_on_the_way or each.thing.what in _SERVED_THINGS
        if each.thing.wants_all and not each.thing.is_pronoun and not is_step:
            is_one = each.one_place or not each.any_place  # one place fulfils both
            put, what = goals.Chore.PUT, each.thing.what
            yield goals.ChoreWanted(put, what, None, each.place, is_one), each.spans


def _count_of(food: FoodState) -> int:
    """Return how many slices are wanted; "one more" may be one of several that were asked for."""
    if food.count is not None and food.count > 1:
        return food.count
    return 1 + food.implied


def _dish_of(name: str, state: AskedFor, foods: _Foods, made: goals.Composed) -> goals.Dish:
    portions: list[goals.Portion] = []
    for food_name, food in ((each, foods[each]) for each in clauses.FOODS if each in foods):
        if food_name == "Bread" and name not in ("sandwich", "toast"):
            continue
        portions.append(_portion(food_name, food, name))
        made.evidence.append((food_name, food.spans))
        if food.count is None and food_name != "Bread":
            made.open_parts.append(goals.count_part(food_name))
    if name in clauses.FILLED_DISHES and all(each.food == "Bread" for each in portions):
        made.open_parts.append(goals.OpenPart.FILLING)
    if name == "sandwich" and "Bread" not in foods:
        portions.insert(0, goals.Portion("Bread", goals.Preparation.TOASTED, 2))
    if name in state.named:
        made.evidence.append((name, state.named[name]))
    made.evidence += [(extra, [span]) for extra, span in state.extras.items()]
    count = portions[0].count if len(portions) == 1 else 1
    if count > 1 and portions[0].food in state.apart:
        portions = [replace(portions[0], count=1)]
    else:
        count = 1
    if name == "toast" and portions[0].count > 1:
        name = "slices"
    container = _container_for(state, name, made)
    return goals.Dish(name, container, tuple(portions), count, tuple(state.extras))


def _portion(food_name: str, food: FoodState, dish: str) -> goals.Portion:
    if food_name == "Bread":
        count = 2 if dish == "sandwich" else _count_of(food)
        return goals.Portion("Bread", goals.Preparation.TOASTED, count)
    cooked = food_name == "Potato" and (food.is_cooked or food.is_boiled or dish == "salad")
    how = goals.Preparation.COOKED if cooked else goals.Preparation.SLICED
    return goals.Portion(food_name, how, _count_of(food))


def _dish_name(state: AskedFor, foods: _Foods) -> str:
    """Return which dish foods make: its name if it was said, else what they are usually for."""
    greens = [name for name in ("Lettuce", "Tomato") if name in foods]
    if "sandwich" in state.named:
        return "sandwich"
    if "Bread" in foods and (foods["Bread"].is_toasted or "salad" not in state.named):
        if greens:
            return "sandwich"
        if "Potato" not in foods:
            return "toast"
    if "salad" in state.named or len(greens) + ("Potato" in foods) > 1:
        return "salad"
    return "slices"


def _container_for(state: AskedFor, name: str, made: goals.Composed, food: str = "") -> str:
    """Return what a dish is served on, and add the evidence, or that nobody said it."""
    if name in ("sandwich", "salad", "toast"):
        return "Plate"
    if food in state.container_of:
        return state.container_of[food]
    if state.containers:
        kind = [kind for kind, _ in state.containers][-1]
        made.evidence.append((kind, [span for each, span in state.containers if each == kind]))
        return kind
    made.open_parts.append(goals.OpenPart.CONTAINER)
    return "Plate"


def _filled_dishes(state: AskedFor, foods: _Foods) -> tuple[str, ...]:
    """Return the sandwich and the salad if other dishes stand beside them, else nothing."""
    filled = tuple(each for each in clauses.FILLED_DISHES if each in state.named)
    if len(filled) > 1 and not state.foods_of.get("salad"):
        filled = ("sandwich",)  # a salad has something in it
    return filled if len(filled) > 1 or (filled and _foods_apart(filled, state, foods)) else ()


def _foods_apart(filled: tuple[str, ...], state: AskedFor, foods: _Foods) -> _Foods:
    """Return the foods that are dishes of their own beside filled ones."""
    is_beside_salad = "sandwich" not in filled and "Bread" in foods and foods["Bread"].is_toasted
    may_be_apart = {
        "Apple": True,
        "Potato": "salad" not in filled or "Potato" in state.apart,
        "Bread": "toast" in state.named or is_beside_salad,
    }
    loose = {name: food for name, food in state.foods_of.get("", {}).items() if name in foods}
    return {name: loose[name] for name, apart in may_be_apart.items() if apart and name in loose}


def _compose_menu(
    filled: tuple[str, ...], state: AskedFor, foods: _Foods, made: goals.Composed
) -> list[goals.Dish]:
    """Return several dishes, each of the foods that were named with it."""
    apart = _foods_apart(filled, state, foods)
    dishes: list[goals.Dish] = []
    for name in filled:
        parts: _Foods = {}
        for food, merged in foods.items():
            within = [each for each in filled if food in state.foods_of.get(each, {})]
            if name in within:
                is_shared = len(within) > 1 or food in apart
                parts[food] = state.foods_of[name][food] if is_shared else merged
            elif not within and food not in apart and name == filled[0]:
                parts[food] = merged  # what was named with none belongs to the first
        dishes.append(_dish_of(name, state, parts, made))
    return [*dishes, *_plain_dishes(state, apart, made)]


def _plain_dishes(state: AskedFor, foods: _Foods, made: goals.Composed) -> list[goals.Dish]:
    dishes: list[goals.Dish] = []
    for name in ("Bread", "Potato", "Apple", "Tomato", "Lettuce"):
        if name in foods:
            dishes.append(_plain_dish(state, name, foods, made))
            made.evidence.append((name, foods[name].spans))
    return dishes


def _plain_dish(state: AskedFor, name: str, foods: _Foods, made: goals.Composed) -> goals.Dish:
    """Return the dish of one food: TEACh's breakfasts count plates of toast and of apple."""
    count = _count_of(foods[name])
    how = goals.Preparation.TOASTED if name == "Bread" else goals.Preparation.SLICED
    portion, dishes = goals.Portion(name, how, count), 1
    if name == "Potato":
        portion = goals.Portion("Potato", goals.Preparation.COOKED, 2)
    elif name in ("Bread", "Apple") and name not in state.together:
        others = {"Bread", "Potato", "Apple"} & set(foods) - {name}
        portion, dishes = goals.Portion(name, how), 1 if others else count
        if name == "Bread":
            return goals.Dish("toast", "Plate", (portion,), state.toast_plates or dishes)
    return goals.Dish("slices", _container_for(state, "", made, name), (portion,), dishes)
