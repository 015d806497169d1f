"""Against TEACh itself: its checker's counts, its definitions, its recorded classes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.base.files import GAME, read_json
from tatc.home.metadata import write_simbot
from tatc.session.records import Game
from tatc.tdl import Progress, load_library
from tatc.tdl.properties import object_classes_of
from tatc.tdl.task_json import task_file_json
from tests.tdl.checker_rooms import LIBRARY

TEXTS = {"desc", "condition_failure_descs", "failure_desc", "comments_task_params"}
FIRST_ALFRED_TASK = 501
OURS = {"aliases", "summary", "parameters"}


@pytest.fixture(scope="module")
def official(teach_data: Path) -> dict[str, dict[str, Any]]:
    text = (teach_data / "teach" / "official-progress-train.json").read_text()
    return {entry["game"]: entry for entry in json.loads(text)}


def test_the_counts_are_the_official_ones(
    half_of_the_games: list[Game], official: dict[str, dict[str, Any]]
) -> None:
    for game in half_of_the_games:
        task = LIBRARY.compile(game.task_name, game.task_params)
        expected = official[game.game_id]
        for state, name in ((game.scene.initial, "initial"), (game.final, "final")):
            assert _counts(task.check(state)) == expected[name], (game.path, name)
            nearest = task.check(state, nearest_first=True)
            assert _counts(nearest) == expected[name], (game.path, name)


def test_people_could_start_and_left_nothing_to_do(half_of_the_games: list[Game]) -> None:
    for game in half_of_the_games:
        task = LIBRARY.compile(game.task_name, game.task_params)
        assert task.preconditions_hold(game.scene.initial), game.path
        assert task.check(game.scene.initial).problem_keys(), game.path
        assert task.check(game.final).problem_keys() == (), game.path


def test_definitions_are_written_as_game_files_hold_them(
    teach_data: Path, sample_games: list[Path]
) -> None:
    library = load_library([teach_data / "teach" / "task_definitions"])
    for path in sample_games[1::2]:
        recorded: Any = read_json(path, GAME)["tasks"][0]
        del recorded["episodes"]
        task = library.compile(recorded["task_name"], recorded["task_params"])
        assert json.dumps(task.definition_json()) == json.dumps(recorded), path


def test_our_definitions_are_the_references_in_our_words(teach_data: Path) -> None:
    """All but the texts is equal, order too; no text is taken over."""
    paths = sorted((teach_data / "teach" / "task_definitions").glob("*.json"))
    teachs = [each for each in LIBRARY.definitions() if each.id < FIRST_ALFRED_TASK]
    assert len(paths) == len(teachs)
    for path in paths:
        theirs = json.loads(path.read_text())
        ours = task_file_json(LIBRARY.find(theirs["task_name"]))
        assert json.dumps(_bare(ours)) == json.dumps(_bare(theirs)), path
        assert set(_texts(ours)).isdisjoint(_texts(theirs)), path


def test_classes_are_the_recorded_ones(half_of_the_games: list[Game]) -> None:
    """Lamps is the one class that the recordings lack; slices inherit theirs."""
    for game in half_of_the_games:
        for obj in game.scene.initial.objects:
            recorded = write_simbot(obj).get("simbotObjectClass")
            if recorded is None or "Sliced" in obj.objectType:
                continue
            known = [name for name in object_classes_of(obj.objectType) if name != "Lamps"]
            assert known == recorded


def _counts(progress: Progress) -> dict[str, Any]:
    return {
        "success": progress.success,
        "gc_total": progress.goal_conditions_total,
        "gc_sat": progress.goal_conditions_satisfied,
    }


def _bare(task: dict[str, Any]) -> Any:
    """Return a task file without texts; of failure texts only the properties stay."""

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: list(inner) if key == "condition_failure_descs" else strip(inner)
                for key, inner in value.items()
                if key == "condition_failure_descs" or key not in TEXTS | OURS
            }
        return [strip(each) for each in value] if isinstance(value, list) else value

    return strip(task)


def _texts(value: Any, key: str = "") -> list[str]:
    if isinstance(value, dict):
        return [
            text
            for name, inner in value.items()
            for text in _texts(inner, key if key == "condition_failure_descs" else name)
        ]
    if isinstance(value, list):
        return [text for each in value for text in _texts(each, key)]
    return [value] if isinstance(value, str) and key in TEXTS else []
