"""Finds by boxes what each object of a scene lies in or on, which no trajectory says.

Of the receptacles whose box is over or around an object's footprint, an object is in the one
whose surface is nearest below it; what encloses it, such as a drawer, comes before the
furniture that the drawer is built into.  An object that no surface explains, because furniture
changed between versions of AI2-THOR, is in a piece around it, or else on the nearest
one that is as high.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tatc.home.containment import holder_of, lowest_first, with_outer
from tatc.home.state import ObjectState
from tatc.home.type_facts import ACCEPTED_TYPES, SEAT_TYPES
from tatc.sim.embedded.placement.support_surfaces import surfaces_of

_MARGIN_METRES = 0.04  # that an object's middle may lie beyond a piece of furniture
_NARROW_MARGIN_METRES = 0.01  # the same of what encloses or can be carried
_MAX_GAP_METRES = 0.12  # that an object may float above a receptacle, or hang below it
_MAX_SINKING_METRES = 0.05  # that its lower side may be below the receptacle's
_MAX_INNER_SHARE = 0.8  # of a container's height, above which an object lies on it, not in it
_SAME_GAP_METRES = 0.1  # surfaces whose heights differ by less are equally good
_UNEXPLAINED_METRES = 0.2  # from all known surfaces of a piece, beyond which it has another one
_MAX_BESIDE_METRES = 0.25  # that an object may be beside the furniture that it once lay on

_Rank = tuple[int, float, float]
_INSIDE, _ON_SURFACE, _WITHIN, _BESIDE, _ABOVE_SEAT = range(5)


def with_receptacles(
    carried: Sequence[ObjectState], fixed: Sequence[ObjectState]
) -> Iterator[ObjectState]:
    """Yield the carried objects with what each lies in or on, the lowest first."""
    hosts = [obj for obj in fixed if obj.affordances.receptacle]
    for obj in lowest_first(carried):
        host = holder_of(obj, hosts, _rank)
        placed = replace(obj, parentReceptacles=() if host is None else with_outer(host))
        if obj.affordances.receptacle:
            hosts.append(placed)
        yield placed


def explains(host: ObjectState, obj: ObjectState) -> bool:
    """Return whether a receptacle has a surface, or room inside, where an object is."""
    rank = _rank(host, obj)
    return rank is not None and rank[0] <= _ON_SURFACE


def _rank(host: ObjectState, obj: ObjectState) -> _Rank | None:
    """Return how likely an object is in a receptacle, least first; None if it cannot be."""
    if host.objectType == obj.objectType or not _takes(host, obj):
        return None
    x, _, z = obj.box.center
    away = host.box.horizontal_distance(x, z)
    surfaces = surfaces_of(host)
    encloses = any(surface.inside for surface in surfaces)
    if host.objectType in ACCEPTED_TYPES or encloses:
        narrow = encloses or host.affordances.pickupable
        near = away <= (_NARROW_MARGIN_METRES if narrow else _MARGIN_METRES)
        return _rank_inside(obj, host) if near else None
    if not surfaces:
        return None
    gap = min(abs(obj.box.bottom - surface.y) for surface in surfaces)
    if away > (_NARROW_MARGIN_METRES if host.affordances.pickupable else _MARGIN_METRES):
        beside = away <= _MAX_BESIDE_METRES and gap <= _UNEXPLAINED_METRES
        return (_BESIDE, away, gap) if beside and not host.affordances.pickupable else None
    low, (width, height, depth) = host.box.bottom, host.box.size
    if not low - _MAX_SINKING_METRES <= obj.box.bottom <= low + height + _MAX_GAP_METRES:
        return None
    if gap > _UNEXPLAINED_METRES:
        return (_ABOVE_SEAT if host.objectType in SEAT_TYPES else _WITHIN, gap, 0.0)
    return (_ON_SURFACE, round(gap / _SAME_GAP_METRES), width * depth)


def _rank_inside(obj: ObjectState, host: ObjectState) -> _Rank | None:
    """Return the rank of what encloses an object, or has a place for its type alone."""
    (width, height, depth), low, bottom = host.box.size, host.box.bottom, obj.box.bottom
    if host.objectType in ACCEPTED_TYPES:
        reaches = low <= bottom + obj.box.size[1] + _MAX_GAP_METRES
        reaches = reaches and bottom <= low + height + _MAX_GAP_METRES
    else:
        # What stands on its end may reach far below a thin floor, but its middle does not.
        reaches = low - _MAX_SINKING_METRES <= max(bottom, obj.box.center[1])
        reaches = reaches and bottom <= low + height and _is_low_enough(obj, host)
    return (_INSIDE, width * height * depth, 0.0) if reaches else None


def _is_low_enough(obj: ObjectState, host: ObjectState) -> bool:
    """Return whether an object lies in a container, and not on it."""
    bottom = obj.box.bottom
    if bottom <= host.box.bottom + _MAX_INNER_SHARE * host.box.size[1]:
        return True
    return any(0.0 <= bottom - each.y <= _MAX_GAP_METRES for each in surfaces_of(host))


def _takes(host: ObjectState, obj: ObjectState) -> bool:
    accepted = ACCEPTED_TYPES.get(host.objectType)
    return accepted is None or obj.objectType in accepted
