"""Makes the task of a goal: a shipped one where it asks for the same, else one composed of them.

A composed task nests the shipped ones ("a slice of toast", "a clean plate"), so that the
progress check and the Commander's policies know all its parts.
"""

from collections import Counter

from tatc.base import errors, files
from tatc.home import type_facts
from tatc.language.object_names import preposition_for
from tatc.language.understanding import goals
from tatc.tdl import Task, TaskDefinition, linking, shipped_library
from tatc.tdl.definition import AtomicComponent, Component, NestedTask, Relation

COMPOSED_TASK_NAME = "Understood Goal"
_COMPOSED_TASK_ID = 900
_TASKS = files.package_table("tatc.language.understanding", "goal_tasks.toml")
_SALAD_FOODS = ("Lettuce", "Tomato", "Potato")
_BREAKFAST_PORTIONS = (
    goals.Portion("Potato", goals.Preparation.COOKED, 2),
    goals.Portion("Apple", goals.Preparation.SLICED, 1),
)
"""The portions of TEACh's Breakfast, whose numbers of slices are fixed."""
_Parts = list[tuple[str, Component]]
LibraryForm = tuple[str, tuple[str, ...]]  # the name of a shipped task, and its parameters


def task_for(content: goals.GoalContent) -> Task | None:
    """Return the task that asks for what a goal does, None for nothing or what cannot be done."""
    if content.is_empty:
        return None
    form = library_form(content)
    arranged = [each for each in content.chores if each.chore in goals.ARRANGING_CHORES]
    is_counted = any(each.count is not None for each in arranged)  # a number of them, and not all
    try:
        if form is not None and not is_counted:
            return shipped_library().compile(*form)
        return Task(_composed(content))
    except errors.BadInput:
        return None


def goal_for(content: goals.GoalContent) -> goals.Goal | None:
    """Return the goal with a content, None if there is no task that asks for it."""
    task = task_for(content)
    return None if task is None else goals.Goal(content, task, library_form(content))


def _composed(content: goals.GoalContent) -> TaskDefinition:
    components: _Parts = []
    relations: list[Relation] = []
    served: list[tuple[str, str]] = []
    for k, dish in enumerate(content.dishes):
        served += _add_dish(components, f"dish {k + 1}", dish)
    for k, chore in enumerate(content.chores):
        key = f"{chore.chore} {k + 1}"
        _add_chore(components, relations, key, chore)
        if chore.chore is goals.Chore.COFFEE:
            served.append((key, str(chore.count)))
    if content.table is not None and served:
        components.append(("table", _place(content.table)))
        relations.append(Relation("table", "a", tuple(served), f"Put this on a {content.table}."))
    is_search = bool(content.chores) and content.chores[0].chore is goals.Chore.FIND
    anchor = components[0][0] if is_search else None  # so that a knife counts as a thing itself
    return _definition("Do what was asked for.", anchor, components, relations)


def _definition(
    description: str, anchor: str | None, components: _Parts, relations: list[Relation]
) -> TaskDefinition:
    return TaskDefinition(
        id=_COMPOSED_TASK_ID,
        name=COMPOSED_TASK_NAME,
        description=description,
        anchor=anchor,
        components=tuple(components),
        relations=tuple(relations),
        params=(),
        summary=description,
    )


def _add_dish(components: _Parts, key: str, dish: goals.Dish) -> list[tuple[str, str]]:
    """Add a dish's components; return the heads of the relation that serves it."""
    parts: _Parts = []
    for each in dish.portions:
        params = () if each.preparation is goals.Preparation.TOASTED else (each.food,)
        part = _nested(_TASKS["preparations"][each.preparation], str(each.count), *params)
        parts.append((f"{each.food} {each.preparation}", part))
    parts += [(extra, _any_object(extra, 1)) for extra in dish.extras]
    if dish.container is None:
        components += [(f"{key} {name}", part) for name, part in parts]
        return [(f"{key} {name}", str(part.determiner)) for name, part in parts]
    heads = tuple((name, str(part.determiner)) for name, part in parts)
    parts.append(("dish", _nested("Clean X", "1", dish.container)))
    text = f"Put this on one clean {dish.container}."
    relations = [Relation("dish", "the", heads, text)] if heads else []
    inner = _definition(f"Serve the {dish.name}.", "dish", parts, relations)
    components.append((key, NestedTask(str(dish.count), inner, ())))
    return [(key, str(dish.count))]


def _nested(name: str, determiner: str, *params: str) -> NestedTask:
    definition = shipped_library().find(name)
    return NestedTask(determiner, linking.expand_macros(definition, params), params)


def _any_object(things: str, count: int | None, **conditions: int | str) -> AtomicComponent:
    """Return the component for objects of a type or class, all of them if `count` is None."""
    if things not in type_facts.KNOWN_OBJECT_CLASSES:
        raise errors.BadInput(f"there is no {things}", fix="name a type or class of objects")
    wanted = (("simbotObjectClass", things), *conditions.items())
    texts = tuple((name, f"Change this {things}.") for name in conditions)
    determiner = "all" if count is None else str(count)
    primary = "objectId" if "objectId" in conditions else "simbotObjectClass"
    return AtomicComponent(determiner, primary, False, wanted, texts)


