"""A few short sessions in shipped rooms, and what reads a run's folder."""

from pathlib import Path

import pytest

from tatc.evaluation.choice import choose
from tatc.evaluation.folder import RunFolder
from tatc.evaluation.options import Options
from tatc.evaluation.rows import Row
from tatc.evaluation.run import evaluate
from tatc.runner import Setup
from tatc.tdl import shipped_library

TASKS = ("Water Plant", "Coffee", "Clean All X")
UNEQUAL = {"timings.jsonl"}


def few(commander: str = "rule", **options: object) -> Options:
    """Return options for a few short sessions."""
    chosen: dict[str, object] = {"rooms": ("kitchen-01",), "tasks": TASKS} | options
    return Options(setup=Setup(commander=commander), **chosen)  # type: ignore[arg-type]


def run(folder: Path, options: Options, **how: object) -> dict[str, Row]:
    """Run and return the rows by task."""
    chosen = choose(options, shipped_library())
    rows = evaluate(RunFolder(folder), options, chosen, **how)  # type: ignore[arg-type]
    return {row.task: row for row in rows}


def contents(folder: Path) -> dict[str, bytes]:
    """Return what a run has left, but for how long it took."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in UNEQUAL
    }


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run of a few sessions that was not interrupted."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    run(folder, few(seeds=(1, 2)))
    return folder
