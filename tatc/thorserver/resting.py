"""Which receptacles an object is in, from where it lies alone."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tatc.sim.embedded.house import House
from tatc.sim.embedded.placing import parents_at
from tatc.sim.surfaces import Surface, surfaces_of
from tatc.state import ObjectState, turned

_ASIDE = 0.03  # metres that a thing's middle may be off a surface
_ABOVE = 0.12  # metres that it may float or sink
_ALIKE = 0.02  # heights no farther apart than this are as good as each other


def parents_of_all(house: House, moved: Iterable[ObjectState]) -> Iterator[ObjectState]:
    """Yield things that were moved with the receptacles that they are in now.

    The lowest come first, so that what stands on a plate is where the plate is.  Each
    must be put into the house before the next is asked for.
    """
    for thing in sorted(moved, key=lambda t: (_under(t), t.objectId)):
        host = _host(house, thing)
        parents = () if host is None else parents_at(house, host, thing.box)
        yield replace(thing, parentReceptacles=parents or None)


def _host(house: House, thing: ObjectState) -> ObjectState | None:
    """Return the receptacle with the surface that a thing lies on, None for none.

    It is the one whose surface is nearest in height; of such, the smallest.
    """
    best: ObjectState | None = None
    least = (_ABOVE / _ALIKE, 0.0)
    for host in house.things:
        if host.objectId == thing.objectId or not host.affordances.receptacle:
            continue
        for surface in surfaces_of(host, house.resting.get(host.objectId, ())):
            if not _over(surface, thing):
                continue
            gap = round(abs(_under(thing) - surface.y) / _ALIKE)
            size = surface.size[0] * surface.size[1]
            if best is None or (gap, size) < least:
                if gap < _ABOVE / _ALIKE:
                    best, least = host, (gap, size)
    return best


def _over(surface: Surface, thing: ObjectState) -> bool:
    sine, cosine = turned(surface.yaw)
    x, _, z = thing.box.center
    dx, dz = x - surface.x, z - surface.z
    along = abs(dx * cosine - dz * sine) - surface.size[0] / 2
    across = abs(dx * sine + dz * cosine) - surface.size[1] / 2
    return max(along, across) <= _ASIDE


def _under(thing: ObjectState) -> float:
    return thing.box.center[1] - thing.box.size[1] / 2
