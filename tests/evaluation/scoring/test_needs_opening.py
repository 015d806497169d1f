"""Where a task cannot be done without opening something."""

from dataclasses import replace

import pytest

from tatc.evaluation.scoring.lower_bound import needs_opening
from tatc.home.state import ObjectState, Snapshot
from tatc.tdl import Task, TaskDefinition, assign_classes, shipped_library
from tatc.tdl.definition import AtomicComponent
from tests.sim.box_kitchen import kitchen, make_object, with_parents


def _task(name: str, *params: str) -> Task:
    return shipped_library().compile(name, params)


def _start(*more: ObjectState, shut: tuple[str, ...] = ()) -> Snapshot:
    """Return the little kitchen with things of these types moved into its fridge."""
    start = kitchen().initial
    [fridge] = start.of_type("Fridge")
    objects = [
        with_parents(each, fridge) if each.objectType in shut else each
        for each in (*start.objects, *more)
    ]
    return Snapshot.from_objects(assign_classes(objects), start.commander, start.follower)


@pytest.mark.parametrize(
    ("task", "shut", "needed"),
    [
        (("Coffee",), (), False),
        (("Coffee",), ("Mug",), True),
        (("Coffee",), ("Plate",), False),
        (("Boil X", "Potato"), ("Potato",), True),
        (("Clean All X", "Plate"), ("Plate",), True),
        (("Clean All X", "Plate"), ("Knife",), False),
        (("Put All X On Y", "Spoon", "in", "Drawer"), (), True),
        (("Sliced X", "Tomato"), ("Knife",), True),
    ],
)
def test_what_is_shut_in_has_to_be_let_out(
    task: tuple[str, ...], shut: tuple[str, ...], needed: bool
) -> None:
    spoon = make_object("Spoon", (-0.5, 0.82, -1.0), (0.03, 0.02, 0.15))
    assert needs_opening(_task(*task), _start(spoon, shut=shut)) is needed


def test_another_one_outside_will_do() -> None:
    other = make_object("Mug", (-0.3, 0.82, -1.2), (0.1, 0.1, 0.1))
    start = _start(shut=("Mug",))
    both = Snapshot.from_objects(
        assign_classes((*start.objects, other)), start.commander, start.follower
    )
    assert needs_opening(_task("Coffee"), start)
    assert not needs_opening(_task("Coffee"), both)
    # All of them are asked for: the one inside too.
    dirty = [replace(t, isDirty=True) if t.objectType == "Mug" else t for t in both.objects]
    every = Snapshot.from_objects(dirty, start.commander, start.follower)
    assert needs_opening(_task("Clean All X", "Mug"), every)


def test_any_knife_cuts() -> None:
    butter = make_object("ButterKnife", (-0.3, 0.82, -1.2), (0.03, 0.02, 0.2))
    start = _start(butter, shut=("Knife",))
    assert not needs_opening(_task("Sliced X", "Tomato"), start)


def test_what_stands_open_shuts_nothing_in() -> None:
    start = _start(shut=("Mug",))
    open_ = [replace(t, isOpen=True) if t.objectType == "Fridge" else t for t in start.objects]
    ajar = Snapshot.from_objects(open_, start.commander, start.follower)
    assert not needs_opening(_task("Coffee"), ajar)


@pytest.mark.parametrize("shut", [(), ("Mug",)])
def test_a_number_may_be_given_as_one(shut: tuple[str, ...]) -> None:
    conditions = (("objectType", "Mug"), ("simbotIsFilledWithCoffee", 1))
    for one in (1, "1"):
        mug = AtomicComponent(one, "objectType", False, conditions)
        task = Task(TaskDefinition(1, "Fill", "", None, (("mug", mug),), (), params=()))
        assert needs_opening(task, _start(shut=shut)) is bool(shut)
