"""Names of files from any text: in their folder, no device, told apart on every file system."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tatc.base.errors import BadInput
from tatc.base.file_names import check_exact_names, file_name

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
ODD = [
    *("", ".", "..", "x/../../../../escaped/evil", "a\\b", "/etc/passwd", "a\0b", "C:x", "~"),
    *("CON", "con", "nul.txt", "COM1", "a.", "a ", "-rf", ".hidden", "x" * 5000, "\ud800"),
    *("Mug", "mug", "MUG", "\u00e9", "e\u0301", "a b", "a-b", "a:b", "\u202e", "\n", "kitchen-01"),
    *("0008f3c95e006303_2053.edh0", "name", "a~b", "ﬁ", "fi", "ß", "ss"),
]


def folded(name: str) -> str:
    """Return a name as a file system sees it that folds case and composes letters."""
    return unicodedata.normalize("NFKC", name).casefold()


@given(ANY_TEXT)
def test_a_name_stays_in_its_folder_and_is_short(text: str) -> None:
    name = file_name(text, ".game.json")
    assert Path("a", name).parent == Path("a") and name.isascii() and name.isprintable()
    assert not set(name) & set('/\\:*?"<>| ') and name[0] not in ".-" and len(name) < 140


def test_odd_texts_have_names_that_no_file_system_takes_for_one(tmp_path: Path) -> None:
    names = [file_name(text) for text in ODD]
    assert len(set(map(folded, names))) == len(ODD)
    assert not {each.partition(".")[0].casefold() for each in names} & {"con", "nul", "com1"}
    for name in names:
        (tmp_path / name).write_text(name)
    assert len(list(tmp_path.iterdir())) == len(ODD)
    # The name of another text cannot be typed: it is none of its own.
    assert file_name(file_name("Mug")) != file_name("Mug")
    for plain in ("kitchen-01_clean-all-x_7", "0008f3c95e006303_2053.edh0"):
        assert file_name(plain, ".json") == f"{plain}.json"


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["FloorPlan1", "floorplan1"], "like FloorPlan1, but for case"),
        (["\u00e9", "e\u0301"], "composed"),
        *(
            ([name], "can be no file's name")
            for name in (*ODD[:5], "CON", "-x", ".x", "x.", "a" * 200)
        ),
    ],
)
def test_names_that_stay_as_they_are_are_checked(names: list[str], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        check_exact_names(names)
    check_exact_names(["FloorPlan1", "FloorPlan1", "kitchen-01"])
