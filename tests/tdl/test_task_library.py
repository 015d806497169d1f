"""Finding, replacing and compiling tasks."""

import json
from pathlib import Path

import pytest

from tatc.base.errors import ParameterError, TaskFormatError, UnknownName
from tatc.tdl import ParameterKind, load_library, parse_params
from tatc.tdl.task_json import task_file_json
from tests.tdl.checker_rooms import LIBRARY, make_object, make_snapshot


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("coffee", "Coffee"),
        ("Coffee", "Coffee"),
        ("make coffee", "Coffee"),
        ("Make a coffee", "Coffee"),
        ("102", "Coffee"),
        ("  plate  of toast", "Plate Of Toast"),
        ("plate_of_toast", "Plate Of Toast"),
        ("put-all-x-on-y", "Put All X On Y"),
        ("prepare salad", "Salad"),
        ("boil potato", "Boil X"),
        ("n cooked slices of x in y", "N Cooked Slices Of X In Y"),
    ],
)
def test_what_a_person_types(typed: str, name: str) -> None:
    assert LIBRARY.find(typed).name == name


@pytest.mark.parametrize(
    ("typed", "offer"), [("cofee", "'Coffee'"), ("SALAT", "'Salad'"), ("", "tatc tasks")]
)
def test_an_unknown_task_gets_an_offer(typed: str, offer: str) -> None:
    with pytest.raises(UnknownName, match=offer):
        LIBRARY.find(typed)


def test_a_macaw_is_nothing_like_a_task() -> None:
    with pytest.raises(UnknownName) as caught:
        LIBRARY.find("xyzzy")
    assert "did you mean" not in str(caught.value)


def test_a_task_is_compiled_once() -> None:
    first = LIBRARY.compile("Clean X", ["Plate"])
    assert LIBRARY.compile("Clean X", ("Plate",)) is first
    assert LIBRARY.compile("Clean X", ("Mug",)) is not first
    assert (first.name, first.params) == ("Clean X", ("Plate",))
    assert LIBRARY.compile("Clean X", ("Plate",)) is first
    assert LIBRARY.compile("Coffee").params == ()


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("Coffee", ["x"], "1 parameters given, 0 needed .give none"),
        ("Clean X", [], "0 parameters given, 1 needed .give, in order: class"),
        ("Clean X", ["Plat"], "no object class 'Plat' .did you mean 'Plate'"),
        ("Boil X", ["Dishware"], "no object type 'Dishware'"),
        ("Sliced X", ["Mug"], "there is no MugSliced"),
        ("Cooked Slice Of X", ["Egg"], "there is no EggSliced"),
        ("Salad", ["one", "0", "0"], "'lettuce': 'one' is not a number"),
        ("Salad", ["-1", "0", "0"], "is not a number"),
        ("Salad", ["1000", "0", "0"], "is not a number"),
        ("Salad", ["all", "0", "0"], "'all' cannot be asked"),
        ("Salad", [1, 0, 0], "should be a text, is 1"),
        ("Toggle X All Y", ["on", "yes", "Lights"], "should be 0 or 1"),
        ("Put All X On Y", ["Fork", "#2", "Sink"], "is no word"),
        ("Put All X On Y", ["Fork", " ", "Sink"], "is no word"),
    ],
)
def test_parameters_that_do_not_fit(name: str, params: list[str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        LIBRARY.compile(name, params)


class TestNamedParameters:
    def test_by_name_and_in_order(self) -> None:
        salad = LIBRARY.find("Salad")
        assert parse_params(salad, ["potato=2", "1"]) == {"potato": "2", "lettuce": "1"}

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            (["tomatoe=1"], "no parameter 'tomatoe' .did you mean 'tomato'"),
            (["1", "1", "1", "1"], "'1' is one too many"),
            (["tomato=1", "tomato=2"], "'tomato' comes twice"),
            (["tomato=red"], "'red' is not a number"),
            (["tomato="], "'' is not a number"),
        ],
    )
    def test_faults(self, given: list[str], message: str) -> None:
        with pytest.raises(ParameterError, match=message):
            parse_params(LIBRARY.find("Salad"), given)


def test_kinds_are_inferred() -> None:
    kinds = {
        definition.name: [parameter.kind for parameter in definition.parameters]
        for definition in LIBRARY.definitions()
    }
    assert kinds["N Slices Of X In Y"] == [
        ParameterKind.COUNT,
        ParameterKind.TYPE,
        ParameterKind.PREPOSITION,
        ParameterKind.CLASS,
    ]
    assert kinds["Toggle X All Y"] == [ParameterKind.WORD, ParameterKind.FLAG, ParameterKind.CLASS]
    assert kinds["Breakfast"][3] is ParameterKind.CLASS
    assert kinds["Breakfast"][-1] is ParameterKind.TYPE


