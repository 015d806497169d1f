"""How later words change a goal: edits of one that was recalled, and requests after it is done.

Edits are "with four slices of lettuce", "without the pan".  After "that is done", "put lettuce on
the plate" means one more slice, "wash the mug" another mug.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tatc.language.understanding import goal_tasks, goals
from tatc.language.understanding.clauses import (
    CUPS,
    DISH_CONTAINERS,
    DISH_NAMES,
    Clause,
    NounPhrase,
    food_name,
    is_fixed,
)
from tatc.tdl import Task

MAX_MORE = 3  # how many more of something are thought of, at most
ReadClause = tuple[Clause, Sequence[NounPhrase]]  # a clause, and its phrases with pronouns resolved

_PREPARATIONS = {"Bread": goals.Preparation.TOASTED, "Potato": goals.Preparation.COOKED}
_SERVED_ON = ("CounterTop", "DiningTable", "Tables")


def apply_edits(content: goals.GoalContent, clauses: Sequence[ReadClause]) -> goals.GoalContent:
    """Return a content changed as clauses say: later ones over earlier ones."""
    for clause, phrases in clauses:
        kept = {food_name(each.what) for each in phrases if not each.is_negated}
        for phrase in phrases:
            if phrase.relation == "near" or phrase.is_pronoun:
                continue
            if phrase.what == "coffee":
                phrase = clause.with_cup_count(phrase)
            elif phrase.what in CUPS and "coffee" in kept:
                continue
            elif phrase.what in CUPS and (phrase.count or phrase.adds):
                if any(each.chore is goals.Chore.COFFEE for each in content.chores):
                    phrase = replace(phrase, what="coffee")  # "my brew, but two cups"
            if phrase.is_negated and food_name(phrase.what) in kept:
                continue  # "one pencil instead of two pencils"
            content = _edit(content, clause, phrase)
    return content


def _edit(content: goals.GoalContent, clause: Clause, phrase: NounPhrase) -> goals.GoalContent:
    what = food_name(phrase.what)
    if what == "coffee":
        return _edit_chore(content, phrase, goals.Chore.COFFEE, "Mug")
    if what in DISH_NAMES:
        return content
    if phrase.relation == "on" and not phrase.is_negated:
        return _edit_place(content, clause, what)
    if any(chore.chore in goals.ARRANGING_CHORES for chore in content.chores):
        return _edit_things(content, phrase)
    if what in goals.PORTION_FOODS:
        return _edit_portion(content, phrase, what)
    if what == "Egg":
        return _edit_chore(content, phrase, goals.Chore.FRY_EGG, "Egg")
    if any(term.value("water") for term in clause.terms) and what not in DISH_CONTAINERS:
        return _edit_chore(content, phrase, goals.Chore.FILL, what)
    return _edit_extra(content, phrase)


def _new_count(phrase: NounPhrase, old: int | None) -> int:
    """Return how many are wanted after an edit; `old` is None if there were none of it."""
    if phrase.adds:
        return (old or 0) + (phrase.count or 1)
    if phrase.count is not None:
        return max(phrase.count, 1)
    return 1 if old is None or phrase.is_only else old


def _edit_chore(
    content: goals.GoalContent, phrase: NounPhrase, kind: goals.Chore, things: str
) -> goals.GoalContent:
    same = [each for each in content.chores if (each.chore, each.things) == (kind, things)]
    others = tuple(each for each in content.chores if each not in same)
    if phrase.is_negated:
        return replace(content, chores=others)
    count = _new_count(phrase, same[0].count if same else None)
    return replace(content, chores=(*others, goals.ChoreWanted(kind, things, count)))


def _edit_place(content: goals.GoalContent, clause: Clause, place: str) -> goals.GoalContent:
    chores = tuple(
        replace(each, place=place) if each.chore is goals.Chore.PUT and is_fixed(place) else each
        for each in content.chores
    )
    content = replace(content, chores=chores)
    is_served_on = bool(content.dishes) and place in _SERVED_ON
    is_bare = is_served_on and any(term.text == "directly" for term in clause.terms)
    if place in DISH_CONTAINERS or is_bare:
        holder = None if is_bare else place
        dishes = tuple(replace(each, container=holder) for each in content.dishes)
        content = replace(content, dishes=dishes)
    table = "DiningTable" if place == "Tables" else place
    return replace(content, table=table) if is_served_on else content


def _edit_things(content: goals.GoalContent, phrase: NounPhrase) -> goals.GoalContent:
    if is_fixed(phrase.what):
        return content

    def counted(chore: goals.ChoreWanted, old: int | None) -> goals.ChoreWanted:
        count = None if phrase.wants_all else _new_count(phrase, old)
        return replace(chore, things=phrase.what, count=count)

    chores = [
        counted(each, each.count) if each.things == phrase.what else each
        for each in content.chores
        if each.things != phrase.what or not phrase.is_negated
    ]
    if not phrase.is_negated and all(each.things != phrase.what for each in content.chores):
        model = next(each for each in content.chores if each.chore in goals.ARRANGING_CHORES)
        chores.append(counted(model, None))
    if phrase.is_only:
        chores = [each for each in chores if each.things == phrase.what]
    return replace(content, chores=tuple(chores))


def _edit_portion(content: goals.GoalContent, phrase: NounPhrase, food: str) -> goals.GoalContent:
    if not content.dishes and not phrase.is_negated:
        dish = _edit_dish(goals.Dish("slices", "Plate", ()), phrase, food)
        return replace(content, dishes=(dish,))
    has_food = any(p.food == food for dish in content.dishes for p in dish.portions)
    dishes = tuple(
        _edit_dish(dish, phrase, food)
        if any(p.food == food for p in dish.portions) or (k == 0 and not has_food)
        else dish
        for k, dish in enumerate(content.dishes)
    )
    return replace(content, dishes=tuple(each for each in dishes if each.portions))


def _edit_dish(dish: goals.Dish, phrase: NounPhrase, food: str) -> goals.Dish:
    old = next((each for each in dish.portions if each.food == food), None)
    if phrase.is_negated:
        return replace(dish, portions=tuple(each for each in dish.portions if each is not old))
    count = _new_count(phrase, None if old is None else old.count)
    if old is None:
        how = _PREPARATIONS.get(food, goals.Preparation.SLICED)
        return replace(dish, portions=(*dish.portions, goals.Portion(food, how, count)))
    new = replace(old, count=count)
    return replace(dish, portions=tuple(new if each is old else each for each in dish.portions))


def _edit_extra(content: goals.GoalContent, phrase: NounPhrase) -> goals.GoalContent:
    """Lay something beside the food, or take it away: "bring a fork with it"."""
    if not content.dishes or is_fixed(phrase.what) or phrase.what in DISH_CONTAINERS:
        return content
    first, *others = content.dishes
    extras = tuple(each for each in first.extras if each != phrase.what)
    if not phrase.is_negated:
        extras = (*extras, phrase.what)
    return replace(content, dishes=(replace(first, extras=extras), *others))


def further_task(
    done: goals.Goal, newest: goals.Goal | None, is_done: Callable[[Task], bool]
) -> Task | None:
    """Return what the `newest` words ask for beyond a goal that is done, None for nothing."""
    if newest is None:
        return None
    if not is_done(newest.task):
        return newest.task
    content = done.content
    for _ in range(MAX_MORE):
        content = _with_one_more(content, newest.content)
        task = None if content == done.content else goal_tasks.task_for(content)
        if task is None or not is_done(task):
            return task
    return None


def _with_one_more(content: goals.GoalContent, asked: goals.GoalContent) -> goals.GoalContent:
    foods = {portion.food for dish in asked.dishes for portion in dish.portions}
    wanted = {(chore.chore, chore.things) for chore in asked.chores}

    def more_portions(dish: goals.Dish) -> goals.Dish:
        portions = [replace(p, count=p.count + (p.food in foods)) for p in dish.portions]
        return replace(dish, portions=tuple(portions))

    def one_more(chore: goals.ChoreWanted) -> goals.ChoreWanted:
        if chore.count is None or (chore.chore, chore.things) not in wanted:
            return chore
        return replace(chore, count=chore.count + 1)

    dishes = tuple(map(more_portions, content.dishes))
    return replace(content, dishes=dishes, chores=tuple(map(one_more, content.chores)))
