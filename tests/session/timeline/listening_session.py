"""A short session of a Follower that has a belief to show, run once for all tests."""

from functools import cache

from tatc.home.percepts import PerceptionLevel
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import find_session_start
from tatc.session.start import SessionStart
from tatc.session.timeline import LiveSession

SETUP = SessionSetup(
    commander="speaker", follower="listener", perception=PerceptionLevel.TRUTH
).with_settings(questions=3)


@cache
def listening_start() -> SessionStart:
    return find_session_start(
        task="coffee", room="kitchen-01", game=None, params=(), seed=1, task_folders=()
    )


@cache
def listening_session() -> LiveSession:
    """Return the whole session; it is shared, so it must not be continued."""
    live = LiveSession(listening_start(), SETUP)
    live.run_to(10_000)
    return live
