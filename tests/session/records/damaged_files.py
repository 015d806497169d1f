"""Damaged game files: what is done to a good one, and what its error must name.

Each damage changes one thing in the hand-made session, so that this corpus needs no
recordings.
"""

import copy
import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf, nan
from typing import Any


class Part(StrEnum):
    """Which part of a game's reading reports the fault."""

    START = "start"
    END = "end"
    LOG = "interactions"


@dataclass(frozen=True, slots=True)
class Damage:
    """One damage; `names` is what the error must contain beside the file."""

    title: str
    spoil: Callable[[dict[str, Any]], bytes]
    names: str
    part: Part = Part.START


def _dump(document: object) -> bytes:
    return json.dumps(document).encode()


GONE = object()
"""The value of what is not there."""


def change(document: Any, place: str | Sequence[str | int], value: object) -> None:
    """Set the value at a place in a JSON document, such as "a.0.b", or remove it."""
    if isinstance(place, str):
        place = [int(step) if step.isdecimal() else step for step in place.split(".")]
    *before, last = place
    for step in before:
        document = document[step]
    if value is GONE:
        del document[last]
    else:
        document[last] = copy.deepcopy(value)


def _error_path(path: str) -> str:
    """Return "a.0.b" as an error spells it: "a[0].b"."""
    words = (f"[{w}]" if w.isdecimal() else f".{w}" for w in path.split("."))
    return "".join(words).lstrip(".")


def _set(path: str, value: Any, part: Part = Part.START, names: str = "") -> Damage:
    def spoil(document: dict[str, Any]) -> bytes:
        change(document, path, value)
        return _dump(document)

    short = path.removeprefix("tasks.0.episodes.0.")
    shown = repr(value) if len(repr(value)) < 30 else f"{repr(value)[:27]}..."
    title = f"no {short}" if value is GONE else f"{short} = {shown}"
    return Damage(title, spoil, names or _error_path(path), part)


def _drop(path: str, part: Part = Part.START, names: str = "") -> Damage:
    return _set(path, GONE, part, names)


def _damage_bytes(title: str, spoil: Callable[[bytes], bytes], names: str) -> Damage:
    return Damage(title, lambda document: spoil(_dump(document)), names)


def _without_boxes(document: dict[str, Any]) -> bytes:
    for box in ("axisAlignedBoundingBox", "objectOrientedBoundingBox"):
        change(document, f"{MUG}.{box}", None)
    return _dump(document)


EPISODE = "tasks.0.episodes.0"
START = f"{EPISODE}.initial_state"
MUG = f"{START}.objects.2"
AGENT = f"{START}.agents.1"
END = f"{EPISODE}.final_state"
LOG = f"{EPISODE}.interactions"

