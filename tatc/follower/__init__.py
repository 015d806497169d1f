"""Followers: they get an `Observation`, hear words, and alone can act."""

from tatc.follower.protocol import Follower
from tatc.follower.rule import RuleFollower

__all__ = ["Follower", "RuleFollower"]
