"""Finds by boxes what each object of a scene lies in or on, which no trajectory says.

Of the receptacles whose box is over or around an object's footprint, an object is in the one
whose surface is nearest below it; what encloses it, such as a drawer, comes before the
furniture that the drawer is built into.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tatc.sim.embedded.placement.support_surfaces import surfaces_of
from tatc.state import ObjectState
from tatc.thor_types.facts import ACCEPTED_TYPES

_MARGIN_METRES = 0.04  # that an object's middle may lie beyond a receptacle's box
_MAX_GAP_METRES = 0.12  # that an object may float above a receptacle, or hang below it
_MAX_SINKING_METRES = 0.05  # that its lower side may be below the receptacle's
_MAX_INNER_SHARE = 0.8  # of a container's height, above which an object lies on it, not in it
_SAME_GAP_METRES = 0.1  # surfaces whose heights differ by less are equally good


def with_receptacles(
    carried: Sequence[ObjectState], fixed: Sequence[ObjectState]
) -> Iterator[ObjectState]:
    """Yield the carried objects with what each lies in or on, the lowest first."""
    hosts = [obj for obj in fixed if obj.affordances.receptacle]
    for obj in sorted(carried, key=lambda obj: (_bottom(obj), obj.objectId)):
        host = _host_of(obj, hosts)
        placed = replace(obj, parentReceptacles=_chain(host))
        if obj.affordances.receptacle:
            hosts.append(placed)
        yield placed


def _chain(host: ObjectState | None) -> tuple[str, ...]:
    """Return the ids of a receptacle and of what it lies in itself, if it can be carried."""
    if host is None:
        return ()
    outer = host.parentReceptacles or () if host.affordances.pickupable else ()
    return (host.objectId, *outer)


def _host_of(obj: ObjectState, hosts: Sequence[ObjectState]) -> ObjectState | None:
    ranked = ((rank, host) for host in hosts if (rank := _rank(obj, host)) is not None)
    return min(ranked, key=lambda each: each[0], default=(None, None))[1]


def _rank(obj: ObjectState, host: ObjectState) -> tuple[int, float, float] | None:
    """Return how likely an object is in a receptacle, least first; None if it cannot be."""
    x, _, z = obj.box.center
    far = host.box.horizontal_distance(x, z) > _MARGIN_METRES
    if far or host.objectType == obj.objectType or not _takes(host, obj):
        return None
    (width, height, depth), bottom = host.box.size, _bottom(obj)
    low = _bottom(host)
    if host.objectType in ACCEPTED_TYPES:
        touching = low <= bottom + obj.box.size[1] + _MAX_GAP_METRES
        touching = touching and bottom <= low + height + _MAX_GAP_METRES
        return (0, width * height * depth, 0.0) if touching else None
    surfaces = surfaces_of(host)
    if any(surface.inside for surface in surfaces):
        inside = low - _MAX_SINKING_METRES <= bottom <= low + _MAX_INNER_SHARE * height
        return (0, width * height * depth, 0.0) if inside else None
    highest = low + height + _MAX_GAP_METRES
    if not surfaces or not low - _MAX_SINKING_METRES <= bottom <= highest:
        return None
    gap = min(abs(bottom - surface.y) for surface in surfaces)
    return 1, round(gap / _SAME_GAP_METRES), width * depth


def _takes(host: ObjectState, obj: ObjectState) -> bool:
    accepted = ACCEPTED_TYPES.get(host.objectType)
    return accepted is None or obj.objectType in accepted


def _bottom(obj: ObjectState) -> float:
    return obj.box.center[1] - obj.box.size[1] / 2
