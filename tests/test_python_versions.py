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
IMPORTS = "import tatc, tatc.cli, tatc.api, numpy, scipy, networkx, typer, rich"
COMPILES = (
    "import compileall, sys, warnings; warnings.simplefilter('error');"
    "sys.exit(not compileall.compile_dir(sys.argv[1], quiet=1, legacy=False, force=True))"
)


def _interpreters(version: str) -> list[str]:
    """Return the interpreters of a version: on PATH, and those that pyenv has."""
    name = f"python{version}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(name), *map(str, pyenv.glob(f"{version}.*/bin/{name}"))]
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        found.insert(0, sys.executable)
    return [each for each in found if each and _answers(each, version)]


def _answers(interpreter: str, version: str) -> bool:
    """Return whether it is this version: what stands on PATH may only point to one."""
    done = subprocess.run([interpreter, "--version"], capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.startswith(f"Python {version}.")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_python_of_this_machine_runs_tatc_or_compiles_it(version: str, tmp_path: Path) -> None:
    interpreters = _interpreters(version)
    if not interpreters:
        pytest.skip(f"this machine has no Python {version}")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(tmp_path)}
    for interpreter in interpreters:
        if _run([interpreter, "-c", IMPORTS], environment).returncode == 0:
            words = ["-m", "tatc", "run", "coffee", "--no-save", "--quiet"]
        else:
            words = ["-c", COMPILES, str(ROOT / "tatc")]
        done = _run([interpreter, *words], environment)
        assert done.returncode == 0, f"{interpreter}: {done.stdout}{done.stderr}"


def _run(words: list[str], environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120)
