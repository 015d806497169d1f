"""The identity of a run, which decides whether it may continue another, and its `run.json`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from tatc.base import code_identity, errors, files, json_fields, version
from tatc.evaluation.runs import eval_options, run_inputs
from tatc.evaluation.runs.session_selection import SessionSelection
from tatc.evaluation.scoring.published_results import WORLD_NOTES
from tatc.session import records, worlds
from tatc.session.agents import session_setup, settings

RUN_FORMAT = "tatc-run-2"


@dataclass(frozen=True, slots=True)
class RunContents:
    """What a run is: the content of `run.json`, its sessions' keys, and its files' hashes."""

    identity: Mapping[str, Any]
    keys: tuple[str, ...]
    files: run_inputs.HashByPath


def run_contents(options: eval_options.EvalOptions, selection: SessionSelection) -> RunContents:
    """Return what a run is: equal runs of equal programs have equal contents.

    `code` is a hash of the package's files, `own_code` one of the user's agents and of all else but
    what sessions start from; `inputs_hash` is one of these files, `sessions_hash` one of the
    sessions' keys.  Workers, machine and time make no difference.
    """
    is_thor = options.setup.sim == worlds.THOR_WORLD
    floor_map = worlds.MAP_FROM_BOXES if is_thor else options.setup.floor_map
    common, inputs = run_inputs.common_files(options), run_inputs.session_files(selection)
    name, map_hash = worlds.name_and_hash_of_named(floor_map)
    keys = tuple(job.key for job in selection.jobs)
    identity = {
        "format": RUN_FORMAT,
        "tatc": version.__version__,
        "commit": code_identity.git_commit(),
        "code": code_identity.code_hash(),
        "own_code": run_inputs.joint_hash(common),
        "inputs_hash": run_inputs.joint_hash(inputs),
        "world": options.setup.sim,
        "map": name,
        "map_hash": map_hash,
        "options": identifying_options(options),
        "sessions": len(keys),
        "sessions_hash": hash_of_keys(keys),
    }
    return RunContents(identity, keys, common | inputs)


def hash_of_keys(keys: Sequence[str]) -> str:
    """Return the `sessions_hash` of a run of these sessions."""
    return sha256("\n".join(keys).encode(errors="surrogatepass")).hexdigest()[:12]


def identifying_options(options: eval_options.EvalOptions) -> dict[str, Any]:
    """Return the options as JSON, without what makes no difference to results.

    A file of named goals has a hash beside its path.  Of a model's endpoint only a hash of the
    address is kept: a report may be handed around, and an address may name a machine of the user's.
    """
    found, model = asdict(options), options.setup.model
    found["setup"] = session_setup.setup_identity(options.setup)
    if not options.setup.has_model_agent:
        del found["setup"]["play"]
    if model is not None:
        places = (model.base_url, *(url for _, url in model.agent_urls))
        endpoint = " ".join(sha256(url.encode()).hexdigest()[:12] for url in places)
        named = {"name": model.model, "seed": model.seed, "endpoint": endpoint}
        named |= {"temperature": model.temperature} if model.temperature else {}
        found["setup"]["model"] = named
    return found


RUN_FILE = "run.json"


def read_run_file(folder: Path) -> dict[str, Any]:
    """Return the content of a run's `run.json`, with every field checked that is used."""
    path = folder / RUN_FILE
    raw: Any = files.read_json(path, files.RUN, files.FINITE_NUMBERS)
    with json_fields.errors_in(path, errors.BadInput, files.RUN.fix):
        return _check_identity(raw)


def _check_identity(raw: object) -> dict[str, Any]:
    identity = json_fields.as_mapping(raw, "")
    for field in ("tatc", "map"):
        json_fields.get_text(identity, field)
    if identity.get("commit") is not None:
        json_fields.get_text(identity, "commit")
    json_fields.get_text_or_empty(identity, "map_hash")
    if json_fields.get_text(identity, "world") not in WORLD_NOTES:
        why = f"is unknown: {json_fields.short_repr(identity['world'])}"
        raise json_fields.FieldError("world", why)
    json_fields.as_count(identity.get("sessions"), "sessions")
    options = json_fields.as_mapping(identity.get("options"), "options")
    with json_fields.faults_under("options"):
        _check_options(options)
    return dict(identity)


def _check_options(options: Mapping[str, Any]) -> None:
    kind = options.get("kind", eval_options.TATC)
    if kind not in (eval_options.TATC, *records.Benchmark):
        raise json_fields.FieldError("kind", f"is unknown: {json_fields.short_repr(kind)}")
    for field in ("definitions", "policies") + (() if kind == eval_options.TATC else ("recorded",)):
        for folder in json_fields.as_list(options.get(field), field):
            _as_text(folder, field)
    for field in {"goal", "dialogue"} & options.keys():
        _as_text(options[field], field)
    json_fields.as_integer(options.get("feedback", 0), "feedback")
    with json_fields.faults_under("setup"):
        _check_setup(json_fields.as_mapping(options.get("setup"), ""))


def _check_setup(setup: Mapping[str, Any]) -> None:
    for field in ("floor_map", "commander", "follower"):
        _as_text(setup.get(field), field)
    json_fields.as_number(setup.get("noise"), "noise")
    for field in {"wording", "sim"} & setup.keys():
        _as_text(setup[field], field)
    for field in ("perception", "language"):
        if setup.get(field) is not None:
            _as_text(setup[field], field)
    settings.check_identity(setup)
    if setup.get("model") is not None:
        with json_fields.faults_under("model"):
            _as_text(json_fields.as_mapping(setup["model"], "").get("name"), "name")


def _as_text(value: object, field: str) -> None:
    """Refuse what is no text; a path may hold bytes that are no UTF-8."""
    if not isinstance(value, str) or not value:
        raise json_fields.FieldError(field, f"should be a text, is {json_fields.short_repr(value)}")
