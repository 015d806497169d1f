"""Which tests run a line, and how long each takes: coverage with one context for each test.

Caches are emptied before each test, so that a line counts for every test that needs it.  What
runs while a test is set up counts for all tests of its file, which may share the fixture.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from coverage import Coverage

from benchmarks.mutants.forked_pytest import libraries_imported, run_forked

_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class CoveringTests:
    """The tests of a folder by the lines that they run.

    `tests_by_line` has, for each file and line, ids of tests and names of test files; "" stands
    for what runs on import.
    """

    seconds_by_test: Mapping[str, float]
    failed: Sequence[str]
    libraries: Sequence[str]
    tests_by_line: Mapping[str, Mapping[int, frozenset[str]]]

    @property
    def quickest_first(self) -> list[str]:
        """The tests that pass."""
        seconds = self.seconds_by_test
        passed = set(seconds).difference(self.failed)
        return sorted(passed, key=lambda test: (seconds[test], test))

    def within(self, seconds: float, tests: Sequence[str]) -> list[str]:
        """Return the first of some tests, which take so many seconds together; at least one."""
        ends = accumulate(self.seconds_by_test[test] for test in tests)
        return [
            test
            for i, (test, end) in enumerate(zip(tests, ends, strict=True))
            if i == 0 or end <= seconds
        ]

    def runs_on_import(self, root: Path, file: str, line: int) -> bool:
        """Return whether a line runs when its file, or a test, is imported."""
        return "" in self._contexts_of(root, file, line)

    def _contexts_of(self, root: Path, file: str, line: int) -> set[str]:
        by_line = self.tests_by_line.get(file, {})
        lines = _statement_lines(root / file, line)
        return {context for each in lines for context in by_line.get(each, ())}

    def tests_of(self, root: Path, file: str, line: int) -> list[str]:
        """Return the tests that may notice a change in a line, the quickest first.

        Where the line runs on import, these are all.
        """
        contexts = self._contexts_of(root, file, line)
        tests = self.quickest_first
        return tests if "" in contexts else [test for test in tests if _is_among(test, contexts)]


def measure_tests(root: Path, folder: str, test_paths: Sequence[str]) -> CoveringTests:
    """Run the tests once and return which of them run which lines of a folder.

    Raises:
        RuntimeError: pytest did not run them.

    """
    recorder = _Recorder(root, folder)
    arguments = ["--maxfail=1000000", *test_paths]
    status, answer = run_forked(
        root, arguments, [recorder], seconds=_SECONDS, at_end=recorder.results
    )
    if answer is None or not answer["seconds"]:
        raise RuntimeError(f"the tests of {folder} did not run: pytest ended with {status}")
    lines = {
        file: {int(line): frozenset(found) for line, found in by_line.items()}
        for file, by_line in answer["lines"].items()
    }
    return CoveringTests(answer["seconds"], answer["failed"], answer["libraries"], lines)


class _Recorder:
    """A pytest plugin that measures coverage, test by test."""

    def __init__(self, root: Path, folder: str) -> None:
        self._root = root
        path = root / folder
        include = str(path) if path.is_file() else f"{path}/*"
        self._coverage = Coverage(data_file=None, include=[include], config_file=False)
        self._seconds: dict[str, float] = defaultdict(float)
        self._failed: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self) -> None:
        """Start before any import of the folder, which a conftest.py may make."""
        self._coverage.start()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        _empty_caches()
        start = process_time()
        self._coverage.switch_context(item.nodeid.partition("::")[0])
        result = yield
        self._coverage.switch_context("")
        self._seconds[item.nodeid] = process_time() - start
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self._coverage.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self._coverage.switch_context(item.nodeid.partition("::")[0])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.append(report.nodeid)

    def results(self) -> dict[str, Any]:
        """Return what was measured, as JSON."""
        self._coverage.stop()
        data = self._coverage.get_data()
        lines = {
            Path(file).relative_to(self._root).as_posix(): data.contexts_by_lineno(file)
            for file in data.measured_files()
        }
        return {
            "seconds": self._seconds,
            "failed": self._failed,
            "libraries": libraries_imported(self._root),
            "lines": lines,
        }


def _empty_caches() -> None:
    for name, module in list(sys.modules.items()):
        if name == "tatc" or name.startswith("tatc."):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


def _is_among(test: str, contexts: frozenset[str] | set[str]) -> bool:
    return test in contexts or test.partition("::")[0] in contexts


def _statement_lines(path: Path, line: int) -> range:
    """Return the lines of the smallest statement around a line, without a block under it."""
    best = range(line, line + 1)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.stmt):
            continue
        body = getattr(node, "body", None)
        end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        decorators = [each.lineno for each in getattr(node, "decorator_list", ())]
        lines = range(min([node.lineno, *decorators]), max(end, node.lineno) + 1)
        if line in lines and (len(best) == 1 or len(lines) < len(best)):
            best = lines
    return best
