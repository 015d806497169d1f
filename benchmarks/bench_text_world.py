"""The text world's speed on one core, observation included, and what many sessions take.

A step is one tool call of the Follower: its action in the home, the view, and the text.  After a
turn the view is fresh, after a look beyond the limit it is the same.
"""

import random
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from tatc.home.actions import Role
from tatc.home.camera.compiled_views import VIEWS_BEFORE_COMPILED, has_numba
from tatc.session.session_types import SessionLimits
from tatc.session.start import SessionStart, start_from_room
from tatc.session.tool_session import ToolSession
from tatc.sim.rooms import load_room
from tatc.tdl.task_library import shipped_library

Figure = tuple[str, float, str]
STEP_COUNT, RESET_COUNT = 5_000, 20
HOME_COUNT, WARM_UP_COUNT = 8, 100
MAX_WARM_UP_STEPS = 40 * VIEWS_BEFORE_COMPILED  # many views are kept
NO_LIMITS = SessionLimits(steps=1 << 30, failures=1 << 30)
BYTES_PER_KIBIBYTE = 1024
ROOMS = ("kitchen-01", "kitchen-04", "kitchen-07", "kitchen-11")


def run(games: Path | None = None, sessions: int = 1000) -> Iterator[Figure]:
    """Yield name, value and unit of each measure; `sessions` is how many are live at a time."""
    session = ToolSession(_start("kitchen-01", 1), plays=tuple(Role), limits=NO_LIMITS)
    rng = random.Random(1)
    for _ in range(MAX_WARM_UP_STEPS if has_numba() else WARM_UP_COUNT):
        _turn(session, rng)  # until views are traced by compiled code
        if "numba" in sys.modules:
            break
    for _ in range(WARM_UP_COUNT):
        _turn(session, rng)
    yield "a turn, a fresh view each", STEP_COUNT / _took(lambda: _turn(session, rng)), "1/s"
    for _ in range(3):
        session.call(Role.FOLLOWER, "look", {"direction": "up"})
    took = _took(lambda: session.call(Role.FOLLOWER, "look", {"direction": "up"}))
    yield "a look that is refused, the view unchanged", STEP_COUNT / took, "1/s"
    for homes in (1, HOME_COUNT):
        yield f"a step of {homes} homes side by side, for each home", _vector_speed(homes), "1/s"
    yield from _state_figures(session)
    start = _start("kitchen-01", 1)
    began = process_time()
    for _ in range(RESET_COUNT):
        ToolSession(start)
    yield "a reset from a drawn start", (process_time() - began) / RESET_COUNT * 1e3, "ms"
    yield from _reset_figures()
    yield from _many_sessions(sessions)


def _reset_figures() -> Iterator[Figure]:
    """Yield what a reset of the Gymnasium environment takes, its start drawn again or anew."""
    from tatc.apps.envs import TextFollowerEnv

    room, split = TextFollowerEnv(room=ROOMS[0]), TextFollowerEnv(split="train")
    for where, env in {"a room": room, "a split": split}.items():
        env.reset(seed=1)
        for which, seeds in {"the same": [1] * RESET_COUNT, "new": range(2, RESET_COUNT)}.items():
            began = process_time()
            for seed in seeds:
                env.reset(seed=seed)
            took = (process_time() - began) / len(seeds) * 1e3
            yield f"a reset in {where}, {which} seed{'s' * (which == 'new')}", took, "ms"


def _turn(session: ToolSession, rng: random.Random) -> None:
    """Turn, or step ahead where that leads to another view."""
    session.call(Role.FOLLOWER, *_drawn_turn(rng))


def _drawn_turn(rng: random.Random) -> tuple[str, dict[str, str]]:
    name = rng.choice(("turn", "turn", "move"))
    return name, {"direction": rng.choice(("left", "right")) if name == "turn" else "forward"}


def _vector_speed(count: int) -> float:
    """Return the steps a second of a vector environment of so many homes, each home's counted."""
    import gymnasium

    from tatc.apps.envs import TEXT_FOLLOWER_ENV_ID

    options = {"room": "kitchen-01", "limits": NO_LIMITS, "max_calls": 1 << 30}
    homes: Any = gymnasium.make_vec(TEXT_FOLLOWER_ENV_ID, num_envs=count, **options)
    rng = random.Random(1)
    homes.reset(options={"start": _start("kitchen-01", 1)})

    def step() -> None:
        calls = (_drawn_turn(rng) for _ in range(count))
        homes.step([{"name": name, "arguments": arguments} for name, arguments in calls])

    for _ in range(WARM_UP_COUNT):
        step()
    began = process_time()
    for _ in range(STEP_COUNT // count):
        step()
    return STEP_COUNT / (process_time() - began)


def _took(step: Callable[[], object]) -> float:
    """Return the processor time of `STEP_COUNT` steps, seconds."""
    began = process_time()
    for _ in range(STEP_COUNT):
        step()
    return process_time() - began


def _state_figures(session: ToolSession) -> Iterator[Figure]:
    """Yield what saving, restoring and forking take."""
    fresh = ToolSession(session.start)
    fresh.call(Role.FOLLOWER, "ask")
    began = process_time()
    saved = [fresh.save() for _ in range(RESET_COUNT)]
    yield "saving a session", (process_time() - began) / RESET_COUNT * 1e3, "ms"
    began = process_time()
    for each in saved:
        fresh.restore(each)
    yield "restoring a session", (process_time() - began) / RESET_COUNT * 1e3, "ms"
    began = process_time()
    for each in saved:
        fresh.fork(each)
    yield "forking a session", (process_time() - began) / RESET_COUNT * 1e3, "ms"


def _many_sessions(count: int) -> Iterator[Figure]:
    """Yield the memory and the time of many live sessions, each of which has made some steps."""
    starts = [_start(room, 1) for room in ROOMS]
    began, before = perf_counter(), _memory()
    live = [ToolSession(starts[i % len(starts)]) for i in range(count)]
    for i, session in enumerate(live):
        for _ in range(5):
            _turn(session, random.Random(i))
    yield f"memory of {count} live sessions", (_memory() - before) / 1e6, "MB"
    yield f"starting {count} sessions, 5 steps each", perf_counter() - began, "s"


def _memory() -> float:
    """Return the most memory that this process has had, bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_PER_KIBIBYTE


def _start(room: str, seed: int) -> SessionStart:
    library = shipped_library()
    return start_from_room(load_room(room), library, library.find("coffee"), (), seed)
