"""A few short sessions in shipped rooms, and what reads a run's folder."""

from pathlib import Path

import pytest

from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_evaluation import run_evaluation
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.runs.session_selection import select_sessions
from tatc.session.agents.session_setup import SessionSetup

TASKS = ("Water Plant", "Coffee", "Clean All X")
NONDETERMINISTIC_FILES = {"timings.jsonl"}


def few_sessions(commander: str = "rule", **options: object) -> EvalOptions:
    """Return options for a few short sessions."""
    chosen: dict[str, object] = {"rooms": ("kitchen-01",), "tasks": TASKS} | options
    return EvalOptions(setup=SessionSetup(commander=commander), **chosen)  # type: ignore[arg-type]


def run(folder: Path, options: EvalOptions, **how: object) -> dict[str, SessionRow]:
    """Run and return the rows by task."""
    chosen = select_sessions(options)
    rows = run_evaluation(RunFolder(folder), options, chosen, **how)  # type: ignore[arg-type]
    return {row.task: row for row in rows}


def stable_contents(folder: Path) -> dict[str, bytes]:
    """Return what a run has left, but for how long it took."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in NONDETERMINISTIC_FILES
    }


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run of a few sessions that was not interrupted."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    run(folder, few_sessions(seeds=(1, 2)))
    return folder
