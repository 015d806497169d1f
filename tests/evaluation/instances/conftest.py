"""A session of the rule pair as a game, and the instances that are cut from it."""

from pathlib import Path

import pytest

from tatc.evaluation.instances.build_instances import InstanceDocument, build_instances
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import find_session_start, prepare, run_from_start
from tatc.session.records import Benchmark, write_record
from tatc.session.session_record import make_record
from tatc.tdl import shipped_library
from tests.command_line import run_tatc


@pytest.fixture(scope="session")
def played_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a session, which is a game file like any other."""
    opening = find_session_start(
        task="coffee", room="kitchen-01", game=None, params=(), seed=1, task_folders=()
    )
    result, _ = run_from_start(opening, prepare(SessionSetup()))
    path = tmp_path_factory.mktemp("games") / "kitchen-01.game.json"
    write_record(make_record(opening, result, None, SessionSetup()), path)
    return path


@pytest.fixture(scope="session")
def edh(played_game: Path) -> tuple[InstanceDocument, ...]:
    """Return the EDH instances of that session."""
    return build_instances(played_game, Benchmark.EDH, shipped_library())


@pytest.fixture(scope="session")
def cut(played_game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the files of these instances."""
    out = tmp_path_factory.mktemp("edh")
    assert run_tatc("instances", played_game, "--out", out).exit_code == 0
    return out


@pytest.fixture(scope="session")
def first(cut: Path) -> Path:
    """Return the instance with the shortest history, whose frames are drawn soon."""
    return min(cut.glob("*.json"), key=lambda path: path.stat().st_size)
