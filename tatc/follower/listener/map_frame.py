"""The frame of the semantic map: views raised into it, and points and boxes in it."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tatc.home import assets, state
from tatc.home.body import POSITION_ABOVE_FLOOR_METRES
from tatc.home.camera.clicks import eye_of
from tatc.home.camera.rays import Eye
from tatc.home.percepts import VIEW_SIDE_PIXELS, Percept, View
from tatc.home.type_facts import FLOOR_TYPE, WALL_MOUNTED_TYPES
from tatc.tdl.properties import object_classes_of

Floats = NDArray[np.float64]
KeptStates = dict[str, tuple[state.ObjectState, state.ObjectState]]
"""The last state of each object that a view gave, and what was made of it, by id."""
NEW_PLACE_METRES = 0.03
"""An object that is seen farther than this from where it was has been moved, metres."""


def raised(view: View, kept: KeptStates) -> View:
    """Return a view in the map's frame, whose floor is at height 0; `kept` is of earlier ones."""
    x, y, z = view.body.position
    body = replace(view.body, position=(x, y + POSITION_ABOVE_FLOOR_METRES, z))
    percepts = list[Percept]()
    for percept in view.percepts:
        if (seen := percept.state) is not None:
            known = kept.get(seen.objectId)
            if known is None or known[0] is not seen:
                known = kept[seen.objectId] = seen, _raised_state(seen)
            percept = Percept(percept.number, percept.object_type, percept.pixel_count, known[1])
        percepts.append(percept)
    return replace(view, body=body, percepts=tuple(percepts))


def _raised_state(obj: state.ObjectState) -> state.ObjectState:
    """Return a state in the map's frame with its type's mass, by which boxes tell models apart."""
    x, y, z = obj.position
    rise = POSITION_ABOVE_FLOOR_METRES
    box = obj.box.translate(0.0, rise, 0.0)
    usual = assets.known_object_types().get(obj.objectType)
    mass = obj.mass if usual is None else usual.mass
    return obj.with_values(position=(x, y + rise, z), box=box, mass=mass)


def counts_on_floor(obj: state.ObjectState, is_guessed: bool) -> bool:
    """Return whether a body cannot stand where an object's box is, or the box bounds the room.

    Where boxes are guessed, the points that were seen of furniture count, and not its box.
    """
    bounds_room = obj.objectType == FLOOR_TYPE or obj.objectType in WALL_MOUNTED_TYPES
    return not is_guessed or obj.affordances.pickupable or bounds_room


def box_around(first: state.Box, second: state.Box) -> state.Box:
    """Return the smallest box along the axes around two boxes."""
    (a, b), (c, d) = first.bounds(), second.bounds()
    left, bottom, back = map(min, a, c)
    right, top, front = map(max, b, d)
    center = ((left + right) / 2, (bottom + top) / 2, (back + front) / 2)
    return state.Box(center, (right - left, top - bottom, front - back))


def with_own_fields(seen: state.ObjectState, known: state.ObjectState | None) -> state.ObjectState:
    """Return an object as seen, with what the Follower itself keeps of it.

    Of the floor a view gives only the part that it shows.  `known` is None at first sight.
    """
    if known is None:
        classes = object_classes_of(seen.objectType)
        return seen.with_values(simbotObjectClass=classes, parentReceptacles=(), isPickedUp=False)
    if seen.objectType == FLOOR_TYPE:
        seen = seen.with_values(box=box_around(seen.box, known.box), position=known.position)
    return seen.with_values(
        isPickedUp=False,
        simbotObjectClass=known.simbotObjectClass,
        parentReceptacles=known.parentReceptacles,
        simbotPickedUp=known.simbotPickedUp,
        simbotLastParentReceptacle=known.simbotLastParentReceptacle,
    )


def is_elsewhere(seen: state.ObjectState, known: state.ObjectState | None) -> bool:
    """Return whether an object in view has moved since it was seen last, or was not known."""
    if known is None or known.isPickedUp:
        return True
    apart = max(abs(a - b) for a, b in zip(seen.box.center, known.box.center, strict=True))
    return apart > NEW_PLACE_METRES


def point_cloud(view: View) -> Floats:
    """Return the points (rows, columns, 3) where a view's rays end, metres; NaN for none."""
    eye = eye_of(view.body)
    depth = np.where(np.isfinite(view.depth), view.depth, np.nan)
    cloud = _ray_directions(eye.yaw, eye.horizon, eye.fov) * depth
    cloud += np.array(eye.position)[:, None, None]
    return np.moveaxis(cloud, 0, -1)  # all x together, then all y: whole arrays take half the time


@lru_cache(maxsize=64)
def _ray_directions(yaw: float, horizon: float, fov: float) -> Floats:
    """Return the directions (3, rows, columns) of a view's rays, each of length 1."""
    pixels = np.arange(VIEW_SIDE_PIXELS)
    x, y, z = Eye((0.0, 0.0, 0.0), yaw, horizon, fov).rays(pixels, pixels, VIEW_SIDE_PIXELS)
    rays = np.stack(np.broadcast_arrays(x, y, z), axis=-1)
    return np.moveaxis(rays / np.linalg.norm(rays, axis=-1, keepdims=True), -1, 0).copy()
