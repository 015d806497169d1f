"""Composes what is asked for from the state of a dialogue."""

from dataclasses import dataclass, field

from tatc.understanding.dialogue_state import FOODS, DialogueState
from tatc.understanding.goal_content import (
    Chore,
    ChoreWanted,
    Dish,
    GoalContent,
    Portion,
    Preparation,
)
from tatc.understanding.requests import FoodState, Placing
from tatc.understanding.tokens import Span

_APPLIANCES = (
    "CoffeeMachine",
    "Microwave",
    "Toaster",
    "StoveBurner",
    "Pan",
    "Pot",
    "Sink",
    "Kettle",
)
_VESSELS = ("Plate", "Bowl", "Mug", "Cup", "Pot", "Pan")
_TOOLS = ("Knife", "ButterKnife", "Faucet")


@dataclass(slots=True)
class Composed:
    """The content of a goal, the words that each part rests on, and what was left open.

    `open_parts` names what nobody said: "count of Tomato", "container", "table", "one place".
    """

    content: GoalContent
    evidence: list[tuple[str, list[Span]]] = field(default_factory=list[tuple[str, list[Span]]])
    open_parts: list[str] = field(default_factory=list[str])
    doubt: float = 0.0


def compose(state: DialogueState) -> Composed:
    """Return what the dialogue asks for, with an empty content if that is nothing."""
    made = Composed(GoalContent())
    foods = _wanted_foods(state)
    if not state.coffee_spans:
        _take_machine_as_coffee(state)
    if "breakfast" in state.named or (state.coffee_spans and _are_breakfast_foods(state, foods)):
        return _breakfast(state, foods, made)
    if _is_boiling(state, foods):
        made.content = GoalContent(chores=(ChoreWanted(Chore.BOIL, "Potato", 1),))
        made.evidence.append(("boiled potato", state.boil_spans))
        return made
    if foods or {"sandwich", "salad", "toast"} & state.named.keys():
        placing = _main_placing(state)
        if placing is not None and not _are_prepared(foods):
            return _arrangement(state, placing, made)
        return _one_dish(state, foods, made)
    if state.coffee_spans and not _coffee_is_aside(state):
        made.content = GoalContent(chores=(ChoreWanted(Chore.COFFEE, "Mug", state.coffees or 1),))
        made.evidence.append(("coffee", state.coffee_spans))
        return made
    if state.plant_spans:
        made.content = GoalContent(chores=(ChoreWanted(Chore.WATER, "HousePlant", 1),))
        made.evidence.append(("watered plant", state.plant_spans))
        return made
    placing = _main_placing(state)
    if state.cleanings and (placing is None or _is_step(state, placing)):
        return _cleaning(state, made)
    if placing is not None:
        return _arrangement(state, placing, made)
    return made


def _is_step(state: DialogueState, placing: Placing) -> bool:
    """Return whether something is put down on the way to be cleaned: "wash it, put it there"."""
    cleaning = state.cleanings[0]
    earlier = cleaning.spans[0].utterance <= placing.spans[0].utterance
    return earlier and not placing.wants_all and not placing.one_place


def _is_boiled_in_pot(state: DialogueState, foods: dict[str, FoodState]) -> bool:
    """Return whether a whole potato is put into a pot, and nothing else is asked for."""
    in_pot = any(p.things == "Potato" and p.place == "Pot" for p in state.placings)
    return in_pot and not foods and not state.containers


def _take_machine_as_coffee(state: DialogueState) -> None:
    """Take a mug that is put on the coffee machine for a wish for coffee."""
    for placing in state.placings:
        if placing.place == "CoffeeMachine" and placing.things in ("Mug", "Cup"):
            state.coffee_spans += placing.spans


def _wanted_foods(state: DialogueState) -> dict[str, FoodState]:
    return {
        name: food
        for name, food in state.foods.items()
        if name in FOODS and not food.is_removed and food.spans and _is_wanted(food)
    }


def _is_wanted(food: FoodState) -> bool:
    return food.is_sliced or food.is_cooked or food.is_toasted or food.is_boiled


def _are_prepared(foods: dict[str, FoodState]) -> bool:
    return any(_is_wanted(food) for food in foods.values())


def _are_breakfast_foods(state: DialogueState, foods: dict[str, FoodState]) -> bool:
    return bool(foods) or bool({"sandwich", "salad"} & state.named.keys())


def _coffee_is_aside(state: DialogueState) -> bool:
    return bool(state.plant_spans)


def _is_boiling(state: DialogueState, foods: dict[str, FoodState]) -> bool:
    potato = foods.get("Potato")
    if _is_boiled_in_pot(state, foods):
        return True
    is_whole = potato is not None and not potato.is_sliced
    return bool(state.boil_spans) and is_whole and len(foods) == 1


def _count_of(food: FoodState, least: int = 1) -> int:
    """Return how many slices are wanted; "one more" after a number above one adds none.

    People say that of a slice which is still missing, too.
    """
    if food.count is not None and food.count > 1:
        return food.count
    return max(food.count or least, 1) + food.implied


