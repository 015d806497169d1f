"""TEACh's EDH and TfD instances: parts of sessions that a model continues.

A model gets the file's document unchanged, so one written for TEACh finds everything it expects
(spec sections 4.3, 4.5 and 6.1).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from tatc.base import json_fields, plain_text
from tatc.base.files import GAME, MAX_INTERACTIONS, read_json, write_atomically
from tatc.home.actions import Role, Utterance
from tatc.session.records import file_search, record

ROLE_BY_SPEAKER = {"Commander": Role.COMMANDER, "Driver": Role.FOLLOWER}
"""TEACh's names of the two agents in dialogues."""


class Benchmark(StrEnum):
    """What a model does: go on until the next words (EDH), or do all that was asked for (TfD)."""

    EDH = "edh"
    TFD = "tfd"


@dataclass(frozen=True, slots=True)
class Instance:
    """An EDH or TfD instance.

    `name` is the file's name without its ending.  `history` holds the interactions before
    the prediction starts, () for TfD.  `reference_length` is the number of actions that
    people took from there.  `state_changes` defines success for EDH; it is None for TfD,
    which uses the game's task.  `expected` are the goal conditions of the check task after the
    history, as the file states them: how many there are, and how many are satisfied.
    """

    name: str
    game_id: str
    benchmark: Benchmark
    history: tuple[record.Interaction, ...]
    dialogue: tuple[Utterance, ...]
    history_images: tuple[str, ...]
    reference_length: int
    state_changes: Mapping[str, Any] | None
    expected: tuple[int, int] | None
    document: Mapping[str, Any] = field(repr=False, compare=False)


def read_instance(path: Path | str) -> Instance:
    """Read an EDH or TfD file, plain or gzipped; its name says which it is."""
    path = Path(path)
    raw = read_json(path, GAME)
    name = path.name.removesuffix(".gz").removesuffix(".json")
    with file_search.field_faults_in(path):
        document = json_fields.as_mapping(raw, "")
        if "dialog_history" not in document:
            fix = "name files <game id>.edh<k>.json or <game id>.tfd.json"
            why = "is JSON but no instance: `dialog_history` is missing"
            raise json_fields.FieldError("", why, fix)
        return parse_instance(document, name)


def parse_instance(document: Mapping[str, Any], name: str) -> Instance:
    """Return the instance in a document; `name` is the file's, without its ending."""
    tfd = name.endswith(".tfd") or "pred_start_idx" not in document
    history = () if tfd else _read_history(document)
    given: object = document.get("state_changes")
    return Instance(
        name=name,
        game_id=json_fields.get_file_name(document, "game_id"),
        benchmark=Benchmark.TFD if tfd else Benchmark.EDH,
        history=history,
        dialogue=_read_dialogue(document),
        history_images=json_fields.get_names(document, "driver_image_history") or (),
        reference_length=_read_reference_length(document),
        state_changes=None if tfd else json_fields.as_mapping(given, "state_changes"),
        expected=None if tfd else _read_expected(document),
        document=document,
    )


def write_instance(document: Mapping[str, Any], path: Path, *, force: bool) -> None:
    """Save an instance's document completely or not at all; equal ones give equal bytes."""
    line = json.dumps(document, allow_nan=False, separators=(",", ":"))
    write_atomically(line.encode() + b"\n", path, force=force)


def _read_history(document: Mapping[str, Any]) -> tuple[record.Interaction, ...]:
    start = json_fields.as_integer(document.get("pred_start_idx"), "pred_start_idx")
    entries = json_fields.as_list(document.get("interactions"), "interactions", MAX_INTERACTIONS)
    if not 0 <= start <= len(entries):
        why = f"is {start}, but there are {len(entries)} interactions"
        raise json_fields.FieldError("pred_start_idx", why)
    return tuple(json_fields.read_each(entries[:start], record.read_interaction, "interactions"))


def _read_dialogue(document: Mapping[str, Any]) -> tuple[Utterance, ...]:
    """Return the utterances; their times are 0, because the file has none."""
    said: list[Utterance] = []
    turns = json_fields.as_list(document["dialog_history"], "dialog_history", MAX_INTERACTIONS)
    for i, turn in enumerate(turns):
        where = f"dialog_history[{i}]"
        words = json_fields.as_list(turn, where)
        speaker, text = words[:2] if len(words) >= 2 else (None, None)
        # Looked up only as a text: a list is no key.
        role = ROLE_BY_SPEAKER.get(speaker) if isinstance(speaker, str) else None
        if role is None or not isinstance(text, str) or not plain_text.is_encodable(text):
            why = f"should be [Commander or Driver, words], is {json_fields.short_repr(turn)}"
            raise json_fields.FieldError(where, why)
        said.append(Utterance(role, text, 0.0))
    return tuple(said)


def _read_reference_length(document: Mapping[str, Any]) -> int:
    """Return the number of actions that people took, 0 if the file withholds them."""
    future = document.get("driver_actions_future")
    return 0 if future is None else len(json_fields.as_list(future, "driver_actions_future"))


def _read_expected(document: Mapping[str, Any]) -> tuple[int, int] | None:
    keys = [f"expected_init_goal_conditions_{what}" for what in ("total", "satisfied")]
    counts = [document.get(key) for key in keys]
    if None in counts:
        return None
    total, satisfied = map(json_fields.as_integer, counts, keys)
    return total, satisfied
