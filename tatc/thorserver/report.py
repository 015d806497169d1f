"""What a client is told: AI2-THOR's metadata of a moment."""

from typing import Any

from tatc.metadata import write_object, write_vector
from tatc.sim.embedded.house import LIFT, REACH
from tatc.state import AgentState, ObjectState, Vec3
from tatc.thorserver.answers import Answer
from tatc.thorserver.looking import map_view
from tatc.thorserver.stage import Camera, Stage, camera_position, hand_position

_DIGITS = 6
"""Decimals that are told: AI2-THOR's own numbers, single precision, hold no more."""
_HEATS = frozenset({"Microwave", "StoveBurner", "Toaster"})
_COOLS = frozenset({"Fridge"})


class Reporter:
    """Writes metadata; what has not changed since the last time is kept."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._written: dict[str, tuple[ObjectState, dict[str, Any]]] = {}

    def report(
        self, stage: Stage, action: str, answer: Answer, sequence: int
    ) -> dict[str, Any]:
        """Return the metadata of a message, each agent's among it."""
        stage.settle()
        stage.house.snapshot()  # lets what is held follow the body
        inside = _contents(stage.house.things)
        cameras = [_camera(i, each) for i, each in enumerate(stage.cameras)]
        shared = {
            "screenWidth": stage.size[0],
            "screenHeight": stage.size[1],
            "sequenceId": sequence,
            "sceneName": stage.served.scene,
            "tatcRoom": stage.served.source,
            "sceneBounds": _bounds(stage),
            "thirdPartyCameras": cameras,
            "isSceneAtRest": True,
            "currentTime": 0.0,
            "depthFormat": "Normalized",
            "lastAction": action,
        }
        agents = [
            shared | self._agent(stage, i, answer, inside)
            for i in range(len(stage.bodies))
        ]
        return {
            "agents": agents,
            "thirdPartyCameras": cameras,
            "activeAgentId": stage.active,
            "sequenceId": sequence,
        }

    def _agent(
        self, stage: Stage, i: int, answer: Answer, inside: dict[str, list[str]]
    ) -> dict[str, Any]:
        body = stage.bodies[i]
        mine = answer if i == stage.active else Answer()
        seen = stage.visible(body.state)
        return {
            "agentId": i,
            "lastActionSuccess": mine.success,
            "errorMessage": mine.error,
            "errorCode": mine.code or None,
            "actionReturn": mine.value,
            "agent": _body(body.state),
            "isStanding": True,
            "heldObjectPose": _hand(body.state),
            "hand": _hand(body.state),
            "inventoryObjects": _inventory(stage, body.held),
            "objects": [
                self._object(stage, thing, body.state, seen, inside)
                for thing in stage.house.things
            ],
            "colors": None,
            "colorBounds": None,
            "collided": False,
            "collidedObjects": [],
            "reachablePositions": None,
            **_view(stage, body.state),
        }

    def _object(
        self,
        stage: Stage,
        thing: ObjectState,
        body: AgentState,
        seen: frozenset[str],
        inside: dict[str, list[str]],
    ) -> dict[str, Any]:
        name = thing.objectId
        visible = name in seen or thing.isPickedUp
        return self._lasting(thing) | {
            "visible": visible,
            "isInteractable": visible,
            "distance": round(stage.distance(thing, body), _DIGITS),
            "receptacleObjectIds": inside.get(name, [])
            if thing.affordances.receptacle
            else None,
            "fillLiquid": stage.liquids.get(name),
        }

    def _lasting(self, thing: ObjectState) -> dict[str, Any]:
        """Return what an object's metadata says whoever looks at it."""
        known = self._written.get(thing.objectId)
        if known is not None and known[0] is thing:
            return known[1]
        raw = _rounded(write_object(thing))
        raw |= {
            "temperature": thing.ObjectTemperature,
            "isMoving": False,
            "assetId": "",
            "isHeatSource": thing.objectType in _HEATS,
            "isColdSource": thing.objectType in _COOLS,
        }
        self._written[thing.objectId] = (thing, raw)
        return raw


def _contents(things: list[ObjectState]) -> dict[str, list[str]]:
    """Return by receptacle what is in or on it."""
    found: dict[str, list[str]] = {}
    for thing in things:
        for parent in thing.parentReceptacles or ():
            found.setdefault(parent, []).append(thing.objectId)
    return found


def _body(state: AgentState) -> dict[str, Any]:
    return {
        "name": "agent",
        "position": _rounded(write_vector(state.position)),
        "rotation": write_vector((0.0, round(state.yaw, _DIGITS), 0.0)),
        "cameraHorizon": round(state.horizon, _DIGITS),
        "isStanding": True,
        "inHighFrictionArea": False,
    }


def _hand(state: AgentState) -> dict[str, Any]:
    return {
        "position": _rounded(write_vector(hand_position(state))),
        "rotation": write_vector((0.0, state.yaw, 0.0)),
        "localPosition": write_vector((0.0, round(LIFT - 0.675, 3), REACH)),
        "localRotation": write_vector((0.0, 0.0, 0.0)),
    }


def _inventory(stage: Stage, held: str | None) -> list[dict[str, str]]:
    thing = None if held is None else stage.house.find(held)
    if thing is None:
        return []
    return [{"objectId": thing.objectId, "objectType": thing.objectType}]


def _view(stage: Stage, state: AgentState) -> dict[str, Any]:
    """Return where the picture is taken from: the eye, or the map's camera."""
    if stage.map_view:
        position, span = map_view(stage)
    else:
        position, span = camera_position(state), -1.0
    return {
        "cameraPosition": _rounded(write_vector(position)),
        "cameraOrthSize": span,
        "fov": stage.settings.fov,
    }


def _camera(i: int, camera: Camera) -> dict[str, Any]:
    return {
        "thirdPartyCameraId": i,
        "position": write_vector(camera.position),
        "rotation": write_vector(camera.rotation),
        "fieldOfView": camera.fov,
    }


def _bounds(stage: Stage) -> dict[str, Any]:
    low, high = stage.bounds()
    middle: Vec3 = tuple((a + b) / 2 for a, b in zip(low, high, strict=True))  # pyright: ignore
    size: Vec3 = tuple(b - a for a, b in zip(low, high, strict=True))  # pyright: ignore
    corners = [
        [x, y, z]
        for x in (high[0], low[0])
        for y in (high[1], low[1])
        for z in (high[2], low[2])
    ]
    return {
        "cornerPoints": corners,
        "center": write_vector(middle),
        "size": write_vector(size),
    }


def _rounded(value: Any) -> Any:
    """Return JSON with its numbers cut to what is told."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}  # pyright: ignore
    if isinstance(value, list):
        return [_rounded(item) for item in value]  # pyright: ignore
    return value
