"""Composes dishes: which foods, how prepared, how much, and on what."""

from dataclasses import replace

from tatc.language.understanding.asked_for import AskedFor
from tatc.language.understanding.clause_facts import FILLED_DISHES, FOODS
from tatc.language.understanding.goal_content import (
    Composed,
    Dish,
    GoalContent,
    Portion,
    Preparation,
)
from tatc.language.understanding.open_parts import OpenPart, count_part
from tatc.language.understanding.requests import FoodState


def count_of(food: FoodState, least: int = 1) -> int:
    """Return how many slices are wanted; "one more" after a number above one adds none.

    People say that of a slice which is still missing, too.
    """
    if food.count is not None and food.count > 1:
        return food.count
    return max(food.count or least, 1) + food.implied


def compose_dish(state: AskedFor, foods: dict[str, FoodState], made: Composed) -> Composed:
    """Add the one dish that is asked for, made of these foods."""
    dish = dish_of(dish_name(state, foods), state, foods, made)
    made.content = GoalContent(dishes=(dish,))
    return made


def dish_of(name: str, state: AskedFor, foods: dict[str, FoodState], made: Composed) -> Dish:
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
    return Dish(name, container_for(state, name, made), tuple(portions), count, tuple(state.extras))


def _portion(food_name: str, food: FoodState, dish: str) -> Portion | None:
    """Return the portion of a food in a dish, None if the dish has none of it."""
    if food_name == "Bread":
        if dish not in ("sandwich", "toast"):
            return None
        count = 2 if dish == "sandwich" else count_of(food)
        return Portion("Bread", Preparation.TOASTED, count)
    cooked = food_name == "Potato" and (food.is_cooked or food.is_boiled or dish == "salad")
    how = Preparation.COOKED if cooked else Preparation.SLICED
    return Portion(food_name, how, count_of(food))


def dish_name(state: AskedFor, foods: dict[str, FoodState]) -> str:
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


def container_for(state: AskedFor, name: str, made: Composed, food: str = "") -> str:
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
