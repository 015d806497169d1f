"""Task files that would take gigabytes or recurse too deeply are one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.errors import ParameterError, TaskFormatError
from tatc.file_limits import (
    MAX_NEEDED_OBJECTS,
    MAX_TASK_DEPTH,
    MAX_TASK_PARTS,
    MAX_TASK_TEXT,
)
from tatc.tdl import TaskLibrary, load_library

Component = dict[str, Any]


def _mugs(determiner: str = "a", **conditions: object) -> Component:
    return {
        "determiner": determiner,
        "primary_condition": "objectType",
        "instance_shareable": False,
        "conditions": {"objectType": "Mug", **conditions},
        "condition_failure_descs": {},
    }


def _nested(number: int, determiner: str = "a", *params: str) -> Component:
    return {"determiner": determiner, "task_name": f"T{number}", "task_params": list(params)}


def _load(folder: Path, *tasks: dict[str, Component], nparams: int = 0, **more: Any) -> TaskLibrary:
    for i, components in enumerate(tasks):
        task = {
            "task_id": 1000 + i,
            "task_name": f"T{i}",
            "task_nparams": nparams,
            "task_anchor_object": None,
            "desc": "Tidy up.",
            "components": components,
            "relations": [],
        }
        (folder / f"task{i:04}.json").write_text(json.dumps(task | more))
    return load_library([folder])


def test_tasks_that_double_at_each_level_are_refused(tmp_path: Path) -> None:
    """26 small files would hold 2^26 components."""
    tasks = [{"a": _nested(i), "b": _nested(i)} for i in range(26)]
    with pytest.raises(TaskFormatError, match=f"more than {MAX_TASK_PARTS}"):
        _load(tmp_path, {"mug": _mugs()}, *tasks)


@pytest.mark.parametrize("first", [True, False], ids=["leaf first", "leaf last"])
def test_a_long_chain_of_tasks_is_refused(tmp_path: Path, first: bool) -> None:
    count = 1500
    if first:
        tasks = [{"mug": _mugs()}, *({"a": _nested(i)} for i in range(count))]
    else:
        tasks = [*({"a": _nested(i + 1)} for i in range(count)), {"mug": _mugs()}]
    with pytest.raises(TaskFormatError, match=f"more than {MAX_TASK_DEPTH} deep"):
        _load(tmp_path, *tasks)


def test_a_chain_as_deep_as_allowed_is_compiled(tmp_path: Path) -> None:
    tasks = [{"a": _nested(i, "2")} for i in range(MAX_TASK_DEPTH - 1)]
    library = _load(tmp_path, {"mug": _mugs()}, *tasks)
    task = library.compile(f"T{MAX_TASK_DEPTH - 1}")
    assert task.definition_json()["components"]["a"]["determiner"] == "2"


def test_numbers_that_multiply_are_bounded(tmp_path: Path) -> None:
    tasks = [{"a": _nested(i, "1000")} for i in range(5)]
    library = _load(tmp_path, {"mug": _mugs()}, *tasks)
    library.compile("T2")
    with pytest.raises(ParameterError, match=f"more than {MAX_NEEDED_OBJECTS} of"):
        library.compile("T5")


def test_parameters_that_double_at_each_level_are_bounded(tmp_path: Path) -> None:
    tasks = [{"a": _nested(i, "a", "#0#0")} for i in range(MAX_TASK_DEPTH - 1)]
    library = _load(tmp_path, {"mug": _mugs()}, *tasks, nparams=1, desc="#0")
    library.compile("T3", ["x"])
    with pytest.raises(ParameterError, match=f"longer than {MAX_TASK_TEXT}"):
        library.compile(f"T{MAX_TASK_DEPTH - 1}", ["x"])
    with pytest.raises(ParameterError, match=f"longer than {MAX_TASK_TEXT}"):
        library.compile("T0", ["x" * 1_000_000])


@pytest.mark.parametrize(
    ("components", "field"),
    [
        ({"mug": _mugs("9" * 5000)}, "components.mug.determiner: is longer than"),
        ({"#" + "9" * 5000: _mugs()}, "is longer than"),
        ({"mug": _mugs("#" + "9" * 1900)}, "components.mug.determiner: uses #99"),
        ({"m" * 5000: _mugs()}, "is longer than"),
    ],
)
def test_a_long_text_is_no_number_and_no_name(
    tmp_path: Path, components: dict[str, Component], field: str
) -> None:
    with pytest.raises(TaskFormatError, match=field) as caught:
        _load(tmp_path, components)
    assert len(str(caught.value)) < 1000


def test_a_long_number_of_a_game_is_no_count(tmp_path: Path) -> None:
    library = _load(tmp_path, {"mug": _mugs("#0")}, nparams=1)
    for value in ("9" * 5000, "9" * 40, "²", "\u0663" * 5000):
        with pytest.raises(ParameterError, match="is not a number") as caught:
            library.compile("T0", [value])
        assert len(str(caught.value)) < 1000


def test_a_number_of_heads_that_is_none_is_refused(tmp_path: Path) -> None:
    relation = {
        "property": "parentReceptacles",
        "tail_entity_list": ["sink"],
        "tail_determiner_list": ["a"],
        "head_entity_list": ["mug"],
        "head_determiner_list": ["#0"],
        "failure_desc": "",
    }
    library = _load(tmp_path, {"mug": _mugs(), "sink": _mugs()}, nparams=1, relations=[relation])
    with pytest.raises(ParameterError, match="'many' is not a number"):
        library.compile("T0", ["many"])
