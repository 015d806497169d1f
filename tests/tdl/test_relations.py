"""Relations: heads in any tail, or all in one (spec section 3.7)."""

from tatc.tdl import ProblemKey
from tests.tdl.checker_rooms import check_task, goal_condition_counts, make_object, object_id

DRAWER = object_id("Drawer", 1)
PLATE = object_id("Plate", 1)


def test_without_a_tail_there_is_nothing_to_say() -> None:
    progress = check_task("Put All X In One Y", ("Fork", "in", "Drawer"), make_object("Fork"))
    relation = progress.subgoals[-1]
    assert (relation.success, relation.steps, relation.problem_keys) == (False, (), ())
    assert relation.to_json()["problem_keys"] == []
    assert relation.goal_conditions_total == 1


def test_a_problem_key_names_all_receptacles_that_would_do() -> None:
    progress = check_task(
        "Put All X On Y",
        ("Fork", "in", "Drawer"),
        make_object("Drawer", 1),
        make_object("Drawer", 2),
        make_object("Fork", 1),
    )
    assert progress.problem_keys() == (
        ProblemKey(
            object_id("Fork", 1),
            "Fork",
            "all",
            "parentReceptacles",
            "Drawer",
            (DRAWER, object_id("Drawer", 2)),
        ),
    )


def test_a_problem_key_names_the_type_of_the_first_receptacle() -> None:
    basin, sink = make_object("SinkBasin"), make_object("Sink")
    for tails in ((basin, sink), (sink, basin)):
        progress = check_task("Put All X On Y", ("Fork", "in", "Sink"), *tails, make_object("Fork"))
        (key,) = progress.problem_keys()
        assert key.desired == tails[0].objectType
        assert key.targets == tuple(tail.objectId for tail in tails)


def test_only_as_many_heads_as_are_lacking_are_named() -> None:
    progress = check_task(
        "N Slices Of X In Y",
        ("2", "Tomato", "on", "Plate"),
        make_object("Plate"),
        make_object("Sink"),
        make_object("Knife"),
        make_object("TomatoSliced", 1, inside=PLATE),
        *(make_object("TomatoSliced", n) for n in (2, 3, 4)),
    )
    assert goal_condition_counts(progress) == (False, 8, 9)
    assert [key.object_id for key in progress.problem_keys()] == [object_id("TomatoSliced", 2)]


def test_heads_are_only_what_already_meets_the_sub_task() -> None:
    """A raw slice on the plate is not yet a cooked slice on the plate."""
    progress = check_task(
        "N Cooked Slices Of X In Y",
        ("1", "Potato", "on", "Plate"),
        make_object("Plate"),
        make_object("Sink"),
        make_object("Knife"),
        make_object("PotatoSliced", inside=PLATE),
    )
    relation = progress.subgoals[-1]
    assert (relation.success, relation.goal_conditions_satisfied) == (False, 0)
    assert [key.property_name for key in progress.problem_keys()] == ["simbotIsCooked"]


def test_any_receptacle_of_several_counts_and_the_record_where_the_backend_does_not_say() -> None:
    for where in (
        {"parentReceptacles": ("Shelf|1", DRAWER)},
        {"simbotLastParentReceptacle": DRAWER},
    ):
        objects = make_object("Drawer"), make_object("Fork", **where)
        assert check_task("Put All X On Y", ("Fork", "in", "Drawer"), *objects).success
