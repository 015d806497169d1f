"""Where recorded data lies, and fixtures that skip with a reason without it."""

import os
import signal
import sys
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tatc.session.records import Game, read_game

# The same examples in every run; --hypothesis-profile=default draws others.  No deadline and no
# check of speed: how long an example takes depends on what else the machine does.
settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

# Tests start hundreds of programs, each of which would compile all of tatc anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell lets what it runs in the background ignore Ctrl-C, and so would the programs
# that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--teach-data",
        metavar="DIR",
        default=os.environ.get("TATC_TEST_DATA"),
        help="folder with recorded TEACh sessions (default: $TATC_TEST_DATA)",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Draw frames first: one process compiles the kernels, and the others find them compiled."""
    items.sort(key=lambda item: item.path.name != "test_frames.py")


@pytest.fixture(scope="session")
def teach_data(request: pytest.FixtureRequest) -> Path:
    """Return the folder of recorded data, or skip with the reason."""
    folder = request.config.getoption("--teach-data")
    if not folder:
        pytest.skip("no recorded data: give --teach-data=DIR or set TATC_TEST_DATA")
    path = Path(folder)
    if not (path / "teach" / "sample-games").is_dir():
        pytest.fail(f"--teach-data {path}: there is no teach/sample-games in it")
    return path


@pytest.fixture(scope="session")
def sample_games(teach_data: Path) -> list[Path]:
    """Return the recorded sample games, in name order."""
    return sorted((teach_data / "teach" / "sample-games").glob("*.game.json.gz"))


@pytest.fixture(scope="session")
def half_of_the_games(sample_games: list[Path]) -> list[Game]:
    """Return every other sample game, read once for all tests that only look at them."""
    return [read_game(path) for path in sample_games[::2]]


@pytest.fixture
def without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `tatc eval` run its sessions in this process, where a process of their own shows nothing.

    To start one takes as long as some sessions.
    """
    from tatc.evaluation.runs import run_evaluation

    def run_here(jobs: Sequence[Any], options: Any, workers: int) -> Generator[Any]:
        runner = run_evaluation.runner_for(options)
        for job in jobs:
            yield runner.run(job, lambda row: None)

    monkeypatch.setattr(run_evaluation, "run_in_processes", run_here)
