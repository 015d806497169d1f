"""ALFRED's goal conditions, type by type, with what counts and what does not."""

from dataclasses import replace

import pytest

from tatc.evaluation.alfred.alfred_conditions import goal_conditions
from tatc.home.state import Affordances, AgentState, ObjectState, Snapshot
from tatc.session.records.trajectory import TaskType, TrajectoryTask
from tests.object_factory import PORTABLE, make_object

AGENT = AgentState((0.0, 0.9, 0.0), 0.0, 0.0)
TABLE = make_object("DiningTable", (0, 0.5, 1), affordances=Affordances(receptacle=True))
SHELF = make_object("Shelf", (2, 0.5, 1), affordances=Affordances(receptacle=True))
LAMP = make_object("DeskLamp", (0, 1, 1), affordances=Affordances(toggleable=True))


def _thing(kind: str, n: int = 0, *parents: ObjectState, **state: bool) -> ObjectState:
    able = replace(PORTABLE, receptacle=kind == "Bowl")
    made = make_object(kind, (n, 1.0, 1.0), affordances=able)
    ids = tuple(parent.objectId for parent in parents)
    return replace(made, parentReceptacles=ids, **state)


def _counts(
    kind: TaskType, name: str, *objects: ObjectState, sliced: bool = False, seen: bool = True
) -> tuple[int, int]:
    task = TrajectoryTask(kind, name, "DiningTable", "Bowl", "DeskLamp", sliced)
    now = Snapshot.from_objects((TABLE, SHELF, LAMP, *objects), AGENT, AGENT)
    found = goal_conditions(task, now, lambda obj: seen)
    return found.met, found.total


@pytest.mark.parametrize(
    ("kind", "mark"),
    [
        (TaskType.HEAT, "wasHeated"),
        (TaskType.COOL, "wasCooled"),
        (TaskType.CLEAN, "wasCleaned"),
    ],
)
def test_changed_and_placed_and_both_at_once(kind: TaskType, mark: str) -> None:
    assert _counts(kind, "Mug", _thing("Mug")) == (0, 3)
    assert _counts(kind, "Mug", _thing("Mug", 0, TABLE)) == (1, 3)
    assert _counts(kind, "Mug", _thing("Mug", 0, TABLE), _thing("Mug", 1, **{mark: True})) == (2, 3)
    assert _counts(kind, "Mug", _thing("Mug", 0, TABLE, **{mark: True})) == (3, 3)


def test_simple() -> None:
    assert _counts(TaskType.SIMPLE, "Mug", _thing("Mug", 0, SHELF)) == (0, 1)
    assert _counts(TaskType.SIMPLE, "Mug", _thing("Mug", 0, TABLE)) == (1, 1)


def test_two_count_within_one_receptacle() -> None:
    other = replace(TABLE, objectId="DiningTable|+09.00|+00.50|+01.00")
    mugs = [_thing("Mug", 0, TABLE), _thing("Mug", 1, other)]
    assert _counts(TaskType.TWO, "Mug", other, *mugs) == (1, 2)
    assert _counts(TaskType.TWO, "Mug", mugs[0], _thing("Mug", 1, TABLE)) == (2, 2)
    three = [_thing("Mug", n, TABLE) for n in range(3)]
    assert _counts(TaskType.TWO, "Mug", *three) == (2, 2)


def test_movable_is_placed_with_the_object_in_it() -> None:
    bowl, away = _thing("Bowl", 0, TABLE), _thing("Bowl", 1, SHELF)
    assert _counts(TaskType.MOVABLE, "Fork", bowl, away, _thing("Fork", 0, away, SHELF)) == (1, 3)
    assert _counts(TaskType.MOVABLE, "Fork", bowl, _thing("Fork", 0, bowl, TABLE)) == (3, 3)


def test_look_needs_a_visible_lamp() -> None:
    on, held = replace(LAMP, isToggled=True), _thing("Mug", isPickedUp=True)
    task = TrajectoryTask(TaskType.LOOK, "Mug", "", "", "DeskLamp", False)
    now = Snapshot.from_objects((on, held), AGENT, AGENT)
    assert goal_conditions(task, now, lambda obj: True).met == 2
    assert goal_conditions(task, now, lambda obj: False).met == 1
    assert _counts(TaskType.LOOK, "Mug", held) == (1, 2)
    lit = Snapshot.from_objects((on, replace(held, isPickedUp=False)), AGENT, AGENT)
    assert goal_conditions(task, lit, lambda obj: True).met == 1


def test_slices_add_a_condition_and_a_cut_whole_is_gone() -> None:
    slices = [
        replace(_thing("AppleSliced", n, TABLE), objectId=f"Apple|0|1|1|AppleSliced_{n}")
        for n in range(2)
    ]
    whole = _thing("Apple", 0, TABLE)
    assert _counts(TaskType.SIMPLE, "Apple", whole, sliced=True) == (0, 2)
    assert _counts(TaskType.SIMPLE, "Apple", *slices, sliced=True) == (2, 2)
    assert _counts(TaskType.TWO, "Apple", slices[0], sliced=True) == (2, 4)
    assert _counts(TaskType.TWO, "Apple", *slices, sliced=True) == (4, 4)
    cut = replace(whole, isSliced=True)
    assert _counts(TaskType.SIMPLE, "Apple", cut) == (0, 1)


def test_types_are_looked_up_by_a_part_of_the_id() -> None:
    assert _counts(TaskType.SIMPLE, "Pot", _thing("Potato", 0, TABLE)) == (1, 1)
