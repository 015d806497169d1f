"""The files that a run is made of, by their content: after a change it is another run.

Of agents and policies these are the modules that they import, too, and whatever those import, by
the import statements in their text.  Installed packages and Python's own modules are left out.
"""

import ast
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from importlib.machinery import PathFinder
from inspect import getsourcefile
from itertools import accumulate, takewhile
from os.path import isfile  # unlike Path's, it bears any name
from pathlib import Path
from typing import Any

from tatc.base import code_identity, errors, files
from tatc.evaluation.instances.instance_players import player_class
from tatc.evaluation.runs import eval_options, session_selection
from tatc.follower.learned.learned_followers import checkpoint_of
from tatc.session import records, worlds
from tatc.session.agents import agent_names, agents, settings
from tatc.session.alfred.floor_plan_files import PLAN_FILES
from tatc.sim.rooms.room_files import file_of_room

_PACKAGE_FOLDERS = frozenset(("site-packages", "dist-packages"))

HashByPath = Mapping[str, str]


def session_files(selection: session_selection.SessionSelection) -> dict[str, str]:
    """Return the hash of each file from which a session starts or of which it hears."""
    found: set[Path] = set()
    for job in selection.jobs:
        named = (job.path, job.game_path, job.dialogue_path)
        found |= {Path(path) for path in named if path is not None}
        if job.room and (path := file_of_room(job.room)) is not None:
            found.add(path)
    return _hashes(found)


def common_files(options: eval_options.EvalOptions) -> dict[str, str]:
    """Return the hash of each other file of a run: tasks, policies, agents, maps and the like."""
    setup, found = options.setup, set[Path]()
    for folder in (*options.definitions, *options.policies):
        found |= {path for path in Path(folder).iterdir() if path.is_file()}
    found |= _modules({path for path in found if path.suffix == ".py"})
    found |= _modules(_agent_sources(options))
    if options.plans:
        found |= set(records.find_files(options.plans, PLAN_FILES))
    if setup.floor_map not in (worlds.SHIPPED_MAP, worlds.MAP_FROM_BOXES):
        found.add(Path(setup.floor_map))
    found |= {Path(str(file)) for name, file in setup.settings if settings.SETTINGS[name].is_file}
    if agent_names.is_learned_name(setup.follower):
        found |= _checkpoint_files(checkpoint_of(setup.follower))
    for word in options.model_args:  # such as et:FILE
        path = word if isfile(word) else word.partition(":")[2]
        found |= _checkpoint_files(Path(path)) if isfile(path) else set()
    return _hashes(found)


def joint_hash(hashes: HashByPath) -> str:
    """Return a hash of what files hold, wherever they lie; "" for no files."""
    text = "".join(sorted(hashes.values()))
    return sha256(text.encode()).hexdigest()[:12] if hashes else ""


def changes_between(before: HashByPath, now: HashByPath) -> list[str]:
    """Return which files have changed, one after the other."""
    changed = [path for path in sorted({**before, **now}) if before.get(path) != now.get(path)]
    what = {(True, True): "has changed", (False, True): "is new", (True, False): "is left out"}
    return [f"{path} {what[path in before, path in now]}" for path in changed]


def _hashes(paths: Iterable[Path]) -> dict[str, str]:
    here = os.getcwd()
    found: dict[str, str] = {}
    for path in sorted(paths):
        digest = sha256()
        with files.open_regular(path, files.TORCH_FILE) as file:  # the largest of them
            while part := file.read(files.MEBIBYTE):
                digest.update(part)
        found[str(path).removeprefix(f"{here}{os.sep}")] = digest.hexdigest()
    return found


def _checkpoint_files(path: Path) -> set[Path]:
    beside = (path.with_name(name) for name in ("data.vocab", "visual.pth"))
    return {path, *(each for each in beside if path.suffix == ".pth" and isfile(each))}


def _agent_sources(options: eval_options.EvalOptions) -> set[Path]:
    setup = options.setup
    made: list[Any] = [player_class(setup.follower)]
    if options.kind == eval_options.TATC:
        made = [agents.commander_factory(setup.commander), agents.follower_factory(setup.follower)]
    classes = [each.func if isinstance(each, partial) else each for each in made if each]
    classes = [getattr(each, "made_of", each) for each in classes]  # what a caller gave
    found = set[Path]()
    for each in classes:
        with suppress(TypeError):  # of a class that was typed at a prompt
            found |= {Path(source) for source in (getsourcefile(each),) if source}
    groups = (agent_names.COMMANDER_GROUP, agent_names.FOLLOWER_GROUP)
    for name, group in zip((setup.commander, setup.follower), groups, strict=True):
        module, colon, _ = agent_names.installed_agents(group).get(name, name).partition(":")
        if colon and module in sys.modules:
            found |= set(_files_of_module(module, None))
    return {path for path in found if not path.is_relative_to(code_identity.PACKAGE_FOLDER)}


def _modules(sources: set[Path]) -> set[Path]:
    found, left = set[Path](), list(sources)
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            packages = takewhile(isfile, (parent / "__init__.py" for parent in path.parents))
            left += () if _is_installed(path) else packages
            left += _imported_files(path) if path.suffix == ".py" else ()
    return found


def _imported_files(path: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(files.read_bytes(path, files.POLICY))
    except (SyntaxError, ValueError, RecursionError, errors.BadInput):
        return  # Python cannot read it either, or it is data
    for node in ast.walk(tree):
        names: list[str] = []
        folder = None
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            folder = path.parents[node.level - 1] if node.level else None
            inside = f"{node.module}." if node.module else ""
            names = [f"{inside}{each.name}" for each in node.names]
        for name in names:
            yield from _files_of_module(name, folder)


def _files_of_module(name: str, folder: Path | None) -> Iterator[Path]:
    """Yield the files of a module, class or function and of its packages; none of others'."""
    places = [*sys.path, os.getcwd()] if folder is None else [str(folder)]
    if folder is None and name.partition(".")[0] in (*sys.stdlib_module_names, "tatc"):
        return
    for whole in accumulate(name.split("."), "{}.{}".format):
        spec = getattr(sys.modules.get(whole), "__spec__", None) if folder is None else None
        spec = spec or PathFinder.find_spec(whole.rpartition(".")[2], places)
        if spec is None:
            return
        if spec.has_location and not _is_installed(path := Path(str(spec.origin))):
            yield path
        if spec.submodule_search_locations is None:
            return
        places = list(spec.submodule_search_locations)


def _is_installed(path: Path) -> bool:
    shipped = (code_identity.PACKAGE_FOLDER, Path(sysconfig.get_path("stdlib")))
    return not _PACKAGE_FOLDERS.isdisjoint(path.parts) or any(map(path.is_relative_to, shipped))
