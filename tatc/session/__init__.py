"""One session of two agents in a home: the loop, its log and its named ends."""

from tatc.session.log import TICK
from tatc.session.loop import Session, run_session
from tatc.session.values import TATC_LIMITS, Event, Limits, SessionResult

__all__ = [
    "TATC_LIMITS",
    "TICK",
    "Event",
    "Limits",
    "Session",
    "SessionResult",
    "run_session",
]
