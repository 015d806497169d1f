"""The Containerfiles: linted, without rights, and with everything that they copy."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONTAINERFILE, OPENENV = ROOT / "Containerfile", ROOT / "Containerfile.openenv"

each_containerfile = pytest.mark.parametrize("path", [CONTAINERFILE, OPENENV], ids=lambda p: p.name)


def _instructions(path: Path) -> list[tuple[str, str]]:
    """Return the instructions in order, with what follows each."""
    lines = path.read_text("utf-8").splitlines()
    written = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    return [(name, rest) for name, _, rest in written]


@each_containerfile
def test_the_linter_finds_nothing(path: Path) -> None:
    linter = shutil.which("hadolint", path=Path(sys.executable).parent) or shutil.which("hadolint")
    if linter is None:
        pytest.skip("needs hadolint (the extra: dev)")
    done = subprocess.run([linter, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@each_containerfile
def test_what_runs_has_no_rights(path: Path) -> None:
    names = [name for name, _ in _instructions(path)]
    users = [rest for name, rest in _instructions(path) if name == "USER"]
    assert users == ["1000"]
    assert names.index("RUN") < names.index("USER") < names.index("ENTRYPOINT")


@each_containerfile
def test_what_is_copied_exists_and_is_sent_to_the_engine(path: Path) -> None:
    copied = [
        each for name, rest in _instructions(path) if name == "COPY" for each in rest.split()[:-1]
    ]
    ignored = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    assert copied and all((ROOT / each).exists() for each in copied)
    assert {line[1:] for line in ignored if line.startswith("!")} == set(copied)


def test_the_image_runs_a_session_when_nothing_is_said() -> None:
    parts = dict(_instructions(CONTAINERFILE))
    assert json.loads(parts["ENTRYPOINT"]) + json.loads(parts["CMD"]) == ["tatc", "run", "coffee"]


def test_the_openenv_image_serves_when_nothing_is_said() -> None:
    pytest.importorskip("openenv", reason="needs the extra: openenv")
    parts = dict(_instructions(OPENENV))
    words = json.loads(parts["ENTRYPOINT"]) + json.loads(parts["CMD"])
    assert words[:3] == ["tatc", "serve", "openenv"]
    words[words.index(parts["EXPOSE"])] = "0"  # it may be taken here
    with subprocess.Popen(
        [sys.executable, "-m", *words], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline()
        server.terminate()
    assert address.startswith("http://127.0.0.1:")
