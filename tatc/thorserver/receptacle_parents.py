"""Which receptacles an object is in, from where it lies alone."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tatc.sim.embedded.placement.placement_search import parent_receptacles_at
from tatc.sim.embedded.placement.support_surfaces import Surface, surfaces_of
from tatc.sim.embedded.world_state import WorldState
from tatc.state import ObjectState, yaw_sin_cos

_MAX_OVERHANG_METRES = 0.03  # metres that a thing's middle may be off a surface
_MAX_GAP_METRES = 0.12  # metres that it may float or sink
_SAME_HEIGHT_METRES = 0.02  # heights no farther apart than this are as good as each other


def with_current_parents(state: WorldState, moved: Iterable[ObjectState]) -> Iterator[ObjectState]:
    """Yield things that were moved with the receptacles that they are in now.

    The lowest come first, so that what stands on a plate is where the plate is.  Each
    must be put into the house before the next is asked for.
    """
    for obj in sorted(moved, key=lambda t: (_bottom_height(t), t.objectId)):
        host = _supporting_receptacle(state, obj)
        parents = () if host is None else parent_receptacles_at(state, host, obj.box)
        yield replace(obj, parentReceptacles=parents or None)


def _supporting_receptacle(state: WorldState, obj: ObjectState) -> ObjectState | None:
    """Return the receptacle with the surface that a thing lies on, None for none.

    It is the one whose surface is nearest in height; of such, the smallest.
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
