"""One short session for all formats."""

from pathlib import Path

import pytest

from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import prepare, run_from_start
from tatc.session.records import write_record
from tatc.session.session_record import make_record
from tatc.session.timeline import Timeline
from tests.session.text_world.sessions import opening


@pytest.fixture(scope="session")
def coffee(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a session with some failed steps."""
    setup, start = SessionSetup(noise=0.3), opening()
    result, recorded_map = run_from_start(start, prepare(setup))
    path = tmp_path_factory.mktemp("export") / "coffee.game.json"
    write_record(make_record(start, result, recorded_map, setup), path)
    return path


@pytest.fixture(scope="session")
def timeline(coffee: Path) -> Timeline:
    return Timeline.of(coffee)
