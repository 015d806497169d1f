from dataclasses import replace

import pytest

from tatc.actions import Action, Click, Role, Verb
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.sim.protocol import Simulator
from tatc.state import Snapshot
from tests.sim.conformance import SimulatorConformance
from tests.sim.scenes import PORTABLE, kitchen, thing, within


class TestEmbedded(SimulatorConformance):
    def make(self) -> Simulator:
        return EmbeddedSimulator()


@pytest.mark.parametrize("is_open", [True, False])
def test_what_sticks_out_of_a_closed_drawer_is_not_to_be_had(is_open: bool) -> None:
    scene = kitchen(Drawer={"isOpen": is_open})
    [drawer] = scene.start.of_type("Drawer")
    fork = within(thing("Fork", (0.0, 0.9, 0.7), (0.05, 0.05, 0.3)), drawer)
    fork = replace(fork, affordances=PORTABLE)
    things = [*scene.start.objects, fork]
    start = Snapshot.of(things, scene.start.commander, scene.start.follower)
    world = EmbeddedSimulator()
    world.reset(replace(scene, start=start))
    pick = Action(Verb.PICKUP, Click(0.5, 0.9))
    result = world.step_on(Role.FOLLOWER, pick, fork.objectId)
    assert result.success is is_open, result.message
    assert is_open or drawer.objectId in result.message
