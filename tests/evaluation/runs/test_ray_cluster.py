"""A Ray cluster of two machines, as two sets of processes of this one."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

import pytest

from tatc.base.errors import TatcError
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_evaluation import run_evaluation
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.runs.session_selection import select_sessions
from tatc.sim.rooms import load_room
from tatc.sim.rooms.room_files import format_room
from tests.evaluation.runs.conftest import few_sessions, run, stable_contents

ray: Any = pytest.importorskip("ray", reason="needs the extra: cluster")

_SECONDS_TO_START = 90
_START = "from ray.scripts.scripts import main; main()"


@contextmanager
def _machine(folder: Path, *words: str) -> Generator[int]:
    """Start a machine of one core with its own home and working folder; yield its process id."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-c", _START, "start", "--block", "--num-cpus=1", *words]
    command += ["--object-store-memory=80000000", "--disable-usage-stats"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | {"XDG_DATA_HOME": str(folder)},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process.pid
    finally:
        _kill(process.pid)
        process.wait()


def _kill(pid: int) -> None:
    """Kill a machine: all processes of its session, workers in groups of their own too."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            session = int(path.read_text().rpartition(")")[2].split()[3])
            if session == pid:
                os.kill(int(path.parent.name), signal.SIGKILL)
        except OSError:
            continue  # it has ended meanwhile


def _wait_for(is_so: Callable[[], object], what: str) -> None:
    end = monotonic() + _SECONDS_TO_START
    while not is_so():
        if monotonic() > end:
            pytest.skip(f"Ray does not start here in {_SECONDS_TO_START} s: {what}")
        sleep(0.1)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Path, int]]:
    """Return the home of the first of two machines, and the process id of the second."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("needs Linux")
    ray.shutdown()
    folder = tmp_path_factory.mktemp("machines")
    first = folder / "first"
    with ExitStack() as stack:
        monkeypatch = stack.enter_context(pytest.MonkeyPatch.context())
        monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # a token would go into the user's home
        # The path of a socket has few characters.
        short = Path(
            stack.enter_context(TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True))
        )
        stack.callback(ray.shutdown)
        head = ("--head", "--port=0", "--include-dashboard=false", f"--temp-dir={short}")
        stack.enter_context(_machine(first, *head))
        named = short / "ray_current_cluster"
        _wait_for(lambda: named.exists() and named.read_text(), "no head")
        address = named.read_text().strip()
        second = stack.enter_context(_machine(folder / "second", f"--address={address}"))
        monkeypatch.setenv("RAY_ADDRESS", address)
        monkeypatch.setenv("XDG_DATA_HOME", str(first))
        ray.init(log_to_driver=False)
        _wait_for(lambda: ray.cluster_resources().get("CPU") == 2, "no second machine")
        ray.shutdown()
        yield first, second


def _own_room(home: Path, name: str) -> Path:
    path = home / "tatc" / "rooms" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = format_room(load_room("kitchen-01")).replace("kitchen-01", name)
    path.write_text(text)
    return path


def test_what_one_machine_lacks_runs_on_the_other_and_is_no_skip(
    cluster: tuple[Path, int], tmp_path: Path
) -> None:
    path = _own_room(cluster[0], "mine")
    options = few_sessions(rooms=("mine",))
    rows = run(tmp_path / "local", options)
    assert not any(row.skipped for row in rows.values())
    run(tmp_path / "ray", options, engine="ray", workers=2)
    assert stable_contents(tmp_path / "ray") == stable_contents(tmp_path / "local")
    selected = select_sessions(options)
    path.unlink()
    with pytest.raises(TatcError, match=r"cluster could run 3 of the sessions.*room 'mine'"):
        run_evaluation(RunFolder(tmp_path / "none"), options, selected, engine="ray", workers=2)
    assert not (tmp_path / "none" / "results.jsonl").exists()


def test_sessions_of_a_machine_that_dies_run_on_another_one(
    cluster: tuple[Path, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the last test, because it takes the second machine away."""
    (tmp_path / "rooms").mkdir()
    monkeypatch.chdir(tmp_path)
    Path("rooms/near.json").write_text(format_room(load_room("kitchen-01")))
    options = few_sessions(rooms=("rooms/near.json",), seeds=(1, 2))
    run(tmp_path / "local", options)
    finished: list[SessionRow] = []

    def kill_after_the_first(row: SessionRow) -> None:
        if not finished:
            _kill(cluster[1])
        finished.append(row)

    how: dict[str, Any] = {"engine": "ray", "workers": 4, "on_row": kill_after_the_first}
    run(tmp_path / "ray", options, **how)
    assert len(finished) == 6
    assert stable_contents(tmp_path / "ray") == stable_contents(tmp_path / "local")
