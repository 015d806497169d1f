"""Runs a command or a function in this process, within limits, with its outputs caught."""

import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import lru_cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

from benchmarks.fuzz.limits import OutOfTime, PeakMemory, within_limits
from benchmarks.fuzz.outcomes import Ending
from tatc.base.errors import TatcError


def run_command(words: Sequence[str], stdin: str = os.devnull) -> Ending:
    """Run `tatc` with these words in this process, with a file as its stdin."""
    before = sys.stdin
    with Path(stdin).open(encoding="utf-8") as sys.stdin:
        try:
            return _run(lambda: _tatc_command().main(args=list(words), prog_name="tatc"))
        finally:
            sys.stdin = before


def run_function(function: Callable[[], object]) -> Ending:
    """Run a function that raises a `TatcError` for bad input, which ends it as it does tatc."""

    def run() -> None:
        try:
            function()
        except TatcError as error:
            sys.stderr.write(f"error: {error.one_line}\n")
            raise SystemExit(2) from error

    return _run(run)


def _run(work: Callable[[], object]) -> Ending:
    # As a terminal would have them: what is no text in UTF-8 cannot be written to stdout.
    out = TextIOWrapper(BytesIO(), "utf-8", write_through=True)
    err = TextIOWrapper(BytesIO(), "utf-8", "backslashreplace", write_through=True)
    status: int | None = 0
    stopped, memory = False, PeakMemory()
    with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("default")
        try:
            with within_limits():
                work()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except OutOfTime:
            status, stopped = None, True
            traceback.print_exc()
        except BaseException:
            status = None
            traceback.print_exc()
    texts = [each.buffer.getvalue().decode("utf-8", "replace") for each in (out, err)]  # pyright: ignore
    return Ending(status, *texts, memory.added_bytes(), stopped)


@lru_cache(maxsize=1)
def _tatc_command() -> Any:
    import typer.main

    from tatc.cli import app

    return typer.main.get_command(app)
