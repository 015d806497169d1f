"""What runs on each Python that this machine has, of those that tatc is said to run on.

Where an interpreter has the packages that tatc depends on, it plays a session; where it has not, it
compiles every file.  Records and rooms have the same bytes on all of them.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSIONS = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
SESSION = ("run", "coffee", "--no-save", "--quiet")
IMPORTS = "import tatc, tatc.cli, tatc.api, numpy, scipy, networkx, typer, rich"
COMPILES = (
    "import compileall, sys, warnings; warnings.simplefilter('error');"
    "sys.exit(not compileall.compile_dir(sys.argv[1], quiet=1, legacy=False, force=True))"
)

DIGESTS = """
import builtins, math, sys
from hashlib import sha256

def one_by_one(values, /, start=0):
    for value in values:
        start = start + value
    return start

def exactly(values, /, start=0):
    values = [*values]
    if values and {*map(type, values)} == {float}:
        return math.fsum(values)
    return one_by_one(values, start)

builtins.sum = {"own": sum, "one by one": one_by_one, "exactly": exactly}[sys.argv[1]]

import tatc
from tatc.home.state import RoomKind
from tatc.session.records.record_io import record_bytes
from tatc.sim.rooms import format_room, generate_room

for task, room in (("salad", "kitchen-02"), ("breakfast", "kitchen-05")):
    print(task, sha256(record_bytes(tatc.run(task, room=room))).hexdigest())
for kind in RoomKind:
    print(kind, sha256(format_room(generate_room(kind, 7)).encode()).hexdigest())
"""


@cache
def _interpreter(version: str) -> str | None:
    """Return an interpreter of a version, if there is one that has tatc's packages.

    It is this one, one on PATH or one of pyenv's.
    """
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    name = f"python{version}"
    on_path = (shutil.which(name, path=folder) for folder in os.get_exec_path())
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named = [*on_path, *map(str, sorted(pyenv.glob(f"{version}.*/bin/{name}")))]
    found = [each for each in dict.fromkeys(named) if each and _answers(each, version)]
    return next(filter(_has_packages, found), found[0] if found else None)


def _answers(interpreter: str, version: str) -> bool:
    """Return whether it is this version: what stands on PATH may only point to one."""
    done = subprocess.run([interpreter, "--version"], capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.startswith(f"Python {version}.")


@cache
def _has_packages(interpreter: str) -> bool:
    return _run(interpreter, "-c", IMPORTS, cache=None).returncode == 0


@pytest.mark.parametrize("version", VERSIONS)
def test_a_python_of_this_machine_runs_tatc_or_compiles_it(version: str, tmp_path: Path) -> None:
    interpreter = _interpreter(version)
    if interpreter is None:
        pytest.skip(f"this machine has no Python {version}")
    if _has_packages(interpreter):
        done = _run(interpreter, "-m", "tatc", *SESSION, cache=None)
    else:
        done = _run(interpreter, "-c", COMPILES, str(ROOT / "tatc"), cache=tmp_path)
    assert done.returncode == 0, f"{interpreter}: {done.stdout}{done.stderr}"


def _digests(interpreter: str, sums: str = "own") -> str:
    """Return the hashes of records and rooms; `sums` is how `sum` adds floats."""
    done = _run(interpreter, "-c", DIGESTS, sums, cache=None)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_records_and_rooms_are_the_same_however_sum_rounds() -> None:
    # Until 3.11 `sum` rounds after each number; from 3.12 on hardly at all.
    assert _digests(sys.executable, "one by one") == _digests(sys.executable, "exactly")


def test_records_and_rooms_have_the_same_bytes_on_another_python() -> None:
    found = {_interpreter(each) for each in VERSIONS} - {None, sys.executable}
    able = [each for each in found if each and _has_packages(each)]
    if not able:
        pytest.skip("no other Python on PATH has tatc's packages")
    assert {_digests(each) for each in able} == {_digests(sys.executable)}


def _run(interpreter: str, *words: str, cache: Path | None) -> "subprocess.CompletedProcess[str]":
    """Run an interpreter on this checkout; what it compiles goes to `cache`, or nowhere."""
    kept = {"PYTHONPYCACHEPREFIX": str(cache)} if cache else {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [interpreter, *words],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | kept,
        capture_output=True,
        text=True,
        timeout=120,
    )
