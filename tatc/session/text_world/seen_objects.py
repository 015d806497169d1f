"""What a view shows, object by object: handle, distance, direction, visible state, click."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tatc.home.actions import Click
from tatc.home.camera.rays import FRAME_PIXELS
from tatc.home.percepts import Percept, View
from tatc.home.state import ObjectState, Vec3
from tatc.session.text_world.click_choice import pixels_to_click
from tatc.session.text_world.view_rays import eye_of_view, rays_of
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
    click: Click
    point: Vec3

    @property
    def handle(self) -> str:
        """What the object is called."""
        return handle_of(self.object_type, self.number)


def seen_objects(view: View) -> tuple[SeenObject, ...]:
    """Return the objects of a view at `PerceptionLevel.TRUTH`, the nearest first.

    Each is clicked at the pixel nearest to the middle of what can be reached of it; if nothing
    can be reached, of what is seen of it.
    """
    count = len(view.percepts)
    if not count:
        return ()
    side = len(view.pixels)
    rays, clicks = rays_of(view), _clicks_on_pixels(side)
    clicked, away = pixels_to_click(view, rays, count)
    offsets = view.depth.ravel()[clicked, None] * rays.directions[clicked]
    points = offsets + eye_of_view(view)
    pixels: list[int] = clicked.tolist()
    rows = zip(
        view.percepts,
        away.tolist(),
        rays.bearings[clicked].tolist(),
        pixels,
        points.tolist(),
        strict=True,
    )
    found = [
        SeenObject(
            percept.number,
            percept.object_type,
            distance,
            bearing,
            visible_states(view, place, percept),
            clicks[pixel],
            (point[0], point[1], point[2]),
        )
        for place, (percept, distance, bearing, pixel, point) in enumerate(rows)
    ]
    found.sort(key=lambda seen: (seen.metres, seen.number))
    return tuple(found)


def visible_states(view: View, place: int, percept: Percept) -> tuple[str, ...]:
    """Return the words for what can be seen of an object's state in a view.

    `place` is the object's index among the view's percepts.
    """
    state = percept.state
    rows = _state_table().get(percept.object_type)
    if rows is None or state is None:
        return ()
    found: list[str] = []
    for name, when, words, inside in rows:
        shown = name is None or getattr(state, name) is when
        if shown and (not inside or _shows_liquid(view, place, state)):
            found.append(words)
    return tuple(found)


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


def _shows_liquid(view: View, place: int, state: ObjectState) -> bool:
    """Return whether a ray of the view ends inside a vessel, where its liquid is."""
    pixels = np.flatnonzero(view.pixels.ravel() == place)
    directions = rays_of(view).directions[pixels]
    ends = eye_of_view(view) + view.depth.ravel()[pixels, None] * directions
    offsets = ends - np.array(state.box.center)
    half = state.box.size[1] / 2
    is_low = offsets[:, 1] < _LIQUID_LEVEL_SHARE * half
    beyond = offsets[:, 0] * directions[:, 0] + offsets[:, 2] * directions[:, 2] > 0
    radius = min(state.box.size[0], state.box.size[2]) / 2
    from_axis = np.hypot(offsets[:, 0], offsets[:, 2])
    on_floor = from_axis < _INNER_RADIUS_SHARE * radius
    return bool((is_low & (beyond | on_floor) & (directions[:, 1] < 0)).any())


@cache
def _clicks_on_pixels(side: int) -> tuple[Click, ...]:
    """Return clicks on the middles of a view's pixels; each is a pixel of TEACh's frame."""
    at = [round((i + 0.5) * FRAME_PIXELS / side - 0.5) / FRAME_PIXELS for i in range(side)]
    return tuple(Click(x, y) for y in at for x in at)


# Handles: how an object is called in text, by its type and a number.

_HANDLE = re.compile(r"([A-Z][A-Za-z0-9]*)_([1-9][0-9]{0,5})")


def handle_of(object_type: str, number: int) -> str:
    """Return the handle of an object, such as "Mug_3"."""
    return f"{object_type}_{number}"


def number_of_handle(handle: str) -> int | None:
    """Return the number in a handle; None for what is no handle."""
    found = _HANDLE.fullmatch(handle)
    return None if found is None else int(found[2])