def _one_dish(state: DialogueState, foods: dict[str, FoodState], made: Composed) -> Composed:
    dish = _dish(state, foods, made)
    made.content = GoalContent(dishes=(dish,))
    return made


def _dish(state: DialogueState, foods: dict[str, FoodState], made: Composed) -> Dish:
    name = _dish_name(state, foods)
    portions: list[Portion] = []
    order = FOODS
    for food_name in order:
        food = foods.get(food_name)
        if food is None:
            continue
        if food_name == "Bread":
            if name not in ("sandwich", "toast"):
                continue
            count = 2 if name == "sandwich" else 1
            if name == "toast" and food.count is not None:
                count = 1
            portions.append(Portion("Bread", Preparation.TOASTED, count))
        elif food_name == "Egg":
            continue
        else:
            cooked = food_name == "Potato" and (food.is_cooked or food.is_boiled or name == "salad")
            how = Preparation.COOKED if cooked else Preparation.SLICED
            portions.append(Portion(food_name, how, _count_of(food)))
            if food.count is None:
                made.open_parts.append(f"count of {food_name}")
        made.evidence.append((f"{food_name}", food.spans))
    if name == "sandwich" and "Bread" not in foods:
        portions.insert(0, Portion("Bread", Preparation.TOASTED, 2))
    if name in state.named:
        made.evidence.append((name, state.named[name]))
    return Dish(name, _container(state, name, made), tuple(portions))


def _dish_name(state: DialogueState, foods: dict[str, FoodState]) -> str:
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


def _container(state: DialogueState, name: str, made: Composed) -> str:
    if name in ("sandwich", "salad", "toast"):
        return "Plate"
    if state.containers:
        kinds = [kind for kind, _ in state.containers]
        kind = kinds[-1]
        made.evidence.append((kind, [span for each, span in state.containers if each == kind]))
        return kind
    made.open_parts.append("container")
    return "Plate"


def _breakfast(state: DialogueState, foods: dict[str, FoodState], made: Composed) -> Composed:
    coffees = state.coffees or 1
    dishes: list[Dish] = []
    name = _dish_name(state, foods)
    if name in ("sandwich", "salad") and "Apple" not in foods:
        dishes.append(_dish(state, foods, made))
    else:
        dishes += _plain_dishes(state, foods, made)
    table = _table(state, made)
    made.evidence.append(("coffee", state.coffee_spans))
    made.content = GoalContent(tuple(dishes), (ChoreWanted(Chore.COFFEE, "Mug", coffees),), table)
    return made


def _plain_dishes(state: DialogueState, foods: dict[str, FoodState], made: Composed) -> list[Dish]:
    dishes: list[Dish] = []
    if "Bread" in foods:
        bread = foods["Bread"]
        count = _count_of(bread) if "Potato" not in foods and "Apple" not in foods else 1
        dishes.append(Dish("toast", "Plate", (Portion("Bread", Preparation.TOASTED),), count))
        made.evidence.append(("Bread", bread.spans))
    if "Potato" in foods:
        dishes.append(
            Dish("slices", _container(state, "", made), (Portion("Potato", Preparation.COOKED, 2),))
        )
        made.evidence.append(("Potato", foods["Potato"].spans))
    if "Apple" in foods:
        count = 1 if "Potato" in foods or "Bread" in foods else _count_of(foods["Apple"], 1)
        dishes.append(
            Dish(
                "slices",
                _container(state, "", made),
                (Portion("Apple", Preparation.SLICED),),
                count,
            )
        )
        made.evidence.append(("Apple", foods["Apple"].spans))
    return dishes


def _table(state: DialogueState, made: Composed) -> str:
    if not state.tables:
        made.open_parts.append("table")
        return "CounterTop"
    kind, span = state.tables[-1]
    made.evidence.append((kind, [span]))
    return "CounterTop" if kind == "CounterTop" else "DiningTable"


# Chores


def _main_placing(state: DialogueState) -> Placing | None:
    for placing in state.placings:
        if placing.place in (
            "Plate",
            "Bowl",
            "Mug",
            "Cup",
            "Microwave",
            "Toaster",
            "CoffeeMachine",
            "StoveBurner",
            "Pan",
            "Pot",
        ):
            continue
        if placing.place == "Sink" and state.cleanings:
            continue
        if placing.things in _TOOLS:
            continue
        return placing
    return None


def _arrangement(state: DialogueState, first: Placing, made: Composed) -> Composed:
    same = [each for each in state.placings if each.things == first.things]
    place = first.place
    one = any(each.one_place for each in same if each.place == place)
    any_place = any(each.any_place for each in same if each.place == place)
    if not one and not any_place:
        made.open_parts.append("one place")
        one = True
    chore = ChoreWanted(Chore.PUT, first.things, None, place, one)
    made.content = GoalContent(chores=(chore,))
    made.evidence.append((f"{first.things} on {place}", [s for each in same for s in each.spans]))
    return made


def _cleaning(state: DialogueState, made: Composed) -> Composed:
    first = state.cleanings[0]
    made.content = GoalContent(chores=(ChoreWanted(Chore.CLEAN, first.things),))
    made.evidence.append((f"clean {first.things}", first.spans))
    return made
