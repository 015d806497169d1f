"""Counts that were worked out with TEACh's own checker (spec section 3.10)."""

import pytest

from tatc.home.state import ObjectState
from tests.tdl.checker_rooms import check_task, goal_condition_counts, make_object, object_id

PLATE = object_id("Plate")
COUNTER = object_id("CounterTop")


def _coffee(number: int) -> ObjectState:
    return make_object("Mug", number, simbotIsFilledWithCoffee=True, inside=COUNTER)


def _sandwich(n: int) -> list[ObjectState]:
    """Return a clean plate with two toasts and a slice of lettuce, on a table."""
    plate = object_id("Plate", n)
    table = object_id("DiningTable")
    return [
        make_object("Plate", n, inside=table),
        make_object("BreadSliced", 2 * n, isCooked=True, parentReceptacles=(plate, table)),
        make_object("BreadSliced", 2 * n + 1, isCooked=True, parentReceptacles=(plate, table)),
        make_object("LettuceSliced", n, parentReceptacles=(plate, table)),
    ]


def test_plate_of_toast_with_nothing_done() -> None:
    progress = check_task(
        "Plate Of Toast",
        (),
        make_object("Bread"),
        make_object("Plate", isDirty=True),
        make_object("SinkBasin"),
        make_object("Knife"),
    )
    assert goal_condition_counts(progress) == (False, 3, 7)
    counts = [(s.goal_conditions_satisfied, s.goal_conditions_total) for s in progress.subgoals]
    assert counts == [(0, 2), (3, 4), (0, 1)]
    assert progress.subgoals[1].step_successes == (True, False)


def test_put_all_on_counts_only_the_place_and_the_relation() -> None:
    objects = [
        make_object("SinkBasin"),
        make_object("Fork", 1, inside=object_id("SinkBasin")),
        make_object("Fork", 2, inside=COUNTER),
    ]
    progress = check_task("Put All X On Y", ("Fork", "in", "Sink"), *objects)
    assert goal_condition_counts(progress) == (False, 3, 4)
    assert len(progress.subgoals) == 2


def test_put_all_with_nothing_to_put_is_done() -> None:
    progress = check_task("Put All X On Y", ("Fork", "in", "Sink"), make_object("SinkBasin"))
    assert goal_condition_counts(progress) == (True, 2, 2)


def test_put_all_in_one_names_the_thing_in_the_other_drawer() -> None:
    progress = check_task(
        "Put All X In One Y",
        ("Fork", "in", "Drawer"),
        make_object("Drawer", 1),
        make_object("Drawer", 2),
        make_object("Fork", 1, inside=object_id("Drawer", 1)),
        make_object("Fork", 2, inside=object_id("Drawer", 2)),
        make_object("Fork", 3, inside=object_id("Drawer", 2)),
    )
    assert goal_condition_counts(progress) == (False, 4, 5)
    (step,) = progress.subgoals[-1].steps
    assert (step.success, step.object_id) == (False, object_id("Fork", 1))


def test_breakfast_counts_more_than_asked_for() -> None:
    progress = check_task(
        "Breakfast",
        ("1", "0", "0", "Plate", "0", "Plate", *"0000000", "CounterTop"),
        make_object("CounterTop"),
        *(_coffee(n) for n in (1, 2, 3)),
    )
    assert goal_condition_counts(progress) == (True, 8, 6)


def test_two_sandwiches_for_breakfast() -> None:
    progress = check_task(
        "Breakfast",
        ("0", "0", "0", "Plate", "0", "Plate", "2", "1", *"00000", "DiningTable"),
        make_object("DiningTable"),
        make_object("Knife"),
        make_object("SinkBasin"),
        *_sandwich(1),
        *_sandwich(2),
    )
    assert goal_condition_counts(progress) == (True, 27, 27)
    inner = progress.subgoals[0]
    assert (inner.goal_conditions_total, inner.description) == (
        23,
        "2 x Serve a sandwich on a clean plate.",
    )


def test_a_whole_tomato_hides_that_slices_are_lacking() -> None:
    progress = check_task(
        "N Slices Of X In Y",
        ("3", "Tomato", "on", "Plate"),
        make_object("TomatoSliced"),
        make_object("Tomato"),
        make_object("Plate"),
        make_object("SinkBasin"),
        make_object("Knife"),
    )
    assert goal_condition_counts(progress) == (False, 6, 11)
    slicing = progress.subgoals[0]
    assert not slicing.success
    assert slicing.steps == ()


def test_the_clean_mug_is_the_one_to_fill() -> None:
    progress = check_task(
        "Coffee",
        (),
        make_object("Mug", 1, isDirty=True),
        make_object("Mug", 2, isFilledWithLiquid=True, simbotIsFilledWithCoffee=False),
    )
    assert goal_condition_counts(progress) == (False, 2, 3)
    assert [key.object_id for key in progress.problem_keys()] == [object_id("Mug", 2)]


def test_one_shareable_pen_is_enough_but_not_for_the_relation() -> None:
    progress = check_task(
        "Workspace",
        ("3", "0", "0"),
        make_object("Pen", inside=object_id("Desk")),
        make_object("Desk"),
        make_object("LightSwitch", isToggled=True),
    )
    writing, *_, relation = progress.subgoals
    assert writing.success
    assert (
        relation.success,
        relation.goal_conditions_satisfied,
        relation.goal_conditions_total,
    ) == (False, 1, 3)


@pytest.mark.parametrize(
    ("name", "params", "done", "undone"),
    [
        ("Toast", (), make_object("BreadSliced", isCooked=True), make_object("BreadSliced")),
        (
            "Omelette",
            (),
            make_object("EggCracked", isCooked=True),
            make_object("Egg", isCooked=True),
        ),
        (
            "Boil X",
            ("Potato",),
            make_object("Potato", simbotIsBoiled=True),
            make_object("Potato", simbotIsCooked=True, isCooked=True),
        ),
        (
            "Poach Egg",
            (),
            make_object("EggCracked", simbotIsBoiled=True),
            make_object("EggCracked", isCooked=True),
        ),
        (
            "Water Plant",
            (),
            make_object("HousePlant", isFilledWithLiquid=True),
            make_object("HousePlant"),
        ),
        (
            "Toggle X All Y",
            ("off", "0", "Lights"),
            make_object("DeskLamp"),
            make_object("DeskLamp", isToggled=True),
        ),
        (
            "Coffee",
            (),
            make_object("Mug", simbotIsFilledWithCoffee=True),
            make_object("Cup", simbotIsFilledWithCoffee=True),
        ),
    ],
)
def test_a_task_takes_what_it_asks_for_and_nothing_like_it(
    name: str, params: tuple[str, ...], done: ObjectState, undone: ObjectState
) -> None:
    assert check_task(name, params, done).success
    assert not check_task(name, params, undone).success
