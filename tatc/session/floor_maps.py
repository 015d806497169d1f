"""The recorded map of a floor plan that sessions are run with, as a user names it."""

from functools import lru_cache
from pathlib import Path

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


def map_name_and_hash(recorded_map: RecordedMap | None) -> tuple[str, str]:
    """Return a map's name and hash; no hash for the map computed from boxes."""
    return (MAP_FROM_BOXES, "") if recorded_map is None else (recorded_map.name, recorded_map.hash)
