"""Learned Followers need torch; without the extra their tests skip and say so."""

from pathlib import Path

import pytest

from tatc.api import run
from tatc.session.records import write_record

torch = pytest.importorskip("torch", reason="needs the extra: learned")
pytest.importorskip("safetensors", reason="needs the extra: learned")
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a session that succeeds."""
    path = tmp_path_factory.mktemp("games") / "coffee.game.json"
    write_record(run("coffee"), path)
    return path
