"""Components: how many, which candidates, which problems (spec sections 3.3-3.6)."""

import pytest

from tatc.home.state import ABSENT, AgentState, ObjectState, Snapshot
from tatc.tdl import ProblemKey
from tatc.tdl.definition import AtomicComponent, NestedTask
from tatc.tdl.linking import expand_macros
from tests.tdl.checker_rooms import (
    LIBRARY,
    check_task,
    goal_condition_counts,
    make_object,
    make_snapshot,
    object_id,
    task_of,
)


def test_a_number_multiplies_down_into_the_task() -> None:
    """Two toasts are wanted, so two slices are: one of two is half of the work."""
    progress = check_task("Sandwich", ("0", "0"), make_object("BreadSliced", isCooked=True))
    toast = progress.subgoals[0]
    assert (toast.goal_conditions_satisfied, toast.goal_conditions_total) == (2, 4)
    assert toast.description == "2 x Toast a slice of bread."


def test_nothing_of_a_kind_leaves_no_trace() -> None:
    progress = check_task("Sandwich", ("0", "0"), make_object("Tomato"))
    assert [subgoal.description for subgoal in progress.subgoals[:-1]] == [
        "2 x Toast a slice of bread.",
        "Get one clean Plate.",
    ]


def test_whole_bread_stands_in_for_each_missing_toast() -> None:
    """Whole bread is not toasted, so it does not yet stand for many slices."""
    progress = check_task("Sandwich", ("0", "0"), make_object("Bread", 1), make_object("Bread", 2))
    keys = [key for key in progress.problem_keys() if key.object_type == "Bread"]
    assert {key.object_id for key in keys} == {object_id("Bread", 1), object_id("Bread", 2)}


def test_what_a_whole_already_meets_counts() -> None:
    progress = check_task("Sandwich", ("0", "0"), make_object("Bread", isCooked=True))
    assert progress.subgoals[0].goal_conditions_satisfied == 1


def test_a_whole_that_needs_only_the_knife_lowers_it_to_one() -> None:
    conditions = (("objectType", "PotatoSliced"), ("simbotIsCooked", 1))
    task = task_of(AtomicComponent("2", "objectType", False, conditions))
    slice_ = make_object("PotatoSliced")
    for cooked, count in ((True, 1), (False, 2)):
        potato = make_object("Potato", simbotIsCooked=cooked)
        progress = task.check(make_snapshot(potato, slice_))
        assert len({key.object_id for key in progress.problem_keys()}) == count


def test_a_whole_is_none_of_all_slices_wherever_its_type_was_read() -> None:
    """Equal texts of a file are different strings."""
    conditions = (("objectType", "PotatoSliced"), ("simbotIsCooked", 1))
    task = task_of(AtomicComponent("all", "objectType", False, conditions))
    whole = make_object("".join(["Pot", "ato"]))
    progress = task.check(make_snapshot(whole, make_object("PotatoSliced")))
    assert goal_condition_counts(progress) == (False, 1, 2)


def test_candidates_found_after_success_are_not_kept() -> None:
    clean, dirty = make_object("Plate", 1), make_object("Plate", 2, isDirty=True)
    before = check_task("Clean X", ("Plate",), dirty, clean)
    after = check_task("Clean X", ("Plate",), clean, dirty)
    assert before.candidate_objects == (dirty,)
    assert after.candidate_objects == ()
    assert before.satisfied_objects == after.satisfied_objects == (clean,)


def test_the_most_advanced_candidate_is_the_problem_then_the_first() -> None:
    fresh = make_object("PotatoSliced", 1)
    other = make_object("PotatoSliced", 2)
    progress = check_task("Cooked Slice Of X", ("Potato",), make_object("Potato"), fresh, other)
    assert progress.problem_keys() == (
        ProblemKey(object_id("PotatoSliced", 1), "PotatoSliced", "a", "simbotIsCooked", 1),
    )


def test_nearest_first_decides_between_equals_only() -> None:
    task = LIBRARY.compile("Coffee")
    far = make_object("Mug", 1, at=(3.0, 0.0, 0.0))
    near = make_object("Mug", 2, at=(1.0, 0.0, 0.0))
    dirty = make_object("Mug", 3, isDirty=True)
    snapshot = make_snapshot(dirty, far, near)
    first = task.check(snapshot).problem_keys()
    nearest = task.check(snapshot, nearest_first=True).problem_keys()
    assert [key.object_id for key in first] == [object_id("Mug", 1)]
    assert [key.object_id for key in nearest] == [object_id("Mug", 2)]
    beside = AgentState((3.0, 0.0, 0.0), 0.0, 0.0)
    moved = Snapshot.from_objects(snapshot.objects, beside, beside)
    (key,) = task.check(moved, nearest_first=True).problem_keys()
    assert key.object_id == object_id("Mug", 1)


def test_classes_decide_where_a_class_is_asked_for() -> None:
    """Slices carry their parent's classes until a capture: they are fruit too."""
    slice_ = make_object("TomatoSliced", simbotObjectClass=("Tomato", "Food", "Fruit"))
    lost = make_object("Tomato", simbotObjectClass=ABSENT)
    progress = check_task("Clean All X", ("Tomato",), slice_, lost, make_object("Sink"))
    assert progress.satisfied_objects == (slice_,)


