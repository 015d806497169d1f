"""The speed of the debugger in a session of 400 steps: stepping back, forking, opening.

The session is Breakfast in the first shipped room that can hold it, extended to 400 steps by
turns of the Follower, so that it holds as many different states as real ones do.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.terminal_app import DebuggerApp
from tatc.home.actions import Action, Role, Verb
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import find_session_start
from tatc.session.timeline import LiveSession, Timeline

Figure = tuple[str, float, str]
SESSION_STEPS = 400
BACKWARD_STEPS = 40
"""The steps back that are timed, one after the other, from step 200."""


def run(games: Path | None = None) -> Iterator[Figure]:
    """Yield name, value and unit of each measure; recorded games are not needed."""
    opening = find_session_start(
        task="breakfast", room=None, game=None, params=(), seed=1, task_folders=()
    )
    debugger = Debugger.start_live(opening, SessionSetup())
    live = debugger.branch.live
    assert live is not None
    live.run_to(SESSION_STEPS)
    while len(live.moments) <= SESSION_STEPS:
        live.act_by_hand(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    debugger.go_to(SESSION_STEPS)
    took = [_seconds(debugger.backward) for _ in range(SESSION_STEPS)]
    yield "step back, the state alone", median(took) * 1e3, "ms"
    first = asyncio.run(_key_to_screen_seconds(debugger))
    yield "step back, from key to screen", median(first) * 1e3, "ms"
    record = live.record()
    yield "open a record of 400 steps", _seconds(lambda: Timeline.of(record)), "s"
    yield "fork at step 400", _seconds(lambda: live.replay_to(SESSION_STEPS)), "s"
    yield "moments kept", _kilobytes(live), "kB"


async def _key_to_screen_seconds(debugger: Debugger) -> list[float]:
    """Return the seconds from key to screen for steps back to states not shown before."""
    took = list[float]()
    app = DebuggerApp(debugger)
    async with app.run_test(size=(150, 44)) as pilot:
        debugger.go_to(SESSION_STEPS // 2)
        for _ in range(BACKWARD_STEPS):
            start = perf_counter()
            app.action_backward("action")
            app.screen._on_timer_update()  # what the next tick of 1/60 s draws
            took.append(perf_counter() - start)
            await pilot.pause()
    return took


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _kilobytes(live: LiveSession) -> float:
    """Return the memory of the states of all moments; shared objects count once."""
    seen: dict[int, int] = {}
    for moment in live.moments:
        seen[id(moment.snapshot.objects)] = sys.getsizeof(moment.snapshot.objects)
        for obj in moment.snapshot.objects:
            seen[id(obj)] = sys.getsizeof(obj)
    return sum(seen.values()) / 1000
