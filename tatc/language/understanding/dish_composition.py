"""Composes dishes: which foods, how prepared, how much, and on what; and breakfasts of them."""

from dataclasses import replace

from tatc.language.understanding.asked_for import AskedFor, FoodState
from tatc.language.understanding.clauses import FILLED_DISHES, FOODS
from tatc.language.understanding.goal import (
    Chore,
    ChoreWanted,
    Composed,
    Dish,
    GoalContent,
    OpenPart,
    Portion,
    Preparation,
    count_part,
)


def _count_of(food: FoodState, least: int = 1) -> int:
    """Return how many slices are wanted; "one more" after a number above one adds none.

    People say that of a slice which is still missing, too.
    """
    if food.count is not None and food.count > 1:
        return food.count
    return max(food.count or least, 1) + food.implied


def compose_dish(state: AskedFor, foods: dict[str, FoodState], made: Composed) -> Composed:
    """Add the one dish that is asked for, made of these foods."""
    dish = _dish_of(_dish_name(state, foods), state, foods, made)
    made.content = GoalContent(dishes=(dish,))
    return made


def _dish_of(name: str, state: AskedFor, foods: dict[str, FoodState], made: Composed) -> Dish:
    """Return a dish made of these foods, and add its evidence and what is open of it."""
    portions: list[Portion] = []
    for food_name in FOODS:
        food = foods.get(food_name)
        portion = None if food is None else _portion(food_name, food, name)
        if food is None or portion is None:
            continue
        portions.append(portion)
        made.evidence.append((food_name, food.spans))
        if food.count is None and food_name != "Bread":
            made.open_parts.append(count_part(food_name))
    if name in FILLED_DISHES and all(each.food == "Bread" for each in portions):
        made.open_parts.append(OpenPart.FILLING)
    if name == "sandwich" and "Bread" not in foods:
        portions.insert(0, Portion("Bread", Preparation.TOASTED, 2))
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
    return Dish(
        name, _container_for(state, name, made), tuple(portions), count, tuple(state.extras)
    )


def _portion(food_name: str, food: FoodState, dish: str) -> Portion | None:
    """Return the portion of a food in a dish, None if the dish has none of it."""
    if food_name == "Bread":
        if dish not in ("sandwich", "toast"):
            return None
        count = 2 if dish == "sandwich" else _count_of(food)
        return Portion("Bread", Preparation.TOASTED, count)
    cooked = food_name == "Potato" and (food.is_cooked or food.is_boiled or dish == "salad")
    how = Preparation.COOKED if cooked else Preparation.SLICED
    return Portion(food_name, how, _count_of(food))


def _dish_name(state: AskedFor, foods: dict[str, FoodState]) -> str:
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


def _container_for(state: AskedFor, name: str, made: Composed, food: str = "") -> str:
    """Return what a dish is served on, and add the evidence, or that nobody said it."""
    if name in ("sandwich", "salad", "toast"):
        return "Plate"
    if food in state.container_of:
        return state.container_of[food]
    if state.containers:
        kinds = [kind for kind, _ in state.containers]
        kind = kinds[-1]
        made.evidence.append((kind, [span for each, span in state.containers if each == kind]))
        return kind
    made.open_parts.append(OpenPart.CONTAINER)
    return "Plate"


def compose_breakfast(state: AskedFor, foods: dict[str, FoodState], made: Composed) -> Composed:
    """Add coffee, what is eaten with it, and the table."""
    coffees = max(state.coffees or 1, state.mugs)
    dishes: list[Dish] = []
    name = _dish_name(state, foods)
    if filled := filled_dishes(state, foods):
        dishes += compose_menu(filled, state, foods, made)
    elif name in FILLED_DISHES and "Apple" not in foods:
        dishes.append(_dish_of(name, state, foods, made))
    else:
        dishes += plain_dishes(state, foods, made)
    table = "CounterTop"
    if state.tables:
        kind, span = state.tables[-1]
        made.evidence.append((kind, [span]))
        table = kind if kind == "CounterTop" else "DiningTable"
    else:
        made.open_parts.append(OpenPart.TABLE)
    made.evidence.append(("coffee", state.coffee_spans))
    made.content = GoalContent(tuple(dishes), (ChoreWanted(Chore.COFFEE, "Mug", coffees),), table)
    return made


def filled_dishes(state: AskedFor, foods: dict[str, FoodState]) -> tuple[str, ...]:
    """Return the sandwich and the salad that other dishes stand beside, else nothing."""
    filled = tuple(each for each in FILLED_DISHES if each in state.named)
    if len(filled) > 1 and not state.foods_of.get("salad"):
        filled = ("sandwich",)  # a salad has something in it
    others = _foods_apart(filled, state, foods)
    return filled if len(filled) > 1 or (filled and others) else ()


def _foods_apart(
    filled: tuple[str, ...], state: AskedFor, foods: dict[str, FoodState]
) -> dict[str, FoodState]:
    """Return the foods that are dishes of their own beside filled ones."""
    loose = state.foods_of.get("", {})
    apart = [name for name in ("Apple",) if name in foods and name in loose]
    if "Potato" in foods and ("salad" not in filled or "Potato" in state.apart):
        apart.append("Potato")
    bread = foods.get("Bread")
    if bread is not None:
        is_beside_salad = bread.is_toasted and "sandwich" not in filled
        if "toast" in state.named or is_beside_salad:
            apart.append("Bread")
    return {name: loose[name] for name in apart if name in loose}


def compose_menu(
    filled: tuple[str, ...], state: AskedFor, foods: dict[str, FoodState], made: Composed
) -> list[Dish]:
    """Return several dishes, each of the foods that were named with it."""
    apart = _foods_apart(filled, state, foods)
    dishes: list[Dish] = []
    for name in filled:
        parts: dict[str, FoodState] = {}
        for food, merged in foods.items():
            within = [each for each in filled if food in state.foods_of.get(each, {})]
            if name in within:
                is_shared = len(within) > 1 or food in apart
                parts[food] = state.foods_of[name][food] if is_shared else merged
            elif not within and food not in apart and name == filled[0]:
                parts[food] = merged  # what was named with none belongs to the first
        dishes.append(_dish_of(name, state, parts, made))
    return [*dishes, *plain_dishes(state, apart, made)]


def plain_dishes(state: AskedFor, foods: dict[str, FoodState], made: Composed) -> list[Dish]:
    """Return a dish of each food by itself, and add the evidence."""
    dishes: list[Dish] = []
    for name in ("Bread", "Potato", "Apple", "Tomato", "Lettuce"):
        if name in foods:
            dishes.append(_plain_dish(state, name, foods, made))
            made.evidence.append((name, foods[name].spans))
    return dishes


def _plain_dish(state: AskedFor, name: str, foods: dict[str, FoodState], made: Composed) -> Dish:
    """Return the dish of one food: TEACh's breakfasts count plates of toast and of apple."""
    count = _count_of(foods[name])
    how = Preparation.TOASTED if name == "Bread" else Preparation.SLICED
    portion, dishes = Portion(name, how, count), 1
    if name == "Potato":
        portion = Portion("Potato", Preparation.COOKED, 2)
    elif name in ("Bread", "Apple") and name not in state.together:
        others = {"Bread", "Potato", "Apple"} & set(foods) - {name}
        portion, dishes = Portion(name, how), 1 if others else count
        if name == "Bread":
            return Dish("toast", "Plate", (portion,), state.toast_plates or dishes)
    return Dish("slices", _container_for(state, "", made, name), (portion,), dishes)
