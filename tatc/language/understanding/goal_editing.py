"""Edits a goal line by line, in words: the lines are those of `goal_json.goal_lines`."""

import re
from dataclasses import replace

from tatc.base.errors import BadInput
from tatc.home.actions import Role, Utterance
from tatc.home.types.teach_classes import KNOWN_OBJECT_CLASSES
from tatc.language.object_names import type_from_words
from tatc.language.understanding.goal import EMPTY_CONTENT, Goal, GoalContent
from tatc.language.understanding.goal_json import goal_lines
from tatc.language.understanding.goal_tasks import library_form, task_for
from tatc.language.understanding.understand import understand

_TABLE_PATTERN = re.compile(r"(?:all (?:of )?it )?(?:on|in) (?:the )?(.+?)\W*", re.IGNORECASE)


def goal_in_words(words: str) -> Goal:
    """Return the goal that words ask for."""
    goal = understand([Utterance(Role.COMMANDER, words, 0.0)]).goal
    if goal is None:
        fix = "for example: a plate with two slices of toast"
        raise BadInput(f"{words!r} asks for nothing that can be done", fix=fix)
    return goal


def goal_with_line(content: GoalContent, number: int, words: str) -> Goal:
    """Return a goal with one of its lines in other words, or without it if there are none.

    Args:
        content: the goal.
        number: of the line, from 1; the number after the last adds one.
        words: what the line asks for.
    """
    dishes, chores = list(content.dishes), list(content.chores)
    count = len(goal_lines(content))
    if not 1 <= number <= count + 1:
        raise BadInput(f"the goal has no line {number}", fix=f"name a line from 1 to {count + 1}")
    index = number - 1
    if content.table is not None and number == count:
        return goal_of(replace(content, table=_table(words)))
    new = goal_in_words(words).content if words else EMPTY_CONTENT
    at_chore = min(max(index - len(dishes), 0), len(chores))
    if index < len(dishes):
        dishes[index : index + 1] = new.dishes
        chores[:0] = new.chores
    else:
        dishes += new.dishes
        chores[at_chore : at_chore + 1] = new.chores
    table = new.table or content.table
    return goal_of(GoalContent(tuple(dishes), tuple(chores), table))


def _table(words: str) -> str | None:
    if not words:
        return None
    found = _TABLE_PATTERN.fullmatch(words)
    name = "" if found is None else type_from_words(found[1])
    if name not in KNOWN_OBJECT_CLASSES:
        raise BadInput(
            f"{words!r} names no table", fix="for example: all of it on the coffee table"
        )
    return name


def goal_of(content: GoalContent) -> Goal:
    """Return the goal with a content."""
    task = task_for(content)
    if task is None:
        fix = "leave a line, or change it in other words"
        raise BadInput("nothing that can be done is left of the goal", fix=fix)
    return Goal(content, task, library_form(content))
