"""The `tatc` key of a record: what TEACh's format has no place for, in and out.

AI2-THOR's metadata give a box by its corners, which rounds; where that changes a box,
`boxes` keeps it as it was, so that a record read back is the record itself.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

from tatc import __version__
from tatc.fields import (
    FieldFault,
    bare_name,
    listing,
    mapping,
    names,
    number,
    shown,
    text,
    whole,
    words,
)
from tatc.metadata import read_object, write_object
from tatc.records.interaction import Interaction
from tatc.records.record import Decision, End, Problem, Record, Scalar
from tatc.state import Box, Scene, Snapshot

FORMAT = 1
"""The version of this key; a reader refuses those it does not know."""

_BOX = 7  # numbers of a box: centre, size, yaw


def own_json(record: Record) -> dict[str, Any]:
    """Return the `tatc` key of a record."""
    return {
        "format": FORMAT,
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
        "decisions": [decision_json(decision) for decision in record.decisions],
        "boxes": {
            "initial_state": _boxes_json(record.scene.start),
            "final_state": _boxes_json(record.final),
        },
    }


def read_own(
    raw: object,
    definition: Mapping[str, Any],
    scene: Scene,
    final: Snapshot,
    interactions: tuple[Interaction, ...],
) -> Record:
    """Return the record whose `tatc` key this is.

    Raises:
        FieldFault: the format is newer, or a field is missing or impossible; its path
            is inside the key.

    """
    own = mapping(raw, "")
    _check_format(own)
    boxes = mapping(own.get("boxes"), "boxes")
    start = _with_boxes(scene.start, boxes, "initial_state")
    return Record(
        definition=definition,
        scene=replace(scene, start=start),
        final=_with_boxes(final, boxes, "final_state"),
        interactions=interactions,
        decisions=_read_decisions(own),
        end=_read_end(own),
        gc_total=whole(own.get("gc_total"), "gc_total"),
        gc_satisfied=whole(own.get("gc_satisfied"), "gc_satisfied"),
        world=text(own, "world"),
        floor_map=words(own, "map"),
        map_hash=words(own, "map_hash"),
        seed=whole(own.get("seed"), "seed"),
        game_id=None if own.get("game") is None else bare_name(own, "game"),
        options=_read_options(own),
    )


def _check_format(own: Mapping[str, Any]) -> None:
    version = whole(own.get("format"), "format")
    if version > FORMAT:
        writer = own.get("version")
        why = f"is {shown(version)}, of tatc {shown(writer)}; this one reads {FORMAT}"
        raise FieldFault("format", why, "update tatc")
    if version < 1:
        raise FieldFault("format", f"should be 1 or more, is {shown(version)}")


def decision_json(decision: Decision) -> dict[str, Any]:
    """Return a decision as a record holds it."""
    key = decision.problem_key
    return {
        "step": decision.step,
        "utterance": decision.utterance,
        "problem_key": None if key is None else list(key),
        "policy": decision.policy,
        "skill": decision.skill,
        "reason": decision.reason,
        "alternatives": list(decision.alternatives),
        "cost": decision.cost,
    }


def _read_decisions(own: Mapping[str, Any]) -> tuple[Decision, ...]:
    found: list[Decision] = []
    for i, raw in enumerate(listing(own.get("decisions"), "decisions")):
        try:
            found.append(_read_decision(mapping(raw, "")))
        except FieldFault as fault:
            raise fault.within(f"decisions[{i}]") from fault
    return tuple(found)


def _read_decision(raw: Mapping[str, Any]) -> Decision:
    cost = raw.get("cost")
    return Decision(
        step=whole(raw.get("step"), "step"),
        utterance=words(raw, "utterance"),
        problem_key=_read_problem(raw.get("problem_key")),
        policy=words(raw, "policy"),
        skill=words(raw, "skill"),
        reason=words(raw, "reason"),
        alternatives=names(raw, "alternatives") or (),
        cost=None if cost is None else whole(cost, "cost"),
    )


def _read_problem(raw: object) -> Problem | None:
    if raw is None:
        return None
    parts = listing(raw, "problem_key")
    if len(parts) != 4 or not all(isinstance(part, str) for part in parts[:3]):
        why = f"should be id, type, property and value, is {shown(parts)}"
        raise FieldFault("problem_key", why)
    object_id, object_type, property_name, desired = parts
    return object_id, object_type, property_name, _scalar(desired, "problem_key[3]")


def _read_options(own: Mapping[str, Any]) -> tuple[tuple[str, Scalar], ...]:
    options = mapping(own.get("options"), "options")
    return tuple((k, _scalar(v, f"options.{shown(k)}")) for k, v in options.items())


def _read_end(own: Mapping[str, Any]) -> End:
    value = text(own, "end")
    if value not in list(End):
        why = f"should be one of {', '.join(End)}, is {shown(value)}"
        raise FieldFault("end", why)
    return End(value)


def _scalar(value: object, field: str) -> Scalar:
    if isinstance(value, float) and not isfinite(value):
        raise FieldFault(field, f"is impossible: {shown(value)}")
    if value is not None and not isinstance(value, str | int | float):
        raise FieldFault(field, f"should be a plain value, is {shown(value)}")
    return value


def _boxes_json(snapshot: Snapshot) -> list[list[float]]:
    """Return index, centre, size and yaw of the boxes that metadata would change."""
    return [
        [i, *thing.box.center, *thing.box.size, thing.box.yaw]
        for i, thing in enumerate(snapshot.objects)
        if read_object(write_object(thing)).box != thing.box
    ]


def _with_boxes(snapshot: Snapshot, boxes: Mapping[str, Any], name: str) -> Snapshot:
    """Return a snapshot with the boxes that were kept put back."""
    objects = list(snapshot.objects)
    for row, raw in enumerate(listing(boxes.get(name), f"boxes.{name}")):
        path = f"boxes.{name}[{row}]"
        numbers = listing(raw, path)
        if len(numbers) != 1 + _BOX:
            raise FieldFault(path, f"should hold 8 numbers, has {len(numbers)}")
        i = whole(numbers[0], f"{path}[0]")
        if not 0 <= i < len(objects):
            raise FieldFault(
                f"{path}[0]", f"should be below {len(objects)}, is {shown(i)}"
            )
        objects[i] = replace(objects[i], box=_read_box(numbers[1:], path))
    return replace(snapshot, objects=tuple(objects))


def _read_box(numbers: list[Any], path: str) -> Box:
    x, y, z, a, b, c, yaw = (
        number(v, f"{path}[{i + 1}]") for i, v in enumerate(numbers)
    )
    if min(a, b, c) < 0:
        raise FieldFault(path, f"has a negative size: {min(a, b, c)!r}")
    return Box((x, y, z), (a, b, c), yaw)
