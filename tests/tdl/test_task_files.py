"""Task files: what is read, and each fault with its file and field."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import TaskFormatError
from tatc.tdl import load_library
from tatc.tdl.task_json import task_file_json
from tests.tdl.checker_rooms import LIBRARY

Task = dict[str, Any]


def _task(**changed: Any) -> Task:
    """Return a sound task file: put mugs into the sink, and make a coffee."""
    return {
        "task_id": 900,
        "task_name": "Tidy Up",
        "task_nparams": 1,
        "task_anchor_object": None,
        "desc": "Put #0 away.",
        "components": {
            "#0": {
                "determiner": "all",
                "primary_condition": "simbotObjectClass",
                "instance_shareable": False,
                "conditions": {"simbotObjectClass": "#0", "isDirty": 0},
                "condition_failure_descs": {"isDirty": "Rinse it."},
            },
            "sink": {
                "determiner": "a",
                "primary_condition": "objectType",
                "instance_shareable": True,
                "conditions": {"objectType": "Sink", "receptacle": 1},
                "condition_failure_descs": {},
            },
            "coffee": {"determiner": "2", "task_name": "Coffee", "task_params": []},
        },
        "relations": [
            {
                "property": "parentReceptacles",
                "tail_entity_list": ["sink"],
                "tail_determiner_list": ["a"],
                "head_entity_list": ["#0"],
                "head_determiner_list": ["all"],
                "failure_desc": "Put it in the sink.",
            }
        ],
    } | changed


def _load(folder: Path, *tasks: object) -> None:
    for i, task in enumerate(tasks):
        text = task if isinstance(task, str) else json.dumps(task)
        (folder / f"task{i}.json").write_text(text)
    load_library([folder])


def test_a_sound_file_is_taken_and_its_extra_keys_are_ignored(tmp_path: Path) -> None:
    _load(tmp_path, _task())
    library = load_library([tmp_path])
    assert library.compile("Tidy Up", ["Mug"]).name == "Tidy Up"
    _load(tmp_path, _task(comments="anything", comments_task_params={"#0": 3}))


MUG, SINK, COFFEE = (("components", key) for key in ("#0", "sink", "coffee"))
RELATION = ("relations", 0)
GONE = object()

FAULTS: list[tuple[tuple[str | int, ...], object, str]] = [
    (("task_id",), GONE, "has no 'task_id'"),
    (("task_name",), GONE, "has no 'task_name'"),
    (("task_nparams",), GONE, "has no 'task_nparams'"),
    (("task_anchor_object",), GONE, "has no 'task_anchor_object'"),
    (("desc",), GONE, "has no 'desc'"),
    (("components",), GONE, "has no 'components'"),
    (("relations",), GONE, "has no 'relations'"),
    (("task_id",), "900", "task_id: should be a whole number"),
    (("task_id",), True, "task_id: should be a whole number"),
    (("task_id",), -1, "task_id: should be from 0"),
    (("task_name",), "", "task_name: is empty"),
    (("task_name",), 7, "task_name: should be a text"),
    (("task_nparams",), 1.5, "task_nparams: should be a whole number"),
    (("task_nparams",), 0, r"components.#0: uses #0, but the task has 0 param|desc"),
    (("desc",), "Put #3 away.", "desc: uses #3"),
    (("desc",), None, "desc: should be a text"),
    (("task_anchor_object",), "mug", "task_anchor_object: names no component"),
    (("components",), {}, "components: is empty"),
    (("components",), [], "components: should be an object"),
    (("components", "sink"), "Sink", "components.sink: should be an object"),
    ((*MUG, "determiner"), GONE, "components.#0: has no 'determiner'"),
    ((*MUG, "determiner"), "some", "determiner: should be 'a', 'all'"),
    ((*MUG, "determiner"), 2, "determiner: should be a text"),
    ((*MUG, "determiner"), "-1", "determiner: should be 'a', 'all'"),
    ((*MUG, "determiner"), "0", "determiner: asks for none, .* .ask for 1 or more"),
    ((*COFFEE, "determiner"), "00", "components.coffee.determiner: asks for none"),
    ((*MUG, "determiner"), "99999", "determiner: should be 'a', 'all'"),
    ((*MUG, "primary_condition"), GONE, "has no 'primary_condition'"),
    ((*MUG, "primary_condition"), "objectType", "is no condition of this component"),
    ((*MUG, "instance_shareable"), GONE, "has no 'instance_shareable'"),
    ((*MUG, "instance_shareable"), 1, "instance_shareable: should be true or false"),
    ((*MUG, "conditions"), GONE, "has no 'conditions'"),
    ((*MUG, "conditions"), ["isDirty"], "conditions: should be an object"),
    ((*MUG, "conditions", "isDirty"), [0], "isDirty: should be a text, a number"),
    ((*MUG, "conditions", "isdirty"), 0, "is no property .did you mean 'isDirty'"),
    ((*MUG, "conditions", "isDirty"), "false", "isDirty: should be 0, 1, true, false"),
    ((*MUG, "conditions", "isDirty"), "0", "isDirty: should be .* without quotes"),
    ((*MUG, "conditions", "isDirty"), "x#0", "isDirty: should be 0, 1"),
    ((*MUG, "conditions", "isDirty"), 2, "isDirty: should be 0, 1"),
    ((*MUG, "conditions", "isDirty"), -1, "isDirty: should be 0, 1"),
    ((*MUG, "conditions", "isDirty"), None, "isDirty: should be 0, 1.* is null"),
    ((*SINK, "conditions", "receptacle"), "yes", "receptacle: should be 0, 1"),
    ((*MUG, "conditions", "mass"), "1.5", "mass: should be a number"),
    ((*MUG, "conditions", "mass"), None, "mass: should be a number"),
    ((*MUG, "conditions", "simbotIsFilledWithWater"), -2, "should be a number from 0 on"),
    ((*MUG, "conditions", "#0"), 1, "TEACh drops others under a macro"),
    ((*MUG, "condition_failure_descs"), GONE, "has no 'condition_failure_descs'"),
    ((*MUG, "condition_failure_descs", "isOpen"), "x", "belongs to no condition"),
    ((*MUG, "condition_failure_descs", "isDirty"), 3, "should be a text"),
    ((*COFFEE, "determiner"), "all", "'all' cannot be asked of a component"),
    ((*COFFEE, "task_name"), "Cofee", "no task 'Cofee' .did you mean 'Coffee'"),
    ((*COFFEE, "task_params"), GONE, "has no 'task_params'"),
    ((*COFFEE, "task_params"), ["Mug"], "1 parameters, 'Coffee' takes 0"),
    ((*COFFEE, "task_params"), [1], r"task_params\[0\]: should be a text"),
    ((*COFFEE, "task_name"), "Tidy Up", "contains itself: Tidy Up > Tidy Up"),
    ((*RELATION, "property"), "distance", "should be 'parentReceptacles'"),
    ((*RELATION, "tail_entity_list"), [], "should hold exactly one"),
    ((*RELATION, "tail_entity_list"), ["sink", "#0"], "should hold exactly one"),
    ((*RELATION, "tail_entity_list"), ["tub"], "names no component: 'tub'"),
    ((*RELATION, "tail_determiner_list"), ["all"], "should be .*a.* or .*the"),
    ((*RELATION, "tail_determiner_list"), [], "should be .*a.* or .*the"),
    ((*RELATION, "head_entity_list"), [], "head_entity_list: is empty"),
    ((*RELATION, "head_entity_list"), ["mug"], "names no component: 'mug'"),
    ((*RELATION, "head_determiner_list"), ["all", "a"], "should be as long as"),
    ((*RELATION, "head_determiner_list"), ["both"], "should be 'a', 'all'"),
    ((*RELATION, "head_determiner_list"), ["0"], r"head_determiner_list\[0\]: asks for none"),
    ((*RELATION, "same"), "true", "same: should be true or false, .* without quotes"),
    ((*RELATION, "failure_desc"), GONE, "has no 'failure_desc'"),
    (("parameters",), [], "has 0 entries, task_nparams is 1"),
    (("parameters",), [{"name": "x"}], "has no 'meaning'"),
    (("parameters",), [{"name": "x", "meaning": "y", "kind": "count"}], "other kinds are inferred"),
    (
        ("parameters",),
        [{"name": "x", "meaning": "y", "follows": "z"}],
        "follows: should name a parameter",
    ),
    (("aliases",), "mugs", "aliases: should be a list"),
    # TEACh takes "1" for "any", so that every object would be of this class.
    ((*MUG, "conditions", "simbotObjectClass"), "1", "should name a type or class"),
    ((*MUG, "conditions", "simbotObjectClass"), 1, "should name a type or class"),
    ((*MUG, "conditions", "simbotObjectClass"), True, "should name a type or class"),
    ((*MUG, "conditions", "parentReceptacles"), 0, "should name a type or class"),
    ((*MUG, "conditions", "simbotLastParentReceptacle"), "", "should name a type or class"),
    ((*SINK, "conditions", "objectType"), 1.5, "should name a type or class"),
    ((*SINK, "conditions", "objectType"), "two words", "should name a type or class"),
    ((*MUG, "conditions", "mass"), float("1e999"), "is no number|no file can hold"),
    (("desc",), "Put #" + "9" * 1900 + " away.", "desc: uses #9"),
    ((*MUG, "determiner"), "9" * 1900, "determiner: should be 'a', 'all'"),
    (("desc",), "\ud800", "desc: should be a text"),
    (("task_name",), "\udfff", "task_name: should be a text"),
]


@pytest.mark.parametrize(("path", "value", "message"), FAULTS)
def test_every_fault_is_named(
    tmp_path: Path, path: tuple[str | int, ...], value: object, message: str
) -> None:
    owner: Any = (task := _task())
    for step in path[:-1]:
        owner = owner[step]
    owner[path[-1]] = value
    if value is GONE:
        del owner[path[-1]]
    with pytest.raises(TaskFormatError, match=message) as caught:
        _load(tmp_path, task)
    assert str(tmp_path / "task0.json") in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON"),
        ('{"task_id": 1', "is not JSON"),
        ("[]", "should be an object"),
        ("null", "should be an object"),
        ('{"a": 1, "a": 2}', 'has the key "a" twice'),
        ('{"task_id": NaN}', "NaN is no number"),
        ("[" * 33 + "]" * 33, "nested deeper than 32"),
    ],
)
def test_what_is_no_task_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(TaskFormatError, match=message):
        _load(tmp_path, text)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "task.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(TaskFormatError, match="not text in UTF-8"):
        load_library([tmp_path])


def test_two_equal_parameter_names(tmp_path: Path) -> None:
    both = [{"name": "x", "meaning": "y"}] * 2
    with pytest.raises(TaskFormatError, match="is used twice: 'x'"):
        _load(tmp_path, _task(task_nparams=2, parameters=both))


@pytest.mark.parametrize("choices", [["Mug", "Cup"], ["Mug"], ["Mug", "Cup", "Pan"]])
def test_a_parameter_follows_one_with_as_many_choices(tmp_path: Path, choices: list[str]) -> None:
    first = {"name": "x", "meaning": "y", "choices": ["Cup", "Mug"]}
    second = {"name": "z", "meaning": "y", "choices": choices, "follows": "x"}
    task = _task(task_nparams=2, parameters=[first, second])
    if len(choices) == 2:
        _load(tmp_path, task)
        return
    with pytest.raises(TaskFormatError, match=r"parameters\[1\].follows: should name a parameter"):
        _load(tmp_path, task)


@pytest.mark.parametrize(
    ("allowed", "message"),
    [("heavy", "should be 'choices' or an affordance"), ("choices", "needs choices")],
)
def test_what_a_parameter_allows(tmp_path: Path, allowed: str, message: str) -> None:
    parameter = {"name": "x", "meaning": "y", "allowed": allowed}
    with pytest.raises(TaskFormatError, match=message):
        _load(tmp_path, _task(task_nparams=1, parameters=[parameter]))


def test_a_ring_of_tasks_is_told_whole(tmp_path: Path) -> None:
    first, second = _task(), _task(task_id=901, task_name="Other")
    first["components"]["coffee"] |= {"task_name": "Other", "task_params": ["#0"]}
    second["components"]["coffee"] |= {"task_name": "Tidy Up", "task_params": ["#0"]}
    with pytest.raises(TaskFormatError, match="Tidy Up > Other > Tidy Up"):
        _load(tmp_path, first, second)


def test_a_task_without_anchor_cannot_be_put_anywhere(tmp_path: Path) -> None:
    task = _task()
    task["components"]["plant"] = {"determiner": "a", "task_name": "Water Plant", "task_params": []}
    task["relations"][0]["head_entity_list"] = ["plant"]
    task["relations"][0]["head_determiner_list"] = ["a"]
    with pytest.raises(TaskFormatError, match=r"relations\[0\]: .* has no anchor"):
        _load(tmp_path, task)


@pytest.mark.parametrize("name", LIBRARY.names())
def test_what_is_written_is_read_back(tmp_path: Path, name: str) -> None:
    definition = LIBRARY.find(name)
    (tmp_path / "task.json").write_text(json.dumps(task_file_json(definition)))
    assert load_library([tmp_path]).find(name) == definition
