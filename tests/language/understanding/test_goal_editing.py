"""Goals edited line by line."""

import pytest

from tatc.base.errors import BadInput
from tatc.language.understanding.goal_json import goal_lines
from tatc.language.understanding.understand import goal_in_words, goal_with_line

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
