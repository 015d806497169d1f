"""After a report, a request for what is done already asks for one more, or for something else."""

from tatc.home.actions import Role, Utterance
from tatc.language.understanding import Goal, further_task, understand
from tatc.language.understanding.goal_tasks import task_for
from tatc.tdl import Task


def goal_of(text: str) -> Goal:
    goal = understand([Utterance(Role.COMMANDER, text, 0.0)]).goal
    assert goal is not None
    return goal


def done_up_to(*goals: Goal) -> "set[str]":
    return {str(each.task.definition_json()) for each in goals}


def further(done: Goal, newest: Goal, *also_done: Goal) -> Task | None:
    known = done_up_to(done, *also_done)
    return further_task(done, newest, lambda task: str(task.definition_json()) in known)


def test_a_request_for_something_else_is_taken_by_itself() -> None:
    task = further(goal_of("wash all the cups"), goal_of("wash the mug"))
    assert task is not None
    assert task.definition_json() == goal_of("wash the mug").task.definition_json()


def test_a_request_for_what_is_there_asks_for_one_more() -> None:
    salad = goal_of("make a salad with one slice of lettuce and one slice of tomato on a plate")
    newest = goal_of("put a slice of lettuce on the plate")
    task = further(salad, newest, newest)
    assert task is not None
    two = goal_of("make a salad with two slices of lettuce and one slice of tomato on a plate")
    assert task.definition_json() == two.task.definition_json()
    again = further(salad, newest, newest, two)
    assert again is not None
    assert again.definition_json() != two.task.definition_json()


def test_a_request_for_all_that_is_done_asks_for_nothing() -> None:
    wash = goal_of("wash all the cups")
    assert further(wash, wash) is None
    assert further_task(wash, None, lambda task: True) is None
    assert task_for(wash.content) is not None
