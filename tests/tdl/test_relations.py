"""Relations: heads in any tail, or all in one (spec section 3.7)."""

from tatc.tdl import ProblemKey
from tests.tdl.things import check, counts, oid, thing

DRAWER = oid("Drawer", 1)
PLATE = oid("Plate", 1)


def test_without_a_tail_there_is_nothing_to_say() -> None:
    progress = check("Put All X In One Y", ("Fork", "in", "Drawer"), thing("Fork"))
    relation = progress.subgoals[-1]
    assert (relation.success, relation.steps, relation.problem_keys) == (False, (), ())
    assert relation.to_json()["problem_keys"] == []
    assert relation.goal_conditions_total == 1


def test_any_tail_will_do_for_each_head() -> None:
    progress = check(
        "Put All X On Y",
        ("Fork", "in", "Drawer"),
        thing("Drawer", 1),
        thing("Drawer", 2),
        thing("Fork", 1, inside=DRAWER),
        thing("Fork", 2, inside=oid("Drawer", 2)),
    )
    assert counts(progress) == (True, 4, 4)
    (step,) = progress.subgoals[-1].steps
    assert (step.success, step.object_id) == (True, oid("Fork", 1))


def test_a_problem_key_names_all_receptacles_that_would_do() -> None:
    progress = check(
        "Put All X On Y",
        ("Fork", "in", "Drawer"),
        thing("Drawer", 1),
        thing("Drawer", 2),
        thing("Fork", 1),
    )
    assert progress.problem_keys() == (
        ProblemKey(
            oid("Fork", 1),
            "Fork",
            "all",
            "parentReceptacles",
            "Drawer",
            (DRAWER, oid("Drawer", 2)),
        ),
    )


def test_the_fullest_receptacle_is_the_one_to_go_on_with() -> None:
    progress = check(
        "Put All X In One Y",
        ("Fork", "in", "Drawer"),
        thing("Drawer", 1),
        thing("Drawer", 2),
        thing("Fork", 1),
        thing("Fork", 2, inside=oid("Drawer", 2)),
    )
    (key,) = progress.problem_keys()
    assert (key.object_id, key.targets) == (oid("Fork", 1), (oid("Drawer", 2),))


def test_only_as_many_heads_as_are_lacking_are_named() -> None:
    progress = check(
        "N Slices Of X In Y",
        ("2", "Tomato", "on", "Plate"),
        thing("Plate"),
        thing("Sink"),
        thing("Knife"),
        thing("TomatoSliced", 1, inside=PLATE),
        *(thing("TomatoSliced", n) for n in (2, 3, 4)),
    )
    assert counts(progress) == (False, 8, 9)
    assert [key.object_id for key in progress.problem_keys()] == [
        oid("TomatoSliced", 2)
    ]


def test_heads_are_only_what_already_meets_the_sub_task() -> None:
    """A raw slice on the plate is not yet a cooked slice on the plate."""
    progress = check(
        "N Cooked Slices Of X In Y",
        ("1", "Potato", "on", "Plate"),
        thing("Plate"),
        thing("Sink"),
        thing("Knife"),
        thing("PotatoSliced", inside=PLATE),
    )
    relation = progress.subgoals[-1]
    assert (relation.success, relation.goal_conditions_satisfied) == (False, 0)
    assert [key.property_name for key in progress.problem_keys()] == ["simbotIsCooked"]


def test_things_in_two_dishes_are_not_in_one() -> None:
    things = [
        thing("Plate", 1),
        thing("Plate", 2),
        thing("Sink"),
        thing("Knife"),
        thing("LettuceSliced", inside=PLATE),
    ]
    params = ("1", "1", "0")
    apart = thing("TomatoSliced", inside=oid("Plate", 2))
    together = thing("TomatoSliced", inside=PLATE)
    assert not check("Salad", params, *things, apart).success
    assert check("Salad", params, *things, together).success


def test_any_receptacle_of_several_counts() -> None:
    mug = thing("Mug", parentReceptacles=("Shelf|1", DRAWER))
    progress = check("Put All X On Y", ("Mug", "in", "Drawer"), thing("Drawer"), mug)
    assert progress.success


def test_the_record_counts_where_the_backend_does_not_say() -> None:
    fork = thing("Fork", simbotLastParentReceptacle=DRAWER)
    progress = check("Put All X On Y", ("Fork", "in", "Drawer"), thing("Drawer"), fork)
    assert progress.success
