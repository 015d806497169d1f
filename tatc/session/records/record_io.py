"""Writes and reads records: TEACh game files with one more key, `tatc`.

Equal records give equal bytes: keys have a fixed order, floats are written as Python does,
the clock is simulated, and there is no host name, path or wall time.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from tatc.base import errors, files, json_fields
from tatc.base.json_fields import FieldError, short_repr
from tatc.base.version import __version__
from tatc.home import actions, body, metadata
from tatc.home.state import HISTORY_MARKS, Box, Scene, Snapshot
from tatc.language.llm.recorded_calls import model_call_json, read_model_calls
from tatc.session.records import episode_states, game
from tatc.session.records.file_search import field_faults_in, gzip_bytes
from tatc.session.records.record import (
    Interaction,
    JsonScalar,
    Record,
    RecordedDecision,
    RecordedProblemKey,
    SessionEnd,
    interaction_json,
)

_SECONDS_PER_ACTION = 0.1  # of the simulated clock


def record_bytes(record: Record) -> bytes:
    """Return a record as a game file's JSON, in ASCII if that fits; equal ones give equal bytes."""
    document = {
        "version": "2.0",
        "task_type": "eqa_complex",
        "comments": f"{game.TATC_COMMENT_PREFIX} {__version__}",
        "definitions": actions.DEFINITIONS,
        "tasks": [{**record.definition, "episodes": [_episode_json(record)]}],
        game.TATC_KEY: tatc_key_json(record),
    }
    line = json.dumps(document, allow_nan=False, separators=(",", ":"))
    if len(line) >= files.GAME.max_bytes:
        line = json.dumps(document, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    return line.encode() + b"\n"


def content_hash(record: Record) -> str:
    """Return the SHA-256 of a record's bytes, in hexadecimal."""
    return sha256(record_bytes(record)).hexdigest()


def write_record(record: Record, path: Path | str, *, force: bool = False) -> None:
    """Save a record completely or not at all; gzipped if the name ends in .gz."""
    path, data = Path(path), record_bytes(record)
    if len(data) > files.GAME.max_bytes:
        why = f"would be larger than the {files.GAME.max_bytes:,} bytes that are read again"
        raise errors.OutputError(why, where=str(path), fix="say less in one session")
    files.write_atomically(gzip_bytes(data) if path.suffix == ".gz" else data, path, force=force)


def read_record(path: Path | str) -> Record:
    """Return the record that `write_record` wrote."""
    path = Path(path)
    document = files.read_json(path, files.GAME)
    with field_faults_in(path):
        episode = game.find_episode(document)
        if game.TATC_KEY not in document:
            why = "is a game, but no record of tatc's: it lacks the key `tatc`"
            raise FieldError("", why, "name a file that `tatc run` has saved")
        return _parse_record(document, episode)


def read_session(path: Path | str) -> Record | game.Game:
    """Return a record that `write_record` wrote, or a game of TEACh's."""
    document = files.read_json(Path(path), files.GAME)
    own = isinstance(document, dict) and game.TATC_KEY in document
    return read_record(path) if own else game.read_game(path)


def _parse_record(document: Mapping[str, Any], episode: Mapping[str, Any]) -> Record:
    task = document["tasks"][0]
    game.read_task_name_and_params(task)
    place, kind = game.read_place(episode, written_by_tatc=True)
    start = game.read_episode_state(episode, "initial_state")
    final = game.read_episode_state(episode, "final_state")
    interactions = game.read_interactions(episode)
    definition = _read_definition(task)
    with json_fields.faults_under(game.TATC_KEY):
        scene = Scene(place, kind, start)
        return read_tatc_key(document[game.TATC_KEY], definition, scene, final, interactions)


def _read_definition(task: Mapping[str, Any]) -> dict[str, Any]:
    """Return a task's definition unchanged, if it can be written again."""
    definition = {key: value for key, value in task.items() if key != "episodes"}
    try:
        json.dumps(definition, allow_nan=False)
    except ValueError as fault:
        raise FieldError("tasks[0]", "holds NaN or an infinite number") from fault
    return definition


def _episode_json(record: Record) -> dict[str, Any]:
    place, kind = record.scene.place, record.scene.kind
    interactions = record.interactions
    end_time = round(interactions[-1].time + _SECONDS_PER_ACTION, 1) if interactions else 0.0
    return {
        "episode_id": record.session_id,
        "world": f"{place}_physics" if place.startswith("FloorPlan") else place,
        "world_type": kind.value,
        "commander_embodied": "False",
        "initial_state": episode_states.state_json(record.scene.initial, 0.0),
        "interactions": [interaction_json(each) for each in interactions],
        "final_state": episode_states.state_json(record.final, end_time),
    }


# Reads and writes the `tatc` key of a record, for what TEACh's format has no place for.  AI2-THOR's
# metadata give a box by its corners, which rounds it: `boxes` holds those that this would change.

RECORD_FORMAT = 1  # the version of this key; a reader refuses newer ones
BODY_OPTION = "body"  # the option that names the Follower's body, where it is not TEACh's

_MODEL_CALLS = "model_calls"
_BOX_NUMBER_COUNT = 7  # centre, size, yaw


def tatc_key_json(record: Record) -> dict[str, Any]:
    """Return the `tatc` key of a record."""
    calls = [model_call_json(call) for call in record.model_calls]
    return {
        "format": RECORD_FORMAT,
        "version": __version__,
        "world": record.world,
        "map": record.floor_map,
        "map_hash": record.map_hash,
        "place": record.scene.place,
        "game": record.game_id,
        "seed": record.seed,
        "options": dict(record.options),
        "end": record.end.value,
        "success": record.success,
        "gc_total": record.gc_total,
        "gc_satisfied": record.gc_satisfied,
        **_marks_json(record),
        "decisions": [decision_json(decision) for decision in record.decisions],
        **({_MODEL_CALLS: calls} if calls else {}),
        "boxes": {
            "initial_state": _exact_boxes_json(record.scene.initial),
            "final_state": _exact_boxes_json(record.final),
        },
    }


def read_tatc_key(
    raw: object,
    definition: Mapping[str, Any],
    scene: Scene,
    final: Snapshot,
    interactions: tuple[Interaction, ...],
) -> Record:
    """Return the record with this `tatc` key; `scene` and `final` have rounded boxes.

    The paths in errors are relative to the key.
    """
    tatc_key = json_fields.as_mapping(raw, "")
    _check_format(tatc_key)
    end = SessionEnd(json_fields.get_choice(tatc_key, "end", list(SessionEnd)))
    if tatc_key.get("success", end is SessionEnd.SUCCESS) is not (end is SessionEnd.SUCCESS):
        why = f"is {short_repr(tatc_key['success'])}, and the end is {end.value}"
        raise FieldError("success", why)
    place = tatc_key.get("place", scene.place)
    if place != scene.place:
        why = f"is {short_repr(place)}, and the session's world is {scene.place}"
        raise FieldError("place", why)
    boxes = json_fields.as_mapping(tatc_key.get("boxes"), "boxes")
    options = _read_options(tatc_key)
    start = _restore_exact_boxes(scene.initial, boxes, "initial_state")
    own_body = _read_body(options)
    start = replace(start, follower=replace(start.follower, body=own_body))
    final = replace(final, follower=replace(final.follower, body=own_body))
    return Record(
        definition=definition,
        scene=replace(scene, initial=start),
        final=_restore_marks(_restore_exact_boxes(final, boxes, "final_state"), tatc_key),
        interactions=interactions,
        decisions=json_fields.read_list(
            tatc_key, "decisions", _read_decision, files.MAX_INTERACTIONS
        ),
        end=end,
        gc_total=json_fields.as_integer(tatc_key.get("gc_total"), "gc_total"),
        gc_satisfied=json_fields.as_integer(tatc_key.get("gc_satisfied"), "gc_satisfied"),
        world=json_fields.get_text(tatc_key, "world"),
        floor_map=json_fields.get_text_or_empty({"map": "", **tatc_key}, "map"),
        map_hash=json_fields.get_text_or_empty({"map_hash": "", **tatc_key}, "map_hash"),
        seed=json_fields.as_integer(tatc_key.get("seed"), "seed"),
        game_id=None
        if tatc_key.get("game") is None
        else json_fields.get_file_name(tatc_key, "game"),
        options=options,
        model_calls=read_model_calls(tatc_key.get(_MODEL_CALLS, []), _MODEL_CALLS),
    )


def _check_format(tatc_key: Mapping[str, Any]) -> None:
    version = json_fields.as_integer(tatc_key.get("format"), "format")
    if version > RECORD_FORMAT:
        writer = short_repr(tatc_key.get("version"))
        found = f"is {short_repr(version)}, of tatc {writer}"
        raise FieldError("format", f"{found}; this one reads {RECORD_FORMAT}", "update tatc")
    if version < 1:
        raise FieldError("format", f"should be 1 or more, is {short_repr(version)}")


def decision_json(decision: RecordedDecision) -> dict[str, Any]:
    """Return a decision as JSON of a record."""
    entry = asdict(decision)
    if not decision.fallback_reason:
        del entry["fallback_reason"]
    return entry


def _read_decision(raw: Mapping[str, Any]) -> RecordedDecision:
    cost = raw.get("cost")
    return RecordedDecision(
        step=json_fields.as_integer(raw.get("step"), "step"),
        utterance=json_fields.get_text_or_empty(raw, "utterance"),
        problem_key=_read_problem_key(raw.get("problem_key")),
        policy=json_fields.get_text_or_empty(raw, "policy"),
        skill=json_fields.get_text_or_empty(raw, "skill"),
        reason=json_fields.get_text_or_empty(raw, "reason"),
        alternatives=json_fields.get_names(raw, "alternatives") or (),
        cost=None if cost is None else json_fields.as_integer(cost, "cost"),
        fallback_reason=json_fields.get_text(raw, "fallback_reason")
        if "fallback_reason" in raw
        else "",
    )


def _read_problem_key(raw: object) -> RecordedProblemKey | None:
    if raw is None:
        return None
    parts = json_fields.as_list(raw, "problem_key")
    if len(parts) != 4 or not all(isinstance(part, str) for part in parts[:3]):
        why = f"should be id, type, property and value, is {short_repr(parts)}"
        raise FieldError("problem_key", why)
    object_id, object_type, property_name, desired = parts
    return (object_id, object_type, property_name, _check_scalar(desired, "problem_key[3]"))


def _read_options(tatc_key: Mapping[str, Any]) -> tuple[tuple[str, JsonScalar], ...]:
    options = json_fields.as_mapping(tatc_key.get("options"), "options")
    paths = {name: f"options.{short_repr(name)}" for name in options}
    return tuple((name, _check_scalar(options[name], path)) for name, path in paths.items())


def _read_body(options: tuple[tuple[str, JsonScalar], ...]) -> body.Body:
    name = dict(options).get(BODY_OPTION, body.TEACH.name)
    if name not in body.BODIES:
        why = f"should be one of {', '.join(body.BODIES)}, is {short_repr(name)}"
        raise FieldError(f"options.{BODY_OPTION}", why)
    return body.BODIES[str(name)]


def _check_scalar(value: object, field: str) -> JsonScalar:
    if isinstance(value, float) and not isfinite(value):
        raise FieldError(field, f"is impossible: {short_repr(value)}")
    if value is not None and not isinstance(value, str | int | float):
        raise FieldError(field, f"should be a plain value, is {short_repr(value)}")
    return value


def _exact_boxes_json(snapshot: Snapshot) -> list[list[float]]:
    """Return index, centre, size and yaw of the boxes that AI2-THOR's metadata would change."""
    return [
        [i, *obj.box.center, *obj.box.size, obj.box.yaw]
        for i, obj in enumerate(snapshot.objects)
        if metadata.read_object(metadata.write_object(obj)).box != obj.box
    ]


def _restore_exact_boxes(snapshot: Snapshot, boxes: Mapping[str, Any], name: str) -> Snapshot:
    objects = list(snapshot.objects)
    for row, raw in enumerate(json_fields.as_list(boxes.get(name), f"boxes.{name}")):
        path = f"boxes.{name}[{row}]"
        numbers = json_fields.as_list(raw, path)
        if len(numbers) != 1 + _BOX_NUMBER_COUNT:
            raise FieldError(path, f"should hold 8 numbers, has {len(numbers)}")
        i = json_fields.as_integer(numbers[0], f"{path}[0]")
        if not 0 <= i < len(objects):
            raise FieldError(f"{path}[0]", f"should be below {len(objects)}, is {short_repr(i)}")
        objects[i] = replace(objects[i], box=_read_exact_box(numbers[1:], path))
    return replace(snapshot, objects=tuple(objects))


def _marks_json(record: Record) -> dict[str, dict[str, list[str]]]:
    """Return ALFRED's marks at the end, by object id, if the task asks for any; else {}."""
    asked = [mark for mark in HISTORY_MARKS if f'"{mark}"' in json.dumps(record.definition)]
    final = record.final.objects if asked else ()
    marked = {obj.objectId: [mark for mark in asked if getattr(obj, mark)] for obj in final}
    marked = {object_id: marks for object_id, marks in marked.items() if marks}
    return {"marks": marked} if marked else {}


def _restore_marks(final: Snapshot, tatc_key: Mapping[str, Any]) -> Snapshot:
    objects = list(final.objects)
    for object_id, marks in json_fields.as_mapping(tatc_key.get("marks", {}), "marks").items():
        i = final.object_index.by_id.get(object_id)
        for mark in json_fields.as_list(marks, f"marks.{short_repr(object_id)}"):
            if i is None or mark not in HISTORY_MARKS:
                raise FieldError("marks", f"names no object, or no mark: {short_repr(mark)}")
            objects[i] = replace(objects[i], **{mark: True})
    return replace(final, objects=tuple(objects))


def _read_exact_box(numbers: list[Any], path: str) -> Box:
    named = ((f"{path}[{i}]", value) for i, value in enumerate(numbers, 1))
    x, y, z, a, b, c, yaw = (json_fields.as_number(value, name) for name, value in named)
    if min(a, b, c) < 0:
        raise FieldError(path, f"has a negative size: {min(a, b, c)!r}")
    return Box((x, y, z), (a, b, c), yaw)
