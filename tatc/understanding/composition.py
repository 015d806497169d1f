"""Composes what is asked for from the state of a dialogue."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tatc.understanding.asked_for import AskedFor
from tatc.understanding.clause_facts import FOODS
from tatc.understanding.goal_content import (
    Chore,
    ChoreWanted,
    Dish,
    GoalContent,
    Portion,
    Preparation,
)
from tatc.understanding.requests import Cleaning, FoodState, Placing
from tatc.understanding.tokens import Span

_SLICED_FOODS = tuple(each for each in FOODS if each != "Egg")
_STEP_PLACES = (
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
)
"""Where things are put on the way to something else."""
_TOOLS = ("Knife", "ButterKnife", "Faucet")


@dataclass(slots=True)
class Composed:
    """The content of a goal, the words that each part rests on, and what was left open.

    `open_parts` names what nobody said: "count of Tomato", "container", "table", "one place".
    """

    content: GoalContent
    evidence: list[tuple[str, list[Span]]] = field(default_factory=list[tuple[str, list[Span]]])
    open_parts: list[str] = field(default_factory=list[str])


def compose(state: AskedFor) -> Composed:
    """Return what the dialogue asks for, with an empty content if that is nothing.

    The first reading that finds something holds: steps on the way to a dish ("wash the plate")
    are chores only where no dish is asked for.
    """
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
        return _breakfast(state, foods, Composed(GoalContent()))
    return None


def _as_boiling(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    if not _is_boiling(state, foods):
        return None
    return _one_chore(Chore.BOIL, "Potato", state.boil_spans)


def _as_dish(state: AskedFor, foods: dict[str, FoodState]) -> Composed | None:
    if not foods and not {"sandwich", "salad"} & state.named.keys():
        return None
    placing = _main_placing(state)
    made = Composed(GoalContent())
    if placing is not None and not _are_prepared(foods):
        return _arrangement(state, placing, made)
    return _one_dish(state, foods, made)


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
    return {
        name: food
        for name, food in state.foods.items()
        if name in _SLICED_FOODS and not food.is_removed and food.spans and _is_wanted(food)
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
    is_whole = potato is not None and not potato.is_sliced
    return bool(state.boil_spans) and is_whole and len(foods) == 1


def _count_of(food: FoodState, least: int = 1) -> int:
    """Return how many slices are wanted; "one more" after a number above one adds none.

    People say that of a slice which is still missing, too.
    """
    if food.count is not None and food.count > 1:
        return food.count
    return max(food.count or least, 1) + food.implied


def _one_dish(state: AskedFor, foods: dict[str, FoodState], made: Composed) -> Composed:
    dish = _dish(state, foods, made)
    made.content = GoalContent(dishes=(dish,))
    return made


def _dish(state: AskedFor, foods: dict[str, FoodState], made: Composed) -> Dish:
    name = _dish_name(state, foods)
    portions: list[Portion] = []
    for food_name in FOODS:
        food = foods.get(food_name)
        portion = None if food is None else _portion(food_name, food, name)
        if food is None or portion is None:
            continue
        portions.append(portion)
        made.evidence.append((food_name, food.spans))
        if food.count is None and food_name != "Bread":
            made.open_parts.append(f"count of {food_name}")
    if name == "sandwich" and "Bread" not in foods:
        portions.insert(0, Portion("Bread", Preparation.TOASTED, 2))
    if name in state.named:
        made.evidence.append((name, state.named[name]))
    made.evidence += [(extra, [span]) for extra, span in state.extras.items()]
    if name == "toast" and portions[0].count > 1:
        name = "slices"
    return Dish(name, _container(state, name, made), tuple(portions), 1, tuple(state.extras))


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


def _container(state: AskedFor, name: str, made: Composed, food: str = "") -> str:
    if name in ("sandwich", "salad", "toast"):
        return "Plate"
    if food in state.container_of:
        return state.container_of[food]
    if state.containers:
        kinds = [kind for kind, _ in state.containers]
        kind = kinds[-1]
        made.evidence.append((kind, [span for each, span in state.containers if each == kind]))
        return kind
    made.open_parts.append("container")
    return "Plate"


def _breakfast(state: AskedFor, foods: dict[str, FoodState], made: Composed) -> Composed:
    coffees = max(state.coffees or 1, state.mugs)
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


def _plain_dishes(state: AskedFor, foods: dict[str, FoodState], made: Composed) -> list[Dish]:
    dishes: list[Dish] = []
    for name in ("Bread", "Potato", "Apple", "Tomato", "Lettuce"):
        if name in foods:
            dishes.append(_plain_dish(state, name, foods, made))
            made.evidence.append((name, foods[name].spans))
    return dishes


def _plain_dish(state: AskedFor, name: str, foods: dict[str, FoodState], made: Composed) -> Dish:
    """Return the dish of one food: TEACh's breakfasts count plates of toast and of apple."""
    count = _count_of(foods[name])
    if name == "Potato":
        portion = Portion("Potato", Preparation.COOKED, 2)
        return Dish("slices", _container(state, "", made, name), (portion,))
    how = Preparation.TOASTED if name == "Bread" else Preparation.SLICED
    if name in state.together or name not in ("Bread", "Apple"):
        portion = Portion(name, how, count)
        return Dish("slices", _container(state, "", made, name), (portion,))
    others = {"Bread", "Potato", "Apple"} & set(foods) - {name}
    dishes = 1 if others else count
    if name == "Bread":
        dishes = state.toast_plates or dishes
        return Dish("toast", "Plate", (Portion("Bread", how),), dishes)
    return Dish("slices", _container(state, "", made, name), (Portion(name, how),), dishes)


