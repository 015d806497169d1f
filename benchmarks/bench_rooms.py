"""How like AI2-THOR's scenes the generated rooms are, and how many drafts are rejected.

A figure stands out when its median over the generated rooms is below the 5th or above the 95th
percentile of AI2-THOR's scenes.
"""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.room_statistics import SUMMARY_FIGURES, room_statistics
from tatc.home.state import RoomKind
from tatc.sim.rooms import load_room, room_names
from tatc.sim.rooms.generator.room_generator import generate_with_faults


def run(games: Path | None = None) -> Iterator[tuple[str, float, str]]:
    """Yield the figures of each kind of room: what stands out, sizes, and rejected drafts."""
    rooms = [load_room(name) for name in room_names()]
    for kind in RoomKind:
        of_kind = [room for room in rooms if room.kind is kind]
        census = room_statistics(kind, of_kind)
        yield f"{kind.value}: sizes within AI2-THOR's", 100 * census.sizes_within, "%"
        for line in census.figures:
            if line.verdict != "ok" or line.name in SUMMARY_FIGURES:
                yield f"{kind.value}: {line.name}, median ({line.verdict})", line.ours[1], ""
        rejected = sum(len(generate_with_faults(kind, room.seed)[1]) for room in of_kind)
        yield f"{kind.value}: drafts rejected", 100 * rejected / (rejected + len(of_kind)), "%"
