"""Finds the receptacles that an object is in or on, from its position alone."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tatc.home.state import ObjectState, yaw_sin_cos
from tatc.sim.embedded.placement.placement_search import parent_receptacles_at
from tatc.sim.embedded.placement.support_surfaces import surfaces_of
from tatc.sim.embedded.placement.surface import Surface
from tatc.sim.embedded.world_state import WorldState

_MAX_OVERHANG_METRES = 0.03  # that an object's centre may lie beyond a surface's edge
_MAX_GAP_METRES = 0.12  # that it may float above a surface or sink into it
_SAME_HEIGHT_METRES = 0.02  # surfaces whose heights differ by less are equally good


def with_current_parents(state: WorldState, moved: Iterable[ObjectState]) -> Iterator[ObjectState]:
    """Yield moved objects with the receptacles that they are in now.

    The lowest come first, so that an object on a plate finds the plate in its new place.
    The caller must put each object into the world before it asks for the next.
    """
    for obj in sorted(moved, key=lambda obj: (_bottom_height(obj), obj.objectId)):
        host = _supporting_receptacle(state, obj)
        parents = () if host is None else parent_receptacles_at(state, host, obj.box)
        yield replace(obj, parentReceptacles=parents or None)


def _supporting_receptacle(state: WorldState, obj: ObjectState) -> ObjectState | None:
    """Return the receptacle with the surface that an object lies on; None if there is none.

    It is the one whose surface is nearest in height, and the smallest of equally near ones.
    """
    best: ObjectState | None = None
    least = (_MAX_GAP_METRES / _SAME_HEIGHT_METRES, 0.0)
    for host in state.objects:
        if host.objectId == obj.objectId or not host.affordances.receptacle:
            continue
        for surface in surfaces_of(host, state.resting_heights.get(host.objectId, ())):
            if not _is_over(surface, obj):
                continue
            gap = round(abs(_bottom_height(obj) - surface.y) / _SAME_HEIGHT_METRES)
            size = surface.size[0] * surface.size[1]
            if best is None or (gap, size) < least:
                if gap < _MAX_GAP_METRES / _SAME_HEIGHT_METRES:
                    best, least = host, (gap, size)
    return best


def _is_over(surface: Surface, obj: ObjectState) -> bool:
    sine, cosine = yaw_sin_cos(surface.yaw)
    x, _, z = obj.box.center
    dx, dz = x - surface.x, z - surface.z
    along = abs(dx * cosine - dz * sine) - surface.size[0] / 2
    across = abs(dx * sine + dz * cosine) - surface.size[1] / 2
    return max(along, across) <= _MAX_OVERHANG_METRES


def _bottom_height(obj: ObjectState) -> float:
    return obj.box.center[1] - obj.box.size[1] / 2
