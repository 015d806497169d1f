"""What an agent clicks: its eye, and the object or point that a click means (spec section 2.4)."""

from collections import Counter
from collections.abc import Callable, Mapping
from math import ceil, hypot
from typing import Protocol

import numpy as np

from tatc.home.actions import Click, Verb
from tatc.home.assets import DishGeometry
from tatc.home.camera.geometry import NO_OBJECT, Geometry, IndexArray
from tatc.home.camera.ray_intersection import intersect_rays
from tatc.home.camera.rays import EYE_HEIGHT_METRES, Eye, PixelWindow, Rays, pixel_of
from tatc.home.camera.visible_parts import count_visible_pixels
from tatc.home.state import Affordances, AgentState, ObjectState, Pose, Vec3
from tatc.home.type_facts import SINK_TYPES

CLICK_SEARCH_PIXELS = 10
"""Pixels on each side of a click in which an object is searched for (spec 1.6)."""
FLAT_FLOOR_RATIO = 0.75  # the radius of a dish's flat floor, as a share of its half width
PROFILE_STEP_METRES = 0.001  # how finely the height at which a ray meets a dish is sought, metres

_CONDITION_BY_VERB: Mapping[Verb, Callable[[Affordances, ObjectState], bool]] = {
    Verb.PICKUP: lambda able, obj: able.pickupable and not obj.isPickedUp,
    Verb.PLACE: lambda able, obj: able.receptacle,
    Verb.OPEN: lambda able, obj: able.openable and not obj.isOpen,
    Verb.CLOSE: lambda able, obj: able.openable and obj.isOpen,
    Verb.TOGGLE_ON: lambda able, obj: able.toggleable and not obj.isToggled,
    Verb.TOGGLE_OFF: lambda able, obj: able.toggleable and obj.isToggled,
    Verb.SLICE: lambda able, obj: able.sliceable and not obj.isSliced,
    Verb.DIRTY: lambda able, obj: able.dirtyable and not obj.isDirty,
    Verb.CLEAN: lambda able, obj: able.dirtyable and obj.isDirty,
    Verb.FILL: lambda able, obj: able.canFillWithLiquid and not obj.isFilledWithLiquid,
    Verb.EMPTY: lambda able, obj: able.canFillWithLiquid and obj.isFilledWithLiquid,
    Verb.POUR: lambda able, obj: (
        (able.canFillWithLiquid and not obj.isFilledWithLiquid) or obj.objectType in SINK_TYPES
    ),
    Verb.BREAK: lambda able, obj: able.breakable and not obj.isBroken,
}


def eye_of(agent: AgentState) -> Eye:
    """Return an agent's camera: 0.675 m above its position, with its body's field of view."""
    x, y, z = agent.position
    return Eye((x, y + EYE_HEIGHT_METRES, z), agent.yaw, agent.horizon, agent.body.fov_degrees)


def eye_at(pose: Pose, agent: AgentState) -> Eye:
    """Return the camera that an agent will have at another pose on the same floor."""
    height = agent.position[1] + EYE_HEIGHT_METRES
    return Eye((pose.x, height, pose.z), pose.yaw, pose.horizon, agent.body.fov_degrees)


def affords(verb: Verb, obj: ObjectState) -> bool:
    """Return whether a click for a verb may resolve to an object: TEACh's table (spec 2.5)."""
    condition = _CONDITION_BY_VERB.get(verb)
    return condition is not None and condition(obj.affordances, obj)


class ObjectFrame(Protocol):
    """A frame of object indices; an implementation may compute only the pixels asked for."""

    def at(self, click: Click) -> int:
        """Return the index of the object at a click, or `NO_OBJECT`."""
        ...

    def part(self, window: PixelWindow) -> IndexArray:
        """Return the object indices of a rectangle of pixels, as (rows, columns)."""
        ...

    def pixels(self, index: int) -> int:
        """Return how many pixels of the whole frame show an object."""
        ...


def resolve_click(
    geometry: Geometry, eye: Eye, click: Click, accepts: Callable[[int], bool]
) -> int | None:
    """Return the index of the object that an eye's click means, or None (spec 2.4)."""
    hit = geometry.hit_at_click(eye, click)
    if hit is not None and accepts(hit.index):
        return hit.index
    part = _trace_near(geometry, eye, _search_window(click), accepts)
    if part is None:
        return None
    return _largest_share(part, accepts, lambda i: count_visible_pixels(geometry, eye, i))


