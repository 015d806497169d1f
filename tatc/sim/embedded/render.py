"""Frames of the embedded world: what a camera sees at a moment, and the room's map."""

from collections.abc import Collection
from functools import cached_property

import numpy as np

from tatc.actions import Role, Segments
from tatc.camera.clicks import eye_of
from tatc.camera.geometry import NOTHING
from tatc.camera.rays import FRAME, Eye, Floats
from tatc.camera.views import Rgb, View, Views, classes_of, segments_of, types_of
from tatc.sim.embedded.house import House
from tatc.state import Scene, Snapshot

__all__ = ["Renderer", "View", "Views"]

_UP = 30.0  # metres above the floor from which the map is looked at


class Renderer:
    """Draws the snapshots of one session; it keeps what rays hit between them."""

    def __init__(self, scene: Scene) -> None:
        """Take the room that the session starts in."""
        self._scene = scene

    @cached_property
    def _house(self) -> House:
        return House(self._scene.start)

    def frame(self, snapshot: Snapshot, role: Role, size: int = FRAME) -> Rgb | None:
        """Return what an agent sees: the Follower's view, or its own camera's."""
        return self.draw(snapshot, eye_for(role, snapshot), size).rgb

    def segments(self, snapshot: Snapshot, role: Role, size: int) -> Segments:
        """Return what an agent's segmentation camera shows: things by type alone."""
        views = self.draw(snapshot, eye_for(role, snapshot), size, (View.IDS,))
        assert views.ids is not None
        return segments_of(views.ids, snapshot.objects)

    def draw(
        self,
        snapshot: Snapshot,
        eye: Eye,
        size: int = FRAME,
        what: Collection[View] = (View.RGB,),
    ) -> Views:
        """Return what an eye sees at a moment, `size` pixels a side."""
        self._house.restore(snapshot)
        ids, depth = self._house.geometry.frame(eye, size)
        types = types_of(snapshot.objects)
        classes = classes_of(ids, snapshot.objects, types)
        return Views(
            rgb=_coloured(classes, depth) if View.RGB in what else None,
            ids=ids if View.IDS in what else None,
            classes=classes if View.CLASSES in what else None,
            depth=depth.astype(np.float32) if View.DEPTH in what else None,
            types=types,
        )

    def top_down(self, snapshot: Snapshot, size: int = FRAME) -> Rgb | None:
        """Return the room from above as a square picture; x goes right, z goes up."""
        floors = snapshot.of_type("Floor") or snapshot.objects
        bounds = [thing.box.bounds() for thing in floors]
        low = np.array([low for low, _ in bounds]).min(0)
        high = np.array([high for _, high in bounds]).max(0)
        x, _, z = ((low + high) / 2).tolist()
        half = float((high - low).max()) / 2
        fov = 2.0 * float(np.degrees(np.arctan2(half, _UP)))
        return self.draw(snapshot, Eye((x, _UP, z), 0.0, 90.0, fov), size).rgb


def eye_for(role: Role, snapshot: Snapshot) -> Eye:
    """Return an agent's camera; the Commander's is where the Commander is."""
    if role is Role.FOLLOWER:
        return eye_of(snapshot.follower)
    camera = snapshot.commander
    return Eye(camera.position, camera.yaw, camera.horizon)


def _coloured(classes: np.ndarray, depth: Floats) -> Rgb:
    shade = np.where(classes == NOTHING, 0.6, 1.0) / (1.0 + 0.15 * depth)
    hue = np.stack([(classes * k) % 200 + 55 for k in (67, 131, 29)], axis=-1)
    return (hue * shade[..., None]).astype(np.uint8)
