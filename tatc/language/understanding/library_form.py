"""The shipped task that a goal is, if it is one: its name and parameters."""

from tatc.language.object_names import preposition_for
from tatc.language.understanding.goal_content import (
    Chore,
    ChoreWanted,
    Dish,
    GoalContent,
    Portion,
    Preparation,
)


def library_form(content: GoalContent) -> tuple[str, tuple[str, ...]] | None:
    """Return name and parameters of the shipped task that asks for the same, None if none does.

    TEACh's tasks are about all things of a class; a number that was said in place of "all" is
    taken for how many there are.
    """
    if content.table is not None:
        return _breakfast_form(content)
    if len(content.dishes) == 1 and not content.chores:
        return _dish_form(content.dishes[0])
    if len(content.chores) == 1 and not content.dishes:
        return _chore_form(content.chores[0])
    return None


def _dish_form(dish: Dish) -> tuple[str, tuple[str, ...]] | None:
    counts = {each.food: each.count for each in dish.portions}
    if dish.count != 1 or dish.extras or dish.container is None:
        return None
    if dish.name == "sandwich" and dish.container == "Plate":
        if counts.get("Bread") == 2 and not set(counts) - {"Bread", "Lettuce", "Tomato"}:
            return "Sandwich", (str(counts.get("Lettuce", 0)), str(counts.get("Tomato", 0)))
    if dish.name == "salad" and dish.container == "Plate":
        if not set(counts) - {"Lettuce", "Tomato", "Potato"}:
            return "Salad", tuple(
                str(counts.get(each, 0)) for each in ("Lettuce", "Tomato", "Potato")
            )
    if dish.name == "toast" and counts == {"Bread": 1} and dish.container == "Plate":
        return "Plate Of Toast", ()
    if dish.name == "slices" and len(dish.portions) == 1:
        portion = dish.portions[0]
        where = preposition_for(dish.container)
        values = (str(portion.count), portion.food, where, dish.container)
        if portion.preparation is Preparation.COOKED:
            return "N Cooked Slices Of X In Y", values
        if portion.preparation is Preparation.SLICED:
            return "N Slices Of X In Y", values
    return None


def _chore_form(chore: ChoreWanted) -> tuple[str, tuple[str, ...]] | None:
    if chore.chore is Chore.COFFEE and chore.count == 1:
        return "Coffee", ()
    if chore.chore is Chore.BOIL and chore.count == 1:
        return "Boil X", (chore.things,)
    if chore.chore is Chore.WATER:
        return "Water Plant", ()
    if chore.chore is Chore.CLEAN and chore.count != 1:
        return "Clean All X", (chore.things,)
    if chore.chore is Chore.PUT and chore.count != 1 and chore.place is not None:
        name = "Put All X In One Y" if chore.one_place else "Put All X On Y"
        return name, (chore.things, "on", chore.place)
    return None


def _breakfast_form(content: GoalContent) -> tuple[str, tuple[str, ...]] | None:
    counts: dict[str, int] = dict.fromkeys(
        ("coffee", "toast", "Potato", "Apple", "sandwich", "salad"), 0
    )
    dishes = {"Potato": "Plate", "Apple": "Plate"}
    greens = {("sandwich", "Lettuce"): 0, ("sandwich", "Tomato"): 0}
    greens |= {("salad", each): 0 for each in ("Lettuce", "Tomato", "Potato")}
    for chore in content.chores:
        if chore.chore is not Chore.COFFEE or chore.count is None:
            return None
        counts["coffee"] = chore.count
    for dish in content.dishes:
        if dish.name in ("sandwich", "salad", "toast"):
            counts[dish.name] += dish.count
            for each in dish.portions:
                if (dish.name, each.food) in greens:
                    greens[dish.name, each.food] = each.count
        elif len(dish.portions) == 1 and _is_of_breakfast(dish.portions[0]):
            counts[dish.portions[0].food] = dish.count
            dishes[dish.portions[0].food] = dish.container or "Plate"
        else:
            return None
    values = (
        counts["coffee"],
        counts["toast"],
        counts["Potato"],
        dishes["Potato"],
        counts["Apple"],
        dishes["Apple"],
        counts["sandwich"],
        greens["sandwich", "Lettuce"],
        greens["sandwich", "Tomato"],
        counts["salad"],
        *(greens["salad", each] for each in ("Lettuce", "Tomato", "Potato")),
        content.table or "",
    )
    return "Breakfast", tuple(map(str, values))


def _is_of_breakfast(portion: Portion) -> bool:
    """Return whether TEACh's Breakfast has such a portion: its numbers of slices are fixed."""
    known = {"Potato": (Preparation.COOKED, 2), "Apple": (Preparation.SLICED, 1)}
    return known.get(portion.food) == (portion.preparation, portion.count)
