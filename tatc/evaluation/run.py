"""A run: choose sessions, run those that are not done yet, keep what comes of them."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from time import perf_counter

from platformdirs import user_data_path

from tatc.errors import UnknownName
from tatc.evaluation.choice import Chosen
from tatc.evaluation.engines import ENGINES
from tatc.evaluation.folder import RunFolder
from tatc.evaluation.identity import code_hash, identity
from tatc.evaluation.one import Done
from tatc.evaluation.options import Options
from tatc.evaluation.rows import Row


def run_folder(out: Path | None, options: Options) -> RunFolder:
    """Return the folder of a run: the one named, or one in the user's data folder.

    The latter is named after the run, so that the same command finds it again.  A
    shard has its own folder in it.
    """
    if out is None:
        whole = json.dumps(asdict(replace(options, shard=(1, 1))))
        name = f"{code_hash()}-{sha256(whole.encode()).hexdigest()[:12]}"
        out = user_data_path("tatc") / "runs" / name
    i, n = options.shard
    return RunFolder(out if n == 1 else out / f"shard-{i:0{len(str(n))}}-of-{n}")


def evaluate(
    folder: RunFolder,
    options: Options,
    chosen: Chosen,
    *,
    engine: str = "local",
    workers: int = 1,
    force: bool = False,
    watch: Callable[[Row], None] = lambda row: None,
) -> tuple[Row, ...]:
    """Run what is not done yet of a run; return all its rows in order.

    `watch` is told of each row, those found in the folder first.  Whatever breaks it
    off, what was done is kept, and the same call goes on from there.

    Raises:
        BadInput: the folder holds another run; see `Runner` too.
        UnknownName: there is no such engine.
        OutputError: the folder cannot be made.

    """
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES, fix="name local or ray")
    folder.begin(identity(options, chosen), force=force)
    start = perf_counter()
    done = {row.key: row for row in folder.rows()}
    for row in chosen.refused:
        if row.key not in done:
            folder.add(Done(row, 0.0), 0.0)
            done[row.key] = row
    for row in done.values():
        watch(row)
    left = [job for job in chosen.jobs if job.key not in done]
    if left:
        with closing(ENGINES[engine](left, options, workers)) as finished:
            for each in finished:
                folder.add(each, perf_counter() - start)
                watch(each.row)
    return folder.finish()
