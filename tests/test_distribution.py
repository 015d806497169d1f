"""What is handed to a package index: complete, reproducible, and with metadata that it takes."""

import email
import os
import re
import subprocess
import sys
import tarfile
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest

import tatc

pytest.importorskip("build", reason="needs the extra: dev")
pytest.importorskip("hatchling", reason="needs the extra: dev")
pytest.importorskip("twine", reason="needs the extra: dev")

ROOT = Path(__file__).parents[1]
SECONDS_OF_THE_COMMIT = 1_700_000_000  # any will do: the files of a distribution get this time


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the source distribution and the wheel."""
    return _build(ROOT, tmp_path_factory.mktemp("dist"))


def _build(source: Path, out: Path) -> Path:
    _run("build", "--no-isolation", "--outdir", str(out), str(source))
    return out


def _run(module: str, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", module, *arguments],
        env=os.environ | {"SOURCE_DATE_EPOCH": str(SECONDS_OF_THE_COMMIT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_index_takes_the_metadata(distributions: Path) -> None:
    _run("twine", "check", "--strict", *map(str, distributions.iterdir()))


def test_the_same_sources_give_the_same_bytes(distributions: Path, tmp_path: Path) -> None:
    """Also in another folder, from files of other times."""
    [source] = distributions.glob("*.tar.gz")
    with tarfile.open(source) as packed:
        packed.extractall(tmp_path, filter="data")
    [unpacked] = tmp_path.iterdir()
    (unpacked / "PKG-INFO").unlink()  # what the build adds to the sources
    for path in unpacked.rglob("*"):
        os.utime(path)
    again = _build(unpacked, tmp_path / "again")
    assert _bytes_by_name(again) == _bytes_by_name(distributions)


def _bytes_by_name(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


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
    documents = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"}
    assert documents | {"pyproject.toml", "tests/test_distribution.py"} <= held


def test_the_metadata_leads_to_the_project(distributions: Path) -> None:
    metadata = _metadata(distributions)
    urls = dict(line.split(", ") for line in metadata.get_all("Project-URL", []))
    assert {"Repository", "Documentation", "Changelog", "Issues"} <= urls.keys()
    assert metadata["Version"] == tatc.__version__
    assert f"\nversion: {tatc.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def _metadata(distributions: Path) -> Message:
    [wheel] = distributions.glob("*.whl")
    with ZipFile(wheel) as packed:
        [name] = [each for each in packed.namelist() if each.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(packed.read(name))


def test_the_lower_bound_of_python_is_the_oldest_that_is_named(distributions: Path) -> None:
    metadata = _metadata(distributions)
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(metadata.get_all("Classifier", [])))
    assert metadata["Requires-Python"] == f">={named[0]}"
