"""The identity of a run: what decides whether a run may continue another."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from inspect import getsourcefile
from pathlib import Path
from typing import Any

from tatc.base.code_identity import PACKAGE_FOLDER, code_hash, git_commit
from tatc.base.file_reading import MEBIBYTE, TORCH_FILE, open_regular
from tatc.base.version import __version__
from tatc.evaluation.instances.instance_players import player_class
from tatc.evaluation.runs.eval_options import TATC, EvalOptions
from tatc.evaluation.runs.session_selection import SessionSelection
from tatc.follower.learned.learned_followers import checkpoint_of, is_learned_name
from tatc.session.agents.agent_names import LISTENER_PREFIX
from tatc.session.agents.agents import commander_factory, follower_factory
from tatc.session.agents.session_setup import setup_identity
from tatc.session.worlds import load_recorded_map, map_name_and_hash

RUN_FORMAT = "tatc-run-1"


def run_identity(options: EvalOptions, selection: SessionSelection) -> dict[str, Any]:
    """Return the content of `run.json`: equal runs of equal programs have equal ones.

    `code` is a hash of the package's files, so that a run continues only with the program that
    began it.  `sessions` and `sessions_hash` are the number of sessions and a hash of their
    keys.  The number of workers, the machine and the time make no difference and are not in it.
    """
    name, map_hash = map_name_and_hash(load_recorded_map(options.setup.floor_map))
    keys = [job.key for job in selection.jobs]
    return {
        "format": RUN_FORMAT,
        "tatc": __version__,
        "commit": git_commit(),
        "code": code_hash(),
        "own_code": user_code_hash(options),
        "world": options.setup.sim,
        "map": name,
        "map_hash": map_hash,
        "options": identifying_options(options),
        "sessions": len(keys),
        "sessions_hash": sha256("\n".join(keys).encode()).hexdigest()[:12],
    }


def identifying_options(options: EvalOptions) -> dict[str, Any]:
    """Return the options as JSON, without what makes no difference to results.

    A file of named goals is named by its path, and by a hash of it.

    Of a language model these are its name, the seed and a hash of the endpoint's address: a report
    may be handed around, and an address may name a machine of the user's.
    """
    found, model = asdict(options), options.setup.model
    found["setup"] = setup_identity(options.setup)
    if not options.setup.has_model_agent:
        del found["setup"]["play"]
    if model is not None:
        endpoint = sha256(model.base_url.encode()).hexdigest()[:12]
        found["setup"]["model"] = {"name": model.model, "seed": model.seed, "endpoint": endpoint}
    return found


def _agent_classes(options: EvalOptions) -> Iterator[Any]:
    """Yield the factories of the agents, or of the model that plays instances."""
    setup = options.setup
    if options.kind == TATC:
        yield commander_factory(setup.commander)
        yield follower_factory(setup.follower)
    elif (made := player_class(setup.follower)) is not None:
        yield made


def user_code_hash(options: EvalOptions) -> str:
    """Return a hash of the user's tasks, policies and agents, "" if there are none."""
    paths: list[Path] = []
    for folder in (*options.definitions, *options.policies):
        paths += sorted(p for p in Path(folder).iterdir() if p.is_file())
    for made in _agent_classes(options):
        source = getsourcefile(made.func if isinstance(made, partial) else made)
        if source is not None and not Path(source).is_relative_to(PACKAGE_FOLDER):
            paths.append(Path(source))
    follower = options.setup.follower
    if is_learned_name(follower):
        paths.append(checkpoint_of(follower))
    if follower.startswith(LISTENER_PREFIX):
        paths.append(Path(follower.removeprefix(LISTENER_PREFIX)))
    return _hash_of_files(paths) if paths else ""


def _hash_of_files(paths: Sequence[Path]) -> str:
    digest = sha256()
    for number, path in enumerate(paths):
        digest.update(b"\0" if number else b"")
        with open_regular(path, TORCH_FILE) as file:  # a checkpoint is the largest of them
            while part := file.read(MEBIBYTE):
                digest.update(part)
    return digest.hexdigest()[:12]
