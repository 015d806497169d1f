"""The agents' code, loaded again from its files while a session is open.

Every module of the agents that has changed on disk is loaded again in place, and with
it every other that imports it, in the order of their imports.  Modules of agents are
those of `tatc.commander`, `tatc.follower` and `tatc.planners`, and the user's own that
lie under the current folder.  Folders of policies are watched alone: `own_policies`
loads their files.
"""

import ast
import importlib
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType

from tatc.errors import BadInput
from tatc.session.agents import current_folder_importable

_AGENT_PACKAGES = ("tatc.commander", "tatc.follower", "tatc.planners")


@dataclass(frozen=True, slots=True)
class _ModuleFile:
    path: Path
    modified_ns: int
    imports: frozenset[tuple[str, str]]


class CodeReloader:
    """Knows how the agents' files were when they were loaded."""

    def __init__(self, policies: Sequence[Path] = ()) -> None:
        """Take note of all files as they are now, those of policies too."""
        self._policy_folders = tuple(policies)
        self._known_modules, self._known_policies = (dict(_agent_modules()), self._policy_times())

    def reload(self) -> tuple[str, ...]:
        """Load modules again that have changed.

        Returns:
            The names of changed modules, then the changed files of policies.

        Raises:
            BadInput: a file cannot be loaded; what was loaded before goes on working.

        """
        found = dict(_agent_modules())
        changed = {
            name
            for name, file in found.items()
            if name in self._known_modules
            and self._known_modules[name].modified_ns != file.modified_ns
        }
        for name in _reload_order(found, changed):
            _reload_module(name, found[name].path)
        own = self._policy_times()
        policies = {path.name for path, time in own.items() if self._known_policies[path] != time}
        self._known_modules, self._known_policies = found, own
        return (*sorted(changed), *sorted(policies))

    def _policy_times(self) -> defaultdict[Path, int]:
        """Return the times of the policies' files; 0 for those that are not there."""
        paths = (path for folder in self._policy_folders for path in folder.glob("*.py"))
        return defaultdict(int, {path: _modified_ns(path) for path in paths})


def _reload_module(name: str, path: Path) -> None:
    try:
        with current_folder_importable():
            importlib.reload(sys.modules[name])
    except Exception as fault:  # whatever a user's file may raise
        line = f" line {fault.lineno}" if isinstance(fault, SyntaxError) else ""
        why = f"cannot be loaded: {type(fault).__name__}: {fault}"
        fix = "mend the file and reload again"
        raise BadInput(why, where=f"{path}{line}", fix=fix) from fault


def _agent_modules() -> Iterator[tuple[str, _ModuleFile]]:
    """Yield the agents' modules that are loaded, each with its file."""
    here = Path.cwd()
    for name, module in sorted(sys.modules.items()):
        path = _source_path(module)
        if path is None or not (
            name.startswith(_AGENT_PACKAGES) or _is_user_module(name, path, here)
        ):
            continue
        try:
            imports = _imported_names(path.read_text("utf-8"))
            yield name, _ModuleFile(path, path.stat().st_mtime_ns, imports)
        except (OSError, SyntaxError, UnicodeDecodeError):
            # Loading it again says what is wrong with it.
            yield name, _ModuleFile(path, _modified_ns(path), frozenset())


def _source_path(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file) if isinstance(file, str) and file.endswith(".py") else None


def _is_user_module(name: str, path: Path, here: Path) -> bool:
    if name.partition(".")[0] in ("tatc", "tests", "__main__"):
        return False
    inside = path.is_relative_to(here)
    return inside and "site-packages" not in path.relative_to(here).parts


def _modified_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _imported_names(source: str) -> frozenset[tuple[str, str]]:
    """Return the imports of a module: (module, name), the name "" for a whole one."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update((node.module, alias.name) for alias in node.names)
    return frozenset(found)


def _direct_imports(file: _ModuleFile, files: Mapping[str, _ModuleFile]) -> set[str]:
    """Return the modules among these that a file imports, the closest it names."""
    found: set[str] = set()
    for module, name in file.imports:
        inner = f"{module}.{name}"
        if inner in files:
            found.add(inner)
        elif module in files:
            found.add(module)
    return found


def _reload_order(files: Mapping[str, _ModuleFile], changed: set[str]) -> tuple[str, ...]:
    """Return the changed modules and those that need them, the needed ones first."""
    graph = {name: _direct_imports(file, files) - {name} for name, file in files.items()}
    try:
        order = tuple(TopologicalSorter(graph).static_order())
    except CycleError:
        order = tuple(files)
    stale = set(changed)
    for name in order:
        if graph[name] & stale:
            stale.add(name)
    return tuple(name for name in order if name in stale)
