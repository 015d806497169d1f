"""How an interrupted command ended, told by its status and what it printed."""

import pytest

import tatc
from benchmarks.bench_interrupts import classify_end

SCRIPT = "/home/me/.venv/bin/tatc"


@pytest.mark.parametrize(
    ("status", "files", "end"),
    [
        (130, (), "quiet"),
        (-2, (), "quiet"),
        (0, (), "done"),
        (7, (), "other"),
        (1, ("<frozen site>",), "python"),
        (1, (SCRIPT, "/usr/lib/python3.11/re/__init__.py"), "script"),
        (1, (SCRIPT, tatc.__file__, "/usr/lib/python3.11/enum.py"), "tatc"),
    ],
)
def test_the_last_frames_tell_whose_traceback_it_is(
    status: int, files: tuple[str, ...], end: str
) -> None:
    stderr = "".join(f'  File "{file}", line 3, in <module>\n' for file in files)
    if files:
        stderr = f"Traceback (most recent call last):\n{stderr}KeyboardInterrupt\n"
    assert classify_end(status, stderr, SCRIPT) == end
