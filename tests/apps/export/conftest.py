"""One short session for all formats."""

from pathlib import Path

import pytest

from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import find_session_start, prepare, run_from_start
from tatc.session.records import write_record
from tatc.session.session_record import make_record
from tatc.session.timeline import Timeline


@pytest.fixture(scope="session")
def coffee(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a session with some failed steps."""
    opening = find_session_start(
        task="coffee", room=None, game=None, params=(), seed=1, task_folders=()
    )
    setup = SessionSetup(noise=0.3)
    result, recorded_map = run_from_start(opening, prepare(setup))
    path = tmp_path_factory.mktemp("export") / "coffee.game.json"
    write_record(make_record(opening, result, recorded_map, setup), path)
    return path


@pytest.fixture(scope="session")
def timeline(coffee: Path) -> Timeline:
    return Timeline.of(coffee)
