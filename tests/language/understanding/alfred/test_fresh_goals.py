"""Goals in words of writers who saw no code: named by context, or told by what they are for."""

import tomllib
from pathlib import Path

import pytest

from tatc.language.understanding.alfred.directive_goal import DirectiveGoal, read_directives

_TASKS = {
    "pick_and_place_simple": "simple",
    "pick_two_obj_and_place": "two",
    "pick_clean_then_place_in_recep": "clean",
    "pick_heat_then_place_in_recep": "heat",
    "pick_cool_then_place_in_recep": "cool",
    "pick_and_place_with_movable_recep": "movable",
    "look_at_obj_in_light": "look",
}


def _is_read(goal: dict[str, str]) -> bool:
    task, sliced = _TASKS[goal["type"]], bool(goal.get("sliced"))
    found = read_directives(goal["text"])
    place = "" if task == "look" else goal["receptacle"]
    place, lamp = found.receptacle if task == "look" else place, goal.get("lamp", "")
    wanted = DirectiveGoal(task, goal["object"], place, goal.get("movable", ""), lamp, sliced)
    return found == wanted


@pytest.mark.parametrize(
    ("name", "least"), [("goals_by_context.toml", 0.9), ("goals_by_use.toml", 0.9)]
)
def test_most_goals_are_read_with_all_parameters(name: str, least: float) -> None:
    goals = tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))["goal"]
    right = sum(map(_is_read, goals))
    assert right >= least * len(goals), right
