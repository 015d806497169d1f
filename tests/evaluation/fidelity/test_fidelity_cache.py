"""Comparisons that were broken off go on."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from tatc.base import code_identity
from tatc.evaluation.fidelity.agreement_counts import AgreementCounts, Disagreement
from tatc.evaluation.fidelity.fidelity_cache import FidelityCache, entry_hash
from tatc.evaluation.fidelity.game_fidelity import GameFidelity


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    found = [tmp_path / f"{name}.game.json" for name in "ab"]
    for path in found:
        path.write_text("{}")
    return found


def game_fidelity(path: Path) -> GameFidelity:
    apart = Disagreement("clicks", "Pickup", "-", "Mug", "why", str(path), 7)
    tally = AgreementCounts(Counter(clicks=3), Counter(clicks=2), [apart])
    return GameFidelity(str(path), "FloorPlan1", path.stem, tally)


def test_what_was_compared_is_known_to_the_same_command(paths: list[Path]):
    kept = FidelityCache(paths, "boxes")
    assert kept.cached_games() == {}
    for path in paths:
        kept.add(game_fidelity(path))
    assert FidelityCache(paths, "boxes").cached_games() == {
        path: game_fidelity(path) for path in paths
    }
    assert FidelityCache(paths, "people 0123").cached_games() == {}
    assert FidelityCache(paths[:1], "boxes").cached_games() == {}


def test_a_path_need_not_be_text(paths: list[Path]):
    odd = paths[0].rename(paths[0].with_name(os.fsdecode(b"\xff.game.json")))
    kept = FidelityCache([odd], "boxes")
    kept.add(game_fidelity(paths[1]))
    assert kept.cached_games() == {}
    assert kept.path != FidelityCache(paths[1:], "boxes").path


def test_a_file_that_has_changed_is_compared_again(paths: list[Path]):
    kept = FidelityCache(paths, "boxes")
    for path in paths:
        kept.add(game_fidelity(path))
    os.utime(paths[0], ns=(1, 1))
    paths[1].unlink()
    assert kept.cached_games() == {}


def test_a_torn_line_costs_one_game_and_no_other(paths: list[Path]):
    kept = FidelityCache(paths, "boxes")
    kept.add(game_fidelity(paths[0]))
    size = kept.path.stat().st_size
    kept.add(game_fidelity(paths[1]))
    data = kept.path.read_bytes()
    for end in (size, size + 1, (size + len(data)) // 2, len(data) - 1):
        kept.path.write_bytes(data[:end])
        assert set(kept.cached_games()) == {paths[0]}
        kept.add(game_fidelity(paths[1]))
        assert set(kept.cached_games()) == set(paths)


@pytest.mark.parametrize(
    "change",
    [
        {"path": 1},
        {"stamp": None},
        {"stamp": [1, "2"]},
        {"plan": ""},
        {"plan": "9" * 5000},
        {"plan": "\ud800"},
        {"game": []},
        {"asked": []},
        {"asked": {"clicks": "3"}},
        {"asked": {"clicks": -3}, "agreed": {"clicks": -3}},
        {"agreed": {"clicks": 4}},
        {"agreed": None},
        {"apart": None},
        {"apart": [["clicks"]]},
        {"apart": [["a"] * 7]},
    ],
    ids=str,
)
def test_a_wrong_line_is_passed_over_and_its_game_compared_again(paths: list[Path], change: Any):
    kept = FidelityCache(paths, "boxes")
    for path in paths:
        kept.add(game_fidelity(path))
    first, second = (json.loads(line) for line in kept.path.read_text().split("\n") if line)
    wrong = first | change
    lines = (
        json.dumps(wrong | {"hash": entry_hash(wrong)}),
        json.dumps(second),
        "[]",
        "5",
        "null",
        "x" * 5_000_000,
    )
    kept.path.write_text("".join(f"{line}\n" for line in lines))
    assert set(kept.cached_games()) == {paths[1]}
    kept.add(game_fidelity(paths[0]))
    assert set(kept.cached_games()) == set(paths)


@pytest.mark.parametrize(
    "change", [{"plan": "FloorPlan2"}, {"agreed": {}}, {"apart": []}, {"hash": None}], ids=str
)
def test_a_line_that_somebody_changed_is_passed_over(paths: list[Path], change: Any):
    kept = FidelityCache(paths, "boxes")
    kept.add(game_fidelity(paths[0]))
    kept.path.write_text(json.dumps(json.loads(kept.path.read_text()) | change) + "\n")
    assert kept.cached_games() == {}


def test_a_line_of_a_game_that_was_not_named_is_passed_over(paths: list[Path], tmp_path: Path):
    kept, other = FidelityCache(paths, "boxes"), tmp_path / "other.game.json"
    other.write_text("{}")
    kept.add(game_fidelity(other))
    assert kept.cached_games() == {}


def test_what_was_skipped_is_read_again(paths: list[Path]):
    kept = FidelityCache(paths, "boxes")
    kept.add(GameFidelity(str(paths[0]), skipped="is no game"))
    assert kept.cached_games() == {}


def test_nothing_stays_behind(paths: list[Path]):
    kept = FidelityCache(paths, "boxes")
    kept.add(game_fidelity(paths[0]))
    kept.delete()
    kept.delete()
    assert not list(kept.path.parent.iterdir())


@pytest.fixture
def package_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder of a copy of the package, which counts as the code that runs."""
    copy = tmp_path / "tatc"
    copytree(code_identity.PACKAGE_FOLDER, copy, ignore=ignore_patterns("__pycache__"))
    monkeypatch.setattr(code_identity, "PACKAGE_FOLDER", copy)
    yield copy
    code_identity.code_hash.cache_clear()


def test_what_other_code_has_compared_is_not_known(paths: list[Path], package_copy: Path):
    FidelityCache(paths, "boxes").add(game_fidelity(paths[0]))
    code_identity.code_hash.cache_clear()
    assert FidelityCache(paths, "boxes").cached_games() == {paths[0]: game_fidelity(paths[0])}
    with (package_copy / "state.py").open("a") as file:
        file.write("# changed\n")
    code_identity.code_hash.cache_clear()
    assert FidelityCache(paths, "boxes").cached_games() == {}
