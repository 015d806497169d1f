"""TEACh's EDH and TfD instances: a part of a session for a model to go on with.

An instance says what was said and done so far (EDH) or only what was said (TfD); the
model acts from there.  What a model is given is the file's document as it is, so that
a model written for TEACh finds all it knows (spec sections 4.3, 4.5 and 6.1).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from tatc.actions import Role, Utterance
from tatc.atomic import write_whole
from tatc.fields import (
    FieldFault,
    bare_name,
    listing,
    mapping,
    names,
    shown,
    whole,
)
from tatc.records.files import blamed_on, load_json
from tatc.records.interaction import Interaction, read_interaction

SPEAKERS = {"Commander": Role.COMMANDER, "Driver": Role.FOLLOWER}
"""TEACh's names of the two agents in dialogues."""


class Benchmark(StrEnum):
    """What is asked of a model.

    EDH: go on from a dialogue and its actions so far, until the next utterance.  TfD:
    do all that a dialogue asked for, from the session's start.
    """

    EDH = "edh"
    TFD = "tfd"


@dataclass(frozen=True, slots=True)
class Expected:
    """Goal conditions of the check task after the history, as the file has them."""

    total: int
    satisfied: int


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance: where it starts, what counts, and what a model is told.

    `name` is the file's name without its ending, and names results.  `history` is
    what was logged before the prediction starts, none of it for TfD.  `reference`
    counts the actions that people took from there.  `state_changes` is what EDH is
    judged by, None for TfD, which has the game's own task.
    """

    name: str
    game_id: str
    benchmark: Benchmark
    history: tuple[Interaction, ...]
    dialogue: tuple[Utterance, ...]
    history_images: tuple[str, ...]
    reference: int
    state_changes: Mapping[str, Any] | None
    expected: Expected | None
    document: Mapping[str, Any] = field(repr=False, compare=False)


def read_instance(path: Path | str) -> Instance:
    """Read an EDH or a TfD file, plain or gzipped; the name says which it is.

    Raises:
        BadInput: there is no such file, or it cannot be read.
        GameFormatError: it is no instance, or a field is missing or impossible.

    """
    path = Path(path)
    raw = load_json(path)
    name = path.name.removesuffix(".gz").removesuffix(".json")
    with blamed_on(path):
        document = mapping(raw, "")
        if "dialog_history" not in document:
            fix = "name files <game id>.edh<k>.json or <game id>.tfd.json"
            why = "is JSON but no instance: `dialog_history` is missing"
            raise FieldFault("", why, fix)
        return parse_instance(document, name)


def parse_instance(document: Mapping[str, Any], name: str) -> Instance:
    """Return the instance that a document holds.

    Raises:
        FieldFault: a field is missing or impossible.

    """
    tfd = name.endswith(".tfd") or "pred_start_idx" not in document
    history = () if tfd else _history(document)
    return Instance(
        name=name,
        game_id=bare_name(document, "game_id"),
        benchmark=Benchmark.TFD if tfd else Benchmark.EDH,
        history=history,
        dialogue=_dialogue(document),
        history_images=names(document, "driver_image_history") or (),
        reference=_reference(document),
        state_changes=None if tfd else mapping(document.get("state_changes"), _CHANGES),
        expected=None if tfd else _expected(document),
        document=document,
    )


def write_instance(document: Mapping[str, Any], path: Path, *, force: bool) -> None:
    """Save an instance's document, whole or not at all; equal ones are equal bytes.

    Raises:
        OutputError: the file exists and `force` is not given, or cannot be written.

    """
    line = json.dumps(document, allow_nan=False, separators=(",", ":"))
    write_whole(line.encode() + b"\n", path, force=force)


_CHANGES = "state_changes"
_TOTAL = "expected_init_goal_conditions_total"
_MET = "expected_init_goal_conditions_satisfied"


def _history(document: Mapping[str, Any]) -> tuple[Interaction, ...]:
    start = whole(document.get("pred_start_idx"), "pred_start_idx")
    entries = listing(document.get("interactions"), "interactions")
    if not 0 <= start <= len(entries):
        why = f"is {start}, but there are {len(entries)} interactions"
        raise FieldFault("pred_start_idx", why)
    found: list[Interaction] = []
    for i, entry in enumerate(entries[:start]):
        try:
            found.append(read_interaction(entry))
        except FieldFault as fault:
            raise fault.within(f"interactions[{i}]") from fault
    return tuple(found)


def _dialogue(document: Mapping[str, Any]) -> tuple[Utterance, ...]:
    """Return who said what; the file gives no times."""
    said: list[Utterance] = []
    for i, turn in enumerate(listing(document["dialog_history"], "dialog_history")):
        where = f"dialog_history[{i}]"
        words = listing(turn, where)
        if len(words) < 2 or words[0] not in SPEAKERS or not isinstance(words[1], str):
            why = f"should be [Commander or Driver, words], is {shown(turn)}"
            raise FieldFault(where, why)
        said.append(Utterance(SPEAKERS[words[0]], words[1], 0.0))
    return tuple(said)


def _reference(document: Mapping[str, Any]) -> int:
    """Return how many actions people took; withheld ones count as none."""
    future = document.get("driver_actions_future")
    return 0 if future is None else len(listing(future, "driver_actions_future"))


def _expected(document: Mapping[str, Any]) -> Expected | None:
    if document.get(_TOTAL) is None or document.get(_MET) is None:
        return None
    return Expected(whole(document[_TOTAL], _TOTAL), whole(document[_MET], _MET))
