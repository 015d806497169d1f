"""Descriptions of things by use; all are our own, written before the table of cues."""

from pathlib import Path

import pytest

from benchmarks.word_glosses import read_glosses, with_glosses
from tatc.home.actions import Role, Utterance
from tatc.language.understanding import understand
from tatc.language.understanding.descriptions import type_from_description

_FILE = Path(__file__).parent / "descriptions.txt"


@pytest.mark.parametrize("half", [0, 1], ids=["looked at", "kept aside"])
def test_most_descriptions_mean_the_type_that_was_described(half: int) -> None:
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    rows = [line.split(": ") for line in lines if ": " in line and line[0] != "#"][half::2]
    right = [row for row in rows if type_from_description(row[1])[0] in row[0].split()]
    assert len(right) >= 0.92 * len(rows)


@pytest.mark.parametrize("words", ["", "the", "something"])
def test_words_that_describe_nothing_are_not_sure(words: str) -> None:
    assert type_from_description(words)[1] < 0.2


def test_only_the_given_types_are_meant() -> None:
    assert type_from_description("something with a handle to drink tea from", {"Cup"})[0] == "Cup"


def test_forms_of_a_word_describe_the_same() -> None:
    found = {type_from_description(f"{form} bacon")[0] for form in ("fry", "fried", "frying")}
    assert found == {"Pan"}


def test_words_of_no_cue_make_a_description_less_sure() -> None:
    _, sure = type_from_description("rings in the morning")
    assert type_from_description("rings in the morning zyx qvw")[1] < sure


def _task(words: str) -> tuple[str, tuple[str, ...]] | None:
    goal = understand([Utterance(Role.COMMANDER, words, 0.0)]).goal
    return goal and goal.library_task


_TASKS = {
    "Put all the things you eat soup with in the sink": ("Put All X In One Y", "Spoon on Sink"),
    "Please clean what bread is cut with": ("Clean All X", "Knife"),
    "put the pillow where you sleep": ("Put All X In One Y", "Pillow on Bed"),
    "water the green thing that grows in a pot": ("Water Plant", ""),
    "put what changes the channels on the thing you sleep on": (
        "Put All X In One Y",
        "RemoteControl on Bed",
    ),
}


@pytest.mark.parametrize("words", _TASKS)
def test_dialogues_may_describe_what_they_ask_for(words: str) -> None:
    name, params = _TASKS[words]
    assert _task(words) == (name, tuple(params.split()))


@pytest.mark.parametrize(
    "words",
    [
        "Although there is a cup, put the mug on the desk",
        "Although there is a cup put the mug on the desk",
        "put the mug on the desk even though there is a cup",
        "Despite the cup on the bed, put the mug on the desk.",
        "put the mug, not the cup, on the desk",
        "put the mug instead of the cup on the desk",
        "put the mug on the desk, not on the bed",
    ],
)
def test_what_is_conceded_or_contrasted_is_not_meant(words: str) -> None:
    assert _task(words) == ("Put All X In One Y", ("Mug", "on", "Desk"))


@pytest.mark.parametrize(
    "words",
    ["What should I do next?", "I see what happens", "Is there anything else?", "where is the pan"],
)
def test_questions_describe_nothing(words: str) -> None:
    assert _task(words) is None


def test_a_goal_that_was_described_is_less_sure_than_one_that_was_named() -> None:
    named, described = (
        understand([Utterance(Role.COMMANDER, f"clean {what}", 0.0)]).confidence
        for what in ("the knife", "what bread is cut with")
    )
    assert described < named


def test_what_nobody_meant_costs_no_confidence_of_a_follower_who_asks() -> None:
    heard = [
        Utterance(Role.FOLLOWER, "is it something to wash dishes with?", 0.0),
        Utterance(Role.COMMANDER, "clean the knife", 1.0),
    ]
    assert understand(heard).confidence > 0.9


def test_glosses_are_those_of_the_senses_that_a_row_names(tmp_path: Path) -> None:
    line = '00000010 06 n 01 fork 0 000 | cutlery for eating; "a silver fork"  \n'
    (tmp_path / "data.noun").write_text(f"  1 licence\n{line}")
    (tmp_path / "index.noun").write_text("  1 licence\nfork n 1 0 1 0 00000010  \n")
    table = '[Fork]\nwordnet = ["fork 1"]\ngloss = []\nuses = "eat"\n'
    assert with_glosses(table, read_glosses(tmp_path)) == table.replace(
        "gloss = []", 'gloss = ["cutlery for eating"]'
    )
