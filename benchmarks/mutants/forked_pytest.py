"""pytest in a fork of this process, with the source of one module replaced.

This process never imports tatc or its tests.  It imports what they need from elsewhere (numpy,
scipy, ...) once, so that each fork starts with it, and each fork imports the mutated package.
Nothing on the disk changes.
"""

import contextlib
import json
import os
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from types import CodeType, ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

MEMORY_BYTES = 8 << 30
TIMED_OUT = None
"""The status of tests that were ended."""

# What fails need not be made small, and how long an example takes depends on other processes.
settings.register_profile(
    "mutants",
    derandomize=True,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
OPTIONS = (
    *("-x", "-q", "--no-header", "--tb=no", "-rN", "--hypothesis-profile=mutants"),
    *("-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"),
)


class TestChoice:
    """A pytest plugin that runs some tests alone, in their order, each for a limited time.

    A test that takes longer ends the process.
    """

    __test__ = False  # pytest would collect it, by its name

    def __init__(self, seconds_by_test: Mapping[str, float]) -> None:
        """Take the ids of the tests, each with the processor time that it may take."""
        self._limits = seconds_by_test
        self._ranks = {name: rank for rank, name in enumerate(seconds_by_test)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the others."""
        chosen = [each for each in items if each.nodeid in self._ranks]
        items[:] = sorted(chosen, key=lambda item: self._ranks[item.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Start the clock, whose signal nobody handles."""
        signal.setitimer(signal.ITIMER_PROF, self._limits[item.nodeid])


def run_forked(
    root: Path,
    arguments: Sequence[str],
    plugins: Sequence[object] = (),
    *,
    replaced: tuple[str, str] | None = None,
    seconds: float,
    at_end: Callable[[], Any] = lambda: None,
) -> tuple[int | None, Any]:
    """Run pytest in a fork; return its exit status and what `at_end` returns there.

    Args:
        root: the folder of the project, in which it runs.
        arguments: test files and options.
        plugins: objects with pytest's hooks.
        replaced: a file, relative to the root, and the source that it is given.
        seconds: of its processor time, and four times as much by the clock.
        at_end: returns JSON.

    Returns:
        pytest's status (0 where all tests passed), minus the signal that ended it, or TIMED_OUT;
        and None where it was ended.

    """
    with TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        pid = fork()
        if pid == 0:
            _be_the_fork(root, arguments, plugins, replaced, seconds, (answer, at_end))
        status = wait_for(pid, monotonic() + 4 * seconds)
        return status, json.loads(answer.read_text()) if answer.exists() else None


def import_libraries(names: Iterable[str]) -> None:
    """Import what forks will need, but nothing of the project."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            with contextlib.suppress(Exception):
                __import__(name)


def libraries_imported(root: Path) -> list[str]:
    """Return the names of the modules in this process that are not the project's."""
    return [
        name
        for name, module in list(sys.modules.items())
        if isinstance(module, ModuleType)
        and (path := getattr(module, "__file__", None)) is not None
        and not Path(path).is_relative_to(root)
    ]


def fork() -> int:
    """Fork; return 0 in the new process, and its id in this one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of numpy, which wait
        return os.fork()


def wait_for(pid: int, until: float) -> int | None:
    """Return the status of a fork, TIMED_OUT if one of its limits or the time ended it.

    Whatever it started ends with it.
    """
    try:
        while monotonic() < until:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                code = os.waitstatus_to_exitcode(status)
                return TIMED_OUT if code in (-signal.SIGXCPU, -signal.SIGPROF) else code
            sleep(0.005)
        return TIMED_OUT
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


def be_a_quiet_process(root: Path, seconds: float | None = None) -> None:
    """Make a fork the leader of its own group, in a folder, without input, output and signals.

    With `seconds`, processor time and memory are limited.
    """
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    silence = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(silence, descriptor)
    os.chdir(root)


def _be_the_fork(
    root: Path,
    arguments: Sequence[str],
    plugins: Sequence[object],
    replaced: tuple[str, str] | None,
    seconds: float,
    answer: tuple[Path, Callable[[], Any]],
) -> None:
    """Run pytest and end this process."""
    status = 3  # pytest's own, for an internal error
    try:
        be_a_quiet_process(root, seconds)
        if replaced is not None:
            sys.meta_path.insert(0, _ReplacedSource(root, *replaced))
        status = int(pytest.main([*OPTIONS, *arguments], plugins=list(plugins)))
        answer[0].write_text(json.dumps(answer[1]()))
    finally:
        os._exit(status)


class _ReplacedSource(MetaPathFinder):
    """Finds one module, and gives it another source."""

    def __init__(self, root: Path, file: str, source: str) -> None:
        self._path = root / file
        parts = Path(file).with_suffix("").parts
        self._name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        self._loader = _SourceLoader(self._name, str(self._path), source)

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        folders = [str(self._path.parent)] if self._path.name == "__init__.py" else None
        return spec_from_file_location(
            fullname, self._path, loader=self._loader, submodule_search_locations=folders
        )


class _SourceLoader(SourceFileLoader):
    """Compiles a given source, and never what is cached."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return compile(self._source, self.path, "exec", dont_inherit=True)
