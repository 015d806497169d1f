"""Whole sessions under noise, one after the other in one process, whose memory must stay flat."""

from pathlib import Path
from random import Random

from benchmarks.soak.invariants import BrokenInvariant
from tatc.errors import BadInput
from tatc.rooms import room_names
from tatc.session.runner import SessionSetup, run_from_start
from tatc.session.session_types import SessionResult
from tatc.session.start import start_from_room_name
from tatc.tdl import shipped_library

NOISE_LEVELS = (0.0, 0.05, 0.2)
_PAGE_BYTES = 4096
MEBIBYTE = 1 << 20


def run_drawn_session(seed: int, number: int) -> SessionResult | None:
    """Run a drawn task in a drawn room under drawn noise; None if the task cannot be done there.

    Raises:
        BrokenInvariant: an agent crashed.

    """
    rng = Random(f"{seed}/{number}")
    library = shipped_library()
    task = rng.choice(library.definitions()).name
    room, noise = rng.choice(room_names()), rng.choice(NOISE_LEVELS)
    try:
        start = start_from_room_name(room, library, task, (), rng.randrange(10**6))
    except BadInput:
        return None
    try:
        result, _ = run_from_start(start, SessionSetup(noise=noise))
    except Exception as fault:
        where = f"seed {seed}, session {number}: {task} in {room}, noise {noise}"
        raise BrokenInvariant(f"{where}: {type(fault).__name__}: {fault}") from fault
    return result


def resident_mebibytes() -> float:
    """Return the memory that this process has now, MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE_BYTES / MEBIBYTE