FILES = [
    _damage_bytes("empty", lambda _: b"", "not JSON"),
    _damage_bytes("cut in the middle", lambda data: data[: len(data) // 2], "not JSON"),
    _damage_bytes("last brace lost", lambda data: data[:-1], "not JSON"),
    _damage_bytes("something after the end", lambda data: data + b"{}", "not JSON"),
    _damage_bytes("a page", lambda _: b"<html><body>404</body></html>", "line 1 column 1"),
    _damage_bytes("random bytes", lambda _: bytes(range(128, 256)) * 9, "not JSON"),
    _damage_bytes("a bad escape", lambda d: d.replace(b"Mug", b"\\q", 1), "not JSON"),
    _damage_bytes("too deep", lambda _: b"[" * 100_000, "not JSON"),
    _damage_bytes("a number too long", lambda _: b"1" * 5000, "not JSON"),
    _damage_bytes("gzip cut off", lambda d: gzip.compress(d)[:-40], "cut off"),
    _damage_bytes("gzip without a body", lambda d: gzip.compress(d)[:10], "cut off"),
    _damage_bytes("gzip of nothing", lambda _: gzip.compress(b""), "not JSON"),
    _damage_bytes(
        "gzip with a wrong sum",
        lambda d: gzip.compress(d)[:-8] + b"\1\2\3\4" + gzip.compress(d)[-4:],
        "damaged",
    ),
]

NOT_GAMES = [
    _damage_bytes("a list", lambda d: b"[" + d + b"]", "`tasks` is missing"),
    _damage_bytes("a text", lambda _: b'"Coffee"', "`tasks` is missing"),
    _damage_bytes("an empty object", lambda _: b"{}", "`tasks` is missing"),
    _damage_bytes(
        "an EDH instance",
        lambda _: b'{"game_id": "a", "dialog_history": [], "pred_start_idx": 3}',
        "`tasks` is missing",
    ),
]

FRAMES = [
    _set("tasks", []),
    _set("tasks.0", "Coffee"),
    _drop("version"),
    _set("version", 2.0),
    _drop("tasks.0.task_name"),
    _set("tasks.0.task_name", ""),
    _set("tasks.0.task_name", 102),
    _drop("tasks.0.task_params"),
    _set("tasks.0.task_params", [1]),
    _set("tasks.0.task_nparams", 3),
    _drop("tasks.0.episodes"),
    _set("tasks.0.episodes", []),
    _set("tasks.0.episodes.0", None),
    _drop(f"{EPISODE}.episode_id"),
    _set(f"{EPISODE}.episode_id", None),
    _set(f"{EPISODE}.episode_id", "\ud800"),
    _set(f"{EPISODE}.episode_id", "../elsewhere"),
    _drop(f"{EPISODE}.world"),
    _set(f"{EPISODE}.world", None),
    _set(f"{EPISODE}.commander_embodied", "True"),
    _set(f"{EPISODE}.commander_embodied", True),
]

PLACES = [
    _set(f"{EPISODE}.world", name)
    for name in (
        "FloorPlan0",
        "FloorPlan100",
        "FloorPlan07",
        "floorplan7",
        "FloorPlan_Train1_1",
        "FloorPlan\u0667",
        "Kitchen",
    )
] + [
    _set(f"{EPISODE}.world_type", "Bedroom"),
    _set(f"{EPISODE}.world_type", "Garage"),
    _set(f"{EPISODE}.world_type", 1),
]

STATES = [
    _drop(START),
    _set(START, None),
    _drop(f"{START}.agents"),
    _set(f"{START}.agents", []),
    _drop(f"{START}.agents.1", names="initial_state.agents"),
    _set(f"{START}.agents.0", None),
    _set(AGENT, []),
    _drop(f"{AGENT}.position"),
    _set(f"{AGENT}.position.x", nan),
    _set(f"{AGENT}.position.z", "1.5"),
    _set(f"{AGENT}.position.y", 1e9),
    _set(f"{AGENT}.position.x", 5000, names="agents[1].position"),
    _drop(f"{AGENT}.rotation"),
    _set(f"{AGENT}.rotation.y", None),
    _drop(f"{AGENT}.cameraHorizon"),
    _set(f"{AGENT}.cameraHorizon", "30"),
    _set(f"{AGENT}.cameraHorizon", 120),
    _drop(f"{START}.objects"),
    _set(f"{START}.objects", []),
    _set(f"{START}.custom_object_metadata", ["Mug"]),
    _set(
        f"{START}.custom_object_metadata",
        {"Mug|+00.10|+00.91|-01.40": 3},
        names="objects[2].custom metadata",
    ),
]

OBJECTS = [
    _set(MUG, None),
    *(
        _drop(f"{MUG}.{name}")
        for name in (
            "objectId",
            "objectType",
            "name",
            "position",
            "rotation",
            "pickupable",
            "isDirty",
        )
    ),
    _set(f"{MUG}.objectId", ["Mug"]),
    _set(f"{MUG}.position.x", inf),
    _set(f"{MUG}.position.y", nan),
    _set(f"{MUG}.position.z", 1e9),
    _set(f"{MUG}.position.x", -2000.0, names="objects[2].position"),
    _set(f"{MUG}.position.x", True),
    _set(f"{MUG}.axisAlignedBoundingBox.size.x", -0.1, names="objects[2].axisAligned"),
    _set(f"{MUG}.axisAlignedBoundingBox.center", [0, 0, 0]),
    _set(f"{MUG}.axisAlignedBoundingBox", {}),
    Damage("no box at all", _without_boxes, "objects[2].axisAlignedBoundingBox"),
    _set(f"{MUG}.objectOrientedBoundingBox.cornerPoints", []),
    _set(f"{MUG}.objectOrientedBoundingBox.cornerPoints.5", [0.0, 0.0, 0.0]),
    _set(f"{MUG}.isDirty", "False"),
    _set(f"{MUG}.mass", -0.5),
    _set(f"{MUG}.parentReceptacles", "CounterTop"),
    _set(f"{MUG}.simbotObjectClass", {"Mug": True}),
]

ENDS = [
    _drop(END),
    _set(END, "done"),
    _set(f"{END}.objects", [], Part.END),
    _drop(f"{END}.agents", Part.END),
    _set(f"{END}.objects.1.position.x", nan, Part.END),
    _set(f"{END}.objects.3.simbotIsReceptacleOf", [1], Part.END),
]

LOGS = [
    _drop(LOG),
    _set(LOG, {}),
    _set(f"{LOG}.0", None, Part.LOG),
    _set(f"{LOG}.4.action_id", 1000, Part.LOG),
    _set(f"{LOG}.4.agent_id", 7, Part.LOG),
    _set(f"{LOG}.4.pose", [1, 2, 3], Part.LOG),
    _set(f"{LOG}.4.time_start", "0.5", Part.LOG),
    _set(f"{LOG}.5.x", nan, Part.LOG),
    _drop(f"{LOG}.5.success", Part.LOG),
    _drop(f"{LOG}.0.utterance", Part.LOG),
]

DAMAGES = (*FILES, *NOT_GAMES, *FRAMES, *PLACES, *STATES, *OBJECTS, *ENDS, *LOGS)


def without_tatc_key(document: dict[str, Any]) -> dict[str, Any]:
    """Return the session as TEACh itself would have saved it, without our key."""
    return {key: value for key, value in document.items() if key != "tatc"}
