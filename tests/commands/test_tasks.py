"""`tatc tasks`: the list, one task in full, and JSON."""

import json
from pathlib import Path

import pytest
from typer.testing import Result

import tatc
from tatc.tdl import load_library
from tests.command_line import run_tatc


def _tatc(*words: str) -> Result:
    return run_tatc("tasks", *words)


def test_the_list_has_every_task_by_number() -> None:
    done = _tatc()
    rows = [line.split() for line in done.stdout.splitlines()]
    assert (done.exit_code, done.stderr) == (0, "")
    assert rows[0] == ["id", "task", "parameters", "done", "when"]
    numbers = [int(row[0]) for row in rows[1:]]
    assert numbers == sorted(each.id for each in load_library().definitions())
    assert "102  Coffee" in done.stdout
    assert "a clean mug holds coffee" in done.stdout


def test_description_is_not_repeated_as_end(tmp_path: Path) -> None:
    text = (Path(tatc.__file__).parent / "tdl/tasks/coffee.json").read_text()
    task = json.loads(text) | {"task_id": 9001, "task_name": "Chill", "aliases": []}
    task["desc"] = "Put it in the fridge."
    task.pop("summary", None)
    (tmp_path / "chill.json").write_text(json.dumps(task))
    lines = run_tatc("tasks", "chill", "--tasks", tmp_path).stdout
    assert lines.count("Put it in the fridge") == 1 and "Done when" not in lines


def test_one_task_in_full() -> None:
    done = _tatc("slices")
    assert (done.exit_code, done.stdout) == (
        0,
        """\
108  N Slices Of X In Y (also: slices)
Serve <count> slice(s) of <food> <where> a clean <dish>.
Done when the slices lie in one clean dish.

Parameters
  count             count        how many slices
                                 drawn from 1, 2, 3
  food              type         the type of the food to slice
                                 drawn from Apple, Lettuce, Potato, Tomato
  where             preposition  in or on, for the wording alone
  dish              class        the class of the dish
                                 drawn from Bowl, Plate

Components
  <food>            <count>      task Sliced X (<food>)
  <dish>            one          task Clean X (<dish>)

Relations
  <food> (<count>) in one and the same <dish>

Example
  tatc run --task 'n slices of x in y' --param count=1 --param food=Apple \
--param where=in --param dish=Bowl
""",
    )


def test_a_task_without_parameters_or_relations_shows_none() -> None:
    done = _tatc("102")
    assert "Parameters" not in done.stdout
    assert "Relations" not in done.stdout
    assert "objectType Mug, isDirty 0, simbotIsFilledWithCoffee 1" in done.stdout


@pytest.mark.parametrize("words", [[], ["coffee"]])
def test_json_is_one_task_file_a_line(words: list[str]) -> None:
    lines = _tatc(*words, "--json").stdout.splitlines()
    tasks = [json.loads(line) for line in lines]
    assert len(tasks) == (1 if words else len(load_library().names()))
    assert {"task_id", "task_name", "components", "relations"} <= tasks[0].keys()


def test_a_folder_adds_tasks(tmp_path: Path) -> None:
    task = json.loads(_tatc("coffee", "--json").stdout)
    task |= {"task_id": 900, "task_name": "Second Coffee", "aliases": []}
    (tmp_path / "second.json").write_text(json.dumps(task))
    assert "900  Second Coffee" in _tatc("--tasks", str(tmp_path)).stdout
    assert _tatc("second coffee").exit_code == 2
