"""What a view shows, object by object: handle, distance, direction, visible state, click."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tatc.home import actions, percepts
from tatc.home.camera.rays import EYE_HEIGHT_METRES, FRAME_PIXELS, Eye
from tatc.home.state import ObjectState, Vec3
from tatc.session.text_world.wording import wording

_LIQUID_LEVEL_SHARE = 0.4  # of half the height above the middle, as vessels are drawn
_INNER_RADIUS_SHARE = 0.7  # of a vessel's radius: what is nearer to its axis is its floor


@dataclass(frozen=True, slots=True)
class SeenObject:
    """One object in view.

    `metres` is the distance from the body to `point`, by which the reach is measured; `point`
    is where a click at `click` meets the object, in the Follower's frame.  `degrees` is its
    direction from straight ahead, to the right positive.  `states` are those of the fixed table
    in `wording.json` that the view shows.
    """

    number: int
    object_type: str
    metres: float
    degrees: float
    states: tuple[str, ...]
    click: actions.Click
    point: Vec3

    @property
    def handle(self) -> str:
        """What the object is called."""
        return handle_of(self.object_type, self.number)


def seen_objects(view: percepts.View) -> tuple[SeenObject, ...]:
    """Return the objects of a view at `PerceptionLevel.TRUTH`, the nearest first."""
    count = len(view.percepts)
    if not count:
        return ()
    rays, clicks = rays_of(view), _clicks_on_pixels(len(view.pixels))
    clicked, away = pixels_to_click(view, rays, count)
    points = view.depth.ravel()[clicked, None] * rays.directions[clicked] + eye_of_view(view)
    numbers: Any = (each.number for each in view.percepts)
    bearings = rays.bearings[clicked].tolist()
    columns = away.tolist(), numbers, range(count), bearings, clicked.tolist(), points.tolist()
    rows: list[tuple[float, int, int, float, int, Vec3]] = sorted(zip(*columns, strict=True))
    return tuple(
        SeenObject(
            number,
            view.percepts[place].object_type,
            metres,
            degrees,
            _visible_states(view, place, view.percepts[place]),
            clicks[pixel],
            (x, y, z),
        )
        for metres, number, place, degrees, pixel, (x, y, z) in rows
    )


def _visible_states(view: percepts.View, place: int, percept: percepts.Percept) -> tuple[str, ...]:
    """Return the words for what can be seen of the state of a view's object number `place`."""
    state, rows = percept.state, _state_table().get(percept.object_type)
    if rows is None or state is None:
        return ()
    return tuple(
        words
        for name, when, words, inside in rows
        if (name is None or getattr(state, name) is when)
        and (not inside or _shows_liquid(view, place, state))
    )


@cache
def _state_table() -> Mapping[str, tuple[tuple[str | None, bool, str, bool], ...]]:
    """Return property, value, words and whether the inside must be seen, by type."""
    table: dict[str, list[tuple[str | None, bool, str, bool]]] = {}
    rows: list[Mapping[str, Any]] = wording()["states"]
    for row in rows:
        entry = row["property"], row["when"], row["words"], row.get("only_seen_from_above", False)
        for kind in row["types"]:
            table.setdefault(kind, []).append(entry)
    for kind in wording()["pieces"]["types"]:
        table.setdefault(kind, []).append((None, True, wording()["pieces"]["words"], False))
    return {kind: tuple(entries) for kind, entries in table.items()}


def _shows_liquid(view: percepts.View, place: int, state: ObjectState) -> bool:
    """Return whether a ray of the view ends inside a vessel, where its liquid is."""
    pixels = np.flatnonzero(view.pixels.ravel() == place)
    directions = rays_of(view).directions[pixels]
    ends = eye_of_view(view) + view.depth.ravel()[pixels, None] * directions
    offsets = ends - np.array(state.box.center)
    is_low = offsets[:, 1] < _LIQUID_LEVEL_SHARE * (state.box.size[1] / 2)
    beyond = offsets[:, 0] * directions[:, 0] + offsets[:, 2] * directions[:, 2] > 0
    radius = min(state.box.size[0], state.box.size[2]) / 2
    on_floor = np.hypot(offsets[:, 0], offsets[:, 2]) < _INNER_RADIUS_SHARE * radius
    return bool((is_low & (beyond | on_floor) & (directions[:, 1] < 0)).any())


@cache
def _clicks_on_pixels(side: int) -> tuple[actions.Click, ...]:
    """Return clicks on the middles of a view's pixels; each is a pixel of TEACh's frame."""
    at = [round((i + 0.5) * FRAME_PIXELS / side - 0.5) / FRAME_PIXELS for i in range(side)]
    return tuple(actions.Click(x, y) for y in at for x in at)


