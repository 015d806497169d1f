"""A basin into which water has run since the session began takes nothing.

In three eighths of the recorded train games, AI2-THOR refused 27 of the 28 Places into the basin
of a sink whose faucet ran when the session began and had not been switched since, on 16 floor
plans.  Once a person had switched the faucet off, or off and on again, it took things as any
other basin.
"""

from math import dist

from tatc.sim.embedded.world_state import WorldState
from tatc.state import ObjectState
from tatc.thor_types.facts import BASIN_TYPE_BY_SINK


def is_under_first_water(world: WorldState, basin: ObjectState) -> bool:
    """Return whether an object is a sink's basin whose faucet has run since the session began.

    The faucet is the one nearest to the basin.
    """
    if basin.objectType != BASIN_TYPE_BY_SINK["Sink"]:
        return False
    faucets = world.of_type("Faucet")
    if not any(faucet.isToggled for faucet in faucets):
        return False
    nearest = min(faucets, key=lambda faucet: dist(faucet.box.center, basin.box.center))
    return nearest.isToggled and not nearest.wasSwitched
