"""The program's start and end: Ctrl-C, closed streams, encodings, and the current folder."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tatc.base.interrupts import EXIT_INTERRUPTED

ROOT = Path(__file__).parents[1]
TATC = [sys.executable, "-m", "tatc"]

_INTERRUPTED_AT_IMPORT = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
from tatc.__main__ import main
sys.argv = ["tatc", "tasks"]
main()
"""
_INTERRUPTED_AT_EXIT = """
import atexit, os, signal, sys
from tatc.__main__ import main
atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["tatc", "--version"]
main()
"""


def _run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    "module", ["tatc.base.interrupts", "tatc.cli", "typer", "tatc.commands.view", "tatc.tdl"]
)
def test_ctrl_c_while_the_program_starts(module: str) -> None:
    done = _run(_INTERRUPTED_AT_IMPORT.format(module=module))
    assert done.returncode == EXIT_INTERRUPTED
    assert done.stderr in ("", "interrupted\n")


def test_ctrl_c_while_the_program_ends() -> None:
    done = _run(_INTERRUPTED_AT_EXIT)
    assert (done.returncode, done.stderr) == (EXIT_INTERRUPTED, "")


def test_a_program_that_ignores_ctrl_c_goes_on_doing_so() -> None:
    """A shell lets what it runs in the background ignore Ctrl-C."""
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    done = _run(code + _INTERRUPTED_AT_IMPORT.format(module="tatc.tdl"))
    assert (done.returncode, done.stderr) == (0, "") and "Coffee" in done.stdout


def test_the_script_starts_as_the_module_does() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"tatc": "tatc.__main__:main"}


def _shell(line: str, folder: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", line.replace("TATC", " ".join(TATC))]
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_closed_stdout_is_one_line_and_status_2() -> None:
    done = _shell("TATC tasks >&-")
    assert done.returncode == 2
    assert done.stderr == "error: stdout is closed (send it to a file, or to /dev/null)\n"


@pytest.mark.parametrize("streams", ["2>&-", "<&-", "<&- 2>&-"])
def test_other_closed_streams_are_no_fault(streams: str) -> None:
    done = _shell(f"TATC tasks {streams}")
    assert (done.returncode, done.stderr) == (0, "") and "Coffee" in done.stdout


def test_all_streams_closed_ends_with_a_status() -> None:
    assert _shell("TATC tasks <&- >&- 2>&-").returncode == 2


def test_a_file_does_not_get_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """Else what is printed there would end up in the file."""
    code = "from tatc.__main__ import main; import sys; sys.argv = ['tatc', '--help']; main()"
    seen = "import atexit, os; atexit.register(lambda: print(os.open(os.devnull, os.O_RDONLY)))"
    done = _shell(f'{sys.executable} -c "{seen}; {code}" 2>&- <&-', tmp_path)
    assert int(done.stdout.splitlines()[-1]) > 2


def test_a_stdout_of_ascii_takes_everything(tmp_path: Path) -> None:
    name = "caf\N{LATIN SMALL LETTER E WITH ACUTE}.json"
    line = f"TATC rooms new --kind kitchen --seed 1 --out {name}"
    done = _shell(line, tmp_path, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout) == (0, "caf\\xe9.json\n"), done.stderr
    assert (tmp_path / name).is_file()


def test_the_current_folder_is_not_on_the_path_of_the_program(tmp_path: Path) -> None:
    """Python puts it there for `-m`; a file in it could stand in for any module."""
    (tmp_path / "heapq.py").write_text("raise SystemExit('the current folder was searched')\n")
    done = _shell("TATC run coffee --no-save --quiet", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
