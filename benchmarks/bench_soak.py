"""A soak: random actions with the world's invariants, and whole sessions with flat memory.

Actions are done in rounds of 1,000, from shipped rooms and, with games, from recorded starts.
After each action, the hand holds at most one object, which is nowhere else, and every object is in
receptacles that exist.  A state is restored exactly, and what followed it follows again; one
round in fifty has the same states in a process with another seed of `hash()`; in every 10,000th
state, what is shut in is unseen.
With `first`, a soak goes on after the rounds and sessions of an earlier one.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

from benchmarks.soak.invariants import BrokenInvariant
from benchmarks.soak.random_actions import ROUND_ACTIONS, hash_in_other_process, play_round
from benchmarks.soak.sessions import resident_mebibytes, run_drawn_session
from tatc.base.errors import TatcError
from tatc.commands.text.output import progress_counter
from tatc.session.records import find_games

DEFAULT_ACTIONS, DEFAULT_SESSIONS = 20_000, 20
_OTHER_PROCESS_EVERY = 50  # rounds
_HASH_SEED = 4242
_MEMORY_REPORTS = 10
_WARM_SHARE = 0.2  # of the sessions, after which memory is flat


def run(
    games: Path | None = None,
    *,
    seed: int = 1,
    count: int = DEFAULT_ACTIONS,
    sessions: int = DEFAULT_SESSIONS,
    first: int = 0,
) -> Iterator[tuple[str, float, str]]:
    """Yield how much was done, and how quickly.

    Args:
        games: a folder of recorded games, from whose starts every other round and session begins.
        seed: draws starts and actions.
        count: how many actions to do, rounded down to whole rounds.
        sessions: how many sessions to run.
        first: the number of the first round and of the first session.

    Raises:
        TatcError: an invariant did not hold; names the seed and the round or session.

    """
    paths = tuple(find_games([games])) if games is not None else ()
    try:
        yield from _soak_world(seed, first, count // ROUND_ACTIONS, paths)
        yield from _soak_sessions(seed, first, sessions, paths)
    except BrokenInvariant as fault:
        raise TatcError(f"an invariant is broken: {fault}") from fault


def _soak_world(
    seed: int, first: int, rounds: int, games: Sequence[Path]
) -> Iterator[tuple[str, float, str]]:
    start, compared = process_time(), 0
    with progress_counter(rounds, "rounds") as done:
        for number in range(first, first + rounds):
            compares = number % _OTHER_PROCESS_EVERY == 0
            own = play_round(seed, number, games, hashed=compares)
            if compares:
                other = hash_in_other_process(seed, number, games, _HASH_SEED)
                if own != other:
                    raise BrokenInvariant(f"seed {seed}, round {number}: another hash seed differs")
                compared += 1
            done(f"round {number}")
    yield "random actions", rounds * ROUND_ACTIONS, ""
    yield "rounds equal in two processes", compared, ""
    if rounds:
        yield (
            "actions with all checks",
            rounds * ROUND_ACTIONS / (process_time() - start),
            "per s of processor time",
        )


def _soak_sessions(
    seed: int, first: int, sessions: int, games: Sequence[Path]
) -> Iterator[tuple[str, float, str]]:
    start, ran, solved, warm = process_time(), 0, 0, resident_mebibytes()
    with progress_counter(sessions, "sessions") as done:
        for count, number in enumerate(range(first, first + sessions), 1):
            result = run_drawn_session(seed, number, games)
            ran += result is not None
            solved += result is not None and result.success
            if count <= sessions * _WARM_SHARE:
                warm = resident_mebibytes()
            if count % max(1, sessions // _MEMORY_REPORTS) == 0:
                yield f"memory after {count} sessions", resident_mebibytes(), "MiB"
            done(f"session {number}")
    yield "sessions without a crash", ran, ""
    yield "sessions drawn where the task cannot be done", sessions - ran, ""
    yield "sessions solved", solved, ""
    yield "growth of memory after the first fifth", resident_mebibytes() - warm, "MiB"
    if ran:
        yield "sessions", ran / (process_time() - start), "per s of processor time"
