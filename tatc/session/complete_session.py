"""One session from its start to its end."""

from collections.abc import Callable

from tatc.commander import Commander
from tatc.follower import Follower
from tatc.home.percepts import PerceptionLevel
from tatc.home.state import Scene
from tatc.session.loop import Session
from tatc.session.session_types import TATC_LIMITS, SessionEvent, SessionLimits, SessionResult
from tatc.sim.protocol import Simulator
from tatc.tdl import Task


def run_session(
    sim: Simulator,
    scene: Scene,
    task: Task,
    commander: Commander,
    follower: Follower,
    *,
    limits: SessionLimits = TATC_LIMITS,
    watch: Callable[[SessionEvent], None] | None = None,
    perception: PerceptionLevel | None = None,
) -> SessionResult:
    """Run one session from a scene's start to its end.

    Args:
        sim: the home, which is reset to the scene.
        scene: where the session starts.
        task: what to do; only the Commander knows it.
        commander: speaks; it may ask `sim` for the state but cannot act in it.
        follower: acts; it receives an `Observation` and nothing else.
        limits: when to stop.
        watch: called with every logged action as it happens.
        perception: what the Follower perceives; None for nothing but words and images.

    Raises:
        AgentCrash: an agent raised an error.

    """
    session = Session(
        sim, task, commander, follower, limits=limits, watch=watch, perception=perception
    )
    session.start(scene)
    while session.end is None:
        session.step()
    return session.result()
