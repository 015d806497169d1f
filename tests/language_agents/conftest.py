"""The stub endpoint of the tests of the client, and sessions that a scripted model played."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tatc.cli import app
from tests.language_agents.scripted_endpoint import ScriptedModel
from tests.llm.conftest import running_endpoint as running_endpoint
from tests.llm.conftest import stub as stub
from tests.llm.stub_endpoint import MODEL, StubEndpoint

Run = Callable[..., Result]
SESSION = ("run", "coffee", "--room", "kitchen-04")


@pytest.fixture
def run(stub: StubEndpoint, tmp_path: Path) -> Run:
    """Return what runs a command with the stub's model, and its answers in a folder of the test."""

    def invoke(*words: str | Path, model: str = MODEL, answers: str = "answers") -> Result:
        where = ["--model", model, "--base-url", stub.base_url, "--answers", tmp_path / answers]
        first, *rest = map(str, words)
        return CliRunner().invoke(app, [first, *map(str, where), *rest])

    return invoke


@pytest.fixture
def played(run: Run, stub: StubEndpoint, tmp_path: Path) -> Path:
    """Return the record of a session that the scripted model played as Follower."""
    stub.usual = ScriptedModel()
    path = tmp_path / "played.game.json"
    done = run(*SESSION, "--follower", "llm", "--save", path, "--quiet")
    assert done.exit_code == 0, done.output
    return path
