"""Components: how many, which candidates, which problems (spec sections 3.3-3.6)."""

from tatc.state import ABSENT, AgentState, Snapshot
from tatc.tdl import ProblemKey, Task, TaskDefinition
from tatc.tdl.definition import Atomic
from tests.tdl.things import LIBRARY, check, counts, oid, room, thing

WATER = "simbotIsFilledWithWater"


def test_a_number_multiplies_down_into_the_task() -> None:
    """Two toasts are wanted, so two slices are: one of two is half of the work."""
    progress = check("Sandwich", ("0", "0"), thing("BreadSliced", isCooked=True))
    toast = progress.subgoals[0]
    assert (toast.goal_conditions_satisfied, toast.goal_conditions_total) == (2, 4)
    assert toast.description == "2 x Toast a slice of bread."


def test_nothing_of_a_kind_leaves_no_trace() -> None:
    progress = check("Sandwich", ("0", "0"), thing("Tomato"))
    assert [subgoal.description for subgoal in progress.subgoals[:-1]] == [
        "2 x Toast a slice of bread.",
        "Get one clean Plate.",
    ]


def test_whole_bread_stands_in_for_each_missing_toast() -> None:
    """Whole bread is not toasted, so it does not yet stand for many slices."""
    progress = check("Sandwich", ("0", "0"), thing("Bread", 1), thing("Bread", 2))
    keys = [key for key in progress.problem_keys() if key.object_type == "Bread"]
    assert {key.object_id for key in keys} == {oid("Bread", 1), oid("Bread", 2)}


def test_what_a_whole_already_meets_counts() -> None:
    progress = check("Sandwich", ("0", "0"), thing("Bread", isCooked=True))
    assert progress.subgoals[0].goal_conditions_satisfied == 1


def test_a_sliceable_whole_lowers_the_number_of_problems() -> None:
    whole = check("Sliced X", ("Tomato",), thing("Tomato", 1), thing("Tomato", 2))
    assert [key.object_id for key in whole.problem_keys()] == [oid("Tomato", 1)]


def test_candidates_found_after_success_are_not_kept() -> None:
    clean, dirty = thing("Plate", 1), thing("Plate", 2, isDirty=True)
    before = check("Clean X", ("Plate",), dirty, clean)
    after = check("Clean X", ("Plate",), clean, dirty)
    assert before.candidate_objects == (dirty,)
    assert after.candidate_objects == ()
    assert before.satisfied_objects == after.satisfied_objects == (clean,)


def test_all_satisfied_objects_are_collected() -> None:
    plates = [thing("Plate", n) for n in (1, 2, 3)]
    assert check("Clean X", ("Plate",), *plates).satisfied_objects == tuple(plates)


def test_the_most_advanced_candidate_is_the_problem_then_the_first() -> None:
    fresh = thing("PotatoSliced", 1)
    other = thing("PotatoSliced", 2)
    progress = check("Cooked Slice Of X", ("Potato",), thing("Potato"), fresh, other)
    assert progress.problem_keys() == (
        ProblemKey(oid("PotatoSliced", 1), "PotatoSliced", "a", "simbotIsCooked", 1),
    )


def test_nearest_first_decides_between_equals_only() -> None:
    task = LIBRARY.compile("Coffee")
    far = thing("Mug", 1, at=(3.0, 0.0, 0.0))
    near = thing("Mug", 2, at=(1.0, 0.0, 0.0))
    dirty = thing("Mug", 3, isDirty=True)
    snapshot = room(dirty, far, near)
    first = task.check(snapshot).problem_keys()
    nearest = task.check(snapshot, nearest_first=True).problem_keys()
    assert [key.object_id for key in first] == [oid("Mug", 1)]
    assert [key.object_id for key in nearest] == [oid("Mug", 2)]
    beside = AgentState((3.0, 0.0, 0.0), 0.0, 0.0)
    moved = Snapshot.of(snapshot.objects, beside, beside)
    (key,) = task.check(moved, nearest_first=True).problem_keys()
    assert key.object_id == oid("Mug", 1)


def test_all_lists_every_problem() -> None:
    progress = check(
        "Clean All X",
        ("Drinkware",),
        thing("Mug", 1, isDirty=True),
        thing("Cup", 1),
        thing("Cup", 2, isDirty=True),
        thing("Sink"),
    )
    assert counts(progress) == (False, 6, 8)
    assert [key.object_id for key in progress.problem_keys()] == [
        oid("Mug", 1),
        oid("Cup", 2),
    ]


def test_classes_decide_where_a_class_is_asked_for() -> None:
    """Slices carry their parent's classes until a capture: they are fruit too."""
    slice_ = thing("TomatoSliced", simbotObjectClass=("Tomato", "Food", "Fruit"))
    lost = thing("Tomato", simbotObjectClass=ABSENT)
    progress = check("Clean All X", ("Tomato",), slice_, lost, thing("Sink"))
    assert progress.satisfied_objects == (slice_,)


def test_the_order_of_the_snapshot_decides_across_types() -> None:
    basin, sink = thing("SinkBasin", isDirty=True), thing("Sink")
    progress = check("Put All X On Y", ("Fork", "in", "Sink"), basin, sink)
    assert counts(progress) == (True, 2, 2)
    cracked = thing("EggCracked")
    egg = thing("Egg", isCooked=True)
    first = check("Omelette", (), egg, cracked)
    second = check("Omelette", (), cracked, egg)
    assert first.problem_keys()[0].object_id == egg.objectId
    assert second.problem_keys()[0].object_id == cracked.objectId


def test_a_task_without_an_anchor_has_no_objects() -> None:
    progress = check("Water Plant", (), thing("HousePlant"))
    assert (progress.satisfied_objects, progress.candidate_objects) == (None, None)


def test_equal_values_of_other_types_are_different_wants() -> None:
    """1 asks for truth and True for equality; one must not stand for the other."""
    parts = tuple(
        (key, Atomic("a", "objectType", False, (("objectType", "Pot"), (WATER, want))))
        for key, want in (("truth", 1), ("equality", True))
    )
    task = Task(TaskDefinition(1, "Water", "", None, parts, (), params=()))
    progress = task.check(room(thing("Pot", simbotIsFilledWithWater=2)))
    assert [subgoal.success for subgoal in progress.subgoals] == [True, False]
