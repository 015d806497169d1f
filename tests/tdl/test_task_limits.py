"""Task files that would take gigabytes or recurse too deeply are one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import ParameterError, TaskFormatError
from tatc.base.files import MAX_NEEDED_OBJECTS, MAX_TASK_DEPTH, MAX_TASK_PARTS, MAX_TASK_TEXT
from tatc.tdl import TaskLibrary, load_library
from tatc.tdl.linking import link_definitions
from tatc.tdl.task_files import JsonField, read_task_file

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
    for number, components in enumerate(tasks):
        _write(folder, number, components, task_nparams=nparams, **more)
    return load_library([folder])


def _write(folder: Path, number: int, components: dict[str, Component], **more: Any) -> None:
    task: dict[str, Any] = {"task_id": 1000 + number, "task_name": f"T{number}", "relations": []}
    task |= {"task_nparams": 0, "task_anchor_object": None, "desc": "Tidy up."}
    task |= {"components": components}
    (folder / f"task{number:04}.json").write_text(json.dumps(task | more))


def _related(*heads: str) -> dict[str, Any]:
    return {
        "property": "parentReceptacles",
        "tail_entity_list": ["mug"],
        "tail_determiner_list": ["a"],
        "head_entity_list": list(heads),
        "head_determiner_list": ["a"] * len(heads),
        "failure_desc": "",
    }


def test_tasks_that_double_at_each_level_are_refused(tmp_path: Path) -> None:
    """26 small files would hold 2^26 components."""
    tasks = [{"a": _nested(i), "b": _nested(i)} for i in range(26)]
    with pytest.raises(TaskFormatError, match=f"more than {MAX_TASK_PARTS}"):
        _load(tmp_path, {"mug": _mugs()}, *tasks)


@pytest.mark.parametrize("leaf_first", [True, False])
@pytest.mark.parametrize("levels", [MAX_TASK_DEPTH, 1000])
def test_a_longer_chain_of_tasks_than_allowed_is_refused(
    tmp_path: Path, leaf_first: bool, levels: int
) -> None:
    chain = [{"mug": _mugs()}, *({"a": _nested(i)} for i in range(levels))]
    if not leaf_first:
        chain = [*({"a": _nested(i + 1)} for i in range(levels)), {"mug": _mugs()}]
    with pytest.raises(TaskFormatError, match=f"more than {MAX_TASK_DEPTH} deep"):
        _load(tmp_path, *chain)


def test_a_chain_as_deep_as_allowed_is_compiled(tmp_path: Path) -> None:
    tasks = [{"a": _nested(i, "2")} for i in range(MAX_TASK_DEPTH - 1)]
    library = _load(tmp_path, {"mug": _mugs()}, *tasks)
    task = library.compile(f"T{MAX_TASK_DEPTH - 1}")
    assert task.definition_json()["components"]["a"]["determiner"] == "2"


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
    relation = _related("cup") | {"head_determiner_list": ["#0"]}
    library = _load(tmp_path, {"mug": _mugs(), "cup": _mugs()}, nparams=1, relations=[relation])
    with pytest.raises(ParameterError, match="'many' is not a number"):
        library.compile("T0", ["many"])


def test_parts_are_counted_as_often_as_they_are_used(tmp_path: Path) -> None:
    """A component is one part; so are its conditions and texts, a relation, and its heads."""
    shown = _mugs(isDirty=0) | {"condition_failure_descs": {"isDirty": "Wash it."}}
    leaf = {"mug": shown, "cup": _mugs(isDirty=0)}  # 4 + 3 parts
    _write(tmp_path, 0, leaf, relations=[_related("cup", "mug"), _related("cup")])  # 3 + 2
    sizes = [12]
    for number in range(1, 9):
        _write(tmp_path, number, {"a": _nested(number - 1), "b": _nested(number - 1)})
        sizes.append(2 * (1 + sizes[-1]))
    mugs, rest = divmod(MAX_TASK_PARTS - 1 - sizes[8], 2)
    last = {"a": _nested(8)} | {f"mug{i}": _mugs() for i in range(mugs)}  # 2 parts each
    last["mug0"]["conditions"] |= dict.fromkeys(["isDirty"][:rest], 0)
    _write(tmp_path, 9, last)
    assert load_library([tmp_path]).find("T9")
    last["mug1"]["conditions"] |= {"isDirty": 0}
    _write(tmp_path, 9, last)
    with pytest.raises(TaskFormatError, match=f"has {MAX_TASK_PARTS + 1} parts"):
        load_library([tmp_path])


def test_all_parts_of_one_task_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"isDirty": "Wash it.", "isFilledWithLiquid": "Fill it.", "isBroken": "Take another."}
    mug = _mugs(**dict.fromkeys(texts, 0)) | {"condition_failure_descs": texts}  # 1 + 4 + 3
    _write(tmp_path, 0, {"mug": mug, "cup": _mugs()}, relations=[_related("cup", "mug")])  # + 2 + 3
    words = ("#0Sliced", "#1Sliced", "#2Sliced")
    three = {name: _mugs(objectType=word) for name, word in zip("abc", words, strict=True)}
    _write(tmp_path, 1, three, task_nparams=3)  # 6
    nested = _nested(1, "a", "Apple", "Bread", "Egg")
    _write(tmp_path, 2, {"a": _nested(0), "b": nested})  # 1 + 13, 4 + 6
    monkeypatch.setattr("tatc.tdl.linking.MAX_TASK_PARTS", 24)
    read = [read_task_file(path) for path in sorted(tmp_path.iterdir())]
    drafts = {each.name: each for each in read}
    assert len(list(link_definitions(drafts))) == 3
    for most, size in ((23, 24), (12, 13)):
        monkeypatch.setattr("tatc.tdl.linking.MAX_TASK_PARTS", most)
        with pytest.raises(TaskFormatError, match=f"has {size} parts"):
            list(link_definitions(drafts))


def test_a_nested_task_gets_all_its_parameters(tmp_path: Path) -> None:
    _write(tmp_path, 0, {"a": _mugs(objectType="#0"), "b": _mugs(objectType="#1")}, task_nparams=2)
    for given in (("Mug",), ("Mug", "Cup", "Pan")):
        _write(tmp_path, 1, {"a": _nested(0, "a", *given)})
        with pytest.raises(TaskFormatError, match=f"{len(given)} parameters, 'T0' takes 2"):
            load_library([tmp_path])


def test_a_million_objects_may_be_needed_and_no_more(tmp_path: Path) -> None:
    tasks = [{"a": _nested(0, "1000")}, {"a": _nested(1, "1000")}, {"a": _nested(2, "2")}]
    library = _load(tmp_path, {"mug": _mugs()}, *tasks)
    assert library.compile("T2")
    with pytest.raises(ParameterError, match=f"more than {MAX_NEEDED_OBJECTS} of 'a'"):
        library.compile("T3")


def test_a_component_asks_for_a_thousand_at_most(tmp_path: Path) -> None:
    for determiner in ("1", "1000"):
        _load(tmp_path, {"mug": _mugs(determiner), "cup": _mugs()})
    with pytest.raises(TaskFormatError, match="a whole number from 1 to 1000"):
        _load(tmp_path, {"mug": _mugs("1001")})


def test_a_task_has_a_hundred_parameters_at_most(tmp_path: Path) -> None:
    for count in (0, 100):
        library = _load(tmp_path, {"mug": _mugs()}, nparams=count)
        assert len(library.find("T0").parameters) == count
    for count in (101, -1):
        with pytest.raises(TaskFormatError, match="task_nparams: should be from 0 to 100"):
            _load(tmp_path, {"mug": _mugs()}, nparams=count)


def test_a_count_has_two_digits_at_most(tmp_path: Path) -> None:
    library = _load(tmp_path, {"mug": _mugs("#0")}, nparams=1)
    assert library.compile("T0", ["0"]) and library.compile("T0", ["99"])
    with pytest.raises(ParameterError, match=r"is not a number .give a whole number up to 99"):
        library.compile("T0", ["100"])


def test_texts_have_two_thousand_characters_at_most(tmp_path: Path) -> None:
    most = MAX_TASK_TEXT
    _load(tmp_path, {"mug": _mugs()}, desc="x" * most)
    with pytest.raises(TaskFormatError, match=f"desc: is longer than {most}"):
        _load(tmp_path, {"mug": _mugs()}, desc="x" * (most + 1))
    library = _load(tmp_path, {"mug": _mugs()}, nparams=1, desc="#0")
    assert len(library.compile("T0", ["y" * most]).definition.description) == most
    with pytest.raises(ParameterError, match=f"longer than {most}"):
        library.compile("T0", ["y" * (most + 1)])


@pytest.mark.parametrize(("size", "ending"), [(38, 'x"'), (39, "xxx...")])
def test_what_is_no_text_is_shown_up_to_forty_characters(size: int, ending: str) -> None:
    field = JsonField("a.json", "key", "x" * size)
    with pytest.raises(TaskFormatError) as caught:
        field.as_boolean()
    shown = str(caught.value).partition("is ")[2].partition(" (")[0]
    assert shown.startswith('"xx') and shown.endswith(ending) and len(shown) == 40
