"""Applies one function to many arguments, in processes of this machine."""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def map_in_processes(
    function: Callable[[Job], Result], arguments: Sequence[Job], workers: int
) -> Generator[Result]:
    """Yield the function's result for each argument, in the order of the arguments.

    Args:
        function: a function of a module, or a `functools.partial` of one, because it is
            pickled.
        arguments: pickled too.
        workers: the number of processes; with 1, the function runs in this process.

    Ctrl-C interrupts only the calling process, which then ends the others.
    """
    if workers == 1:
        yield from map(function, arguments)
        return
    spawned = multiprocessing.get_context("spawn")
    with spawned.Pool(workers, _ignore_interrupts) as pool:
        yield from pool.imap(function, arguments)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
