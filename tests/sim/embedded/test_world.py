from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.sim.protocol import Simulator
from tests.sim.conformance import SimulatorConformance


class TestEmbedded(SimulatorConformance):
    def make(self) -> Simulator:
        return EmbeddedSimulator()