def _place(place: str, only: str = "") -> AtomicComponent:
    one = (("objectId", only),) if only else ()
    wanted = (("simbotObjectClass", place), ("receptacle", 1), *one)
    return AtomicComponent("a", "objectId" if only else "simbotObjectClass", True, wanted)


def _add_chore(
    components: _Parts, relations: list[Relation], key: str, chore: goals.ChoreWanted
) -> None:
    if chore.chore in _TASKS["chores"]:
        params = (chore.things,) if chore.chore is goals.Chore.BOIL else ()
        number = "1" if chore.chore is goals.Chore.WATER else str(chore.count or 1)
        components.append((key, _nested(_TASKS["chores"][chore.chore], number, *params)))
        return
    if chore.chore is goals.Chore.SLICE:
        piece = (("objectType", type_facts.PIECE_TYPE_BY_WHOLE.get(chore.things, chore.things)),)
        number = str(chore.count or 1)
        text = (("objectType", f"Slice the {chore.things}."),)
        components.append((key, AtomicComponent(number, "objectType", False, piece, text)))
        return
    one = {"objectId": chore.only} if chore.only else {}
    conditions = _TASKS["conditions"].get(chore.chore, {})
    part = _any_object(chore.things, chore.count, **one, **conditions)
    components.append((key, part))
    if chore.chore is goals.Chore.PUT and chore.place is not None:
        components.append((f"{key} place", _place(chore.place, chore.at)))
        tail = "the" if chore.one_place else "a"
        text = f"Put this {chore.things} on a {chore.place}."
        relations.append(Relation(f"{key} place", tail, ((key, part.determiner),), text))


def library_form(content: goals.GoalContent) -> LibraryForm | None:
    """Return name and parameters of the shipped task that asks for the same, None if none does.

    A number of things in place of "all" of a class is taken for how many there are.
    """
    if content.table is not None:
        return _breakfast_form(content)
    if len(content.dishes) == 1 and not content.chores:
        return _dish_form(content.dishes[0])
    if len(content.chores) == 1 and not content.dishes:
        return _chore_form(content.chores[0])
    return None


def _dish_form(dish: goals.Dish) -> LibraryForm | None:
    counts = {each.food: each.count for each in dish.portions}
    if dish.count != 1 or dish.extras or dish.container is None:
        return None
    if dish.name == "sandwich" and dish.container == "Plate":
        if counts.get("Bread") == 2 and not set(counts) - {"Bread", "Lettuce", "Tomato"}:
            return "Sandwich", (str(counts.get("Lettuce", 0)), str(counts.get("Tomato", 0)))
    if dish.name == "salad" and dish.container == "Plate" and not set(counts) - {*_SALAD_FOODS}:
        return "Salad", tuple(str(counts.get(each, 0)) for each in _SALAD_FOODS)
    if dish.name == "toast" and counts == {"Bread": 1} and dish.container == "Plate":
        return "Plate Of Toast", ()
    if dish.name == "slices" and len(dish.portions) == 1:
        portion = dish.portions[0]
        where = preposition_for(dish.container)
        values = (str(portion.count), portion.food, where, dish.container)
        if portion.preparation is goals.Preparation.COOKED:
            return "N Cooked Slices Of X In Y", values
        if portion.preparation is goals.Preparation.SLICED:
            return "N Slices Of X In Y", values
    return None


def _chore_form(chore: goals.ChoreWanted) -> LibraryForm | None:
    if chore.chore is goals.Chore.COFFEE and chore.count == 1:
        return "Coffee", ()
    if chore.chore is goals.Chore.BOIL and chore.count == 1:
        return "Boil X", (chore.things,)
    if chore.chore is goals.Chore.WATER:
        return "Water Plant", ()
    if chore.chore is goals.Chore.CLEAN and chore.count != 1:
        return "Clean All X", (chore.things,)
    if chore.chore is goals.Chore.PUT and chore.count != 1 and chore.place and not chore.at:
        name = "Put All X In One Y" if chore.one_place else "Put All X On Y"
        return name, (chore.things, "on", chore.place)
    return None


def _breakfast_form(content: goals.GoalContent) -> LibraryForm | None:
    counts, parts = Counter[str](), Counter[tuple[str, str]]()
    dishes = {"Potato": "Plate", "Apple": "Plate"}
    for chore in content.chores:
        if chore.chore is not goals.Chore.COFFEE or chore.count is None:
            return None
        counts["coffee"] = chore.count
    for dish in content.dishes:
        if dish.name in ("sandwich", "salad", "toast"):
            counts[dish.name] += dish.count
            for each in dish.portions:
                parts[dish.name, each.food] = each.count
        elif len(dish.portions) == 1 and dish.portions[0] in _BREAKFAST_PORTIONS:
            counts[dish.portions[0].food] = dish.count
            dishes[dish.portions[0].food] = dish.container or "Plate"
        else:
            return None
    values = (
        *(counts["coffee"], counts["toast"]),
        *(counts["Potato"], dishes["Potato"], counts["Apple"], dishes["Apple"]),
        *(counts["sandwich"], parts["sandwich", "Lettuce"], parts["sandwich", "Tomato"]),
        *(counts["salad"], *(parts["salad", each] for each in _SALAD_FOODS)),
        content.table or "",
    )
    return "Breakfast", tuple(map(str, values))
