"""Messages of AI2-THOR's clients, requests to the viewer, and a recording of metadata."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

FRAME_HEADER = struct.Struct("!BI")
ACTION_FIELD, END_FIELD = 2, 255
_MESSAGES: tuple[dict[str, Any], ...] = (
    {"action": "Reset", "sceneName": "kitchen-01", "sequenceId": 1},
    {
        "action": "Initialize",
        "gridSize": 0.25,
        "fieldOfView": 90,
        "renderInstanceSegmentation": True,
        "agentCount": 1,
        "sequenceId": 2,
    },
    {"action": "MoveAhead", "moveMagnitude": 0.25, "agentId": 0, "sequenceId": 3},
    {"action": "RotateRight", "degrees": 90},
    {"action": "Teleport", "position": {"x": 1.0, "y": 0.9, "z": 1.0}, "rotation": {"y": 90}},
    {"action": "GetReachablePositions"},
    {"action": "PickupObject", "objectId": "Mug|+01.00|+00.90|+01.00", "forceAction": True},
    {"action": "OpenObject", "x": 0.5, "y": 0.5, "openness": 0.5},
    {"action": "SetObjectPoses", "objectPoses": [{"objectName": "Mug_1", "position": {"x": 1}}]},
    {
        "action": "AddThirdPartyCamera",
        "position": {"x": 0, "y": 2, "z": 0},
        "rotation": {"x": 90, "y": 0, "z": 0},
        "fieldOfView": 60,
    },
    {"action": "UpdateThirdPartyCamera", "thirdPartyCameraId": 0, "position": {"x": 1}},
    {"action": "GetShortestPath", "objectType": "Fridge", "position": {"x": 1, "y": 0, "z": 1}},
    {"action": "GetInteractablePoses", "objectId": "Fridge|0|0|0", "maxPoses": 3},
    {"action": "SetObjectFilter", "objectIds": ["Mug|1|1|1"]},
    {"action": "PutObject", "objectId": "CounterTop|1|1|1", "placeStationary": True},
    {"action": "SetStateOfAllObjects", "StateChange": "CanBeDirty", "forceAction": True},
    {"action": "PlaceObjectAtPoint", "objectId": "Mug|1|1|1", "position": {"x": 1, "y": 1, "z": 1}},
    {"action": "DropHeldObject", "forceAction": True},
    {"action": "GetScenesInBuild"},
    {"action": "Pass", "sequenceId": 21},
)
_START_GAME = {"part": "follower", "partner": "person", "task": "coffee", "room": "kitchen-01"}
_ACT = {"key": "{key}", "do": "act", "id": "1"}
_POSTS: dict[str, tuple[str, dict[str, Any]]] = {
    "start": ("play/new", {**_START_GAME, "seed": 1, "params": "", "wording": "actions"}),
    "role": ("play/{game}/role", {"part": "commander"}),
    "turn": ("play/{game}/request", {**_ACT, "verb": "Turn Left"}),
    "click": ("play/{game}/request", {**_ACT, "verb": "Pickup", "x": 0.5, "y": 0.5}),
    "speak": ("play/{game}/request", {**_ACT, "verb": "Text", "text": "what should I do?"}),
    "suggest": ("play/{game}/request", {"key": "{key}", "do": "suggest", "wording": "steps"}),
    "name": ("play/{game}/request", {"key": "{key}", "do": "name", "x": 0.5, "y": 0.5}),
}
_GETS = {
    "list": "data/sessions.js",
    "lobby": "data/play.js",
    "session": "data/session/abc.js",
    "picture": "pictures/abc/0-follower.webp",
    "events": "play/{game}/events?key={key}&after=-1",
    "room": "play/{game}/room?key={key}",
    "view": "play/{game}/0-follower.webp?key={key}",
    "page": "viewer.js",
}


def frame(body: bytes) -> bytes:
    """Return an action as ai2thor's FifoServer frames it."""
    return FRAME_HEADER.pack(ACTION_FIELD, len(body)) + body + FRAME_HEADER.pack(END_FIELD, 0)


def _make_thor_messages(folder: Path) -> None:
    lines = [json.dumps(message) for message in _MESSAGES]
    (folder / "messages.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "messages.bin").write_bytes(b"".join(frame(line.encode()) for line in lines))


def _make_model_answers(folder: Path) -> None:
    """Make what a server with TEACh's HTTP interface answers: a start, then actions."""
    actions = [("Forward", None), ("Pickup", [0.5, 0.25]), ("Place", [0.75, 0.5]), ("Stop", None)]
    answers = ['"success"']
    answers += [json.dumps({"action": name, "obj_relative_coord": at}) for name, at in actions]
    (folder / "answers.jsonl").write_text("\n".join(answers))


def _make_viewer_requests(folder: Path) -> None:
    for name, (path, fields) in _POSTS.items():
        body = json.dumps(fields)
        head = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        _write_request(folder / f"{name}.http", f"POST /{{token}}/{path}", head, body)
    for name, path in _GETS.items():
        _write_request(folder / f"{name}.http", f"GET /{{token}}/{path}", "", "")


def _write_request(path: Path, line: str, head: str, body: str) -> None:
    text = f"{line} HTTP/1.1\r\nHost: {{host}}\r\nConnection: close\r\n{head}\r\n{body}"
    path.write_bytes(text.encode())


WIRE_MAKERS: dict[str, Callable[[Path], None]] = {
    "thor-messages": _make_thor_messages,
    "model-answers": _make_model_answers,
    "viewer": _make_viewer_requests,
}
