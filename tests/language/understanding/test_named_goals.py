"""Goals under the user's names: recalled, changed as asked, and kept in a checked file."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tatc.base import files
from tatc.base.errors import BadInput, OutputError
from tatc.language.understanding import understand
from tatc.language.understanding.goal_json import content_json, goal_lines, read_content
from tatc.language.understanding.named_goals import (
    NamedGoal,
    NamedGoals,
    name_given_in,
    read_goals,
    write_goals,
)
from tatc.tdl import Task
from tests.language.understanding.written_dialogues import heard, spoken, written_dialogues

TAUGHT = {
    "Larry sandwich": "I'd like a sandwich that we will call the Larry sandwich. It has two slices "
    "of toast, 3 slices of tomato and 3 slices of lettuce on a clean plate.",
    "David salad": "Please make a salad. It is called the David salad. Two slices of tomato and "
    "three slices of lettuce go on a clean plate.",
    "Dax salad": "Make a salad called the Dax salad. It has two slices of cooked potato, a slice "
    "of lettuce and a slice of tomato. Put it all on a clean plate.",
    "Mary breakfast": "Prepare breakfast and call it the Mary breakfast. A mug of coffee, and two "
    "slices of toast on a clean plate.",
    "Lion breakfast": "Prepare breakfast, it is called the Lion breakfast. It has a mug of coffee "
    "and four slices of tomato on a clean plate.",
    "Lax arrangement": "Place three pillows on the sofa. This is called the Lax arrangement.",
    "Pax arrangement": "Put two pencils and two pens on the desk. Call it the Pax arrangement.",
    "Gax cleaning": "Clean two plates and two cups. We name it the Gax cleaning.",
    "Gabe sandwich": "A sandwich please, called the Gabe sandwich: two slices of toast, 2 slices "
    "of tomato and 1 slice of lettuce on a clean plate.",
    "Kax cleaning": "Wash a mug and a pan. That is called the Kax cleaning.",
}
TOAST, PLATE = "2 toasted slices of bread", " on a clean plate"
COUNTER = "all of it on the counter top"
REQUESTS = [
    ("I want the Larry sandwich", f"sandwich: {TOAST}, 3 slices of tomato, 3 slices of lettuce"
     + PLATE),
    ("The David salad please", f"salad: 2 slices of tomato, 3 slices of lettuce{PLATE}"),
    ("Could I have the dax salad", "salad: 1 slice of tomato, 1 slice of lettuce, "
     f"2 cooked slices of potato{PLATE}"),
    ("Make me the Mary breakfast", f"slices: {TOAST}{PLATE}; coffee in 1 clean mug; {COUNTER}"),
    ("lion breakfast now please", f"slices: 4 slices of tomato{PLATE}; coffee in 1 clean mug; "
     + COUNTER),
    ("Do the Lax arrangement", "put 3 pillow on one sofa"),
    ("Please do the Pax arrangement", "put 2 pencil on one desk; put 2 pen on one desk"),
    ("Time for the Gax cleaning", "clean 2 plate; clean 2 cup"),
    ("the gabe sandwich", f"sandwich: {TOAST}, 2 slices of tomato, 1 slice of lettuce{PLATE}"),
    ("Do the Kax cleaning please", "clean 1 mug; clean 1 pan"),
    ("Make the Larry sandwich, but with four slices of lettuce",
     f"sandwich: {TOAST}, 3 slices of tomato, 4 slices of lettuce{PLATE}"),
    ("Make the David salad and add a slice of potato",
     f"salad: 2 slices of tomato, 3 slices of lettuce, 1 cooked slice of potato{PLATE}"),
    ("I'd like the Dax salad without lettuce",
     f"salad: 1 slice of tomato, 2 cooked slices of potato{PLATE}"),
    ("The Mary breakfast please, no coffee", f"slices: {TOAST}{PLATE}; {COUNTER}"),
    ("The Lion breakfast with three slices of tomato",
     f"slices: 3 slices of tomato{PLATE}; coffee in 1 clean mug; {COUNTER}"),
    ("Do the Lax arrangement with two pillows", "put 2 pillow on one sofa"),
    ("Do the Pax arrangement with one pencil instead of two pencils",
     "put 1 pencil on one desk; put 2 pen on one desk"),
    ("Do the Gax cleaning with three plates rather than two", "clean 3 plate; clean 2 cup"),
    ("The Gabe sandwich with only one slice of tomato",
     f"sandwich: {TOAST}, 1 slice of tomato, 1 slice of lettuce{PLATE}"),
    ("Do the Kax cleaning with only a mug", "clean 1 mug"),
    ("The Larry sandwich with 4 slices of lettuce and 2 slices of tomato",
     f"sandwich: {TOAST}, 2 slices of tomato, 4 slices of lettuce{PLATE}"),
    ("The David salad, add one slice of potato and a fried egg",
     f"salad: 2 slices of tomato, 3 slices of lettuce, 1 cooked slice of potato{PLATE}; fry 1 egg"),
    ("The Dax salad without lettuce and without potato", f"salad: 1 slice of tomato{PLATE}"),
    ("The Mary breakfast with no coffee, and add an egg",
     f"slices: {TOAST}{PLATE}; fry 1 egg; {COUNTER}"),
    ("The Lion breakfast with 3 slices of tomato and two mugs of coffee",
     f"slices: 3 slices of tomato{PLATE}; coffee in 2 clean mugs; {COUNTER}"),
    ("The Lax arrangement with two pillows and add a remote",
     "put 2 pillow on one sofa; put 1 remote control on one sofa"),
    ("The Pax arrangement with one pencil instead of the two pencils, and add a book",
     "put 1 pencil on one desk; put 2 pen on one desk; put 1 book on one desk"),
    ("The Gax cleaning with three plates instead of two plates and include a fork",
     "clean 3 plate; clean 2 cup; clean 1 fork"),
    ("The Gabe sandwich with only 1 slice of tomato and two slices of lettuce",
     f"sandwich: {TOAST}, 1 slice of tomato, 2 slices of lettuce{PLATE}"),
    ("The Kax cleaning without the pan, and include a spoon", "clean 1 mug; clean 1 spoon"),
    ("The Larry sandwich with four slices of lettuce, two slices of tomato, and put everything "
     "directly on the counter",
     f"sandwich: {TOAST}, 2 slices of tomato, 4 slices of lettuce; {COUNTER}"),
    ("The David salad, and add a slice of potato, a fried egg and a fork",
     "salad: 2 slices of tomato, 3 slices of lettuce, 1 cooked slice of potato, 1 fork"
     f"{PLATE}; fry 1 egg"),
    ("The Dax salad without lettuce, without potato, and add an extra slice of tomato",
     f"salad: 2 slices of tomato{PLATE}"),
    ("The Mary breakfast with no coffee, add an egg, and add a cup filled with water",
     f"slices: {TOAST}{PLATE}; fry 1 egg; fill with water 1 cup; {COUNTER}"),
    ("The Lion breakfast with three slices of tomato, two mugs of coffee and a fork",
     f"slices: 3 slices of tomato, 1 fork{PLATE}; coffee in 2 clean mugs; {COUNTER}"),
    ("The Lax arrangement with two pillows and a remote, and place them on the arm chair instead",
     "put 2 pillow on one arm chair; put 1 remote control on one arm chair"),
    ("The Pax arrangement with one pencil instead of two, and include a book and a baseball bat",
     "put 1 pencil on one desk; put 2 pen on one desk; put 1 book on one desk; "
     "put 1 baseball bat on one desk"),
    ("The Gax cleaning with three plates instead of two, include a fork and do not clean any cups",
     "clean 3 plate; clean 1 fork"),
    ("The Gabe sandwich with only 1 slice of tomato, two slices of lettuce, and add an egg",
     f"sandwich: {TOAST}, 1 slice of tomato, 2 slices of lettuce{PLATE}; fry 1 egg"),
    ("The Kax cleaning without the pan, include a spoon and include a pot",
     "clean 1 mug; clean 1 spoon; clean 1 pot"),
]  # fmt: skip


COFFEE = "coffee in 1 clean mug"


def _taught(text: str) -> NamedGoal:
    found, name = heard(text), name_given_in(spoken(text))
    assert found.goal is not None and name is not None
    return NamedGoal(name, spoken(text), found.goal.content)


@pytest.fixture(scope="module")
def memory() -> NamedGoals:
    return NamedGoals(tuple(map(_taught, TAUGHT.values())))


def test_each_name_is_heard(memory: NamedGoals) -> None:
    assert [each.name for each in memory.entries] == list(TAUGHT)
    assert name_given_in(spoken("F: call it Bob", "make a coffee")) is None


@pytest.mark.parametrize(("request_text", "meant"), REQUESTS, ids=[r[0][:50] for r in REQUESTS])
def test_a_goal_is_recalled_and_changed(memory: NamedGoals, request_text: str, meant: str) -> None:
    goal = understand(spoken(request_text), memory).goal
    assert goal is not None and isinstance(goal.task, Task)
    assert "; ".join(goal_lines(goal.content)) == meant


@pytest.mark.parametrize(
    ("request_text", "meant"),
    [
        ("The Hal brew but two cups please", "coffee in 2 clean mugs"),
        ("The Hal brew and another cup", "coffee in 2 clean mugs"),
        ("The Hal brew and a slice of toast", f"slices: 1 toasted slice of bread{PLATE}; {COFFEE}"),
        ("The Hal brew and no toast", COFFEE),
    ],
)
def test_cups_and_food_are_added_to_a_coffee(request_text: str, meant: str) -> None:
    memory = NamedGoals((_taught("Make me a coffee, call it the Hal brew."),))
    goal = understand(spoken(request_text), memory).goal
    assert "; ".join(goal_lines(goal.content)) == meant


def test_a_misspelled_name_is_recalled_and_another_is_not(memory: NamedGoals) -> None:
    found = understand(spoken("the larri sandwich plaese"), memory).goal
    assert found is not None and found.content == memory.entries[0].content
    plain = understand(spoken("a lettuce sandwich"), memory).goal
    assert plain is not None and plain.library_task == ("Sandwich", ("1", "0"))


def test_a_file_gives_back_what_was_written(memory: NamedGoals, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    assert read_goals(path) == NamedGoals() == read_goals(tmp_path / ("a" * 300))
    write_goals(memory, path)
    assert read_goals(path) == memory
    newer = NamedGoal("larry sandwich", spoken("x"), memory.entries[1].content)
    assert read_goals(path).with_entries((newer,)).recall("Larry sandwich") == newer


@pytest.mark.parametrize(
    ("line", "change", "fault"),
    [
        (1, lambda raw: {**raw, "format": "other"}, "1: format: should be 'tatc memory'"),
        (1, lambda raw: {**raw, "version": 2}, "1: version: is 2, and this tatc reads version 1"),
        (2, lambda raw: {**raw, "name": ""}, "2: name: should be a text"),
        (2, lambda raw: {**raw, "dialogue": [["Robot", "x"]]}, "2: dialogue[0]: should be a pair"),
        (2, lambda raw: {**raw, "dialogue": [["Commander", "\ud800"]]}, "2: dialogue[0]: should"),
        (2, lambda raw: {**raw, "goal": {}}, "2: goal.dishes: is missing"),
        (2, lambda raw: [raw], "2: should be an object"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_one_line(
    memory: NamedGoals, tmp_path: Path, line: int, change: object, fault: str
) -> None:
    path = tmp_path / "memory.jsonl"
    write_goals(memory, path)
    lines = path.read_text().splitlines()
    assert callable(change)
    lines[line - 1] = json.dumps(change(json.loads(lines[line - 1])))
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(BadInput) as caught:
        read_goals(path)
    assert str(caught.value).startswith(f"{path}:{fault}") and "\n" not in str(caught.value)


def test_a_memory_is_neither_read_nor_written_beyond_its_limits(
    memory: NamedGoals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    write_goals(memory, path)
    monkeypatch.setattr(files, "MAX_MEMORY_ENTRIES", len(memory.entries) - 1)
    with pytest.raises(BadInput, match="entries at most"):
        read_goals(path)
    with pytest.raises(OutputError, match="which is the most"):
        write_goals(memory, path)
    with path.open("ab") as file:
        file.truncate(files.MEMORY.max_bytes + 1)  # takes no room on the disk
    with pytest.raises(BadInput, match="holds more than 64 MiB"):
        read_goals(path)


def test_the_newest_entry_of_a_name_counts_and_stands_last(memory: NamedGoals) -> None:
    first, second, *rest = memory.entries
    newer = NamedGoal(first.name.upper(), spoken("x"), first.content)
    assert memory.with_entries((newer, second)).entries == (*rest, newer, second)


@given(st.binary(max_size=200))
def test_no_bytes_make_more_than_one_line(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        path.write_bytes(data)
        try:
            assert isinstance(read_goals(path), NamedGoals)
        except BadInput as fault:
            assert "\n" not in str(fault)


def test_every_written_goal_survives_json() -> None:
    goals = [understand(each.utterances).goal for each in written_dialogues()]
    contents = [goal.content for goal in goals if goal is not None]
    assert len(contents) > 250
    for content in contents:
        assert read_content(json.loads(json.dumps(content_json(content)))) == content
