"""One short session for all formats."""

from pathlib import Path

import pytest

from tatc.records import write_record
from tatc.runner import Setup, open_session, record_of, run_opening
from tatc.timeline import Timeline


@pytest.fixture(scope="session")
def coffee(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a session with some failed steps."""
    opening = open_session(
        task="coffee", room=None, game=None, params=(), seed=1, folders=()
    )
    setup = Setup(noise=0.3)
    result, floor_map = run_opening(opening, setup)
    path = tmp_path_factory.mktemp("export") / "coffee.game.json"
    write_record(record_of(opening, result, floor_map, setup), path)
    return path


@pytest.fixture(scope="session")
def timeline(coffee: Path) -> Timeline:
    return Timeline.of(coffee)
