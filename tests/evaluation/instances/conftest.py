"""A session of the rule pair as a game, and the instances that are cut from it."""

from pathlib import Path

import pytest

from tatc.evaluation.instances.build import Built, instances_of
from tatc.records import Benchmark, write_record
from tatc.runner import open_session, record_of, run_opening
from tatc.tdl import shipped_library


@pytest.fixture(scope="session")
def played_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a session, which is a game file like any other."""
    opening = open_session(
        task="coffee", room="kitchen-01", game=None, params=(), seed=1, folders=()
    )
    result, _ = run_opening(opening)
    path = tmp_path_factory.mktemp("games") / "kitchen-01.game.json"
    write_record(record_of(opening, result, None), path)
    return path


@pytest.fixture(scope="session")
def edh(played_game: Path) -> tuple[Built, ...]:
    """Return the EDH instances of that session."""
    return instances_of(played_game, Benchmark.EDH, shipped_library())
