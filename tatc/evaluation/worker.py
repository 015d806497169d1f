"""A process that runs sessions for another; they exchange pickles over pipes.

A session that ends its process (out of memory, `os._exit`, a fault in a library) costs no
more than itself: the asking process sees the end of the pipe, records a crash and starts
another worker.  What agents print goes to stderr, so that it cannot get between answers.
"""

import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import IO, Any

from tatc.errors import TatcError
from tatc.evaluation.eval_options import EvalOptions
from tatc.evaluation.jobs import SessionJob
from tatc.evaluation.rows import SessionRow
from tatc.evaluation.runner_factory import runner_for
from tatc.evaluation.session_runner import CompletedSession, crashed_row

WORKER_READY = "ready"
# Not `-m`: what is pickled must not belong to a module named __main__.
_MAIN_CODE = "from tatc.evaluation.worker import main; main()"


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """A message of the worker: a session is about to start."""

    row: SessionRow


class Worker:
    """The asking side: one process, started when it is needed and again after it died."""

    def __init__(self, options: EvalOptions) -> None:
        """Prepare; the process starts with the first session."""
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, job: SessionJob) -> CompletedSession:
        """Run a session in the process; if the process dies, the session has crashed.

        Raises:
            TatcError: the process cannot start at all.

        """
        start, row = perf_counter(), job.initial_row()
        process = self._process or self._start()
        try:
            self._send(process, job)
            while True:
                match self._receive(process):
                    case CompletedSession() as done:
                        return done
                    case SessionStarted() as opened:
                        row = opened.row
                    case other:
                        raise EOFError(f"not an answer: {other!r}")
        except (OSError, EOFError, pickle.UnpicklingError):
            status = self._stop(process)
            why = f"its process died, status {status}"
            return CompletedSession(crashed_row(row, why), perf_counter() - start, crash=f"{why}\n")

    def close(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._stop(self._process)

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", _MAIN_CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._process = process
        with suppress(OSError, EOFError, pickle.UnpicklingError):
            self._send(process, (sys.path, self._options))
            answer = self._receive(process)
            if answer == WORKER_READY:
                return process
            if isinstance(answer, TatcError):
                raise answer
        status = self._stop(process)
        raise TatcError(
            f"a worker cannot start: its process died, status {status}",
            fix="see what it printed above",
        )

    def _stop(self, process: subprocess.Popen[bytes]) -> int:
        self._process = None
        process.kill()
        with suppress(OSError), process:  # closes its pipes
            pass
        return process.wait()

    @staticmethod
    def _send(process: subprocess.Popen[bytes], value: object) -> None:
        if process.stdin is not None:
            _write_pickle(process.stdin, value)

    @staticmethod
    def _receive(process: subprocess.Popen[bytes]) -> Any:
        if process.stdout is None:
            raise EOFError
        return pickle.load(process.stdout)


def _write_pickle(pipe: IO[bytes], value: object) -> None:
    pickle.dump(value, pipe)
    pipe.flush()


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Run sessions until the asking side closes its pipe."""
    path, options = pickle.load(requests)
    sys.path[:] = path
    try:
        runner = runner_for(options)
    except TatcError as fault:
        _write_pickle(answers, TatcError(str(fault)))
        return
    _write_pickle(answers, WORKER_READY)

    def opened(row: SessionRow) -> None:
        _write_pickle(answers, SessionStarted(row))

    while True:
        try:
            job = pickle.load(requests)
        except EOFError:
            return
        _write_pickle(answers, runner.run(job, opened))


def main() -> None:
    """Serve on stdin and stdout; Ctrl-C is left to the asking side."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, answers)
