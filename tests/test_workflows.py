"""What runs on GitHub: files that parse, actions that cannot change, and no right too many."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="needs the extra: dev")

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".github"
FILES = sorted(FOLDER.rglob("*.yml"))
WORKFLOWS = sorted((FOLDER / "workflows").glob("*.yml"))
PINNED = re.compile(r"uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")

each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.name)


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def _classifiers() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return project["classifiers"]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_a_file_is_a_mapping_in_yaml(path: Path) -> None:
    assert isinstance(_read(path), dict)


@each_workflow
def test_every_action_is_pinned_by_its_whole_hash(path: Path) -> None:
    lines = [line for line in path.read_text("utf-8").splitlines() if "uses:" in line]
    assert lines
    assert [line for line in lines if not PINNED.search(line)] == []


@each_workflow
def test_a_workflow_may_only_read_but_for_what_publishes(path: Path) -> None:
    workflow = _read(path)
    assert workflow["permissions"] == {"contents": "read"}
    rights = {
        name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job
    }
    publishing = {"publish": {"attestations": "write", "id-token": "write"}}
    assert rights == (publishing if path.name == "release.yml" else {})


@each_workflow
def test_a_job_ends(path: Path) -> None:
    assert all(job["timeout-minutes"] <= 60 for job in _read(path)["jobs"].values())


def test_every_python_that_the_index_shows_is_checked() -> None:
    job = _read(FOLDER / "workflows" / "ci.yml")["jobs"]["check"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(_classifiers()))
    assert job["strategy"]["matrix"]["python"] == versions == ["3.11", "3.12", "3.13", "3.14"]


def test_what_is_published_is_what_was_checked_and_attested() -> None:
    jobs = _read(FOLDER / "workflows" / "release.yml")["jobs"]
    runs = "\n".join(step.get("run", "") for step in jobs["build"]["steps"])
    assert runs.index(".ci/run") < runs.index("python -m build") < runs.index("twine check")
    used = [step["uses"].partition("@")[0] for step in jobs["publish"]["steps"]]
    assert used == [
        "actions/download-artifact",
        "actions/attest-build-provenance",
        "pypa/gh-action-pypi-publish",
    ]
    assert jobs["publish"]["needs"] == "build" and jobs["publish"]["environment"] == "pypi"


def test_the_workflow_runs_what_decides_here() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    assert re.findall(r"run: bash (.+)", workflow) == [".ci/run"]
    assert (ROOT / ".ci" / "run").is_file()


def test_the_linter_finds_nothing() -> None:
    linter = shutil.which("zizmor", path=Path(sys.executable).parent) or shutil.which("zizmor")
    if linter is None:
        pytest.skip("needs zizmor (the extra: dev)")
    done = subprocess.run([linter, "--offline", str(FOLDER)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