def test_the_order_of_the_snapshot_decides_across_types() -> None:
    basin, sink = make_object("SinkBasin", isDirty=True), make_object("Sink")
    progress = check_task("Put All X On Y", ("Fork", "in", "Sink"), basin, sink)
    assert goal_condition_counts(progress) == (True, 2, 2)
    cracked = make_object("EggCracked")
    egg = make_object("Egg", isCooked=True)
    first = check_task("Omelette", (), egg, cracked)
    second = check_task("Omelette", (), cracked, egg)
    assert first.problem_keys()[0].object_id == egg.objectId
    assert second.problem_keys()[0].object_id == cracked.objectId


def test_any_property_may_be_the_one_that_makes_a_candidate() -> None:
    conditions = (("parentReceptacles", "Sink"), ("isDirty", 0))
    task = task_of(AtomicComponent("all", "parentReceptacles", False, conditions), anchor="0")
    sink, fork = make_object("Sink"), make_object("Fork")
    cup = make_object("Cup", inside=sink.objectId)
    assert task.check(make_snapshot(sink, fork, cup)).satisfied_objects == (cup,)


def test_a_number_may_be_given_as_one() -> None:
    def check(two: str | int) -> tuple[bool, int, int]:
        task = task_of(NestedTask(two, LIBRARY.find("Coffee"), ()))
        return goal_condition_counts(task.check(make_snapshot(make_object("Mug"))))

    assert check(2) == check("2") == (False, 2, 6)


def test_a_task_without_an_anchor_has_no_objects() -> None:
    progress = check_task("Water Plant", (), make_object("HousePlant"))
    assert (progress.satisfied_objects, progress.candidate_objects) == (None, None)


def test_equal_values_of_other_types_are_different_wants() -> None:
    """1 asks for truth and True for equality; one must not stand for the other."""
    wants = ((("objectType", "Pot"), ("simbotIsFilledWithWater", want)) for want in (1, True))
    task = task_of(*(AtomicComponent("a", "objectType", False, want) for want in wants))
    progress = task.check(make_snapshot(make_object("Pot", simbotIsFilledWithWater=2)))
    assert [subgoal.success for subgoal in progress.subgoals] == [True, False]


KITCHEN = (make_object("Knife"), make_object("Sink"))


@pytest.mark.parametrize(
    ("name", "params", "things", "missing"),
    [
        ("Coffee", (), (make_object("Mug", isDirty=True),), ()),
        ("Coffee", (), (make_object("Cup"),), ("Mug",)),
        ("Sliced X", ("Tomato",), (make_object("Tomato"), *KITCHEN), ()),
        ("Sliced X", ("Tomato",), (make_object("TomatoSliced"), *KITCHEN), ()),
        ("Sliced X", ("Tomato",), (make_object("Apple"), *KITCHEN), ("Tomato",)),
        ("Sliced X", ("Tomato",), (make_object("Tomato"),), ("Knife",)),
        ("Omelette", (), (make_object("Egg"),), ()),
        ("Omelette", (), (make_object("EggCracked"),), ()),
        ("Omelette", (), (make_object("Bread"),), ("Egg",)),
        ("Clean X", ("Drinkware",), (make_object("Cup"), make_object("SinkBasin")), ()),
        ("Clean All X", ("Mug",), (make_object("Sink"),), ("Mug",)),
        ("Clean All X", ("Mug",), (make_object("Sink"), make_object("Mug")), ()),
        ("Put All X On Y", ("Fork", "in", "Sink"), (make_object("Fork"),), ("Sink",)),
        # Whether a sink can hold anything is no primary condition.
        ("Put All X On Y", ("Fork", "on", "Mug"), (make_object("Fork"), make_object("Mug")), ()),
    ],
)
def test_one_kind_at_a_time(
    name: str, params: tuple[str, ...], things: tuple[ObjectState, ...], missing: tuple[str, ...]
) -> None:
    task = LIBRARY.compile(name, params)
    assert task.missing_requirements(make_snapshot(*things)) == missing
    assert task.preconditions_hold(make_snapshot(*things)) is not bool(missing)


def test_one_whole_food_makes_any_number_of_slices() -> None:
    task = LIBRARY.compile("N Slices Of X In Y", ("5", "Tomato", "on", "Plate"))
    assert task.preconditions_hold(
        make_snapshot(make_object("Tomato"), make_object("Plate"), *KITCHEN)
    )
    slices = [make_object("TomatoSliced", n) for n in range(4)]
    assert not task.preconditions_hold(make_snapshot(*slices, make_object("Plate"), *KITCHEN))


def test_numbers_multiply_and_none_are_skipped() -> None:
    params = ("2", "0", "0", "Plate", "0", "Plate", *"0000000", "CounterTop")
    task = LIBRARY.compile("Breakfast", params)
    counter, one, two = (make_object("CounterTop"), make_object("Mug", 1), make_object("Mug", 2))
    assert task.missing_requirements(make_snapshot(counter, one)) == ("2 Mug",)
    assert task.preconditions_hold(make_snapshot(counter, one, two))


def test_all_of_a_kind_are_one_at_least_however_often_they_are_asked_for() -> None:
    clean = expand_macros(LIBRARY.find("Clean All X"), ("Mug",))
    task = task_of(NestedTask("2", clean, ("Mug",)))
    assert task.missing_requirements(make_snapshot(make_object("Sink"))) == ("Mug",)
    assert task.preconditions_hold(make_snapshot(make_object("Sink"), make_object("Mug")))
