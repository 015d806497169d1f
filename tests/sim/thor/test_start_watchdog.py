"""The watch over a start of AI2-THOR comes to an end."""

import subprocess
import threading
from pathlib import Path
from types import SimpleNamespace

from tatc.sim.thor.client import with_start_watchdog


class Client:
    """A client whose AI2-THOR dies at once, and that waits at no pipe."""

    def __init__(self, pipe: Path) -> None:
        self.server = SimpleNamespace(server_pipe_path=str(pipe), server_pipe=None)

    def _start_unity_thread(self, process: subprocess.Popen[bytes]) -> None:
        self.server.unity_proc = process


def test_it_ends_though_nobody_waits_at_the_pipe(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with subprocess.Popen(["true"]) as process:
        with_start_watchdog(Client, 0.1)(tmp_path / "gone")._start_unity_thread(process)
        [watch] = set(threading.enumerate()) - before
        watch.join(timeout=20)
    assert not watch.is_alive()
