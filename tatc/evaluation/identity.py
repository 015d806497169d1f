"""What a run is: enough to say whether two runs may be told apart or go on as one."""

import subprocess
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from hashlib import sha256
from inspect import getsourcefile
from pathlib import Path
from typing import Any

import tatc
from tatc import __version__
from tatc.agents import commander_named, follower_named
from tatc.evaluation.choice import Chosen
from tatc.evaluation.instances.players import model_class
from tatc.evaluation.options import TATC, Options
from tatc.follower.et.named import file_of, is_learned
from tatc.runner import BOXES
from tatc.sim.maps.files import read_map

FORMAT = "tatc-run-1"
PACKAGE = Path(tatc.__file__).parent


def identity(options: Options, chosen: Chosen) -> dict[str, Any]:
    """Return what `run.json` holds: equal runs of equal programs have equal ones.

    `code` is a hash of the package's files, so that a run goes on only with the
    program that began it; `sessions` names the sessions by number and hash.  How many
    workers there are, where and when it ran makes no difference and is not in it.
    """
    name, map_hash = _map(options)
    keys = [job.key for job in chosen.jobs]
    return {
        "format": FORMAT,
        "tatc": __version__,
        "commit": commit(),
        "code": code_hash(),
        "own_code": own_code_hash(options),
        "world": options.setup.sim,
        "map": name,
        "map_hash": map_hash,
        "options": asdict(options),
        "sessions": len(keys),
        "sessions_hash": sha256("\n".join(keys).encode()).hexdigest()[:12],
    }


def _agents(options: Options) -> Iterator[Any]:
    """Yield the classes of the agents, or of the model that plays instances."""
    setup = options.setup
    if options.kind == TATC:
        yield commander_named(setup.commander)
        yield follower_named(setup.follower)
    elif (made := model_class(setup.follower)) is not None:
        yield made


@lru_cache(maxsize=1)
def code_hash() -> str:
    """Return twelve hexadecimal digits of all files of the package."""
    digest = sha256()
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".json", ".pddl"):
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def own_code_hash(options: Options) -> str:
    """Return a hash of the user's tasks, policies and agents, "" without any."""
    paths: list[Path] = []
    for folder in (*options.definitions, *options.policies):
        paths += sorted(p for p in Path(folder).iterdir() if p.is_file())
    for made in _agents(options):
        source = getsourcefile(made)
        if source is not None and not Path(source).is_relative_to(PACKAGE):
            paths.append(Path(source))
    follower = options.setup.follower
    if is_learned(follower):
        paths.append(file_of(follower))
    contents = [path.read_bytes() for path in paths]
    return sha256(b"\0".join(contents)).hexdigest()[:12] if paths else ""


def commit() -> str | None:
    """Return the commit of the checkout the package lies in, None where it is none.

    A plus sign behind it says that files of the package were changed since.
    """
    top = _git("rev-parse", "--show-toplevel")
    if top is None or Path(top) != PACKAGE.parent:
        return None
    head = _git("rev-parse", "--short=12", "HEAD")
    return f"{head}+" if head and _git("status", "--porcelain", "tatc") else head


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(PACKAGE.parent), *words],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _map(options: Options) -> tuple[str, str]:
    if options.setup.floor_map == BOXES:
        return BOXES, ""
    floor_map = read_map(Path(options.setup.floor_map))
    return floor_map.name, floor_map.hash
