"""What holds for every task in every room."""

import copy
import json

from hypothesis import given, settings, strategies as st

from tatc.home.state import ABSENT, ObjectState
from tatc.tdl import Progress, Task, assign_classes
from tatc.tdl.properties import types_matching
from tests.tdl.checker_rooms import (
    LIBRARY,
    goal_condition_counts,
    make_object,
    make_snapshot,
    object_id,
)

PARAMS = {
    "Clean X": ("Plate",),
    "Sliced X": ("Tomato",),
    "Cooked Slice Of X": ("Potato",),
    "N Cooked Slices Of X In Y": ("2", "Potato", "in", "Bowl"),
    "N Slices Of X In Y": ("3", "Tomato", "on", "Plate"),
    "Put All X On Y": ("Tableware", "on", "Tables"),
    "Put All X In One Y": ("Dishware", "in", "Sink"),
    "Boil X": ("Potato",),
    "Clean All X": ("Dishware",),
    "Toggle X All Y": ("off", "0", "Lights"),
    "Breakfast": tuple("2 1 1 Bowl 1 Plate 2 1 0 1 1 1 1 DiningTable".split()),
    "Sandwich": ("1", "2"),
    "Salad": ("2", "0", "1"),
    "Workspace": ("2", "1", "1"),
    "Examine In Light": ("Book", "DeskLamp"),
    "Pick And Place": ("Mug", "SideTable"),
    "Place In A Movable Receptacle": ("Knife", "Bowl", "DiningTable"),
    "Clean And Place": ("Plate", "Drawer"),
    "Heat And Place": ("PotatoSliced", "DiningTable"),
    "Cool And Place": ("TomatoSliced", "SideTable"),
    "Place Two Together": ("Mug", "DiningTable"),
}
TASKS = [LIBRARY.compile(name, PARAMS.get(name, ())) for name in LIBRARY.names()]
KINDS = (
    *("Bread", "BreadSliced", "Tomato", "TomatoSliced", "Potato", "PotatoSliced"),
    *("LettuceSliced", "AppleSliced", "Egg", "EggCracked", "Knife", "Mug", "HousePlant"),
    *("Plate", "Bowl", "Sink", "SinkBasin", "DiningTable", "SideTable", "DeskLamp"),
    *("LightSwitch", "Candle", "Bathtub", "Laptop", "Book", "Drawer", "HousePlant"),
)
IRRELEVANT = "Boots"
FLAGS = st.sampled_from([True, False, ABSENT])


@st.composite
def things(draw: st.DrawFn) -> list[ObjectState]:
    """Draw a room's objects, some in or on others, with any state."""
    kinds = draw(st.lists(st.sampled_from(KINDS), max_size=14))
    ids = [object_id(kind, n) for n, kind in enumerate(kinds)]
    parents = st.lists(st.sampled_from(ids or ["none"]), max_size=2).map(tuple)
    return [
        make_object(
            kind,
            n,
            isDirty=draw(st.booleans()),
            isCooked=draw(st.booleans()),
            isToggled=draw(st.booleans()),
            simbotIsCooked=draw(FLAGS),
            simbotIsBoiled=draw(FLAGS),
            simbotIsFilledWithCoffee=draw(FLAGS),
            simbotLastParentReceptacle=draw(st.sampled_from([*ids, None, ABSENT])),
            parentReceptacles=draw(st.none() | parents),
        )
        for n, kind in enumerate(kinds)
    ]


tasks = st.sampled_from(TASKS)


def _text(progress: Progress) -> str:
    return json.dumps(progress.to_json())


@given(tasks, things())
@settings(max_examples=50)
def test_checking_changes_nothing_and_repeats(task: Task, objects: list[ObjectState]) -> None:
    snapshot = make_snapshot(*objects)
    before = copy.deepcopy(snapshot.objects)
    first = task.check(snapshot)
    assert _text(first) == _text(task.check(snapshot))
    assert snapshot.objects == before


@given(tasks, things(), st.integers(0, 14))
@settings(max_examples=50)
def test_what_the_task_does_not_name_does_not_matter(
    task: Task, objects: list[ObjectState], place: int
) -> None:
    boots = make_object(IRRELEVANT, 99, isDirty=True, simbotIsCooked=True)
    more = [*objects[:place], boots, *objects[place:]]
    assert _text(task.check(make_snapshot(*objects))) == _text(task.check(make_snapshot(*more)))


@given(tasks, things())
@settings(max_examples=150)
def test_success_is_that_of_all_subgoals_and_counts_are_their_sums_and_keys_are_true(
    task: Task, objects: list[ObjectState]
) -> None:
    """A key names an object of the room with its type, and something it is not."""
    snapshot = make_snapshot(*objects)
    progress = task.check(snapshot)
    subgoals = progress.subgoals
    assert goal_condition_counts(progress) == (
        all(subgoal.success for subgoal in subgoals),
        sum(subgoal.goal_conditions_satisfied for subgoal in subgoals),
        sum(subgoal.goal_conditions_total for subgoal in subgoals),
    )
    if progress.success:
        assert progress.problem_keys() == ()
        assert progress.goal_conditions_satisfied >= progress.goal_conditions_total
    for key in progress.problem_keys():
        it = snapshot.get(key.object_id)
        assert it is not None
        assert it.objectType == key.object_type
        if key.property_name in ("isDirty", "isCooked", "isToggled"):
            assert getattr(it, key.property_name) != bool(key.desired)
        if key.property_name == "parentReceptacles":
            inside = it.parentReceptacles or ()
            wanted = (t.objectId for t in snapshot.of_type(*types_matching(key.desired)))
            assert set(inside).isdisjoint(key.targets or wanted)


@given(things())
@settings(max_examples=50)
def test_classes_are_assigned_once(objects: list[ObjectState]) -> None:
    unset = [
        make_object(each.objectType, n, simbotObjectClass=ABSENT) for n, each in enumerate(objects)
    ]
    assigned = assign_classes(unset)
    assert [each.simbotObjectClass for each in assigned] == [
        each.simbotObjectClass for each in objects
    ]
    assert all(a is b for a, b in zip(assign_classes(assigned), assigned, strict=True))
