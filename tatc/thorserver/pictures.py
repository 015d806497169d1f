"""The pictures of a message, as bytes: bottom row first, as Unity reads its frames.

Ids and classes have three channels and depths 24 bits of the distance between the
clipping planes: the forms that every version of the client reads.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import atan, degrees
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tatc.camera.rays import Eye
from tatc.sim.embedded.render import View, Views
from tatc.state import AgentState, ObjectState, Vec3
from tatc.thorserver.answers import Arguments
from tatc.thorserver.lens import Lens
from tatc.thorserver.looking import map_view
from tatc.thorserver.setting import FAR, NEAR
from tatc.thorserver.stage import Camera, Stage

Pixels = NDArray[Any]

_AWAY = 30.0  # metres from which an orthographic camera is imitated
_STEP = 0x9E3779  # odd, so that each number up to 2 ** 24 gets a colour of its own


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture by the name of its part in a WSGI message."""

    part: str
    data: bytes


def wanted_views(stage: Stage, given: Arguments) -> frozenset[View]:
    """Return what is to be drawn after an action: what Initialize and it ask for."""
    if given.get("renderImage") is False:
        return frozenset()
    found = {View.RGB}
    asked = {
        View.DEPTH: stage.settings.depth or given.get("renderDepthImage"),
        View.IDS: stage.settings.instances
        or given.get("renderInstanceSegmentation")
        or given.get("renderObjectImage"),
        View.CLASSES: stage.settings.classes
        or given.get("renderSemanticSegmentation")
        or given.get("renderClassImage"),
    }
    return frozenset(found | {view for view, yes in asked.items() if yes})


def draw(
    stage: Stage, what: Collection[View], metadata: dict[str, Any]
) -> Iterator[Picture]:
    """Yield the pictures of all agents and cameras; note colours in `metadata`."""
    if not what:
        return
    for body, agent in zip(stage.bodies, metadata["agents"], strict=True):
        views = _seen(stage, _agents_lens(stage, body.state), what)
        if views.ids is not None:
            things = stage.house.things
            agent["colors"] = _named_colours(things)
            agent["colorBounds"] = _bounds(views.ids)
        yield from _pictures(views, stage.house.things, AGENT)
    for camera in stage.cameras:
        views = _seen(stage, _cameras_lens(stage, camera), what)
        yield from _pictures(views, stage.house.things, THIRD_PARTY)


AGENT = {
    View.RGB: "image",
    View.DEPTH: "image_depth",
    View.IDS: "image_ids",
    View.CLASSES: "image_classes",
}
THIRD_PARTY = {
    View.RGB: "image-thirdParty-camera",
    View.DEPTH: "image_thirdParty_depth",
    View.IDS: "image_thirdParty_image_ids",
    View.CLASSES: "image_thirdParty_classes",
}
"""What the client calls each picture."""


@dataclass(frozen=True, slots=True)
class _Seen:
    rgb: Pixels | None
    ids: Pixels | None
    classes: Pixels | None
    depth: Pixels | None


def _seen(stage: Stage, lens: Lens, what: Collection[View]) -> _Seen:
    snapshot = stage.house.snapshot()
    views: Views = stage.renderer.draw(snapshot, lens.eye, lens.side, what)
    planes = (views.rgb, views.ids, views.classes, views.depth)
    return _Seen(*(None if plane is None else lens.cut(plane) for plane in planes))


def _pictures(
    views: _Seen, things: list[ObjectState], names: dict[View, str]
) -> Iterator[Picture]:
    if views.rgb is not None:
        yield Picture(names[View.RGB], _bytes(views.rgb))
    if views.depth is not None:
        yield Picture(names[View.DEPTH], _bytes(_depth(views.depth)))
    if views.ids is not None:
        yield Picture(names[View.IDS], _bytes(_instance_colours(things)[views.ids]))
    if views.classes is not None:
        kinds = sorted({thing.objectType for thing in things})
        table = [*(_colour(kind_number(kind)) for kind in kinds), (0, 0, 0)]
        yield Picture(
            names[View.CLASSES], _bytes(np.array(table, np.uint8)[views.classes])
        )


def _agents_lens(stage: Stage, state: AgentState) -> Lens:
    if stage.map_view:
        position, span = map_view(stage)
        return _from_afar(position, (90.0, 0.0, 0.0), span, stage.size)
    return stage.lens_of(state)


def _cameras_lens(stage: Stage, camera: Camera) -> Lens:
    if camera.span is not None:
        return _from_afar(camera.position, camera.rotation, camera.span, stage.size)
    horizon, yaw, _ = camera.rotation
    return Lens.of(camera.position, yaw, horizon, camera.fov, stage.size)


def _from_afar(
    position: Vec3, rotation: Vec3, span: float, size: tuple[int, int]
) -> Lens:
    """Return nearly parallel rays: an eye far behind an orthographic camera."""
    horizon, yaw, _ = rotation
    (fx, fy, fz), _, _ = Eye(position, yaw, horizon).axes
    x, y, z = position
    back = (x - _AWAY * fx, y - _AWAY * fy, z - _AWAY * fz)
    return Lens.of(back, yaw, horizon, degrees(2 * atan(span / _AWAY)), size)


def kind_number(kind: str) -> int:
    """Return a number for a type's colour, the same in every scene."""
    return 0x800000 | crc32(kind.encode()) & 0x7FFFFF


def _named_colours(things: list[ObjectState]) -> list[dict[str, Any]]:
    colours = [
        {"name": thing.objectId, "color": list(_colour(i + 1))}
        for i, thing in enumerate(things)
    ]
    kinds = sorted({thing.objectType for thing in things})
    return colours + [
        {"name": kind, "color": list(_colour(kind_number(kind)))} for kind in kinds
    ]


def _instance_colours(things: list[ObjectState]) -> Pixels:
    """Return each object's colour, and black at the end for what is no object."""
    return np.array(
        [*(_colour(i + 1) for i in range(len(things))), (0, 0, 0)], np.uint8
    )


def _colour(number: int) -> tuple[int, int, int]:
    mixed = number * _STEP % 0x1000000
    return mixed >> 16, mixed >> 8 & 255, mixed & 255


def _bounds(ids: Pixels) -> list[dict[str, Any]]:
    """Return around what each colour is seen: left, bottom, right, top in pixels."""
    height, width = ids.shape
    count = int(ids.max()) + 2  # the last for what is no object
    in_row = np.zeros((count, height), np.bool_)
    in_column = np.zeros((count, width), np.bool_)
    in_row[ids, np.arange(height)[:, None]] = True
    in_column[ids, np.arange(width)] = True
    found: list[dict[str, Any]] = []
    for i in np.flatnonzero(in_row[:-1].any(1)).tolist():
        rows, columns = np.flatnonzero(in_row[i]), np.flatnonzero(in_column[i])
        left, right = int(columns[0]), int(columns[-1])
        bottom, top = height - int(rows[-1]), height - int(rows[0])
        found.append(
            {"color": list(_colour(i + 1)), "bounds": [left, bottom, right, top]}
        )
    return found


def _depth(metres: Pixels) -> Pixels:
    share = np.clip(np.nan_to_num(metres, posinf=FAR) / (FAR - NEAR), 0.0, 1.0)
    whole = np.minimum(share * 0x1000000, 0xFFFFFF).astype(np.uint32)
    channels = (whole >> 16, whole >> 8 & 255, whole & 255)
    return np.stack(channels, axis=-1).astype(np.uint8)


def _bytes(picture: Pixels) -> bytes:
    return np.ascontiguousarray(picture[::-1]).tobytes()
