"""The files that floor maps lie in: JSON, checked field by field when read."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from tatc.atomic import write_whole
from tatc.errors import MapFormatError
from tatc.fields import FieldFault, listing, number
from tatc.sim.maps.floor_map import ByGame, Cell, Content, FloorMap, frozen
from tatc.sim.maps.open_boxes import OpenBox
from tatc.sim.maps.traces import Piece, Rest, Traces

FORMAT = "tatc-floor-map-1"
T = TypeVar("T")
_FARTHEST = 4000  # cells; no home is larger than a kilometre
_MAKE = "make one with: tatc rooms import GAMES... --out FILE"


def read_map(path: Path) -> FloorMap:
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


def write_map(floor_map: FloorMap, path: Path, *, force: bool = False) -> None:
    """Write a map whole or not at all.

    Raises:
        OutputError: the file exists and `force` is not set, or it cannot be written.

    """
    raw = {"format": FORMAT, "name": floor_map.name, **floor_map.content.listed()}
    text = json.dumps(raw, separators=(",", ":")) + "\n"
    write_whole(text.encode(), path, force=force)


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
        content = Content(
            self._cells_by_game(top.get("plans"), "plans"),
            self._cells_by_game(top.get("refused", {}), "refused"),
            self._by_game(top.get("shown", {}), "shown", self._traces),
        )
        return FloorMap(name, content)

    def _cells_by_game(self, raw: Any, field: str) -> ByGame:
        return frozen(self._by_game(raw, field, self._cells))

    def _by_game(
        self, raw: Any, field: str, read: Callable[[Any, str], T]
    ) -> dict[str, dict[str, T]]:
        return {
            plan: {
                game: read(value, f"{field}.{plan}.{game}")
                for game, value in self._mapping(games, f"{field}.{plan}").items()
            }
            for plan, games in self._mapping(raw, field).items()
        }

    def _cells(self, raw: Any, field: str) -> set[Cell]:
        if not isinstance(raw, list):
            raise self._fault(field, "should be a list of cells")
        for i, cell in enumerate(cast(list[Any], raw)):
            if not _is_cell(cell):
                raise self._fault(f"{field}[{i}]", "should be two whole numbers")
        return {(x, z) for x, z in cast(list[list[int]], raw)}

    def _traces(self, raw: Any, field: str) -> Traces:
        top = self._mapping(raw, field)
        rests, pieces, opened, grounds = (
            f"{field}.{name}" for name in ("rests", "pieces", "opened", "grounds")
        )
        return Traces(
            {
                receptacle: tuple(self._rests(seen, f"{rests}.{receptacle}"))
                for receptacle, seen in self._mapping(top.get("rests"), rests).items()
            },
            {
                whole: {
                    suffix: self._piece(piece, f"{pieces}.{whole}.{suffix}")
                    for suffix, piece in self._mapping(
                        parts, f"{pieces}.{whole}"
                    ).items()
                }
                for whole, parts in self._mapping(top.get("pieces"), pieces).items()
            },
            {
                model: self._open_box(box, f"{opened}.{model}")
                for model, box in self._mapping(top.get("opened", {}), opened).items()
            },
            {
                model: tuple(self._numbers(heights, f"{grounds}.{model}"))
                for model, heights in self._mapping(
                    top.get("grounds", {}), grounds
                ).items()
            },
        )

    def _rests(self, raw: Any, field: str) -> list[Rest]:
        if not isinstance(raw, list):
            raise self._fault(field, "should be a list")
        found: list[Rest] = []
        for i, rest in enumerate(cast(list[Any], raw)):
            x, y, z, pitch, yaw, roll = self._numbers(rest, f"{field}[{i}]", 6)
            found.append(Rest((x, y, z), (pitch, yaw, roll)))
        return found

    def _piece(self, raw: Any, field: str) -> Piece:
        x, y, z, *rest = self._numbers(raw, field, 10)
        width, height, depth, box_yaw, pitch, yaw, roll = rest
        return Piece((x, y, z), (width, height, depth), box_yaw, (pitch, yaw, roll))

    def _open_box(self, raw: Any, field: str) -> OpenBox:
        x, y, z, width, height, depth = self._numbers(raw, field, 6)
        if min(width, height, depth) <= 0:
            raise self._fault(field, "should be a box with a size")
        return OpenBox((x, y, z), (width, height, depth))

    def _numbers(
        self, raw: Any, field: str, count: int | None = None
    ) -> Sequence[float]:
        """Read numbers, any count of them if none is given."""
        try:
            values = [number(value, field) for value in listing(raw, field)]
        except FieldFault as fault:
            raise self._fault(field, fault.why) from fault
        if count not in (None, len(values)):
            raise self._fault(field, f"should be {count} numbers")
        return values

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
