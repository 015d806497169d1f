"""How quick the debugger is in a session of 400 steps: stepping back, forking, opening.

The session is Breakfast in the first shipped room that can hold it, and then turns by
hand up to 400 steps, so that it holds as many different states as real ones do.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from tatc.actions import Action, Role, Verb
from tatc.debugger.app import DebuggerApp
from tatc.debugger.control import Debugger
from tatc.runner import Setup, open_session
from tatc.timeline import Live, Timeline

Row = tuple[str, float, str]
STEPS = 400
BACK = 40
"""Steps back that are timed, one after the other from step 200."""


def run(games: Path | None = None) -> Iterator[Row]:
    """Yield name, value and unit of each measure; recorded games are not needed."""
    opening = open_session(
        task="breakfast", room=None, game=None, params=(), seed=1, folders=()
    )
    debugger = Debugger.live(opening, Setup())
    live = debugger.branch.live
    assert live is not None
    live.run_to(STEPS)
    while len(live.moments) <= STEPS:
        live.by_hand(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    debugger.jump(STEPS)
    took = [_timed(debugger.back) for _ in range(STEPS)]
    yield "step back, the state alone", median(took) * 1e3, "ms"
    first = asyncio.run(_drawn(debugger))
    yield "step back, from key to screen", median(first) * 1e3, "ms"
    record = live.record()
    yield "open a record of 400 steps", _timed(lambda: Timeline.of(record)), "s"
    yield "fork at step 400", _timed(lambda: live.again(STEPS)), "s"
    yield "moments kept", _kilobytes(live), "kB"


async def _drawn(debugger: Debugger) -> list[float]:
    """Return the seconds from key to screen of steps back never looked at before."""
    took = list[float]()
    app = DebuggerApp(debugger)
    async with app.run_test(size=(150, 44)) as pilot:
        debugger.jump(STEPS // 2)
        for _ in range(BACK):
            start = perf_counter()
            app.action_backward("action")
            app.screen._on_timer_update()  # what the next tick of 1/60 s draws
            took.append(perf_counter() - start)
            await pilot.pause()
    return took


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _kilobytes(live: Live) -> float:
    """Return what the moments' own states take, shared objects counted once."""
    seen: dict[int, int] = {}
    for moment in live.moments:
        seen[id(moment.snapshot.objects)] = sys.getsizeof(moment.snapshot.objects)
        for thing in moment.snapshot.objects:
            seen[id(thing)] = sys.getsizeof(thing)
    return sum(seen.values()) / 1000
