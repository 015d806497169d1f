from dataclasses import replace

import pytest

from tatc.home.actions import Action, Click, Role, Verb
from tatc.home.state import AgentState, Snapshot
from tatc.sim.embedded.interactions import interact
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.protocol import Simulator
from tests.sim.box_kitchen import PORTABLE, kitchen, make_object, with_parents, world_with
from tests.sim.conformance import SimulatorConformance


class TestEmbedded(SimulatorConformance):
    def make(self) -> Simulator:
        return EmbeddedSimulator()


@pytest.mark.parametrize("is_open", [True, False])
def test_what_sticks_out_of_a_closed_drawer_is_not_to_be_had(is_open: bool) -> None:
    [drawer] = kitchen().initial.of_type("Drawer")
    fork = with_parents(make_object("Fork", (0.0, 0.9, 0.7), (0.05, 0.05, 0.3)), drawer)
    fork = replace(fork, affordances=PORTABLE)
    world = EmbeddedSimulator()
    world.reset(kitchen(fork, Drawer={"isOpen": is_open}))
    pick = Action(Verb.PICKUP, Click(0.5, 0.9))
    result = world.step_on_object(Role.FOLLOWER, pick, fork.objectId)
    assert result.success is is_open, result.message
    assert is_open or drawer.objectId in result.message


def test_a_named_object_is_as_near_as_the_ray_comes_into_its_box() -> None:
    chair = make_object("ArmChair", (0, 0, 1.6), (0.9, 1.0, 1.2))
    pillow = replace(make_object("Pillow", (0, 0, 0), (0.3, 0.1, 0.3)), isPickedUp=True)
    place = Action(Verb.PLACE, Click(0.5, 0.5))
    for named in (None, chair.objectId):
        result = interact(world_with(chair, pillow), place, named)
        assert result.success is (named is not None)
        assert result.success or "too far" in result.message
    away = AgentState((0, 0.9, -0.6), 0, 30)
    world = WorldState(Snapshot.from_objects([chair, pillow], away, away))
    assert "too far" in interact(world, place, chair.objectId).message


def test_a_named_object_beside_the_ray_is_as_far_as_itself() -> None:
    body = AgentState((0, 0.9, 0), 0, 0)
    pick = Action(Verb.PICKUP, Click(0.5, 0.5))
    wall = make_object("CounterTop", (0, 0, 3.0), (4, 3.0, 0.2))
    for away, is_reached in ((1.2, True), (1.8, False)):
        mug = make_object("Mug", (0.3, 0.8, away), (0.1, 0.1, 0.1))
        world = WorldState(Snapshot.from_objects([wall, mug], body, body))
        assert interact(world, pick, mug.objectId).success is is_reached
