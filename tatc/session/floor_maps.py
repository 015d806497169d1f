"""The recorded map of a floor plan that sessions are run with, as a user names it."""

from functools import lru_cache
from pathlib import Path

from tatc.session.records.trajectory import KEY_SEPARATOR
from tatc.sim.maps.recorded_map import RecordedMap
from tatc.sim.maps.recorded_map_files import read_recorded_map

MAP_FROM_BOXES = "boxes"
"""What stands for no recorded map: all is computed from the objects' boxes alone."""


@lru_cache(maxsize=1)
def load_recorded_map(name: str) -> RecordedMap | None:
    """Return a named map, which is read once for many sessions; None for `MAP_FROM_BOXES`.

    Raises:
        BadInput: the map file cannot be read.

    """
    return None if name == MAP_FROM_BOXES else read_recorded_map(Path(name))


def load_map_for(name: str, game_id: str | None) -> RecordedMap | None:
    """Return a named map without what the game or trajectory of this id shows of its floor plan.

    Return None for `MAP_FROM_BOXES`; without an id, nothing is left out.

    Raises:
        BadInput: the map file cannot be read.

    """
    recorded_map = load_recorded_map(name)
    if recorded_map is None or game_id is None:
        return recorded_map
    return recorded_map.without_game(game_id.rpartition(KEY_SEPARATOR)[2])


def map_name_and_hash(recorded_map: RecordedMap | None) -> tuple[str, str]:
    """Return a map's name and hash; no hash for the map computed from boxes."""
    return (MAP_FROM_BOXES, "") if recorded_map is None else (recorded_map.name, recorded_map.hash)
