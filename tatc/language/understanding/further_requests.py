"""What is meant by a request that comes after everything asked for has been done.

Whoever is told "that is done" and asks for something does not ask for what is there already: "put
lettuce on the plate" then means one more slice, "wash the mug" a mug that was not meant before.
"""

from collections.abc import Callable
from dataclasses import replace

from tatc.language.understanding.goal import Chore, ChoreWanted, Dish, Goal, GoalContent
from tatc.language.understanding.goal_tasks import task_for
from tatc.tdl import Task

MAX_MORE = 3
"""How many more of something are thought of, at most."""


def further_task(done: Goal, newest: Goal | None, is_done: Callable[[Task], bool]) -> Task | None:
    """Return what the newest words ask for beyond a goal that is done, None where that is nothing.

    Args:
        done: the goal of all words, which is done as far as known.
        newest: the goal of the newest words alone.
        is_done: whether a task is done as far as known.

    """
    if newest is None:
        return None
    if not is_done(newest.task):
        return newest.task
    content = done.content
    for _ in range(MAX_MORE):
        content = _with_one_more(content, newest.content)
        task = None if content == done.content else task_for(content)
        if task is None:
            return None
        if not is_done(task):
            return task
    return None


def _with_one_more(content: GoalContent, asked: GoalContent) -> GoalContent:
    """Return a goal with one more of each thing that is asked for and that it counts."""
    foods = {portion.food for dish in asked.dishes for portion in dish.portions}
    chores = {(chore.chore, chore.things) for chore in asked.chores}
    return replace(
        content,
        dishes=tuple(_fuller(dish, foods) for dish in content.dishes),
        chores=tuple(_once_more(chore, chores) for chore in content.chores),
    )


def _fuller(dish: Dish, foods: set[str]) -> Dish:
    portions = tuple(
        replace(each, count=each.count + 1) if each.food in foods else each
        for each in dish.portions
    )
    return replace(dish, portions=portions)


def _once_more(chore: ChoreWanted, asked: set[tuple[Chore, str]]) -> ChoreWanted:
    if chore.count is None or (chore.chore, chore.things) not in asked:
        return chore
    return replace(chore, count=chore.count + 1)
