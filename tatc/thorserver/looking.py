"""Rays, third-party cameras and the map view."""

from dataclasses import replace

from tatc.fields import flag, whole
from tatc.metadata import write_vector
from tatc.state import Vec3
from tatc.thorserver.answers import (
    DONE,
    Answer,
    Arguments,
    number_or,
    refused,
    turn_of,
)
from tatc.thorserver.handling import click_of, hit_of
from tatc.thorserver.moving import position_or
from tatc.thorserver.stage import Camera, Stage


def raycast(stage: Stage, given: Arguments) -> Answer:
    """Return the point that the ray through x, y of the frame meets."""
    click = click_of(stage, given)
    if isinstance(click, Answer):
        return click
    hit = stage.house.geometry.first(stage.lens().eye, click)
    return Answer(
        value=write_vector(stage.wall_at(click) if hit is None else hit.point)
    )


def object_in_frame(stage: Stage, given: Arguments) -> Answer:
    """Return the id of the object at x, y of the frame."""
    hit = hit_of(stage, given)
    if isinstance(hit, Answer):
        return hit
    thing = stage.house.things[hit.index]
    if flag(given, "checkVisible") and not stage.interactable(thing):
        return refused(f"{thing.objectId} is not visible", "ObjectNotVisible")
    return Answer(value=thing.objectId)


def add_camera(stage: Stage, given: Arguments) -> Answer:
    """Add a third-party camera."""
    first = Camera((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    stage.cameras.append(_camera(first, given))
    return DONE


def update_camera(stage: Stage, given: Arguments) -> Answer:
    """Change a third-party camera; what is left out stays."""
    number = given.get("thirdPartyCameraId")
    i = 0 if number is None else whole(number, "thirdPartyCameraId")
    if not 0 <= i < len(stage.cameras):
        return refused(f"there is no third-party camera {i}")
    stage.cameras[i] = _camera(stage.cameras[i], given)
    return DONE


def toggle_map_view(stage: Stage, given: Arguments) -> Answer:
    """Look at the room from above, or through the agent's eye again."""
    stage.map_view = not stage.map_view
    return DONE


def map_camera(stage: Stage, given: Arguments) -> Answer:
    """Return a third-party camera that sees the whole room from above."""
    position, span = map_view(stage)
    return Answer(
        value={
            "position": write_vector(position),
            "rotation": write_vector((90.0, 0.0, 0.0)),
            "fieldOfView": stage.settings.fov,
            "orthographicSize": span,
            "orthographic": True,
        }
    )


def map_view(stage: Stage) -> tuple[Vec3, float]:
    """Return where the map's camera is, and half the metres that it sees."""
    (x0, _, z0), (x1, y1, z1) = stage.bounds()
    return ((x0 + x1) / 2, y1, (z0 + z1) / 2), max(x1 - x0, z1 - z0) / 2


def _camera(camera: Camera, given: Arguments) -> Camera:
    camera = replace(
        camera,
        position=position_or(given, camera.position),
        rotation=turn_of(given, "rotation", camera.rotation),
        fov=number_or(given, "fieldOfView", camera.fov),
    )
    if "orthographic" in given or "orthographicSize" in given:
        wide = number_or(given, "orthographicSize", 2.0)
        camera = replace(camera, span=wide if flag(given, "orthographic") else None)
    return camera
