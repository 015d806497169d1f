"""ALFRED's marks of what has been done to an object: heated, cooled, cleaned.

They are history, not temperature: a hot potato that is put into a fridge stays heated.  They
are set where ALFRED's `env/thor_env.py` does it: for what is in a microwave when it is switched
on, in a fridge when it is closed, and in the sink basin nearest to a faucet when that is
switched on.  They are found from two states, so that they hold for any backend; TEACh's files
do not have them.
"""

from collections.abc import Iterator
from math import dist

from tatc.home.state import ObjectState, Snapshot
from tatc.sim.teach_effects import Effect, SetProperty
from tatc.tdl.properties import parent_receptacles_of

_BASIN_TYPE = "SinkBasin"


def history_effects(now: Snapshot, before: Snapshot) -> list[Effect]:
    """Return the marks that an action has brought to objects; `before` is the state before it."""
    return [
        SetProperty(obj.objectId, mark, True)
        for mark, receptacle in _acting_receptacles(now, before)
        for obj in now.objects
        if not getattr(obj, mark) and receptacle in parent_receptacles_of(obj, now)
    ]


def _acting_receptacles(now: Snapshot, before: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield pairs of a mark and the id of a receptacle whose contents just got it."""
    for oven in now.of_type("Microwave"):
        if oven.isToggled and not _before(oven, before).isToggled:
            yield "wasHeated", oven.objectId
    for fridge in now.of_type("Fridge"):
        if not fridge.isOpen and _before(fridge, before).isOpen:
            yield "wasCooled", fridge.objectId
    for faucet in now.of_type("Faucet"):
        if faucet.isToggled and not _before(faucet, before).isToggled:
            basins = now.of_type(_BASIN_TYPE)
            if basins:
                nearest = min(basins, key=lambda basin: dist(basin.position, faucet.position))
                yield "wasCleaned", nearest.objectId


def _before(obj: ObjectState, before: Snapshot) -> ObjectState:
    return before.get(obj.objectId) or obj
