"""Rows, run files and timings from elsewhere: read field by field, or refused by the field."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tatc.base.errors import BadInput
from tatc.base.json_fields import FieldError
from tatc.evaluation.runs.rows import SessionFailure, SessionRow, read_row
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.runs.run_identity import read_run_file
from tatc.evaluation.scoring.scores import GoalConditionCounts
from tests.command_line import run_tatc

ROW = SessionRow(
    key="kitchen-01_coffee_1",
    task="Coffee",
    params=("a", "b"),
    place="kitchen-01",
    kind="Kitchen",
    split="rooms",
    game="0123",
    source="games/a.json",
    seed=7,
    end="gave_up",
    before=GoalConditionCounts(5, 1),
    after=GoalConditionCounts(5, -2),
    commander_actions=3,
    follower_actions=9,
    steps=8,
    shut=True,
    human_actions=40,
    failure=SessionFailure("Mug isDirty False", "Rinse", "refused", 4, "too_far"),
    record="records/a.game.json.gz",
    probes=(("where asked", 4), ("where right", 3)),
)
ROW_JSON: dict[str, Any] = json.loads(json.dumps(ROW.to_json()))
WRONG: dict[str, tuple[object, ...]] = {
    "key": ("", 1, None, []),
    "task": (1, None, {}),
    "params": (None, "ab", [1], [[]], ["a"] * 101),
    "place": (3,),
    "kind": ("Garage", 1),
    "split": (1,),
    "game": (1, []),
    "source": (True,),
    "seed": ("1", 1.5, True, None, 1 << 70),
    "skipped": (0,),
    "end": ("", "won", 1, None),
    "before": (None, [], {}, {"total": 1}, {"total": -1, "met": 0}, {"total": "1", "met": 0}),
    "after": ({"total": 1, "met": 10**13}, {"total": 1, "met": None}, 5),
    "commander_actions": (-1, 1.0, "1", 10**13),
    "follower_actions": (None,),
    "steps": (-1, True),
    "failed_actions": ([],),
    "opened": ({},),
    "bumped": ("",),
    "shut": (1, "yes", None),
    "human_actions": (-1, "40"),
    "bound": (1.5,),
    "failure": ("no", [], {"problem": 1}, {"step": -1}, {"more": 1}, {"reason": None}),
    "record": ("/etc/passwd", "../a", "a/../../b", "", "a\0b", 5, "a\\b"),
    "crash": ("/tmp/a", 1),
    "benchmark": ("habitat", 1, None),
    "stopped": (0,),
    "starts": (-1,),
    "finished": ("1",),
    "perception": ("frames", None, 1),
    "goal": ("understood", None),
    "feedback": (-1, "2"),
    "dialogue": ("mine", 0),
    "questions": (-1, "3"),
    "talk": (3, ""),
    "speaker_seed": (-1, "3"),
    "typos": (2, "0.1"),
    "map": (3, None),
    "unanswered": [None, 1],
    "goals": (3, None),
    "models": (3, None),
    "stretches": (None, [], {"isDirty": -1}, {"isDirty": "2"}),
    "model_calls": (-1, "2"),
    "model_tokens": (-1, None),
    "answer_tokens": (-1, None),
    "words": (-1, "2"),
    "conflicts": (-1, "2"),
    "probes": (None, [], {"where asked": -1}, {"where right": "2"}),
}


def test_a_row_that_was_written_is_read_again() -> None:
    for row in (
        ROW,
        replace(ROW, failure=None, end="", skipped="is no game"),
        SessionRow(key="k", task="", skipped="x"),
    ):
        assert read_row(json.loads(json.dumps(row.to_json()))) == row
    old = {"key": "k", "task": "Coffee", "params": [], "end": "success", "failure": None}
    for older in (old, old | {"understanding": "model"}):
        assert read_row(older) == SessionRow(key="k", task="Coffee", end="success")


def test_every_field_is_checked() -> None:
    assert WRONG.keys() == ROW_JSON.keys()
    for field, values in WRONG.items():
        for value in values:
            with pytest.raises(FieldError) as caught:
                read_row(ROW_JSON | {field: value})
            assert str(caught.value).startswith(field), (field, value)
    for raw in (None, [], "row", {}, {"more": 1}, ROW_JSON | {"more": 1}):
        with pytest.raises(FieldError):
            read_row(raw)


def test_a_text_that_cannot_be_printed_is_made_printable() -> None:
    assert read_row(ROW_JSON | {"source": "a\udcff"}).source == "a\\udcff"


def test_bad_timings_are_passed_over(tmp_path: Path) -> None:
    good = '{"key": "a", "seconds": 1.5, "at": 2.0}'
    bad = [
        "",
        "{",
        "[]",
        "5",
        good[:-9],
        *(
            good.replace("1.5", value)
            for value in ("-1", "NaN", "1e999", '"1"', "null", "true", "1e300")
        ),
        good.replace('"a"', "1"),
        good.replace("2.0", "[]"),
        "x" * 300_000,
    ]
    (tmp_path / "timings.jsonl").write_text("\n".join([*bad, good, *bad, ""]))
    assert RunFolder(tmp_path).session_seconds() == {"a": 1.5}
    assert RunFolder(tmp_path).wall_seconds() == 2.0


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"tatc": 1}, "tatc"),
        ({"world": "moon"}, "world"),
        ({"map": None}, "map"),
        ({"sessions": "3"}, "sessions"),
        ({"options": []}, "options"),
        ({"options": {"kind": "alfred"}}, "options.kind"),
        ({"options": {"definitions": [1]}}, "options.definitions"),
        ({"options": {"setup": None}}, "options.setup"),
        ({"options": {"setup": {"commander": 1}}}, "options.setup.commander"),
        ({"options": {"setup": {"floor_map": ""}}}, "options.setup.floor_map"),
        ({"options": {"setup": {"speaking": ["seed"]}}}, "options.setup.speaking"),
        ({"options": {"setup": {"speaking": {"seed": 1}}}}, "options.setup.speaking.typo_rate"),
        ({"options": {"setup": {"model": {"name": 0}}}}, "options.setup.model.name"),
        ({"options": {"feedback": None}}, "options.feedback"),
    ],
)
def test_what_a_run_says_of_itself_is_checked(
    finished: Path, tmp_path: Path, change: dict[str, Any], field: str
) -> None:
    held = read_run_file(finished)
    for name, value in change.items():
        if name == "options" and isinstance(value, dict):
            inner = {
                key: held["options"][key] | part if isinstance(part, dict) else part
                for key, part in value.items()
            }
            value = held["options"] | inner
        held[name] = value
    (tmp_path / "run.json").write_text(json.dumps(held))
    with pytest.raises(BadInput, match=f"run.json: {field}: "):
        read_run_file(tmp_path)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 10**20) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value or ())
    found = [(*path, key) for key, _ in inner] if isinstance(value, dict | list) else []
    for place in tuple(found):
        part = value[place[-1]]
        found += _places(part, place) if isinstance(part, dict | list) else []
    return found


@settings(max_examples=15)
@given(st.data())
def test_a_run_with_any_value_anywhere_is_reported_or_refused(
    finished: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("runs") / "run"
    copytree(finished, folder)
    name = data.draw(st.sampled_from(["run.json", "results.jsonl", "timings.jsonl"]))
    first, *others = (
        (folder / name).read_text().splitlines()
        if "jsonl" in name
        else ((folder / name).read_text(),)
    )
    document = json.loads(first)
    *before, last = data.draw(st.sampled_from(_places(document)))
    owner = document
    for step in before:
        owner = owner[step]
    owner[last] = data.draw(values)
    (folder / name).write_text("".join(f"{line}\n" for line in (json.dumps(document), *others)))
    for words in ([], ["--json"], ["--html", str(folder / "a.html"), "--csv", str(folder / "a")]):
        done = run_tatc("report", folder, *words)
        assert done.exit_code in (0, 1, 2), done.exception
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception


def test_a_run_that_lacks_a_field_is_reported_or_refused(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    copytree(finished, folder)
    whole = (folder / "run.json").read_text()
    for *before, last in [each for each in _places(json.loads(whole)) if isinstance(each[-1], str)]:
        owner = document = json.loads(whole)
        for step in before:
            owner = owner[step]
        del owner[last]
        (folder / "run.json").write_text(json.dumps(document))
        done = run_tatc("report", folder)
        assert done.exit_code in (0, 1, 2), (*before, last)
        assert done.exception is None or isinstance(done.exception, SystemExit), (*before, last)
