"""Whole sessions under noise, one after the other in one process, whose memory must stay flat."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from benchmarks.soak.invariants import BrokenInvariant
from tatc.base.errors import BadInput
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import prepare, run_from_start
from tatc.session.session_types import SessionResult
from tatc.session.start import start_from_game, start_from_room_name
from tatc.sim.rooms import room_names
from tatc.tdl import shipped_library

NOISE_LEVELS = (0.0, 0.05, 0.2)
_RECORDED_SHARE = 0.5
_PAGE_BYTES = 4096
MEBIBYTE = 1 << 20


def run_drawn_session(seed: int, number: int, games: Sequence[Path] = ()) -> SessionResult | None:
    """Run a drawn task in a drawn room or recorded start under drawn noise.

    Returns None if the task cannot be done there.  With games, every other session begins where
    a recorded one did, with its task.

    Raises:
        BrokenInvariant: an agent crashed.

    """
    rng = Random(f"{seed}/{number}")
    library, start_seed = shipped_library(), rng.randrange(10**6)
    task = rng.choice(library.definitions()).name
    room, noise = rng.choice(room_names()), rng.choice(NOISE_LEVELS)
    game = rng.choice(games) if games and rng.random() < _RECORDED_SHARE else None
    where = f"{task} in {room}" if game is None else game.name
    try:
        if game is None:
            start = start_from_room_name(room, library, task, (), start_seed)
        else:
            start = start_from_game(game, library, None, (), start_seed)
    except BadInput:
        return None
    try:
        result, _ = run_from_start(start, prepare(SessionSetup(noise=noise)))
    except Exception as fault:
        at = f"seed {seed}, session {number}: {where}, seed {start_seed}, noise {noise}"
        raise BrokenInvariant(f"{at}: {type(fault).__name__}: {fault}") from fault
    return result


def resident_mebibytes() -> float:
    """Return the memory that this process has now, MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE_BYTES / MEBIBYTE
