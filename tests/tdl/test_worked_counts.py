"""Counts that were worked out with TEACh's own checker (spec section 3.10)."""

import pytest

from tatc.state import ObjectState
from tests.tdl.things import check, counts, oid, thing

PLATE = oid("Plate")
COUNTER = oid("CounterTop")


def _coffee(number: int) -> ObjectState:
    return thing("Mug", number, simbotIsFilledWithCoffee=True, inside=COUNTER)


def _sandwich(n: int) -> list[ObjectState]:
    """Return a clean plate with two toasts and a slice of lettuce, on a table."""
    plate = oid("Plate", n)
    table = oid("DiningTable")
    return [
        thing("Plate", n, inside=table),
        thing("BreadSliced", 2 * n, isCooked=True, parentReceptacles=(plate, table)),
        thing(
            "BreadSliced", 2 * n + 1, isCooked=True, parentReceptacles=(plate, table)
        ),
        thing("LettuceSliced", n, parentReceptacles=(plate, table)),
    ]


def test_plate_of_toast_with_nothing_done() -> None:
    progress = check(
        "Plate Of Toast",
        (),
        thing("Bread"),
        thing("Plate", isDirty=True),
        thing("SinkBasin"),
        thing("Knife"),
    )
    assert counts(progress) == (False, 3, 7)
    toast, plate, relation = progress.subgoals
    assert [
        (each.goal_conditions_satisfied, each.goal_conditions_total)
        for each in (toast, plate, relation)
    ] == [(0, 2), (3, 4), (0, 1)]
    assert plate.step_successes == (True, False)


def test_put_all_on_counts_only_the_place_and_the_relation() -> None:
    things = [
        thing("SinkBasin"),
        thing("Fork", 1, inside=oid("SinkBasin")),
        thing("Fork", 2, inside=COUNTER),
    ]
    progress = check("Put All X On Y", ("Fork", "in", "Sink"), *things)
    assert counts(progress) == (False, 3, 4)
    assert len(progress.subgoals) == 2


def test_put_all_with_nothing_to_put_is_done() -> None:
    progress = check("Put All X On Y", ("Fork", "in", "Sink"), thing("SinkBasin"))
    assert counts(progress) == (True, 2, 2)


def test_put_all_in_one_names_the_thing_in_the_other_drawer() -> None:
    progress = check(
        "Put All X In One Y",
        ("Fork", "in", "Drawer"),
        thing("Drawer", 1),
        thing("Drawer", 2),
        thing("Fork", 1, inside=oid("Drawer", 1)),
        thing("Fork", 2, inside=oid("Drawer", 2)),
        thing("Fork", 3, inside=oid("Drawer", 2)),
    )
    assert counts(progress) == (False, 4, 5)
    (step,) = progress.subgoals[-1].steps
    assert (step.success, step.object_id) == (False, oid("Fork", 1))


def test_breakfast_counts_more_than_asked_for() -> None:
    progress = check(
        "Breakfast",
        ("1", "0", "0", "Plate", "0", "Plate", *"0000000", "CounterTop"),
        thing("CounterTop"),
        *(_coffee(n) for n in (1, 2, 3)),
    )
    assert counts(progress) == (True, 8, 6)


def test_two_sandwiches_for_breakfast() -> None:
    progress = check(
        "Breakfast",
        ("0", "0", "0", "Plate", "0", "Plate", "2", "1", *"00000", "DiningTable"),
        thing("DiningTable"),
        thing("Knife"),
        thing("SinkBasin"),
        *_sandwich(1),
        *_sandwich(2),
    )
    assert counts(progress) == (True, 27, 27)
    inner = progress.subgoals[0]
    assert (inner.goal_conditions_total, inner.description) == (
        23,
        "2 x Serve a sandwich on a clean plate.",
    )


def test_a_whole_tomato_hides_that_slices_are_lacking() -> None:
    progress = check(
        "N Slices Of X In Y",
        ("3", "Tomato", "on", "Plate"),
        thing("TomatoSliced"),
        thing("Tomato"),
        thing("Plate"),
        thing("SinkBasin"),
        thing("Knife"),
    )
    assert counts(progress) == (False, 6, 11)
    slicing = progress.subgoals[0]
    assert not slicing.success
    assert slicing.steps == ()


def test_the_clean_mug_is_the_one_to_fill() -> None:
    progress = check(
        "Coffee",
        (),
        thing("Mug", 1, isDirty=True),
        thing("Mug", 2, isFilledWithLiquid=True, simbotIsFilledWithCoffee=False),
    )
    assert counts(progress) == (False, 2, 3)
    assert [key.object_id for key in progress.problem_keys()] == [oid("Mug", 2)]


def test_one_shareable_pen_is_enough_but_not_for_the_relation() -> None:
    progress = check(
        "Workspace",
        ("3", "0", "0"),
        thing("Pen", inside=oid("Desk")),
        thing("Desk"),
        thing("LightSwitch", isToggled=True),
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
        ("Toast", (), thing("BreadSliced", isCooked=True), thing("BreadSliced")),
        (
            "Omelette",
            (),
            thing("EggCracked", isCooked=True),
            thing("Egg", isCooked=True),
        ),
        (
            "Boil X",
            ("Potato",),
            thing("Potato", simbotIsBoiled=True),
            thing("Potato", simbotIsCooked=True, isCooked=True),
        ),
        (
            "Poach Egg",
            (),
            thing("EggCracked", simbotIsBoiled=True),
            thing("EggCracked", isCooked=True),
        ),
        (
            "Water Plant",
            (),
            thing("HousePlant", isFilledWithLiquid=True),
            thing("HousePlant"),
        ),
        (
            "Toggle X All Y",
            ("off", "0", "Lights"),
            thing("DeskLamp"),
            thing("DeskLamp", isToggled=True),
        ),
        (
            "Coffee",
            (),
            thing("Mug", simbotIsFilledWithCoffee=True),
            thing("Cup", simbotIsFilledWithCoffee=True),
        ),
    ],
)
def test_a_task_takes_what_it_asks_for_and_nothing_like_it(
    name: str, params: tuple[str, ...], done: ObjectState, undone: ObjectState
) -> None:
    assert check(name, params, done).success
    assert not check(name, params, undone).success
