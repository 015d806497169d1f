"""Reads AI2-THOR's events as the tests here need them."""

from typing import Any

Vector = dict[str, float]


def objects_of_type(event: Any, kind: str) -> list[dict[str, Any]]:
    return [each for each in event.metadata["objects"] if each["objectType"] == kind]


def first_of_type(event: Any, kind: str) -> dict[str, Any]:
    return objects_of_type(event, kind)[0]


def is_near(a: Vector, b: Vector, tolerance: float = 1e-3) -> bool:
    return a.keys() == b.keys() and all(abs(a[axis] - b[axis]) < tolerance for axis in a)


def position(event: Any) -> Vector:
    return event.metadata["agent"]["position"]


def yaw_and_horizon(event: Any) -> "tuple[float, float]":
    agent = event.metadata["agent"]
    return agent["rotation"]["y"], round(agent["cameraHorizon"])


def error(event: Any) -> str:
    """Return the message of an action that must have failed."""
    assert not event.metadata["lastActionSuccess"]
    assert event.metadata["errorMessage"]
    return event.metadata["errorMessage"]


def result(event: Any) -> Any:
    """Return the return value of an action that must have succeeded."""
    assert event.metadata["lastActionSuccess"], event.metadata["errorMessage"]
    return event.metadata["actionReturn"]


def free_line(controller: Any) -> Vector:
    """Teleport, looking along z, to where two cells are free on every side; return the place."""
    places = result(controller.step("GetReachablePositions"))
    cells = {(round(p["x"] * 4), round(p["z"] * 4)) for p in places}
    for place in places:
        x, z = round(place["x"] * 4), round(place["z"] * 4)
        around = [(x + d, z) for d in (-1, 1)] + [(x, z + d) for d in (-1, 1, 2)]
        if cells.issuperset(around):
            result(controller.step("TeleportFull", **pose(place)))
            return place
    raise AssertionError("no place is free on every side")


def pose(place: Vector, yaw: float = 0, horizon: float = 0) -> dict[str, Any]:
    rotation = {"x": 0, "y": yaw, "z": 0}
    return {**place, "rotation": rotation, "horizon": horizon, "standing": True}


def see(controller: Any, kind: str) -> dict[str, Any]:
    """Teleport to where an object of a type can be acted on; return the object."""
    for obj in objects_of_type(controller.last_event, kind):
        poses = result(
            controller.step(
                "GetInteractablePoses", objectId=obj["objectId"], standings=[True], maxPoses=1
            )
        )
        if poses:
            result(controller.step("TeleportFull", **poses[0]))
            return controller.last_event.get_object(obj["objectId"])
    raise AssertionError(f"no {kind} can be seen")
