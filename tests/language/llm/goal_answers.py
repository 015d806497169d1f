"""Answers of the stub endpoint that are goals."""

import json
from collections.abc import Sequence
from typing import Any

from tatc.language.understanding.goal_json import content_json
from tatc.language.understanding.goals import (
    Chore,
    ChoreWanted,
    Dish,
    GoalContent,
    Portion,
    Preparation,
)
from tests.language.llm.stub_endpoint import Behaviour, saying

COFFEE = GoalContent(chores=(ChoreWanted(Chore.COFFEE, "Mug", 1),))
TOAST = GoalContent((Dish("toast", "Plate", (Portion("Bread", Preparation.TOASTED),)),))


def goal_answer(content: GoalContent | None, *evidence: tuple[str, str]) -> str:
    """Return the JSON of an answer; evidence is pairs of part and words."""
    goal = None if content is None else content_json(content)
    found = [{"part": part, "words": words} for part, words in evidence]
    return json.dumps({"goal": goal, "evidence": found})


def goal_saying(content: GoalContent | None, *evidence: tuple[str, str]) -> Behaviour:
    return saying(goal_answer(content, *evidence))


def changed(answer: str, path: Sequence[str | int], value: Any) -> str:
    """Return an answer with one value replaced."""
    found = at = json.loads(answer)
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return json.dumps(found)
