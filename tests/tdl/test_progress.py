"""The JSON of a progress check, to the key (spec section 3.8, paper listing 1)."""

import json

from tatc.tdl.definition import AtomicComponent, NestedTask
from tests.tdl.checker_rooms import (
    LIBRARY,
    check_task,
    make_object,
    make_snapshot,
    object_id,
    task_of,
)

BREAD, PLATE = object_id("Bread"), object_id("Plate")


def test_the_papers_example() -> None:
    """Plate Of Toast with whole bread and a dirty plate, as the paper prints it.

    The listing lacks the goal conditions and the relation; the texts are ours.
    """
    progress = check_task(
        "Plate Of Toast",
        (),
        make_object("Bread"),
        make_object("Plate", isDirty=True),
        make_object("Sink"),
        make_object("Knife"),
    )
    slice_, toast = ("Cut a slice off the bread with a knife.", "Toast the slice of bread.")
    expected = {
        "task_desc": "Serve toast on a clean plate.",
        "success": 0,
        "subgoals": [
            {
                "representative_obj_id": BREAD,
                "step_successes": [0],
                "success": 0,
                "description": "Toast a slice of bread.",
                "steps": [_step(BREAD, slice_), _step(BREAD, toast)],
                "problem_keys": {
                    BREAD: [
                        _key("Bread", "objectType", "BreadSliced"),
                        _key("Bread", "isCooked", 1),
                    ]
                },
                "goal_conditions_total": 2,
                "goal_conditions_satisfied": 0,
            },
            {
                "representative_obj_id": PLATE,
                "step_successes": [1, 0],
                "success": 0,
                "description": "Get one clean Plate.",
                "steps": [_step(PLATE, "Rinse this Plate clean.")],
                "problem_keys": {PLATE: [_key("Plate", "isDirty", 0)]},
                "goal_conditions_total": 4,
                "goal_conditions_satisfied": 3,
            },
            {
                "success": 0,
                "description": "",
                "steps": [],
                "problem_keys": [],
                "goal_conditions_total": 1,
                "goal_conditions_satisfied": 0,
            },
        ],
    }
    assert json.dumps(progress.to_json()) == json.dumps(expected)


def test_a_check_is_shown_without_its_objects() -> None:
    shown = repr(check_task("Coffee", (), make_object("Mug"), make_object("CoffeeMachine")))
    assert "goal_conditions_total=" in shown and "Mug" not in shown
    assert not any(name in shown for name in ("_objects", "make_subgoals"))


def test_what_is_met_is_praised_with_the_first_object() -> None:
    progress = check_task("Coffee", (), make_object("Mug", simbotIsFilledWithCoffee=True))
    (subgoal,) = progress.to_json()["subgoals"]
    assert [(step["success"], step["objectId"]) for step in subgoal["steps"]] == [
        (1, object_id("Mug")),
        (1, object_id("Mug")),
    ]
    assert subgoal["problem_keys"] == {}


def test_what_the_next_object_already_meets_is_praised_unless_all_are_asked_for() -> None:
    conditions = (("objectType", "PotatoSliced"), ("simbotIsCooked", 1))
    texts = (("objectType", "Cut it."), ("simbotIsCooked", "Cook it."))
    for determiner, successes in (("a", [True, False]), ("all", [False])):
        task = task_of(AtomicComponent(determiner, "objectType", False, conditions, texts))
        (subgoal,) = task.check(make_snapshot(make_object("PotatoSliced"))).subgoals
        assert [step.success for step in subgoal.steps] == successes


def test_a_component_without_any_object_has_no_steps() -> None:
    (subgoal,) = check_task("Coffee", ()).to_json()["subgoals"]
    assert (subgoal["success"], subgoal["steps"]) == (0, [])


def test_nested_subgoals_are_flat_and_keep_failing_steps_only() -> None:
    """Breakfast shows a sandwich as one subgoal, its inner tasks as its successes."""
    progress = check_task(
        "Breakfast",
        ("0", "0", "0", "Plate", "0", "Plate", "1", "0", "1", *"0000", "CounterTop"),
        make_object("BreadSliced", 1, isCooked=True),
        make_object("BreadSliced", 2),
        make_object("TomatoSliced"),
        make_object("Knife"),
        make_object("Plate"),
        make_object("Sink"),
        make_object("CounterTop"),
    )
    sandwich = progress.to_json()["subgoals"][0]
    assert sandwich["step_successes"] == [0, 1, 1, 0]
    assert sandwich["description"] == "1 x Serve a sandwich on a clean plate."
    assert {step["success"] for step in sandwich["steps"]} == {0}
    assert list(sandwich["problem_keys"]) == [
        object_id("BreadSliced", 2),
        object_id("BreadSliced", 1),
        object_id("TomatoSliced"),
    ]


def test_a_task_is_named_after_what_is_left_to_do_and_then_after_what_is_done() -> None:
    task = task_of(NestedTask("2", LIBRARY.find("Coffee"), ()))
    done = make_object("Mug", 1, simbotIsFilledWithCoffee=True)
    for filled, number in ((False, 2), (True, 1)):
        other = make_object("Mug", 2, simbotIsFilledWithCoffee=filled)
        (subgoal,) = task.check(make_snapshot(done, other)).subgoals
        assert subgoal.representative == object_id("Mug", number)


def test_a_key_that_two_subgoals_share_is_listed_once() -> None:
    params = ("0", "1", "0", "Plate", "0", "Plate", "1", *"000000", "CounterTop")
    progress = check_task("Breakfast", params, make_object("Plate", isDirty=True))
    dirty = [key for key in progress.problem_keys() if key.property_name == "isDirty"]
    assert len(dirty) == 1
    shown = [each["problem_keys"] for each in progress.to_json()["subgoals"]]
    assert sum(PLATE in keys for keys in shown) == 2


def _step(object_id: str, text: str) -> dict[str, object]:
    kind = object_id.split("|")[0]
    return {"success": 0, "objectId": object_id, "objectType": kind, "desc": text}


def _key(kind: str, name: str, want: object) -> dict[str, object]:
    return {
        "objectType": kind,
        "determiner": "a",
        "property_name": name,
        "desired_property_value": want,
    }
