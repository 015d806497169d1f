"""Goals edited line by line, and requests for one more of what is done already."""

import pytest

from tatc.base.errors import BadInput
from tatc.home.actions import Role, Utterance
from tatc.language.understanding import Goal, further_task, understand
from tatc.language.understanding.goal_json import goal_lines
from tatc.language.understanding.goal_tasks import task_for
from tatc.language.understanding.understand import goal_in_words, goal_with_line
from tatc.tdl import Task

BREAKFAST = goal_in_words(
    "breakfast: toast, coffee, and a tomato sandwich on the dining table"
).content
LINES = goal_lines(BREAKFAST)


def test_every_line_of_a_goal_means_itself():
    for number, line in enumerate(LINES, 1):
        assert goal_lines(goal_with_line(BREAKFAST, number, line).content) == LINES


def test_a_line_is_changed_taken_away_or_added():
    coffee = LINES.index("coffee in 1 clean mug") + 1
    changed = goal_with_line(BREAKFAST, coffee, "coffee in 2 clean mugs")
    assert goal_lines(changed.content)[coffee - 1] == "coffee in 2 clean mugs"
    gone = goal_lines(goal_with_line(BREAKFAST, coffee, "").content)
    assert gone == (*LINES[: coffee - 1], *LINES[coffee:])
    mugs = goal_in_words("clean 2 mugs").content
    more = goal_lines(goal_with_line(mugs, 2, "water the plant").content)
    assert more == (*goal_lines(mugs), "water 1 house plant")


def test_the_table_is_changed():
    other = goal_with_line(BREAKFAST, len(LINES), "all of it on the coffee table")
    assert other.content.table == "CoffeeTable"
    assert goal_with_line(BREAKFAST, len(LINES), "").content.table is None


@pytest.mark.parametrize(
    ("number", "words", "why"),
    [
        (0, "clean all mugs", "no line 0"),
        (len(LINES) + 2, "clean all mugs", "no line"),
        (1, "blah blah", "asks for nothing"),
        (len(LINES), "on the moon", "names no table"),
    ],
)
def test_what_is_no_line_is_refused(number: int, words: str, why: str):
    with pytest.raises(BadInput, match=why):
        goal_with_line(BREAKFAST, number, words)


def test_a_goal_without_lines_is_refused():
    with pytest.raises(BadInput, match="nothing that can be done is left"):
        goal_with_line(goal_in_words("make coffee").content, 1, "")


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
