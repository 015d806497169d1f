"""Floor maps: cells that people stood on, kept per floor plan and per game.

A map is made from recorded games (`tatc rooms import`) and used only where it is
asked for.  It keeps each game's cells apart, so that a world that replays a game
never sees what was learned from that game.
"""

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from tatc.actions import GRID
from tatc.atomic import write_whole
from tatc.errors import MapFormatError
from tatc.state import Pose

Cell = tuple[int, int]
"""A cell of the floor: x and z in steps of 0.25 m."""
FORMAT = "tatc-floor-map-1"
_FARTHEST = 4000  # cells; no home is larger than a kilometre


@dataclass(frozen=True, slots=True)
class FloorMap:
    """Cells that people stood on: `plans[floor plan][game id]`.

    `left_out` names a game whose cells are not given out.
    """

    name: str
    plans: Mapping[str, Mapping[str, frozenset[Cell]]]
    left_out: str = ""

    def without(self, game_id: str) -> "FloorMap":
        """Return the same map, same hash, as a world for this game may see it."""
        return FloorMap(self.name, self.plans, game_id)

    def cells(self, plan: str) -> frozenset[Cell]:
        """Return the cells that people stood on in a floor plan, in other games."""
        games = self.plans.get(plan, {})
        return frozenset[Cell]().union(
            *(cells for game, cells in games.items() if game != self.left_out)
        )

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits of the content, for records and reports."""
        content = json.dumps(self._listed(), separators=(",", ":"))
        return sha256(content.encode()).hexdigest()[:12]

    @staticmethod
    def read(path: Path) -> "FloorMap":
        """Read a map file.

        Raises:
            MapFormatError: it cannot be read or is not a map; names the field.

        """
        try:
            raw: Any = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise MapFormatError(why, where=str(path), fix=_MAKE) from error
        except (ValueError, RecursionError) as error:
            raise MapFormatError("is not JSON", where=str(path), fix=_MAKE) from error
        return _Reader(path).map(raw)

    def write(self, path: Path, *, force: bool = False) -> None:
        """Write the map whole or not at all.

        Raises:
            OutputError: the file exists and `force` is not set, or it cannot be
                written.

        """
        raw = {"format": FORMAT, "name": self.name, "plans": self._listed()}
        text = json.dumps(raw, separators=(",", ":")) + "\n"
        write_whole(text.encode(), path, force=force)

    def _listed(self) -> dict[str, dict[str, list[Cell]]]:
        return {
            plan: {game: sorted(games[game]) for game in sorted(games)}
            for plan, games in sorted(self.plans.items())
        }


def import_cells(
    name: str, walks: Iterable[tuple[str, str, Iterable[Pose]]]
) -> FloorMap:
    """Return the map of (floor plan, game id, poses the Follower was logged at)."""
    plans: dict[str, dict[str, set[Cell]]] = {}
    for plan, game, poses in walks:
        cells = plans.setdefault(plan, {}).setdefault(game, set())
        cells.update((round(p.x / GRID), round(p.z / GRID)) for p in poses)
    return FloorMap(name, _frozen(plans))


_MAKE = "make one with: tatc rooms import GAMES... --out FILE"


class _Reader:
    """Turns the JSON of one map file into a map, naming the field at fault."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def map(self, raw: Any) -> FloorMap:
        top = self._mapping(raw, "the file")
        if top.get("format") != FORMAT:
            raise self._fault("format", f"should be {FORMAT!r}")
        name = top.get("name")
        if not isinstance(name, str) or not name:
            raise self._fault("name", "should be a text")
        plans: dict[str, dict[str, set[Cell]]] = {}
        for plan, games in self._mapping(top.get("plans"), "plans").items():
            place = f"plans.{plan}"
            plans[plan] = {
                game: self._cells(cells, f"{place}.{game}")
                for game, cells in self._mapping(games, place).items()
            }
        return FloorMap(name, _frozen(plans))

    def _cells(self, raw: Any, field: str) -> set[Cell]:
        if not isinstance(raw, list):
            raise self._fault(field, "should be a list of cells")
        for i, cell in enumerate(cast(list[Any], raw)):
            if not _is_cell(cell):
                raise self._fault(f"{field}[{i}]", "should be two whole numbers")
        return {(x, z) for x, z in cast(list[list[int]], raw)}

    def _mapping(self, raw: Any, field: str) -> dict[str, Any]:
        if not isinstance(raw, dict):
            raise self._fault(field, "should be an object")
        return cast(dict[str, Any], raw)

    def _fault(self, field: str, why: str) -> MapFormatError:
        return MapFormatError(f"{field} {why}", where=str(self._path), fix=_MAKE)


def _is_cell(raw: Any) -> bool:
    if not isinstance(raw, list) or len(cast(list[Any], raw)) != 2:
        return False
    return all(
        isinstance(v, int) and not isinstance(v, bool) and abs(v) <= _FARTHEST
        for v in cast(list[Any], raw)
    )


def _frozen(
    plans: Mapping[str, Mapping[str, Set[Cell]]],
) -> Mapping[str, Mapping[str, frozenset[Cell]]]:
    return MappingProxyType(
        {
            plan: MappingProxyType({g: frozenset(cells) for g, cells in games.items()})
            for plan, games in plans.items()
        }
    )
