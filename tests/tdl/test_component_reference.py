"""Components against a slow check of the same rules, on drawn objects."""

from math import dist
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from tatc.home.state import ObjectState
from tatc.tdl import Progress, load_library, sample_params
from tatc.tdl.definition import AtomicComponent
from tests.tdl.checker_rooms import AGENT, LIBRARY, make_object, make_snapshot, task_of

FLAGS = ("isDirty", "isOpen", "isToggled")


def wanted(kind: str, count: int | str, *, shared: bool = False) -> AtomicComponent:
    conditions = (("objectType", kind), ("isDirty", 0), ("isOpen", 0), ("isToggled", 1))
    return AtomicComponent(count, "objectType", shared, conditions)


def conditions_met(obj: ObjectState, kind: str) -> int:
    return (obj.objectType == kind) + (not obj.isDirty) + (not obj.isOpen) + bool(obj.isToggled)


def objects_of(kinds: list[str]) -> st.SearchStrategy[list[ObjectState]]:
    one = st.tuples(st.sampled_from(kinds), st.tuples(*[st.booleans()] * 3), st.integers(-3, 3))
    return st.lists(one, max_size=6).map(
        lambda drawn: [
            make_object(kind, n, at=(float(x), 0.0, 0.0), **dict(zip(FLAGS, flags, strict=True)))
            for n, (kind, flags, x) in enumerate(drawn, 1)
        ]
    )


def ids(objects: list[ObjectState]) -> list[str]:
    return [obj.objectId for obj in objects]


def problem_ids(progress: Progress) -> list[str]:
    return list(dict.fromkeys(key.object_id for key in progress.problem_keys()))


@settings(max_examples=80)
@given(
    objects_of(["Tomato", "TomatoSliced", "Mug"]),
    st.sampled_from(["Mug", "TomatoSliced"]),
    st.integers(1, 3),
    st.booleans(),
    st.booleans(),
)
def test_some_objects(
    objects: list[ObjectState], kind: str, count: int, shared: bool, nearest: bool
) -> None:
    task = task_of(wanted(kind, count, shared=shared), anchor="0")
    progress = task.check(make_snapshot(*objects), nearest_first=nearest)
    related = [o for o in objects if o.objectType in (kind, kind.removesuffix("Sliced"))]
    need = 1 if shared else count
    satisfied = [obj for obj in related if conditions_met(obj, kind) == 4]
    # Those that come after enough satisfied ones are not looked at.
    candidates: list[ObjectState] = []
    found = 0
    for obj in related:
        if conditions_met(obj, kind) == 4:
            found += 1
        elif found < need:
            candidates.append(obj)
    one_whole = any(
        obj.objectType == "Tomato" and conditions_met(obj, kind) == 3 for obj in candidates
    )
    order = {True: lambda o: dist(o.position, AGENT.position), False: lambda o: 0.0}[nearest]
    candidates.sort(key=lambda obj: (-conditions_met(obj, kind), order(obj)))
    lacking = max((1 if one_whole else need) - found, 0)
    problems = candidates[:lacking]
    assert progress.success is (found >= need)
    assert progress.goal_conditions_total == 4 * need
    met = 4 * min(found, need) + sum(conditions_met(obj, kind) for obj in problems)
    assert progress.goal_conditions_satisfied == met
    assert ids(list(progress.satisfied_objects or ())) == ids(satisfied)
    assert ids(list(progress.candidate_objects or ())) == ids(candidates)
    assert problem_ids(progress) == ids(problems)


@settings(max_examples=50)
@given(objects_of(["Tomato", "TomatoSliced"]))
def test_all_objects(objects: list[ObjectState]) -> None:
    progress = task_of(wanted("TomatoSliced", "all"), anchor="0").check(make_snapshot(*objects))
    slices = [obj for obj in objects if obj.objectType == "TomatoSliced"]
    wrong = [obj for obj in slices if conditions_met(obj, "TomatoSliced") < 4]
    assert progress.success is (not wrong)
    # What is met and has nothing to say is no subgoal (spec section 3.3).
    counted = slices if wrong else []
    assert progress.goal_conditions_total == 4 * len(counted)
    met = sum(conditions_met(obj, "TomatoSliced") for obj in counted)
    assert progress.goal_conditions_satisfied == met
    assert problem_ids(progress) == ids(wrong)


def test_only_json_files_of_a_folder_are_tasks(tmp_path: Path) -> None:
    source = (Path(__file__).parents[2] / "tatc/tdl/tasks/coffee.json").read_text("utf-8")
    (tmp_path / "coffee.json").write_text(source)
    for name in ("README", "notes.txt", "coffee.jso", "a.json5", "coffee.JSON.bak"):
        (tmp_path / name).write_text("no task")
    assert load_library([tmp_path]).find("coffee").name == "Coffee"


@pytest.mark.parametrize(("name", "classes"), [("Clean All X", True), ("Boil X", False)])
def test_classes_are_drawn_for_classes_and_types_for_types(name: str, classes: bool) -> None:
    kinds = ("Mug", "Plate", "Bowl", "Potato", "Egg", "Pot", "Sink", "StoveBurner")
    room = make_snapshot(*(make_object(kind, isDirty=True) for kind in kinds))
    drawn = {sample_params(LIBRARY.find(name), room, seed)[0] for seed in range(40)}
    assert bool(drawn - set(kinds)) is classes
    assert drawn & set(kinds)