def _table(state: AskedFor, made: Composed) -> str:
    if not state.tables:
        made.open_parts.append("table")
        return "CounterTop"
    kind, span = state.tables[-1]
    made.evidence.append((kind, [span]))
    return "CounterTop" if kind == "CounterTop" else "DiningTable"


# Chores


def _main_placing(state: AskedFor) -> Placing | None:
    """Return the first placing that is no step on the way to something else."""
    for placing in state.placings:
        is_washing = placing.place == "Sink" and bool(state.cleanings)
        if placing.place not in _STEP_PLACES and not is_washing and placing.things not in _TOOLS:
            return placing
    return None


def _arrangement(state: AskedFor, first: Placing, made: Composed) -> Composed:
    together = [each for each in state.placings if each.number == first.number]
    several = len({each.things for each in together}) > 1
    for asked in dict.fromkeys(each.things for each in together):
        same = [each for each in state.placings if each.things == asked]
        one = any(each.one_place for each in same if each.place == first.place)
        any_place = any(each.any_place for each in same if each.place == first.place)
        if not one and not any_place:
            one = True
            if "one place" not in made.open_parts:
                made.open_parts.append("one place")
        count = _number_said(same, several)
        chore = ChoreWanted(Chore.PUT, asked, count, first.place, one)
        made.content = GoalContent(chores=(*made.content.chores, chore))
        spans = [span for each in same for span in each.spans]
        made.evidence.append((f"{asked} on {first.place}", spans))
    return made


def _cleaning(state: AskedFor, made: Composed) -> Composed:
    first = state.cleanings[0]
    together = [each for each in state.cleanings if each.number == first.number]
    several = len({each.things for each in together}) > 1
    for asked in dict.fromkeys(each.things for each in together):
        same = [each for each in state.cleanings if each.things == asked]
        chore = ChoreWanted(Chore.CLEAN, asked, _number_said(same, several))
        made.content = GoalContent(chores=(*made.content.chores, chore))
        made.evidence.append((f"clean {asked}", [span for each in same for span in each.spans]))
    return made


def _number_said(same: Sequence[Placing] | Sequence[Cleaning], several: bool) -> int | None:
    """Return how many are meant, None for all: "the two forks", "both" and "the fork" are all.

    Where several kinds of things are named, one that is named in the singular is one.
    """
    first = same[0]
    if any(each.wants_all for each in same) or (first.is_definite and not several):
        return None
    if first.count is not None and first.count > 1:
        return first.count
    return None if not several or first.is_plural else 1