def _trace_near(
    geometry: Geometry, eye: Eye, window: PixelWindow, accepts: Callable[[int], bool]
) -> IndexArray | None:
    """Return the object indices of a rectangle; None, without tracing, if none accepted is near."""
    bounds, owners, solids = geometry.screen_bounds(eye), geometry.owners, geometry.prepared_solids
    found: list[int] = bounds.boxes_in_window(window).tolist()
    if not any(map(accepts, {owners[row] for row in found} - {NO_OBJECT})):
        return None
    columns, rows = np.arange(window.left, window.right), np.arange(window.top, window.bottom)
    rays = Rays.from_directions(eye.rays(columns, rows))
    seen = np.full((len(rows), len(columns)), NO_OBJECT, dtype=np.int32)
    depths = np.full(seen.shape, np.inf)
    nearest: list[float] = bounds.nearest_depths[found].tolist()
    for near, row in sorted(zip(nearest, found, strict=True)):
        if near > depths.max():
            break
        times, owner = intersect_rays(solids[row], eye.position, rays), owners[row]
        closer = (times < depths) | ((times == depths) & (times < np.inf) & (owner < seen))
        np.copyto(depths, times, where=closer)
        np.copyto(seen, owner, where=closer)
    return seen


def resolve_click_in_frame(
    frame: ObjectFrame, click: Click, accepts: Callable[[int], bool]
) -> int | None:
    """Return the index of the object that a click means, or None (spec 2.4).

    It is the one at the pixel itself if `accepts` allows it, else the accepted object with the
    largest share of its own visible pixels in the 20 x 20 pixels around the click.
    """
    index = frame.at(click)
    if index != NO_OBJECT and accepts(index):
        return index
    return _largest_share(frame.part(_search_window(click)), accepts, frame.pixels)


def _search_window(click: Click) -> PixelWindow:
    (column, row), by = pixel_of(click), CLICK_SEARCH_PIXELS
    return PixelWindow(column - by, row - by, column + by, row + by).clip_to_frame()


def _largest_share(
    part: IndexArray, accepts: Callable[[int], bool], pixels: Callable[[int], int]
) -> int | None:
    """Return the accepted object that shows the largest share of its `pixels` in part of the frame.

    Of equal shares, the object met first wins, scanning column by column.
    """
    by_column = part.T.ravel()
    if (by_column == by_column[0]).all():
        counts = {int(by_column[0]): len(by_column)}
    else:
        counts = Counter[int](by_column.tolist())
    found = [(i, n) for i, n in counts.items() if i != NO_OBJECT and accepts(i)]
    if len(found) <= 1:
        return found[0][0] if found else None
    best, best_share = None, 0.0
    for index, n in found:
        share = n / pixels(index)
        if share > best_share:
            best, best_share = index, share
    return best


def ray_end_in_dish(obj: ObjectState, dish: DishGeometry, eye: Vec3, point: Vec3) -> Vec3 | None:
    """Return where a Place's ray, from an eye through a point, meets a known dish's floor or rim.

    The floor is flat around the middle and rises to the rim.  A ray that passes over the
    dish ends at the height of its lower side; None if the ray does not fall.
    """
    if eye[1] <= point[1]:
        return None
    low, half = obj.box.bottom, min(obj.box.size[0], obj.box.size[2]) / 2
    floor = dish_floor_height(obj, dish)
    wall = max(low + dish.height - floor, 0.0)
    for i in range(ceil(wall / PROFILE_STEP_METRES)):
        above_floor = wall - i * PROFILE_STEP_METRES
        end = ray_at_height(eye, point, floor + above_floor)
        share = hypot(end[0] - obj.position[0], end[2] - obj.position[2]) / half
        slope = max((share - FLAT_FLOOR_RATIO) / (1.0 - FLAT_FLOOR_RATIO), 0.0)
        if share <= 1.0 and above_floor <= slope * wall:
            return end
    end = ray_at_height(eye, point, floor)
    is_inside = hypot(end[0] - obj.position[0], end[2] - obj.position[2]) <= half
    return end if is_inside else ray_at_height(eye, point, low)


def dish_floor_height(obj: ObjectState, dish: DishGeometry) -> float:
    """Return the height of a dish's inner floor in the world, metres."""
    return obj.box.top - dish.depth


def ray_at_height(eye: Vec3, point: Vec3, height: float) -> Vec3:
    """Return where the ray through a point, which is lower than the eye, reaches a height."""
    scale = (eye[1] - height) / (eye[1] - point[1])
    x, z = (eye[i] + scale * (point[i] - eye[i]) for i in (0, 2))
    return x, height, z
