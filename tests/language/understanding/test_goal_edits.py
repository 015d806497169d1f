"""Goals edited line by line, and requests for one more of what is done already."""

import pytest

from tatc.base.errors import BadInput
from tatc.language.understanding import Goal, further_task
from tatc.language.understanding.goal_json import goal_lines
from tatc.language.understanding.understand import goal_in_words, goal_with_line
from tatc.tdl import Task
from tests.language.understanding.written_dialogues import heard

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
    goal = heard(text).goal
    assert goal is not None
    return goal


def further(done: Goal, newest: Goal | None, *also_done: Goal) -> Task | None:
    known = [each.task.definition_json() for each in (done, *also_done)]
    return further_task(done, newest, lambda task: task.definition_json() in known)


def test_a_request_for_something_else_is_taken_by_itself() -> None:
    mug = goal_of("wash the mug")
    assert (
        further(goal_of("wash all the cups"), mug).definition_json() == mug.task.definition_json()
    )


def test_a_request_for_what_is_there_asks_for_one_more() -> None:
    salad = goal_of("make a salad with one slice of lettuce and one slice of tomato on a plate")
    newest = goal_of("put a slice of lettuce on the plate")
    two = goal_of("make a salad with two slices of lettuce and one slice of tomato on a plate")
    more = two.task.definition_json()
    assert further(salad, newest, newest).definition_json() == more
    assert further(salad, newest, newest, two).definition_json() != more


def test_a_request_for_all_that_is_done_asks_for_nothing() -> None:
    wash = goal_of("wash all the cups")
    assert further(wash, wash) is further(wash, None) is None
