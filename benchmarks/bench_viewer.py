"""Opening a run of 2,000 sessions in the viewer, and the size of its pages."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tatc.apps.viewer.page_data import data_script
from tatc.apps.viewer.session_index import open_session_index, session_list_json
from tatc.apps.viewer.web_app import SessionCache, page_files
from tatc.evaluation.runs.eval_options import EvalOptions, SaveRecords
from tatc.evaluation.runs.job_runners import JobResult, SessionRunner
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.runs.run_identity import run_contents
from tatc.evaluation.runs.session_selection import select_sessions
from tatc.tdl import shipped_library

SESSIONS = 2000
TASK = "breakfast"
"""The longest of the tasks, so that its page is the largest."""


def run(games: Path | None) -> Iterator[tuple[str, float, str]]:
    """Yield how long the list and a session take to open, and their sizes."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "run"
        _write_run(folder)
        begin = perf_counter()
        shelf = open_session_index([folder])
        told = data_script("sessions", session_list_json(shelf.entries, live=True))
        yield f"list of {SESSIONS} sessions", 1e3 * (perf_counter() - begin), "ms"
        yield "its page", (len(told) + _page_bytes()) / 1e6, "MB"
        begin = perf_counter()
        story = SessionCache(shipped_library()).open(shelf.entries[0]).page_data
        yield "a session", 1e3 * (perf_counter() - begin), "ms"
        yield "its moments", float(len(story["moments"])), "moments"
        yield ("its page", (len(data_script("", story)) + _page_bytes()) / 1e6, "MB")


def _write_run(folder: Path) -> None:
    """Run one session, and write a run that contains it 2,000 times."""
    options = EvalOptions(rooms=("kitchen-04",), tasks=(TASK,), keep=SaveRecords.ALL)
    chosen = select_sessions(options)
    runner = SessionRunner(options)
    try:
        done = runner.run(chosen.jobs[0])
    finally:
        runner.close()
    run, key = RunFolder(folder), done.row.key
    keys = (key, *(f"{key}-{i}" for i in range(1, SESSIONS)))
    jobs = tuple(replace(chosen.jobs[0], key=each) for each in keys)
    with run.held():
        run.create_or_resume(run_contents(options, replace(chosen, jobs=jobs)))
        run.add(done, 0.0)
        for each in keys[1:]:
            run.add(JobResult(replace(done.row, key=each), 0.0), 0.0)


def _page_bytes() -> int:
    """Return the total size of the pages in bytes."""
    return sum(map(len, page_files().values()))
