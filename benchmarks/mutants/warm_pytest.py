"""pytest in forks of a process that has collected the tests already.

A mutant of a function's body is tried without importing anything again: in a fork, the functions
of the mutated file get their new code.  That takes a tenth of the time of `forked_pytest`, which
is left to try what runs on import.
"""

import gc
import json
import os
import signal
import socket
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from types import CodeType, FunctionType
from typing import Any, NoReturn

import pytest

from benchmarks.mutants.forked_pytest import (
    OPTIONS,
    TestChoice,
    be_a_quiet_process,
    fork,
    wait_for,
)

_CANNOT_REPLACE = 97
_Place = tuple[str, str, int]
"""File, qualified name and first line of a function."""


class CannotReplace(Exception):
    """A mutant is more than new code for functions that exist."""


class WarmTests:
    """A process with the collected tests of some paths."""

    def __init__(self, root: Path, test_paths: Sequence[str]) -> None:
        """Start it; it ends with this process."""
        here, there = socket.socketpair()
        self._pid = fork()
        if self._pid == 0:
            here.close()
            _serve(root, test_paths, there)
        there.close()
        self._line = here.makefile("rw", encoding="utf-8")
        if self._line.readline() != "ready\n":
            raise RuntimeError(f"the tests in {', '.join(test_paths)} cannot be collected")

    def run(
        self, path: Path, source: str, limits: Mapping[str, float], seconds: float
    ) -> int | None:
        """Run tests with the source of one file replaced; return as `run_forked` does.

        Args:
            path: the file.
            source: its new source.
            limits: the ids of the tests, each with the processor time that it may take.
            seconds: of processor time for all of them.

        Raises:
            CannotReplace: the mutant needs a new import.

        """
        request = {"path": str(path), "source": source, "limits": limits, "seconds": seconds}
        self._line.write(json.dumps(request) + "\n")
        self._line.flush()
        status = json.loads(self._line.readline())
        if status == _CANNOT_REPLACE:
            raise CannotReplace
        return status

    def close(self) -> None:
        """End the process, and what it runs."""
        self._line.close()
        os.kill(self._pid, signal.SIGTERM)
        os.waitpid(self._pid, 0)


def _serve(root: Path, test_paths: Sequence[str], line: socket.socket) -> NoReturn:
    try:
        be_a_quiet_process(root)
        pytest.main([*OPTIONS, *test_paths], plugins=[_Server(line)])
    finally:
        os._exit(0)


class _Server:
    """A pytest plugin that runs the collected tests as often as it is asked to, in forks."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line.makefile("rw", encoding="utf-8")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        functions = _functions_by_place()
        gc.collect()
        gc.freeze()  # no fork need copy what is there
        self._answer("ready")
        for request in map(json.loads, self._line):
            self._answer(json.dumps(_run_in_fork(session, functions, request)))
        return True

    def _answer(self, text: str) -> None:
        self._line.write(text + "\n")
        self._line.flush()


def _run_in_fork(
    session: pytest.Session,
    functions: Mapping[_Place, Sequence[FunctionType]],
    request: Mapping[str, Any],
) -> int | None:
    pid = fork()
    if pid:
        return wait_for(pid, monotonic() + 4 * request["seconds"])
    status = 3  # pytest's own, for an internal error
    try:
        be_a_quiet_process(session.config.rootpath, request["seconds"])
        if _replace_code(functions, request["path"], request["source"]):
            status = _run_items(session, TestChoice(request["limits"]))
        else:
            status = _CANNOT_REPLACE
    finally:
        os._exit(status)


def _run_items(session: pytest.Session, choice: TestChoice) -> int:
    session.config.pluginmanager.register(choice)
    choice.pytest_collection_modifyitems(session.items)
    for item, following in zip(session.items, [*session.items[1:], None], strict=True):
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return 1
    return 0


def _functions_by_place() -> Mapping[_Place, Sequence[FunctionType]]:
    found: defaultdict[_Place, list[FunctionType]] = defaultdict(list)
    for obj in gc.get_objects():
        if type(obj) is FunctionType:
            found[_place_of(obj.__code__)].append(obj)
    return found


def _replace_code(
    functions: Mapping[_Place, Sequence[FunctionType]], path: str, source: str
) -> bool:
    """Give the functions of a file their new code; return whether that makes the mutant."""
    codes: defaultdict[_Place, list[CodeType]] = defaultdict(list)
    for code in _codes_in(compile(source, path, "exec", dont_inherit=True)):
        codes[_place_of(code)].append(code)
    replaced = 0
    for place in functions.keys() & codes.keys():
        for function in functions[place]:
            if function.__code__ in codes[place]:
                continue
            if len(codes[place]) > 1:
                return False
            try:
                function.__code__ = codes[place][0]
            except ValueError:  # it closes over other variables
                return False
            replaced += 1
    return replaced > 0


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes_in(constant)


def _place_of(code: CodeType) -> _Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno
