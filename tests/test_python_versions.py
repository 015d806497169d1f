"""What runs on each Python that this machine has, of those that tatc is said to run on.

Where an interpreter has the packages that tatc depends on, it plays a session; where it has not, it
compiles every file.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
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


def _interpreter(version: str) -> str | None:
    """Return an interpreter of a version: this one, one on PATH, or one that pyenv has."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    name = f"python{version}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(name), *map(str, sorted(pyenv.glob(f"{version}.*/bin/{name}")))]
    return next((each for each in found if each and _answers(each, version)), None)


def _answers(interpreter: str, version: str) -> bool:
    """Return whether it is this version: what stands on PATH may only point to one."""
    done = subprocess.run([interpreter, "--version"], capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.startswith(f"Python {version}.")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_python_of_this_machine_runs_tatc_or_compiles_it(version: str, tmp_path: Path) -> None:
    interpreter = _interpreter(version)
    if interpreter is None:
        pytest.skip(f"this machine has no Python {version}")
    if _run(interpreter, "-c", IMPORTS, cache=None).returncode == 0:
        done = _run(interpreter, "-m", "tatc", *SESSION, cache=None)
    else:
        done = _run(interpreter, "-c", COMPILES, str(ROOT / "tatc"), cache=tmp_path)
    assert done.returncode == 0, f"{interpreter}: {done.stdout}{done.stderr}"


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
