"""How quick the debugger is in a session of 400 steps: stepping back, forking, opening.

The session is Breakfast in the first shipped room, and then turns by hand up to 400
steps, so that it holds as many different states as real ones do.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from tatc.actions import Action, Role, Verb
from tatc.debugger.app import DebuggerApp
from tatc.debugger.control import Debugger
from tatc.runner import Setup, open_session
from tatc.timeline import Live, Timeline

Row = tuple[str, float, str]
STEPS = 400
BACK = 40
"""Steps back that are timed, spread over the session."""


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
    took = [_timed(lambda at=at: _back(debugger, at)) for at in range(10, STEPS, 10)]
    yield "step back, the state alone, worst", max(took) * 1e3, "ms"
    drawn, whole = asyncio.run(_drawn(debugger))
    yield "step back, all panes written, worst", max(drawn) * 1e3, "ms"
    yield "step back, from key to screen, worst", max(whole) * 1e3, "ms"
    record = live.record()
    yield "open a record of 400 steps", _timed(lambda: Timeline.of(record)), "s"
    yield "fork at step 400", _timed(lambda: live.again(STEPS)), "s"
    yield "moments kept", _kilobytes(live), "kB"


def _back(debugger: Debugger, at: int) -> None:
    debugger.jump(at)
    debugger.back()


async def _drawn(debugger: Debugger) -> tuple[list[float], list[float]]:
    """Return the seconds that steps back take on a wide screen: drawing, and all."""
    drawn, whole = list[float](), list[float]()
    app = DebuggerApp(debugger)
    async with app.run_test(size=(150, 44)) as pilot:
        for at in range(STEPS, 10, -(STEPS // BACK)):
            debugger.jump(at)
            await pilot.pause()
            start = perf_counter()
            app.action_backward("action")
            drawn.append(perf_counter() - start)
            await pilot.pause()
            whole.append(perf_counter() - start)
    # The first drawing of a kind fills caches that last as long as the debugger.
    return drawn[1:], whole[1:]


def _timed(work: object) -> float:
    assert callable(work)
    start = perf_counter()
    work()
    return perf_counter() - start


def _kilobytes(live: Live) -> float:
    """Return what the moments' own states take, shared objects counted once."""
    import sys

    seen: dict[int, int] = {}
    for moment in live.moments:
        seen[id(moment.snapshot.objects)] = sys.getsizeof(moment.snapshot.objects)
        for thing in moment.snapshot.objects:
            seen[id(thing)] = sys.getsizeof(thing)
    return sum(seen.values()) / 1000
