"""Reads `run.json`, what a run says of itself, with every field checked that is used."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput
from tatc.base.file_reading import FINITE_NUMBERS, RUN, read_json
from tatc.base.json_fields import (
    FieldError,
    as_integer,
    as_list,
    as_mapping,
    as_number,
    faults_under,
    get_text,
    get_text_or_empty,
    short_repr,
)
from tatc.evaluation.runs.eval_options import TATC
from tatc.evaluation.scoring.published_results import WORLD_NOTES
from tatc.session.agents.settings import check_identity
from tatc.session.records import Benchmark

RUN_FILE = "run.json"


def read_run_file(folder: Path) -> dict[str, Any]:
    """Return the content of a run's `run.json`."""
    path = folder / RUN_FILE
    raw: Any = read_json(path, RUN, FINITE_NUMBERS)
    try:
        return _check_identity(raw)
    except FieldError as fault:
        where = f"{path}: {fault.field}" if fault.field else str(path)
        raise BadInput(fault.why, where=where, fix=RUN.fix) from fault


def _check_identity(raw: object) -> dict[str, Any]:
    identity = as_mapping(raw, "")
    for field in ("tatc", "map"):
        get_text(identity, field)
    if identity.get("commit") is not None:
        get_text(identity, "commit")
    get_text_or_empty(identity, "map_hash")
    if get_text(identity, "world") not in WORLD_NOTES:
        raise FieldError("world", f"is unknown: {short_repr(identity['world'])}")
    if as_integer(identity.get("sessions"), "sessions") < 0:
        raise FieldError("sessions", f"is impossible: {identity['sessions']}")
    options = as_mapping(identity.get("options"), "options")
    with faults_under("options"):
        _check_options(options)
    return dict(identity)


def _check_options(options: Mapping[str, Any]) -> None:
    kind = options.get("kind", TATC)
    if kind not in (TATC, *Benchmark):
        raise FieldError("kind", f"is unknown: {short_repr(kind)}")
    for field in ("definitions", "policies") + (() if kind == TATC else ("recorded",)):
        for folder in as_list(options.get(field), field):
            _as_text(folder, field)
    for field in {"goal", "dialogue"} & options.keys():
        _as_text(options[field], field)
    as_integer(options.get("feedback", 0), "feedback")
    with faults_under("setup"):
        _check_setup(as_mapping(options.get("setup"), ""))


def _check_setup(setup: Mapping[str, Any]) -> None:
    for field in ("floor_map", "commander", "follower"):
        _as_text(setup.get(field), field)
    as_number(setup.get("noise"), "noise")
    for field in {"wording", "sim"} & setup.keys():
        _as_text(setup[field], field)
    for field in ("perception", "language"):
        if setup.get(field) is not None:
            _as_text(setup[field], field)
    check_identity(setup)
    if setup.get("model") is not None:
        with faults_under("model"):
            _as_text(as_mapping(setup["model"], "").get("name"), "name")


def _as_text(value: object, field: str) -> None:
    """Refuse what is no text; a path may hold bytes that are no UTF-8."""
    if not isinstance(value, str) or not value:
        raise FieldError(field, f"should be a text, is {short_repr(value)}")
