"""A Follower that breaks, for tests."""

from tatc.home.actions import Action
from tatc.home.observation import Observation


class CrashingFollower:
    def begin(self) -> None:
        pass

    def act(self, seen: Observation) -> Action:
        raise RuntimeError("as it should")
