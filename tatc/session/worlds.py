"""The worlds in which a session can run: tatc's own, and AI2-THOR; either with noise."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tatc.base.errors import BadInput, UnknownName
from tatc.session.records.trajectory import KEY_SEPARATOR
from tatc.session.start import SessionStart
from tatc.sim import noisy_simulator, protocol
from tatc.sim.maps import map_archive
from tatc.sim.maps.recorded_map import RecordedMap, read_recorded_map

if TYPE_CHECKING:
    from tatc.sim.thor import ThorClient

EMBEDDED_WORLD, THOR_WORLD = "embedded", "thor"
"""The simulators in which a session can run, as a user names them."""


def check_world(sim: str, floor_map: str, thor: protocol.ThorBuild) -> None:
    """Check that there is a simulator of this name, and that map and build are for it."""
    UnknownName.check("world", sim, (EMBEDDED_WORLD, THOR_WORLD))
    if sim == THOR_WORLD:
        if floor_map not in (SHIPPED_MAP, MAP_FROM_BOXES):
            why = "a map is for tatc's own world: AI2-THOR knows its floor"
            raise BadInput(why, fix="leave out --map")
        from tatc.sim.thor.client import check_build

        check_build(thor)
    elif thor != protocol.DEFAULT_BUILD:
        raise BadInput("a build of AI2-THOR is for AI2-THOR", fix="add --sim thor")


@lru_cache(maxsize=1)
def thor_client(build: protocol.ThorBuild) -> "ThorClient":
    """Return the client of this process's AI2-THOR, which is kept between sessions."""
    from tatc.sim.thor import ThorClient

    return ThorClient(build)


def with_noise(sim: protocol.Simulator, start: SessionStart, noise: float) -> protocol.Simulator:
    """Return the simulator with noise added, or unchanged if there is none."""
    if not noise:
        return sim
    words = (start.place, start.task.name, *start.task.params, start.seed)
    return noisy_simulator.NoisySimulator(sim, noise, " ".join(map(str, words)))


MAP_FROM_BOXES = "boxes"
"""What stands for no recorded map: all is computed from the objects' boxes alone."""
SHIPPED_MAP = "shipped"
"""What stands for the map that tatc ships: in iTHOR's plans, what TEACh's train games show."""


@lru_cache(maxsize=1)
def load_recorded_map(name: str) -> RecordedMap | None:
    """Return the map in a file, which is read once for many sessions.

    Return None for `MAP_FROM_BOXES`, and for an archive, which is read plan by plan; of that, only
    the index is read and checked.
    """
    if (archive := _archive_of(name)) is not None:
        map_archive.read_index(archive)
        return None
    return None if name == MAP_FROM_BOXES else read_recorded_map(Path(name))


def _archive_of(name: str) -> Path | None:
    if name == SHIPPED_MAP:
        return map_archive.SHIPPED_FILE
    return Path(name) if name.endswith(map_archive.SUFFIX) else None


def load_map_for(name: str, place: str, game_id: str | None) -> RecordedMap | None:
    """Return a named map without what the game or trajectory of this id shows of its floor plan.

    Without an id, nothing is left out.  Return None for `MAP_FROM_BOXES`, and where the shipped map
    or an archive holds nothing of the place.
    """
    archive = _archive_of(name)
    recorded_map = map_archive.read_plan(archive, place) if archive else load_recorded_map(name)
    if recorded_map is None or game_id is None:
        return recorded_map
    return recorded_map.without_games(game_id.rpartition(KEY_SEPARATOR)[2])


def map_name_and_hash(recorded_map: RecordedMap | None) -> tuple[str, str]:
    """Return a map's name and hash; no hash for the map computed from boxes."""
    return (MAP_FROM_BOXES, "") if recorded_map is None else (recorded_map.name, recorded_map.hash)


def map_label(recorded_map: RecordedMap | None) -> str:
    """Return a map as a row names it: `shipped 7f535c8edc88`, or `boxes`."""
    return " ".join(map_name_and_hash(recorded_map)).rstrip()


def name_and_hash_of_named(name: str) -> tuple[str, str]:
    """Return the name and the hash of a map as a whole, wherever it is used."""
    if (archive := _archive_of(name)) is not None:
        return map_archive.read_index(archive)
    return map_name_and_hash(load_recorded_map(name))


def map_of_record(asked: str, recorded: str) -> str:
    """Return the map with which a record is run again: shipped only where it was `recorded`."""
    return MAP_FROM_BOXES if asked == SHIPPED_MAP != recorded else asked
