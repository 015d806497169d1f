"""A session in words: lines of the story, and how it ends."""

from typing import Any

import pytest

from tatc.home.actions import Click, Role, Verb
from tatc.home.state import ShortNames
from tatc.session.records import COMMANDER_POSE, Interaction
from tatc.session.transcript import (
    format_action_counts,
    format_ending,
    format_interactions,
    format_line,
    format_title,
    format_unmet_steps,
)
from tatc.tdl import shipped_library
from tests.session.records.sample_record import sample_objects, sample_start

ME, YOU = Role.FOLLOWER, Role.COMMANDER
MUG = sample_objects()[2].objectId


def _turn(verb: Verb = Verb.TURN_LEFT, success: bool | None = True) -> Interaction:
    return Interaction(ME, verb, 0.1, success, pose=COMMANDER_POSE)


def _lines(*steps: Interaction | tuple[Interaction, list[str]]) -> list[str]:
    pairs = [step if isinstance(step, tuple) else (step, []) for step in steps]
    return [line.strip() for line in format_interactions(pairs, ShortNames(sample_start()))]


def test_the_title_says_task_place_and_what_was_drawn() -> None:
    assert format_title("Coffee", (), "kitchen-01", None, 7) == "Coffee in kitchen-01, seed 7"
    title = format_title("Boil X", ("Potato", "2"), "FloorPlan7", "abc_1", 7)
    assert title == "Boil X (Potato, 2) in FloorPlan7, game abc_1"


def test_who_speaks_has_a_column() -> None:
    assert format_line("Follower", "Hello.") == "Follower   Hello."
    assert format_line("", "+ Forward") == "           + Forward"


def test_motions_that_succeed_share_a_line_until_something_else() -> None:
    said = Interaction(ME, Verb.TEXT, 0.1, True, text="Done.")
    blocked = _turn(Verb.FORWARD, False)
    walk = [_turn(), _turn(Verb.FORWARD)]
    assert _lines(*walk, said, *walk) == [
        "+ TurnLeft Forward",
        "Follower   Done.",
        "+ TurnLeft Forward",
    ]
    assert _lines(*walk, blocked, _turn()) == ["+ TurnLeft Forward", "x Forward", "+ TurnLeft"]
    assert _lines((_turn(), ["seen"]), _turn()) == ["+ TurnLeft", "seen", "+ TurnLeft"]
    assert _lines((said, ["one", "two"])) == ["Follower   Done.", "one", "two"]
    assert _lines() == []


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ({"verb": Verb.PICKUP, "success": True}, "+ Pickup at 0.5 0.25"),
        ({"verb": Verb.PICKUP, "success": False}, "x Pickup at 0.5 0.25"),
        ({"verb": Verb.PICKUP, "success": True, "object_id": MUG}, "+ Pickup Mug at 0.5 0.25"),
        ({"verb": Verb.OPEN_PROGRESS_CHECK, "success": True}, "[progress check: done]"),
        ({"verb": Verb.OPEN_PROGRESS_CHECK, "success": False}, "[progress check: not done]"),
        ({"verb": Verb.SEARCH_OBJECT, "success": None, "text": "mug"}, "x SearchObject mug"),
        ({"verb": Verb.TEXT, "success": True, "text": "Go on."}, "Commander  Go on."),
    ],
)
def test_each_kind_of_action_has_its_line(parts: dict[str, Any], line: str) -> None:
    role = ME if parts["verb"] is Verb.PICKUP else YOU
    click = {"click": Click(0.5, 0.25)} if parts["verb"] is Verb.PICKUP else {}
    assert _lines(Interaction(role, time=0.1, **click, **parts)) == [line]


def test_an_ending_never_has_more_than_there_is_to_do() -> None:
    assert format_ending(True, "success", 5, 4) == "Success: 4 of 4 goal conditions"
    ending = format_ending(False, "gave_up", 1, 4)
    assert ending == "No success (gave up): 1 of 4 goal conditions"
    counts = format_action_counts(3, 9, 2)
    assert counts == "Commander 3 actions, Follower 9 actions, 2 failed"


def test_what_the_task_lacks_is_told() -> None:
    progress = shipped_library().compile("Coffee").check(sample_start())
    lines = list(format_unmet_steps(progress, ShortNames(sample_start())))
    unmet = [step for goal in progress.subgoals for step in goal.steps if not step.success]
    assert 0 < len(lines) == len(unmet)
    assert all(line.startswith("  not met: ") and line.endswith(" (Mug)") for line in lines)