_HANDLE = re.compile(r"([A-Za-z][A-Za-z0-9]*)_([1-9][0-9]{0,5})")


def handle_of(object_type: str, number: int) -> str:
    """Return the handle of an object, such as "Mug_3"."""
    return f"{object_type}_{number}"


def number_of_handle(handle: str) -> int | None:
    """Return the number in a handle; None for what is no handle."""
    found = _HANDLE.fullmatch(handle)
    return None if found is None else int(found[2])


# The rays of a Follower's view, and which pixel of each object in it is clicked.

Floats = NDArray[np.float64]
Pixels = NDArray[np.int64]

CLICKED_WITHIN_METRES = actions.INTERACTION_REACH_METRES - 0.03
"""A pixel is clicked rather than another one if it is nearer than this, 3 cm within the reach."""
FAR_WEIGHT = 1e-9
"""What a pixel out of reach weighs: unless all are, those in reach decide where the middle is."""


@dataclass(frozen=True, slots=True, eq=False)
class ViewRays:
    """The rays of a view, row by row.

    `directions` has the shape (pixels, 3), each of length 1; `up` is their rise; `bearings` are
    degrees from straight ahead, to the right positive.
    """

    directions: Floats
    up: Floats
    bearings: Floats


def rays_of(view: percepts.View) -> ViewRays:
    """Return the rays of a view."""
    body = view.body
    return _rays_in_direction(body.yaw, body.horizon, body.body.fov_degrees, len(view.pixels))


def eye_of_view(view: percepts.View) -> Floats:
    """Return where the rays of a view start, in the Follower's frame, metres."""
    x, y, z = view.body.position
    return np.array((x, y + EYE_HEIGHT_METRES, z))


@lru_cache(maxsize=64)
def _rays_in_direction(yaw: float, horizon: float, fov: float, side: int) -> ViewRays:
    pixels = np.arange(side)
    rays = Eye((0.0, 0.0, 0.0), yaw, horizon, fov).rays(pixels, pixels, side)
    lines = np.stack(np.broadcast_arrays(*rays), axis=-1).reshape(-1, 3)
    lines = lines / np.linalg.norm(lines, axis=-1, keepdims=True)
    turned = np.degrees(np.arctan2(lines[:, 0], lines[:, 2])) - yaw
    return ViewRays(lines, lines[:, 1].copy(), (turned + 180.0) % 360.0 - 180.0)


def pixels_to_click(view: percepts.View, rays: ViewRays, count: int) -> tuple[Pixels, Floats]:
    """Return for each of `count` objects the pixel to click on, and how far it is from the body.

    It is the pixel nearest to the middle of the object's pixels in reach, or of all if none is; of
    equally near ones the first.  With numba the same sums are made in the same order.
    """
    side, limits = len(view.pixels), (CLICKED_WITHIN_METRES, FAR_WEIGHT)
    seen = view.pixels.ravel(), view.depth.ravel(), rays.up, side, count, *limits
    if "numba" in sys.modules:  # views are traced with it already
        from tatc.session.text_world.compiled_click_choice import choose_pixels

        return choose_pixels(*seen)
    return choose_pixels_with_numpy(*seen)


def choose_pixels_with_numpy(
    pixels: NDArray[np.int32],
    depth: Floats,
    up: Floats,
    side: int,
    count: int,
    within: float,
    far_weight: float,
) -> tuple[Pixels, Floats]:
    """Return the pixels, and how far they are; `up` is how much each pixel's ray rises a metre.

    From `within` metres on, a pixel weighs `far_weight`.
    """
    shown = np.flatnonzero(pixels >= 0)
    index, depth = pixels[shown], depth[shown]
    square = EYE_HEIGHT_METRES * EYE_HEIGHT_METRES
    away = np.sqrt(depth * (depth + 2 * EYE_HEIGHT_METRES * up[shown]) + square)
    rows, columns = np.divmod(shown, side)
    far = away >= within
    weights = np.where(far, far_weight, 1.0)
    total = np.bincount(index, weights, count)
    row = (np.bincount(index, weights * rows, count) / total)[index] - rows
    column = (np.bincount(index, weights * columns, count) / total)[index] - columns
    order = np.lexsort((np.arange(len(shown)), row * row + column * column, far, index))
    chosen = order[np.searchsorted(index[order], np.arange(count))]
    return shown[chosen], away[chosen]
