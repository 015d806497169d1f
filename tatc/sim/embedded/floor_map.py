"""Floor maps: where people stood and where they were refused, per plan and game.

A map is made from recorded games and from a clone of ALFRED (`tatc rooms import`) and
used only where it is asked for.  It keeps each game's cells apart, so that a world that
replays a game never sees what was learned from that game.  ALFRED was recorded in
AI2-THOR 2.1.0, whose rooms differ a little: where one of its cells was refused to
people, they are believed.
"""

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from tatc.atomic import write_whole
from tatc.errors import MapFormatError

Cell = tuple[int, int]
"""A cell of the floor: x and z in steps of 0.25 m."""
FORMAT = "tatc-floor-map-1"
_FARTHEST = 4000  # cells; no home is larger than a kilometre


ALFRED = "alfred:"
"""What the names of ALFRED's layouts and trajectories begin with, among games."""

ByGame = Mapping[str, Mapping[str, frozenset[Cell]]]
"""Cells by floor plan and game."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Where somebody stood in a floor plan, and where a step was refused."""

    plan: str
    game: str
    stood: frozenset[Cell]
    refused: frozenset[Cell] = frozenset()


@dataclass(frozen=True, slots=True)
class FloorMap:
    """Cells that people stood on: `plans[floor plan][game id]`; so also `refused`.

    `left_out` names a game whose cells are not given out.
    """

    name: str
    plans: ByGame
    left_out: str = ""
    refused: ByGame = field(default_factory=lambda: _frozen({}))

    def without(self, game_id: str) -> "FloorMap":
        """Return the same map, same hash, as a world for this game may see it."""
        return replace(self, left_out=game_id)

    def cells(self, plan: str) -> frozenset[Cell]:
        """Return the cells that were stood on in a floor plan, in other games."""
        return self._union(self.plans, plan)

    def blocked(self, plan: str) -> frozenset[Cell]:
        """Return the cells that were refused to people and on which nobody stood.

        One refusal is enough, as long as no other game shows the contrary: furniture
        that was moved, or a door that stood open.
        """
        return self._union(self.refused, plan) - self._union(
            self.plans, plan, people=True
        )

    def _union(
        self, plans: ByGame, plan: str, *, people: bool = False
    ) -> frozenset[Cell]:
        return frozenset[Cell]().union(
            *(
                cells
                for game, cells in plans.get(plan, {}).items()
                if game != self.left_out and not (people and game.startswith(ALFRED))
            )
        )

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits of the content, for records and reports."""
        listed: Any = _listed(self.plans)
        if self.refused:
            listed = [listed, _listed(self.refused)]
        content = json.dumps(listed, separators=(",", ":"))
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
        raw = {"format": FORMAT, "name": self.name, "plans": _listed(self.plans)}
        if self.refused:
            raw["refused"] = _listed(self.refused)
        text = json.dumps(raw, separators=(",", ":")) + "\n"
        write_whole(text.encode(), path, force=force)


def import_walks(name: str, walks: Iterable[Walk]) -> FloorMap:
    """Return the map of what was walked; walks of one game add up."""
    plans: dict[str, dict[str, set[Cell]]] = {}
    refused: dict[str, dict[str, set[Cell]]] = {}
    for walk in walks:
        plans.setdefault(walk.plan, {}).setdefault(walk.game, set()).update(walk.stood)
        if walk.refused:
            games = refused.setdefault(walk.plan, {})
            games.setdefault(walk.game, set()).update(walk.refused)
    return FloorMap(name, _frozen(plans), refused=_frozen(refused))


def _listed(plans: ByGame) -> dict[str, dict[str, list[Cell]]]:
    return {
        plan: {game: sorted(games[game]) for game in sorted(games)}
        for plan, games in sorted(plans.items())
    }


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
        plans = self._by_game(top.get("plans"), "plans")
        refused = self._by_game(top.get("refused", {}), "refused")
        return FloorMap(name, plans, refused=refused)

    def _by_game(self, raw: Any, field: str) -> ByGame:
        plans: dict[str, dict[str, set[Cell]]] = {}
        for plan, games in self._mapping(raw, field).items():
            place = f"{field}.{plan}"
            plans[plan] = {
                game: self._cells(cells, f"{place}.{game}")
                for game, cells in self._mapping(games, place).items()
            }
        return _frozen(plans)

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


def _frozen(plans: Mapping[str, Mapping[str, Set[Cell]]]) -> ByGame:
    return MappingProxyType(
        {
            plan: MappingProxyType({g: frozenset(cells) for g, cells in games.items()})
            for plan, games in plans.items()
        }
    )
