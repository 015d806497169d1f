"""Writes and reads records: TEACh game files with one more key, `tatc`.

Equal records give equal bytes: keys have a fixed order, floats are written as Python does,
the clock is simulated, and there is no host name, path or wall time.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from tatc.base.atomic_files import write_atomically
from tatc.base.file_reading import GAME, read_json
from tatc.base.json_fields import FieldError, faults_under
from tatc.base.version import __version__
from tatc.home.actions import ACTION_TABLE, ActionSpec, ActionType, Verb
from tatc.home.state import Scene
from tatc.session.records.episode_states import state_json
from tatc.session.records.game import (
    TATC_COMMENT_PREFIX,
    TATC_KEY,
    Game,
    find_episode,
    read_episode_state,
    read_game,
    read_interactions,
    read_place,
    read_task_name_and_params,
)
from tatc.session.records.interaction import interaction_json
from tatc.session.records.json_files import field_faults_in, gzip_bytes
from tatc.session.records.record import Record
from tatc.session.records.tatc_key import read_tatc_key, tatc_key_json

_SECONDS_PER_ACTION = 0.1  # of the simulated clock


def record_bytes(record: Record) -> bytes:
    """Return a record as the JSON of a game file; equal records give equal bytes."""
    line = json.dumps(_game_document(record), allow_nan=False, separators=(",", ":"))
    return line.encode() + b"\n"


def content_hash(record: Record) -> str:
    """Return the SHA-256 of a record's bytes, in hexadecimal."""
    return sha256(record_bytes(record)).hexdigest()


def write_record(record: Record, path: Path | str, *, force: bool = False) -> None:
    """Save a record completely or not at all; gzipped if the name ends in .gz.

    Raises:
        OutputError: the file exists and `force` is not given, or it cannot be
            written.

    """
    path, data = Path(path), record_bytes(record)
    write_atomically(gzip_bytes(data) if path.suffix == ".gz" else data, path, force=force)


def read_record(path: Path | str) -> Record:
    """Return the record that `write_record` wrote."""
    path = Path(path)
    document = read_json(path, GAME)
    with field_faults_in(path):
        episode = find_episode(document)
        if TATC_KEY not in document:
            why = "is a game, but no record of tatc's: it lacks the key `tatc`"
            raise FieldError("", why, "name a file that `tatc run` has saved")
        return _parse_record(document, episode)


def read_session(path: Path | str) -> Record | Game:
    """Return a record that `write_record` wrote, or a game of TEACh's."""
    document = read_json(Path(path), GAME)
    own = isinstance(document, dict) and TATC_KEY in document
    return read_record(path) if own else read_game(path)


def _parse_record(document: Mapping[str, Any], episode: Mapping[str, Any]) -> Record:
    task = document["tasks"][0]
    read_task_name_and_params(task)
    place, kind = read_place(episode, written_by_tatc=True)
    start = read_episode_state(episode, "initial_state")
    final = read_episode_state(episode, "final_state")
    interactions = read_interactions(episode)
    definition = _read_definition(task)
    with faults_under(TATC_KEY):
        scene = Scene(place, kind, start)
        return read_tatc_key(document[TATC_KEY], definition, scene, final, interactions)


def _read_definition(task: Mapping[str, Any]) -> dict[str, Any]:
    """Return a task's definition unchanged, if it can be written again."""
    definition = {key: value for key, value in task.items() if key != "episodes"}
    try:
        json.dumps(definition, allow_nan=False)
    except ValueError as fault:
        raise FieldError("tasks[0]", "holds NaN or an infinite number") from fault
    return definition


def _game_document(record: Record) -> dict[str, Any]:
    return {
        "version": "2.0",
        "task_type": "eqa_complex",
        "comments": f"{TATC_COMMENT_PREFIX} {__version__}",
        "definitions": definitions_json(),
        "tasks": [{**record.definition, "episodes": [_episode_json(record)]}],
        TATC_KEY: tatc_key_json(record),
    }


def _episode_json(record: Record) -> dict[str, Any]:
    place, kind = record.scene.place, record.scene.kind
    interactions = record.interactions
    end_time = round(interactions[-1].time + _SECONDS_PER_ACTION, 1) if interactions else 0.0
    return {
        "episode_id": record.session_id,
        "world": f"{place}_physics" if place.startswith("FloorPlan") else place,
        "world_type": kind.value,
        "commander_embodied": "False",
        "initial_state": state_json(record.scene.start, 0.0),
        "interactions": [interaction_json(each) for each in interactions],
        "final_state": state_json(record.final, end_time),
    }


# The `definitions` block of a game file: agents, actions and status codes (spec 1.1).

_UNSET_COORDINATE = -1

_DEFAULT_FIELDS_BY_TYPE: dict[ActionType, dict[str, Any]] = {
    ActionType.MAP_GOAL: dict.fromkeys(("start_x", "start_y", "end_x", "end_y"), _UNSET_COORDINATE),
    ActionType.INTERACTION: {"x": _UNSET_COORDINATE, "y": _UNSET_COORDINATE},
    ActionType.PROGRESS_CHECK: {"query": ""},
    ActionType.KEYBOARD: {"utterance": ""},
    ActionType.AUDIO: {"utterance": "", "file_name": ""},
}


def definitions_json() -> dict[str, Any]:
    """Return the block as in TEACh's files, but with an empty list of tasks.

    The file's own task is under its `tasks`, and nothing reads the others.
    """
    return {
        "agents": [
            {"agent_id": 0, "agent_name": "Commander", "agent_type": 0},
            {"agent_id": 1, "agent_name": "Driver", "agent_type": 1},
        ],
        "actions": [_action_json(spec) for spec in ACTION_TABLE],
        "status": [
            {"status_id": 0, "status_name": "Success"},
            {"status_id": 1, "status_name": "Failure"},
        ],
        "tasks": [],
    }


def _action_json(spec: ActionSpec) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "action_id": spec.action_id,
        "action_name": spec.verb.value,
        "action_type": spec.type.value,
    }
    if spec.type is ActionType.MOTION:
        entry["pose_delta"] = list(spec.pose_delta or ())
    if spec.verb is Verb.BEEP:
        return entry | {"repeat": 3}
    return entry | _DEFAULT_FIELDS_BY_TYPE.get(spec.type, {})
