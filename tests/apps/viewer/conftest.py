"""Sessions to look at: a small run, records, and a server that stands in front."""

import json
from collections.abc import Iterator
from gzip import decompress
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from starlette.testclient import TestClient

from tatc.apps.viewer.play.game_host import GameHost
from tatc.apps.viewer.session_index import SessionIndex, open_session_index
from tatc.apps.viewer.web_app import SessionCache, web_application
from tatc.base.web_server import AccessGuard, PathToken
from tatc.session.records import read_record
from tatc.tdl import shipped_library
from tests.command_line import run_tatc

TOKEN = "the-token"
HOST = "127.0.0.1:8000"


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run of two tasks in two kitchens, with all records kept."""
    folder = tmp_path_factory.mktemp("runs") / "kitchens"
    words = ["eval", "--room", "kitchen-01", "--room", "kitchen-02"]
    words += ["--tasks", "coffee,114", "--save-records", "all", "--out", str(folder)]
    done = run_tatc(*words)
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="session")
def record(run_folder: Path) -> Path:
    """Return the record of a Coffee session."""
    return next((run_folder / "records").glob("*offee*"))


@pytest.fixture(scope="session")
def short(run_folder: Path) -> Path:
    """Return the record with the fewest actions."""
    records = (run_folder / "records").iterdir()
    return min(records, key=lambda path: len(read_record(path).interactions))


@pytest.fixture(scope="session")
def site(short: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the exported site of that record."""
    folder = tmp_path_factory.mktemp("exported") / "site"
    done = run_tatc("view", short, "--export", folder)
    assert (done.exit_code, done.stdout) == (0, f"{folder / 'index.html'}\n")
    return folder


@pytest.fixture
def damaged(record: Path, tmp_path: Path) -> Path:
    """Return a folder with a record, a cut one, a newer one, and another's file."""
    folder = tmp_path / "records"
    folder.mkdir()
    copyfile(record, folder / "whole.game.json.gz")
    text = decompress(record.read_bytes())
    (folder / "cut.game.json").write_bytes(text[: len(text) // 2])
    newer = json.loads(text)
    newer["tatc"]["format"] = 99
    (folder / "newer.game.json").write_text(json.dumps(newer))
    (folder / "other.game.json").write_text('{"a": 1}')
    return folder


def value_of(script: str) -> Any:
    """Return the value that a data script hands to the page."""
    return json.loads(script[script.index(",") + 1 : script.rindex(")")])


def serve_client(session_index: SessionIndex, folder: Path):
    """Return a client of a server that shows the sessions of an index and hosts games."""
    library = shipped_library()
    host = GameHost(library, session_index, folder=folder, pace_seconds=0.0)
    guarded = AccessGuard(
        web_application(SessionCache(library), host),
        PathToken(TOKEN),
        {"localhost"},
    )
    return TestClient(guarded, base_url=f"http://{HOST}/{TOKEN}")


@pytest.fixture
def client(run_folder: Path, tmp_path: Path) -> Iterator[TestClient]:
    with serve_client(open_session_index([run_folder]), tmp_path) as made:
        yield made
