"""One session of two agents in a home: the loop, its log, and how it can end."""

from tatc.session.action_log import SECONDS_PER_ACTION
from tatc.session.loop import Session, run_session
from tatc.session.session_types import TATC_LIMITS, SessionEvent, SessionLimits, SessionResult

__all__ = [
    "SECONDS_PER_ACTION",
    "TATC_LIMITS",
    "Session",
    "SessionEvent",
    "SessionLimits",
    "SessionResult",
    "run_session",
]
