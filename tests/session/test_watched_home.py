"""What a Commander may ask: poses that are found once somebody asks for them."""

from copy import copy

from tatc.session.watched_home import WatchedHome
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.rooms import load_room, start_state


class _Walked(EmbeddedSimulator):
    times = 0

    def reachable(self):
        self.times += 1
        return super().reachable()


def test_poses_are_found_when_they_are_first_asked_for():
    sim = _Walked()
    sim.reset(start_state(load_room("kitchen-01"), 1))
    oracle = WatchedHome(sim).oracle()
    assert oracle.snapshot() == sim.snapshot() and sim.times == 0
    poses = oracle.reachable()
    assert poses is oracle.reachable() and sim.times == 1
    assert poses == sim.reachable() and poses[0] is not sim.reachable()[0]


def test_an_oracle_that_is_copied_has_its_poses():
    sim = EmbeddedSimulator()
    sim.reset(start_state(load_room("kitchen-01"), 1))
    oracle = WatchedHome(sim).oracle()
    saved = copy(oracle)
    sim.close()
    assert saved.reachable() is oracle.reachable() and saved.snapshot() is oracle.snapshot()
