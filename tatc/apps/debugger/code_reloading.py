"""Reloads the agents' code from its files while a session is open.

Every agent module that has changed on disk is reloaded in place, together with all modules that
import it, in the order of their imports.  Agent modules are those of `tatc.commander`,
`tatc.follower` and `tatc.planners`, and the user's own modules below the current folder.  Folders
of policies are only watched for changes: `tatc.session.agents.agents` loads their files.
"""

import ast
import importlib
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tatc.base.errors import BadInput
from tatc.session.agents.agents import current_folder_importable

_AGENT_PACKAGES = ("tatc.commander", "tatc.follower", "tatc.planners")


class CodeReloader:
    """Knows the agents' files as they were when they were loaded."""

    def __init__(self, policies: Sequence[Path] = ()) -> None:
        """Note the present state of all files; `policies` are folders of policies."""
        self._policy_folders = tuple(policies)
        self._known_modules = _modification_times(dict(_agent_modules()))
        self._known_policies = self._policy_times()

    def reload(self) -> tuple[str, ...]:
        """Reload changed modules; return their names, then those of changed policy files."""
        found = dict(_agent_modules())
        times, known = _modification_times(found), self._known_modules
        changed = {name for name, time in times.items() if known.get(name, time) != time}
        for name in _reload_order(found, changed):
            _reload_module(name, found[name])
        own = self._policy_times()
        policies = {path.name for path, time in own.items() if self._known_policies[path] != time}
        self._known_modules, self._known_policies = times, own
        return (*sorted(changed), *sorted(policies))

    def _policy_times(self) -> defaultdict[Path, int]:
        paths = (path for folder in self._policy_folders for path in folder.glob("*.py"))
        return defaultdict(int, {path: _modified_ns(path) for path in paths})


def _reload_module(name: str, path: Path) -> None:
    own = _is_user_module(name, path, Path.cwd())
    try:
        with current_folder_importable(name) if own else nullcontext():
            importlib.reload(sys.modules[name])
    except Exception as fault:  # whatever a user's file may raise
        line = f" line {fault.lineno}" if isinstance(fault, SyntaxError) else ""
        why = f"cannot be loaded: {type(fault).__name__}: {fault}"
        fix = "correct the file and reload again"
        raise BadInput(why, where=f"{path}{line}", fix=fix) from fault


def _agent_modules() -> Iterator[tuple[str, Path]]:
    here = Path.cwd()
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or not file.endswith(".py"):
            continue
        path = Path(file)
        if name.startswith(_AGENT_PACKAGES) or _is_user_module(name, path, here):
            yield name, path


def _is_user_module(name: str, path: Path, here: Path) -> bool:
    if name.partition(".")[0] in ("tatc", "tests", "__main__"):
        return False
    return path.is_relative_to(here) and "site-packages" not in path.relative_to(here).parts


def _modification_times(files: Mapping[str, Path]) -> dict[str, int]:
    return {name: _modified_ns(path) for name, path in files.items()}


def _modified_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _imports_of(path: Path, known: Collection[str]) -> set[str]:
    """Return which known modules a file imports; for `from a import b`, `a.b` if it is one."""
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return set()  # reloading the module reports what is wrong with the file
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (module := node.module) and not node.level:
            inner = (f"{module}.{alias.name}" for alias in node.names)
            found.update(name if name in known else module for name in inner)
    return found & set(known)


def _reload_order(files: Mapping[str, Path], changed: set[str]) -> tuple[str, ...]:
    """Return the changed modules and all that import them, imported ones first."""
    if not changed:
        return ()
    graph = {name: _imports_of(path, files.keys()) - {name} for name, path in files.items()}
    try:
        order = tuple(TopologicalSorter(graph).static_order())
    except CycleError:
        order = tuple(files)
    stale = set(changed)
    for name in order:
        if graph[name] & stale:
            stale.add(name)
    return tuple(name for name in order if name in stale)
