"""Recorded maps: what recorded sessions show of floor plans.

`tatc maps build` makes a map from recorded games and from a clone of ALFRED: where people stood,
where steps were refused, and other evidence.  It is kept by game, so that a game is replayed with a
map built from the other games only.  `tatc.sim.maps.map_archive` has the map that tatc ships.

ALFRED was recorded in AI2-THOR 2.1.0, whose rooms differ a little: where a TEACh game was refused
one of ALFRED's cells, the TEACh game is believed.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

from tatc.base import files, json_fields
from tatc.base.errors import MapFormatError
from tatc.home.actions import Cell
from tatc.sim.maps import recorded_evidence

ALFRED_PREFIX = "alfred:"
"""The prefix of ALFRED's layouts and trajectories among the names of games."""

CellsByGame = Mapping[str, Mapping[str, frozenset[Cell]]]  # cells by floor plan and game


@dataclass(frozen=True, slots=True)
class GameEvidence:
    """What one game shows: cells stood on, cells that refused a step, and other evidence."""

    plan: str
    game: str
    visited: frozenset[Cell]
    refused: frozenset[Cell] = frozenset()
    evidence: recorded_evidence.RecordedEvidence = recorded_evidence.NO_EVIDENCE


# No slots, because a cached property keeps its value in the instance's dictionary.
@dataclass(frozen=True)
class MapContent:
    """What a map holds, by floor plan and game: cells stood on and refused, and evidence."""

    visited: CellsByGame = field(default_factory=dict[str, Any])
    refused: CellsByGame = field(default_factory=dict[str, Any])
    evidence: Mapping[str, Mapping[str, recorded_evidence.RecordedEvidence]] = field(
        default_factory=dict[str, Any]
    )

    def of_plan(self, plan: str) -> "MapContent":
        """Return what is held of one floor plan."""
        parts: Any = (self.visited, self.refused, self.evidence)
        return MapContent(*({plan: part[plan]} if plan in part else {} for part in parts))

    def to_json(self) -> dict[str, Any]:
        """Return the content as JSON values, sorted."""
        raw: dict[str, Any] = {"plans": _cells_to_json(self.visited)}
        if self.refused:
            raw["refused"] = _cells_to_json(self.refused)
        if self.evidence:
            raw["shown"] = {
                plan: {game: games[game].to_json() for game in sorted(games)}
                for plan, games in sorted(self.evidence.items())
            }
        return raw

    @cached_property
    def hash(self) -> str:
        """The content's hash for records and reports: twelve hexadecimal digits."""
        return sha256(json.dumps(self.to_json(), separators=(",", ":")).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class RecordedMap:
    """A named map of floor plans; what it knows from `excluded_games` is never given out."""

    name: str
    content: MapContent
    excluded_games: frozenset[str] = frozenset()
    whole_hash: str = ""
    """The hash of the map of which `content` is a part, "" where it is the whole."""
    _merged: dict[str, recorded_evidence.RecordedEvidence] = field(
        default_factory=dict[str, Any], init=False, repr=False, compare=False
    )

    @property
    def hash(self) -> str:
        """The whole map's hash, with the excluded games included: twelve hexadecimal digits."""
        return self.whole_hash or self.content.hash

    def without_games(self, *game_ids: str) -> "RecordedMap":
        """Return the map, with the same hash, for a world of these games or ALFRED trials."""
        return replace(self, excluded_games=frozenset(game_ids))

    def visited_cells(self, plan: str) -> frozenset[Cell]:
        """Return the cells of a floor plan that somebody stood on in other games."""
        return self._union_of_games(self.content.visited, plan)

    def blocked_cells(self, plan: str) -> frozenset[Cell]:
        """Return the cells that refused a step and on which nobody stood.

        One refusal is enough unless another game shows the contrary, which happens when
        furniture was moved or a door stood open.
        """
        stood = self._union_of_games(self.content.visited, plan, people_only=True)
        return self._union_of_games(self.content.refused, plan) - stood

    def evidence_for(self, plan: str) -> recorded_evidence.RecordedEvidence:
        """Return what the other games show about a floor plan."""
        if plan not in self._merged:
            games = self.content.evidence.get(plan, {})
            kept = (games[game] for game in games if not self._is_excluded(game))
            self._merged[plan] = recorded_evidence.merge_evidence(kept)
        return self._merged[plan]

    def _is_excluded(self, game: str) -> bool:
        return game.removeprefix(ALFRED_PREFIX) in self.excluded_games

    def _union_of_games(
        self, cells_by_game: CellsByGame, plan: str, *, people_only: bool = False
    ) -> frozenset[Cell]:
        return frozenset[Cell]().union(
            *(
                cells
                for game, cells in cells_by_game.get(plan, {}).items()
                if not self._is_excluded(game)
                and not (people_only and game.startswith(ALFRED_PREFIX))
            )
        )


def build_recorded_map(name: str, games_evidence: Iterable[GameEvidence]) -> RecordedMap:
    """Return the map of all evidence; what several entries show of one game is merged."""
    plans: dict[str, dict[str, set[Cell]]] = {}
    refused: dict[str, dict[str, set[Cell]]] = {}
    shown: dict[str, dict[str, recorded_evidence.RecordedEvidence]] = {}
    for walk in games_evidence:
        plans.setdefault(walk.plan, {}).setdefault(walk.game, set()).update(walk.visited)
        if walk.refused:
            refused.setdefault(walk.plan, {}).setdefault(walk.game, set()).update(walk.refused)
        if walk.evidence:
            games = shown.setdefault(walk.plan, {})
            known = games.get(walk.game, recorded_evidence.NO_EVIDENCE)
            games[walk.game] = recorded_evidence.merge_evidence((known, walk.evidence))
    return RecordedMap(name, MapContent(freeze_cells(plans), freeze_cells(refused), shown))


def _cells_to_json(plans: CellsByGame) -> dict[str, dict[str, list[Cell]]]:
    return {
        plan: {game: sorted(games[game]) for game in sorted(games)}
        for plan, games in sorted(plans.items())
    }


def freeze_cells(plans: Mapping[str, Mapping[str, Set[Cell]]]) -> CellsByGame:
    """Return the cells by floor plan and game as an immutable mapping."""
    return MappingProxyType(
        {
            plan: MappingProxyType({g: frozenset(cells) for g, cells in games.items()})
            for plan, games in plans.items()
        }
    )


RECORDED_MAP_FORMAT = "tatc-floor-map-1"
T = TypeVar("T")
Read = Callable[[Any, str], T]  # reads a JSON value; errors name the field, the text
_MAX_CELL_INDEX = 4000  # cells; no home is larger than a kilometre


def read_recorded_map(path: Path) -> RecordedMap:
    """Read a map file."""
    return parse_recorded_map(files.read_json(path, files.RECORDED_MAP), str(path))


def parse_recorded_map(raw: Any, where: str) -> RecordedMap:
    """Return the map in a file's JSON value; errors name `where` and the field."""
    try:
        return _read_map(raw)
    except json_fields.FieldError as fault:
        why = f"{fault.field} {fault.why}"
        raise MapFormatError(why, where=where, fix=files.RECORDED_MAP.fix) from fault


def write_recorded_map(recorded_map: RecordedMap, path: Path, *, force: bool = False) -> None:
    """Write a map file completely or not at all; replace an existing file only with `force`."""
    files.write_atomically(map_bytes(recorded_map), path, force=force)


def map_bytes(recorded_map: RecordedMap) -> bytes:
    """Return the content of a map file."""
    head = {"format": RECORDED_MAP_FORMAT, "name": recorded_map.name}
    text = json.dumps(head | recorded_map.content.to_json(), separators=(",", ":")) + "\n"
    return text.encode()


def _read_map(raw: Any) -> RecordedMap:
    top = json_fields.as_mapping(raw, "the file")
    if top.get("format") != RECORDED_MAP_FORMAT:
        raise json_fields.FieldError("format", f"should be {RECORDED_MAP_FORMAT!r}")
    content = MapContent(
        freeze_cells(_read_nested(top.get("plans"), "plans", _read_cells)),
        freeze_cells(_read_nested(top.get("refused", {}), "refused", _read_cells)),
        _read_nested(top.get("shown", {}), "shown", _read_evidence),
    )
    return RecordedMap(json_fields.get_text(top, "name"), content)


def _read_nested(raw: Any, field: str, read_value: Read[T]) -> dict[str, dict[str, T]]:
    return _read_mapping(raw, field, partial(_read_mapping, read_value=read_value))


def _read_mapping(raw: Any, field: str, read_value: Read[T]) -> dict[str, T]:
    items = json_fields.as_mapping(raw, field).items()
    return {name: read_value(value, f"{field}.{name}") for name, value in items}


def _read_cells(raw: Any, field: str) -> set[Cell]:
    cells = json_fields.as_list(raw, field)
    for i, cell in enumerate(cells):
        if not _is_cell(cell):
            raise json_fields.FieldError(f"{field}[{i}]", "should be two whole numbers")
    return {(x, z) for x, z in cells}


def _read_evidence(raw: Any, field: str) -> recorded_evidence.RecordedEvidence:
    top = json_fields.as_mapping(raw, field)
    opened, grounds = top.get("opened", {}), top.get("grounds", {})
    return recorded_evidence.RecordedEvidence(
        _read_mapping(top.get("rests"), f"{field}.rests", _read_resting_poses),
        _read_nested(top.get("pieces"), f"{field}.pieces", _read_slice_placement),
        _read_mapping(opened, f"{field}.opened", _read_open_box),
        _read_mapping(grounds, f"{field}.grounds", _read_numbers),
    )


def _read_resting_poses(raw: Any, field: str) -> tuple[recorded_evidence.RestingPose, ...]:
    found: list[recorded_evidence.RestingPose] = []
    for i, rest in enumerate(json_fields.as_list(raw, field)):
        x, y, z, pitch, yaw, roll = _read_numbers(rest, f"{field}[{i}]", 6)
        found.append(recorded_evidence.RestingPose((x, y, z), (pitch, yaw, roll)))
    return tuple(found)


def _read_slice_placement(raw: Any, field: str) -> recorded_evidence.SlicePlacement:
    x, y, z, *rest = _read_numbers(raw, field, 10)
    width, height, depth, box_yaw, pitch, yaw, roll = rest
    size, turned = (width, height, depth), (pitch, yaw, roll)
    return recorded_evidence.SlicePlacement((x, y, z), size, box_yaw, turned)


def _read_open_box(raw: Any, field: str) -> recorded_evidence.OpenBox:
    x, y, z, width, height, depth = _read_numbers(raw, field, 6)
    if min(width, height, depth) <= 0:
        raise json_fields.FieldError(field, "should be a box with a size")
    return recorded_evidence.OpenBox((x, y, z), (width, height, depth))


def _read_numbers(raw: Any, field: str, count: int | None = None) -> tuple[float, ...]:
    """Return a list of numbers; with `count`, exactly that many."""
    if _are_plain(raw):
        values = tuple(cast(list[float], raw))
    else:
        items = json_fields.as_list(raw, field)
        values = tuple(json_fields.as_number(item, field) for item in items)
    if count not in (None, len(values)):
        raise json_fields.FieldError(field, f"should be {count} numbers")
    return values


def _are_plain(raw: Any) -> bool:
    """Return whether these are floats within the limit, as nearly all in a map are: it is quick."""
    if not isinstance(raw, list) or set(map(type, cast(list[Any], raw))) != {float}:
        return False
    return sum(map(abs, cast(list[float], raw))) <= json_fields.MAX_ABSOLUTE_NUMBER


def _is_cell(raw: Any) -> bool:
    if not isinstance(raw, list) or len(cast(list[Any], raw)) != 2:
        return False
    return all(
        isinstance(v, int) and not isinstance(v, bool) and abs(v) <= _MAX_CELL_INDEX
        for v in cast(list[Any], raw)
    )