class TestFolders:
    def test_a_task_replaces_the_one_of_its_id_and_name(self, tmp_path: Path) -> None:
        """A stricter Coffee also changes the breakfast that contains it."""
        coffee = task_file_json(LIBRARY.find("Coffee"))
        coffee["components"]["coffee"]["conditions"]["isFilledWithLiquid"] = 1
        del coffee["summary"], coffee["aliases"]
        (tmp_path / "coffee.json").write_text(json.dumps(coffee))
        library = load_library([tmp_path])
        snapshot = make_snapshot(make_object("Mug", simbotIsFilledWithCoffee=True))
        assert LIBRARY.compile("Coffee").check(snapshot).success
        assert not library.compile("Coffee").check(snapshot).success
        assert not library.compile("Tutorial").check(snapshot).subgoals[0].success
        assert library.find("make coffee").summary == LIBRARY.find("Coffee").summary
        assert len(library.names()) == len(LIBRARY.names())

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"task_id": 9}, "task_name: 'Coffee' is taken by .*coffee.json"),
            ({"task_name": "Tea"}, "task_id: 102 is taken by .*coffee.json"),
        ],
    )
    def test_half_a_replacement_is_a_fault(
        self, tmp_path: Path, changed: dict[str, object], message: str
    ) -> None:
        task = task_file_json(LIBRARY.find("Coffee")) | changed
        (tmp_path / "x.json").write_text(json.dumps(task))
        with pytest.raises(TaskFormatError, match=message):
            load_library([tmp_path])

    def test_two_equal_tasks_in_a_folder_are_a_fault(self, tmp_path: Path) -> None:
        for name in ("a", "b"):
            task = task_file_json(LIBRARY.find("Coffee"))
            (tmp_path / f"{name}.json").write_text(json.dumps(task))
        with pytest.raises(TaskFormatError, match=r"b.json.*is taken by .*a.json"):
            load_library([tmp_path])

    def test_no_folder_and_an_empty_one(self, tmp_path: Path) -> None:
        with pytest.raises(TaskFormatError, match="No such file"):
            load_library([tmp_path / "gone"])
        with pytest.raises(TaskFormatError, match="holds no task files"):
            load_library([tmp_path])
        (tmp_path / "file.json").write_text("{}")
        with pytest.raises(TaskFormatError, match="Not a directory"):
            load_library([tmp_path / "file.json"])


def test_a_replacement_with_other_parameters_does_not_take_the_old_descriptions(
    tmp_path: Path,
) -> None:
    old = LIBRARY.find("Put All X On Y")
    for count in (0, 2, 3, 4):
        task = task_file_json(old) | {"task_nparams": count}
        for key in ("parameters", "summary", "aliases"):
            del task[key]
        mug = {"determiner": "a", "primary_condition": "objectType", "instance_shareable": False}
        mug |= {"conditions": {"objectType": "Mug"}, "condition_failure_descs": {}}
        task |= {"components": {"mug": mug}, "relations": [], "desc": "Tidy."}
        (tmp_path / "mine.json").write_text(json.dumps(task))
        found = load_library([tmp_path]).find("Put All X On Y")
        same = count == len(old.parameters)
        assert [each.name for each in found.parameters] == (
            [each.name for each in old.parameters] if same else [str(k) for k in range(count)]
        )
        assert found.summary == (old.summary if same else "Tidy.")
        assert found.aliases == (old.aliases if same else ())


def test_a_component_is_found_by_its_key() -> None:
    definition = LIBRARY.find("Salad")
    for key, component in definition.components:
        assert definition.find_component(key) is component
    for absent in ("", "a", "zzz", "#9"):
        assert definition.find_component(absent) is None


def test_what_is_lacking_is_named_once() -> None:
    task = LIBRARY.compile("Breakfast", "1 1 1 Bowl 1 Plate 1 1 0 1 1 1 1 DiningTable".split())
    lacking = task.missing_requirements(make_snapshot())
    assert len(set(lacking)) == len(lacking) > 5
    assert not task.preconditions_hold(make_snapshot())
    assert (
        LIBRARY.compile("Clean X", ["Mug"]).missing_requirements(
            make_snapshot(make_object("Mug"), make_object("Sink"))
        )
        == ()
    )
