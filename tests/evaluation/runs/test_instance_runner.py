"""Instances whose fields are wrong are left out with a line, as no crash of the player."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.instance_runner import InstanceRunner
from tatc.evaluation.runs.session_selection import select_sessions
from tests.command_line import run_tatc


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "kitchen.game.json"
    _tatc("run", "Basic Kitchen Tasks", "--room", "kitchen-01", "--save", str(path))
    return path


def _tatc(*words: str) -> None:
    done = run_tatc(*words)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "changes", [{"objects": []}, {"objects": {"Mug|1": None}}, {"objects": {"a": {"isOpen": []}}}]
)
def test_a_wrong_state_difference_is_named_and_left_out(
    changes: Any, game: Path, tmp_path: Path
) -> None:
    _tatc("instances", str(game), "--kind", "edh", "--out", str(tmp_path))
    path = next(tmp_path.glob("*.edh*.json"))
    document = json.loads(path.read_text())
    document["state_changes"] = changes
    path.write_text(json.dumps(document))
    options = EvalOptions(games=(str(path),), recorded=(str(game),), kind="edh")
    done = InstanceRunner(options).run(select_sessions(options).jobs[0])
    assert not done.crash
    assert str(path) in done.row.skipped and "state_changes.objects" in done.row.skipped
