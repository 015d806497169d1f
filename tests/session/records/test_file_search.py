"""Which game files the arguments of a command name."""

from pathlib import Path

import pytest

from tatc.base.errors import BadInput
from tatc.session.records import find_games
from tatc.session.records.file_search import GAME_FILES, INSTANCE_FILES, FileKind, find_files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder of empty games, and of files that are none, and go there."""
    for name in (
        "train/b.game.json",
        "train/a.game.json.gz",
        "valid/seen/c.game.json",
        "valid/d.edh0.json",
        "valid/e.game.json.bak",
        "odd name [1].json",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "valid" / "f.game.json").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


A, B, C = "train/a.game.json.gz", "train/b.game.json", "valid/seen/c.game.json"


@pytest.mark.parametrize(
    ("args", "found"),
    [
        (["train"], [A, B]),
        (["."], [A, B, C]),
        ([B], [B]),
        (["valid", B, "train"], [A, B, C]),
        (["train/b.game.json", "./train/../train/b.game.json"], [B]),
        (["train/*.json"], [B]),
        (["**/*.game.json*"], [A, B, C, "valid/e.game.json.bak"]),
        (["*"], [A, B, C, "odd name [1].json"]),
        (["odd name [1].json"], ["odd name [1].json"]),
        (["valid/d.edh0.json"], ["valid/d.edh0.json"]),
    ],
)
def test_files_folders_and_globs(folder: Path, args: list[str], found: list[str]) -> None:
    if "*" in args:  # a shell would hand over the empty folder too
        (folder / "empty").rmdir()
    assert [path.resolve() for path in find_games(args)] == sorted(
        (folder / name).resolve() for name in found
    )


@pytest.mark.parametrize(
    ("arg", "why"),
    [
        ("none", "none: there is no such file"),
        ("empty", "empty: there are no games in this folder"),
        ("none/*.json", "none/*.json: nothing matches this pattern"),
        ("odd name [2].json", "nothing matches"),
        ("a\0b", "there is no such file"),
        ("x" * 5000, "is no usable path"),
    ],
)
def test_what_names_nothing_is_refused(folder: Path, arg: str, why: str) -> None:
    with pytest.raises(BadInput) as caught:
        find_games([B, arg])
    assert why in str(caught.value)
    assert caught.value.fix


def test_sample_games_are_found(teach_data: Path) -> None:
    folder = teach_data / "teach" / "sample-games"
    found = find_games([str(folder), str(folder / "*.gz")])
    assert len(found) == 48
    assert found == sorted(found)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (GAME_FILES, "game files, folders with *.game.json or *.game.json.gz in them"),
        (INSTANCE_FILES, "instance files, folders with *.edh<k>.json or *.tfd.json in them"),
    ],
)
def test_no_argument_is_refused_with_what_can_be_named(kind: FileKind, names: str) -> None:
    with pytest.raises(BadInput) as caught:
        find_files([], kind)
    assert caught.value.what == f"no {kind.noun} are given"
    assert caught.value.fix == f"name {names}, or globs"
