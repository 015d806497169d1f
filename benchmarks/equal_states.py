"""Compares the states of random sessions between processes, and forks with their originals.

A seed draws sessions that a Follower plays with the rule Commander.  The hash of each state has to
be the same in processes with other hash seeds, and with other versions of Python (each one that is
named needs tatc's requirements):

    python -m benchmarks.equal_states --count 1000 --python python3.12 --python python3.13

Then each state is forked, and the fork is played as the session was: it has to read the same texts,
and to leave the same record but for the count of restores.  It ends with status 1 if anything
differs.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from tatc.home.actions import Role
from tatc.session.records import record_bytes
from tatc.session.start import start_from_room
from tatc.session.tool_session import SavedState, ToolSession
from tatc.sim.rooms import load_room
from tatc.tdl.task_library import shipped_library

ROOT = Path(__file__).parents[1]
STATES_OF_A_SESSION = 20
ROOMS = ("kitchen-01", "kitchen-04", "kitchen-07", "kitchen-11")
TASKS = ("coffee", "salad", "toast")
_MOTIONS = (
    ("move", {"direction": "forward"}),
    ("move", {"direction": "left"}),
    ("turn", {"direction": "left"}),
    ("turn", {"direction": "right"}),
    ("look", {"direction": "down"}),
    ("ask", {}),
)
_ACTIONS = ("go_to", "open", "pick_up", "place", "switch_on", "slice", "pour", "close")

Call = tuple[str, dict[str, Any]]


def sessions(count: int) -> Iterator[tuple[ToolSession, int, Random]]:
    """Yield sessions for so many states, how many of them are in each, and what draws its calls."""
    library = shipped_library()
    for number, begun in enumerate(range(0, count, STATES_OF_A_SESSION)):
        room, task = ROOMS[number % len(ROOMS)], library.find(TASKS[number % len(TASKS)])
        start = start_from_room(load_room(room), library, task, (), number)
        yield ToolSession(start), min(STATES_OF_A_SESSION, count - begun), Random(number)


def draw_call(session: ToolSession, rng: Random) -> Call:
    """Return a motion, a question, or an action on something in view."""
    seen = session.follower_interface.seen
    if not seen or rng.random() < 0.5:
        return rng.choice(_MOTIONS)
    return rng.choice(_ACTIONS), {"object": rng.choice(seen[:12]).handle}


def state_hashes(count: int) -> Iterator[str]:
    """Yield the hashes of so many states of random sessions."""
    for session, states, rng in sessions(count):
        for _ in range(states):
            session.call(Role.FOLLOWER, *draw_call(session, rng))
            yield session.state_hash()


def count_different_forks(count: int) -> int:
    """Return of so many states, how many have a fork that does not play as its original."""
    different = 0
    for session, states, rng in sessions(count):
        saved, calls, texts = list[SavedState](), list[Call](), list[str]()
        for _ in range(states):
            saved.append(session.save())
            calls.append(draw_call(session, rng))
            texts.append(session.call(Role.FOLLOWER, *calls[-1]))
        left = _what_is_left(session, texts[-1:])
        for i, state in enumerate(saved):
            fork = session.fork(state)
            read = [fork.call(Role.FOLLOWER, *call) for call in calls[i:]]
            different += read != texts[i:] or _what_is_left(fork, texts[-1:]) != left
    return different


def _what_is_left(session: ToolSession, texts: Sequence[str]) -> tuple[object, ...]:
    """Return a session's hash, last texts and record, without the count of restores."""
    record = session.record()
    options = tuple(row for row in record.options if row[0] != "restores")
    return session.state_hash(), texts, record_bytes(replace(record, options=options))


def hashes_in(python: str, hash_seed: int, count: int) -> tuple[str, list[str]]:
    """Return a Python's version, and the hashes of so many states in a process of its own."""
    code = (
        "import json, platform; from benchmarks.equal_states import state_hashes; "
        f"print(json.dumps([platform.python_version(), *state_hashes({count})]))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run(
        [python, "-c", code], stdout=subprocess.PIPE, check=True, env=environment, cwd=ROOT
    )
    version, *hashes = json.loads(done.stdout)
    return version, hashes


def main() -> None:
    """Print for each process how many hashes are those of the first, then the forks' count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--python", action="append", default=[])
    given = parser.parse_args()
    first: list[str] = []
    wrong = 0
    for python in (sys.executable, *given.python):
        for hash_seed in (1, 2):
            version, found = hashes_in(python, hash_seed, given.count)
            first = first or found
            equal = sum(a == b for a, b in zip(first, found, strict=True))
            wrong += given.count - equal
            _say(f"Python {version}, hash seed {hash_seed}: {equal} of {given.count} hashes equal")
    different = count_different_forks(given.count)
    _say(f"forks played as their originals: {given.count - different} of {given.count} equal")
    sys.exit(1 if wrong or different else 0)


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
