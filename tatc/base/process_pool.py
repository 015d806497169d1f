"""Calls one function with many arguments, in processes of this machine that may die.

A process that dies in the midst of a call (out of memory, killed, `os._exit`, a fault in a library)
costs no more than that call: this side sees the end of its pipe, says so, and starts another.
Arguments, results and the function are pickled; what it prints goes to stderr, not between results.
"""

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from time import perf_counter, sleep
from typing import IO, Any, Generic, NoReturn, TypeVar

from tatc.base.errors import BadInput, TatcError

Job = TypeVar("Job")
Result = TypeVar("Result")

Report = Callable[[object], None]  # tells the asking side something before the result is there
WorkFunction = Callable[[Job, Report], Result]
"""Returns the result of a job, and may report on the way."""

# What a process answers: one of these words, and a value.
_READY, _REPORTED, _RETURNED, _RAISED = "ready", "reported", "returned", "raised"
_OBJECTS_BEFORE_COLLECTION = 50_000  # between looks for garbage, of which a session makes little
_MAX_STARTS = 3
_SECONDS_TO_END = 5
_SECONDS_BETWEEN_LOOKS = 1
_OUT_OF_MEMORY_STATUS = 137  # a shell's for a killed process
_INTERRUPTED_STATUS = 130
# Not `-m`: what is pickled must not belong to a module named __main__.
_MAIN_CODE = "from tatc.base.process_pool import main; main()"


_importing: list[str] = []
_is_worker = False


@contextmanager
def importing(name: str) -> Generator[None]:
    """Note that the block imports a module or file of the user's."""
    _importing.append(name)
    try:
        yield
    finally:
        _importing.pop()


def check_not_nested() -> None:
    """Refuse processes where they would start others for ever, as a TatcError.

    Each worker imports the module of the user's agent.  A script that evaluates an agent of its own
    file, without a main guard, would evaluate again there.
    """
    if _importing:
        why = f"an evaluation was started while {_importing[-1]} was imported"
        raise TatcError(why, fix="in that file, put it below `if __name__ == '__main__':`")
    if _is_worker:
        why = "an evaluation was started in a worker of another one"
        raise TatcError(why, fix="let the agent start none")


class WorkerDied(Exception):
    """A process died in the midst of a call."""

    def __init__(self, status: int, seconds: float, last_report: object) -> None:
        """Take the exit status (negative: a signal), the call's seconds, and its last report."""
        super().__init__(f"its process died, status {status}")
        self.seconds, self.last_report = seconds, last_report


def map_in_processes(
    function: Callable[[Job], Result],
    arguments: Sequence[Job],
    workers: int,
    on_death: Callable[[Job, str], Result],
) -> Generator[Result]:
    """Yield the function's result for each argument, in the order of the arguments.

    `function` is a module's, or a `functools.partial` of one.  With one worker it runs in this
    process.  `on_death` returns the result of an argument whose process died, from the argument and
    a line that says so.  Ctrl-C interrupts only the calling process, which then ends the others.
    """
    if workers == 1:
        yield from map(function, arguments)
        return
    with ProcessPool(partial(_without_reports, function), workers) as pool:
        futures = [pool.submit(each) for each in arguments]
        for argument, future in zip(arguments, futures, strict=True):
            try:
                yield future.result()
            except WorkerDied as death:
                yield on_death(argument, str(death))


def _without_reports(function: Callable[[Job], Result]) -> WorkFunction[Job, Result]:
    return lambda argument, report: function(argument)


class ProcessPool(Generic[Job, Result]):
    """Processes that do jobs; one thread here waits for each of them."""

    def __init__(
        self, make_function: Callable[[], WorkFunction[Job, Result]], workers: int
    ) -> None:
        """Prepare; each process calls `make_function` once, when its first job is there."""
        check_not_nested()
        self._make_function = make_function
        self._of_thread = threading.local()
        self._started: list[_Worker] = []
        self._threads = ThreadPoolExecutor(workers, initializer=self._prepare_thread)

    def __enter__(self) -> "ProcessPool[Job, Result]":
        return self

    def __exit__(self, *fault: object) -> None:
        """End all processes at once."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._started:
            worker.close()
        self._threads.shutdown(wait=True)
        for worker in self._started:  # one that a thread started meanwhile
            worker.close()

    def submit(self, job: Job) -> "Future[Result]":
        """Return a future; it raises the function's errors, `WorkerDied`, or a `TatcError`."""
        return self._threads.submit(lambda: self._of_thread.worker.do(job))

    def _prepare_thread(self) -> None:
        self._of_thread.worker = worker = _Worker(self._make_function)
        self._started.append(worker)


