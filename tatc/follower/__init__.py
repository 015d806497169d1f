"""Followers: they get an `Observation`, hear words, and alone can act."""

from tatc.follower.protocol import Deed, Entrant, Event, Follower, Frames
from tatc.follower.rule import RuleFollower

__all__ = ["Deed", "Entrant", "Event", "Follower", "Frames", "RuleFollower"]
