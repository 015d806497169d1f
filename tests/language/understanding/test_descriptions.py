"""Descriptions of things by use; all are our own, written before the table of cues."""

from pathlib import Path

import pytest

from benchmarks.word_glosses import read_glosses, with_glosses
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


def test_glosses_are_those_of_the_senses_that_a_row_names(tmp_path: Path) -> None:
    line = '00000010 06 n 01 fork 0 000 | cutlery for eating; "a silver fork"  \n'
    (tmp_path / "data.noun").write_text(f"  1 licence\n{line}")
    (tmp_path / "index.noun").write_text("  1 licence\nfork n 1 0 1 0 00000010  \n")
    table = '[Fork]\nwordnet = ["fork 1"]\ngloss = []\nuses = "eat"\n'
    assert with_glosses(table, read_glosses(tmp_path)) == table.replace(
        "gloss = []", 'gloss = ["cutlery for eating"]'
    )