class _Worker:
    """One process, started when it is needed and again after it died."""

    def __init__(self, make_function: Callable[[], WorkFunction[Any, Any]]) -> None:
        self._make_function = make_function
        self._process: subprocess.Popen[bytes] | None = None

    def do(self, job: object) -> Any:
        process = self._process or self._start()
        start, last_report = perf_counter(), None
        try:
            _send(process, job)
            while True:
                kind, value = _receive(process)
                if kind == _RETURNED:
                    return value
                if kind == _RAISED:
                    break
                last_report = value
        except (OSError, EOFError, pickle.UnpicklingError) as fault:
            with suppress(subprocess.TimeoutExpired):  # to learn its own status
                process.wait(_SECONDS_TO_END)
            status, seconds = self._stop(process), perf_counter() - start
            raise WorkerDied(status, seconds, last_report) from fault
        raise value

    def close(self) -> None:
        if self._process is not None:
            self._stop(self._process)

    def _start(self) -> "subprocess.Popen[bytes]":
        """Start the process; one that dies as it starts is started again a few times."""
        status = 0
        for _ in range(_MAX_STARTS):
            command = python_command(_MAIN_CODE)
            with interrupts_blocked():
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._process = process
            with suppress(OSError, EOFError, pickle.UnpicklingError):
                _send(process, sys.path)
                _send(process, self._make_function)
                kind, error = _receive(process)
                if kind == _READY:
                    return process
                raise error
            status = self._stop(process)
        why = f"a worker cannot start: its process died, status {status}"
        raise TatcError(why, fix="see what it printed above")

    def _stop(self, process: "subprocess.Popen[bytes]") -> int:
        self._process = None
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        return process.wait()


def _send(process: "subprocess.Popen[bytes]", value: object) -> None:
    if process.stdin is not None:
        _write_pickle(process.stdin, value)


def _receive(process: "subprocess.Popen[bytes]") -> tuple[str, Any]:
    if process.stdout is None:
        raise EOFError
    return pickle.load(process.stdout)


def _write_pickle(pipe: IO[bytes], value: object) -> None:
    pipe.write(pickle.dumps(value))  # in whole: what cannot be pickled leaves no half of it
    pipe.flush()


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Do jobs until the asking side closes its pipe."""
    sys.path[:] = pickle.load(requests)
    try:
        function = pickle.load(requests)()
    except TatcError as fault:
        _write_pickle(answers, (_RAISED, _picklable(fault)))
        return
    gc.freeze()  # what is loaded by now stays: there is no garbage to look for in it
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTION, *gc.get_threshold()[1:])
    _write_pickle(answers, (_READY, None))

    def report(value: object) -> None:
        _write_pickle(answers, (_REPORTED, value))

    while True:
        try:
            job = pickle.load(requests)
        except EOFError:
            return
        try:
            answer = pickle.dumps((_RETURNED, function(job, report)))
        except MemoryError:  # as where the system kills the process
            sys.exit(_OUT_OF_MEMORY_STATUS)
        except KeyboardInterrupt:  # a job's own: a terminal's is blocked
            sys.exit(_INTERRUPTED_STATUS)
        except Exception as fault:  # raised again on the asking side
            answer = pickle.dumps((_RAISED, _picklable(fault)))
        answers.write(answer)
        answers.flush()


def _picklable(error: Exception) -> Exception:
    """Return an error as it can be pickled, with the calls that led to it as a note."""
    calls = "".join(traceback.format_exception(error))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # many errors take other arguments than their message
        kinds = (kind for kind in (BadInput, TatcError) if isinstance(error, kind))
        error = next(kinds, RuntimeError)(str(error) or type(error).__name__)
    error.add_note(f"in a worker process:\n{calls}")
    return error


def main() -> None:
    """Serve on stdin and stdout; Ctrl-C is left to the asking side."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    global _is_worker
    _is_worker = True
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, answers)


def _end_with(parent: int) -> NoReturn:
    """End this process soon after the asking one, whose jobs may loop for ever."""
    while os.getppid() == parent:
        sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def python_command(code: str) -> list[str]:
    """Return the command that runs code in a Python process with a safe path.

    Otherwise Python puts the current folder first on the path of a process that runs `-c` or
    `-m`, and a file there, `heapq.py` for instance, would stand in for a module.  tatc searches
    the current folder only for a class that the user named as `module:Class`.
    """
    return [sys.executable, "-P", "-c", code]


@contextmanager
def interrupts_blocked() -> Generator[None]:
    """Block Ctrl-C in this thread, which processes and threads started in the block inherit.

    A terminal sends Ctrl-C to every process of a command, and one that is just starting would
    print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
