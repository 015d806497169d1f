"""A run: run the selected sessions that are not finished yet, and keep their results."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from time import perf_counter

from platformdirs import user_data_path

from tatc.base.code_identity import code_hash
from tatc.base.errors import UnknownName
from tatc.evaluation.runs.engines import EXECUTION_ENGINES
from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.job_runners import JobResult
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.runs.run_identity import identifying_options, run_identity
from tatc.evaluation.runs.session_selection import SessionSelection


def locate_run_folder(out: Path | None, options: EvalOptions) -> RunFolder:
    """Return the folder of a run: `out`, or a folder in the user's data folder if that is None.

    The latter is named after code and options, so that the same command finds it again.  Each
    shard has a folder of its own inside.
    """
    if out is None:
        whole = json.dumps(identifying_options(replace(options, shard=(1, 1))))
        name = f"{code_hash()}-{sha256(whole.encode()).hexdigest()[:12]}"
        out = user_data_path("tatc") / "runs" / name
    i, n = options.shard
    return RunFolder(out if n == 1 else out / f"shard-{i:0{len(str(n))}}-of-{n}")


def run_evaluation(
    folder: RunFolder,
    options: EvalOptions,
    selection: SessionSelection,
    *,
    engine: str = "local",
    workers: int = 1,
    force: bool = False,
    on_row: Callable[[SessionRow], None] = lambda row: None,
    on_bad_line: Callable[[str], None] = lambda fault: None,
) -> tuple[SessionRow, ...]:
    """Run the sessions of a run that are not finished; return the rows of all, in order.

    After an interruption, finished sessions are kept and the same call continues.

    Args:
        folder: the run's folder; made if need be.
        options: which sessions, and how each is run.
        selection: the sessions that the options select.
        engine: "local" or "ray".
        workers: how many sessions run at a time.
        force: whether to start again in a folder that holds another run.
        on_row: called with each row, first with those found in the folder.
        on_bad_line: called with the fault of each line of results that cannot be read; its
            session runs again.

    Raises:
        OutputError: the folder cannot be made.

    """
    if engine not in EXECUTION_ENGINES:
        raise UnknownName("engine", engine, EXECUTION_ENGINES, fix="name local or ray")
    folder.create_or_resume(run_identity(options, selection), force=force)
    start = perf_counter()
    found = folder.results()
    for fault in found.faults:
        on_bad_line(fault)
    done = {row.key: row for row in found.rows}
    for row in selection.skipped_rows:
        if row.key not in done:
            folder.add(JobResult(row), 0.0)
            done[row.key] = row
    for row in done.values():
        on_row(row)
    left = [job for job in selection.jobs if job.key not in done]
    if left:
        with closing(EXECUTION_ENGINES[engine](left, options, workers)) as finished:
            for each in finished:
                folder.add(each, perf_counter() - start)
                on_row(each.row)
    return folder.sort_results()
