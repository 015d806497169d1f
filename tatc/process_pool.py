"""One function over many things, in processes of this machine, in the order given."""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def map_in_processes(
    function: Callable[[Job], Result], arguments: Sequence[Job], workers: int
) -> Generator[Result]:
    """Yield what comes of each job; with one worker, in this process.

    `function` must be a function of a module, or a `functools.partial` of one.  Ctrl-C is
    for the asking side to handle.
    """
    if workers == 1:
        yield from map(function, arguments)
        return
    spawned = multiprocessing.get_context("spawn")
    with spawned.Pool(workers, _ignore_interrupts) as pool:
        yield from pool.imap(function, arguments)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
