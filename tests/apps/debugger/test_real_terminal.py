"""The debugger on a terminal of its own: where an agent's code stops in pdb, and goes on."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select

POLICY = """from tatc.commander.policies import policy

@policy("simbotIsFilledWithCoffee", override=True)
def brew(key, known):
    breakpoint()
    return ()
"""


@contextmanager
def _on_terminal(*words: str, env: dict[str, str]) -> Iterator[int]:
    mine, theirs = pty.openpty()
    command = [sys.executable, "-m", "tatc", *words]
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with subprocess.Popen(command, env=env, start_new_session=True, **streams) as process:
        os.close(theirs)
        try:
            yield mine
        finally:
            process.kill()
            os.close(mine)


def _read_until(terminal: int, pattern: str) -> None:
    seen = ""
    while not re.search(pattern, seen):
        assert select([terminal], [], [], 60)[0], seen[-500:]
        seen += os.read(terminal, 65536).decode(errors="replace")


def test_a_breakpoint_in_a_policy_stops_in_pdb(tmp_path: Path) -> None:
    (tmp_path / "coffee.py").write_text(POLICY)
    root = str(Path(__file__).parents[3])
    env = os.environ | {"HOME": str(tmp_path), "PYTHONPATH": root, "TERM": "xterm"}
    words = ("coffee", "--room", "kitchen-01", "--policies", str(tmp_path))
    with _on_terminal("debug", *words, env=env | {"COLUMNS": "150", "LINES": "44"}) as terminal:
        _read_until(terminal, r"starting a session, up to step 0")
        _read_until(terminal, r"q quit")
        os.write(terminal, b"nnn")
        _read_until(terminal, r"(?s)coffee\.py\(6\)brew\(\).*\(Pdb\) ")
        os.write(terminal, b"p key.property_name\n")
        _read_until(terminal, r"'simbotIsFilledWithCoffee'")
        os.write(terminal, b"c\n")
        _read_until(terminal, r"step 3")
