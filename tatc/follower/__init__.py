"""Followers: the agents that act.  A Follower knows its `Observation`s and nothing else."""

from tatc.follower.protocol import (
    Follower as Follower,
    FrameSource as FrameSource,
    HistoryEvent as HistoryEvent,
    PastAction as PastAction,
    PerceivingFollower as PerceivingFollower,
    ResumableFollower as ResumableFollower,
    UnderstandingFollower as UnderstandingFollower,
    ViewSource as ViewSource,
)
from tatc.follower.rule_follower import RuleFollower as RuleFollower
from tatc.home.observation import Observation as Observation
