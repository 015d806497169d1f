"""What is handed to a package index: complete, and with metadata that the index takes."""

import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

pytest.importorskip("build", reason="needs the extra: dev")
pytest.importorskip("hatchling", reason="needs the extra: dev")
pytest.importorskip("twine", reason="needs the extra: dev")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the source distribution and the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    _run("build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    return folder


def _run(module: str, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", module, *arguments], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_index_takes_the_metadata(distributions: Path) -> None:
    _run("twine", "check", "--strict", *map(str, distributions.iterdir()))


def test_the_wheel_holds_every_file_of_the_package(distributions: Path) -> None:
    [wheel] = distributions.glob("*.whl")
    with ZipFile(wheel) as packed:
        held = {name for name in packed.namelist() if name.startswith("tatc/")}
    files = (each.relative_to(ROOT) for each in (ROOT / "tatc").rglob("*") if each.is_file())
    wanted = {each.as_posix() for each in files if "__pycache__" not in each.parts}
    assert held == wanted


def test_the_source_distribution_holds_its_tests_and_the_licence(distributions: Path) -> None:
    [source] = distributions.glob("*.tar.gz")
    with tarfile.open(source) as packed:
        held = {name.partition("/")[2] for name in packed.getnames()}
    assert {"LICENSE", "README.md", "pyproject.toml", "tests/test_distribution.py"} <= held
