"""The stub endpoint of the tests of the client, and sessions that a scripted model played."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.command_line import run_tatc
from tests.language.llm.conftest import KEY, running_endpoint as running_endpoint, stub as stub
from tests.language.llm.stub_endpoint import MODEL, StubEndpoint
from tests.session.text_world.models.scripted_endpoint import ScriptedModel

Run = Callable[..., Result]
SESSION = ("run", "coffee", "--room", "kitchen-04")


def _invoke(stub: StubEndpoint, answers: Path, model: str, *words: str | Path) -> Result:
    where = ["--model", model, "--base-url", stub.base_url, "--answers", answers]
    first, *rest = map(str, words)
    return run_tatc(first, *where, *rest)


@pytest.fixture
def run(stub: StubEndpoint, tmp_path: Path) -> Run:
    """Return what runs a command with the stub's model, and its answers in a folder of the test."""

    def invoke(*words: str | Path, model: str = MODEL, answers: str = "answers") -> Result:
        return _invoke(stub, tmp_path / answers, model, *words)

    return invoke


@pytest.fixture(scope="session")
def played_once(running_endpoint: StubEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a session that the scripted model played as Follower."""
    folder = tmp_path_factory.mktemp("played")
    running_endpoint.reset()
    running_endpoint.usual = ScriptedModel()
    words = (*SESSION, "--follower", "llm", "--save", folder / "played.game.json", "--quiet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", KEY)
        done = _invoke(running_endpoint, folder / "answers", MODEL, *words)
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def played(played_once: Path, stub: StubEndpoint, tmp_path: Path) -> Path:
    """Return the record of that session, with the answers of the model beside it."""
    shutil.copytree(played_once, tmp_path, dirs_exist_ok=True)
    return tmp_path / "played.game.json"
