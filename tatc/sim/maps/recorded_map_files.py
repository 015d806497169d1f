"""Recorded map files: JSON, checked field by field when read."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from tatc.base.atomic_files import write_atomically
from tatc.base.errors import MapFormatError
from tatc.base.file_limits import RECORDED_MAP
from tatc.base.file_reading import read_json
from tatc.base.json_fields import FieldError, as_list, as_number
from tatc.base.plain_text import is_encodable
from tatc.home.actions import Cell
from tatc.sim.maps.open_boxes import OpenBox
from tatc.sim.maps.recorded_evidence import RecordedEvidence, RestingPose, SlicePlacement
from tatc.sim.maps.recorded_map import CellsByGame, MapContent, RecordedMap, freeze_cells

RECORDED_MAP_FORMAT = "tatc-floor-map-1"
T = TypeVar("T")
_MAX_CELL_INDEX = 4000  # cells; no home is larger than a kilometre


def read_recorded_map(path: Path) -> RecordedMap:
    """Read a map file."""
    return _RecordedMapReader(path).recorded_map(read_json(path, RECORDED_MAP))


def write_recorded_map(recorded_map: RecordedMap, path: Path, *, force: bool = False) -> None:
    """Write a map file completely or not at all.

    Raises:
        OutputError: the file exists and `force` is not set, or it cannot be written.

    """
    raw = {
        "format": RECORDED_MAP_FORMAT,
        "name": recorded_map.name,
        **recorded_map.content.to_json(),
    }
    text = json.dumps(raw, separators=(",", ":")) + "\n"
    write_atomically(text.encode(), path, force=force)


class _RecordedMapReader:
    """Turns the JSON of one map file into a map; errors name the field."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def recorded_map(self, raw: Any) -> RecordedMap:
        top = self._require_mapping(raw, "the file")
        if top.get("format") != RECORDED_MAP_FORMAT:
            raise self._format_error("format", f"should be {RECORDED_MAP_FORMAT!r}")
        name = top.get("name")
        if not isinstance(name, str) or not name or not is_encodable(name):
            raise self._format_error("name", "should be a text")
        content = MapContent(
            self._read_cells_by_game(top.get("plans"), "plans"),
            self._read_cells_by_game(top.get("refused", {}), "refused"),
            self._read_nested(top.get("shown", {}), "shown", self._read_evidence),
        )
        return RecordedMap(name, content)

    def _read_cells_by_game(self, raw: Any, field: str) -> CellsByGame:
        return freeze_cells(self._read_nested(raw, field, self._read_cells))

    def _read_nested(
        self, raw: Any, field: str, read_value: Callable[[Any, str], T]
    ) -> dict[str, dict[str, T]]:
        read_inner = partial(self._read_mapping, read_value=read_value)
        return self._read_mapping(raw, field, read_inner)

    def _read_mapping(
        self, raw: Any, field: str, read_value: Callable[[Any, str], T]
    ) -> dict[str, T]:
        items = self._require_mapping(raw, field).items()
        return {name: read_value(value, f"{field}.{name}") for name, value in items}

    def _read_cells(self, raw: Any, field: str) -> set[Cell]:
        if not isinstance(raw, list):
            raise self._format_error(field, "should be a list of cells")
        for i, cell in enumerate(cast(list[Any], raw)):
            if not _is_cell(cell):
                raise self._format_error(f"{field}[{i}]", "should be two whole numbers")
        return {(x, z) for x, z in cast(list[list[int]], raw)}

    def _read_evidence(self, raw: Any, field: str) -> RecordedEvidence:
        top = self._require_mapping(raw, field)
        rests, pieces = top.get("rests"), top.get("pieces")
        opened, grounds = top.get("opened", {}), top.get("grounds", {})
        return RecordedEvidence(
            self._read_mapping(rests, f"{field}.rests", self._read_resting_poses),
            self._read_nested(pieces, f"{field}.pieces", self._read_slice_placement),
            self._read_mapping(opened, f"{field}.opened", self._read_open_box),
            self._read_mapping(grounds, f"{field}.grounds", self._read_numbers),
        )

    def _read_resting_poses(self, raw: Any, field: str) -> tuple[RestingPose, ...]:
        if not isinstance(raw, list):
            raise self._format_error(field, "should be a list")
        found: list[RestingPose] = []
        for i, rest in enumerate(cast(list[Any], raw)):
            x, y, z, pitch, yaw, roll = self._read_numbers(rest, f"{field}[{i}]", 6)
            found.append(RestingPose((x, y, z), (pitch, yaw, roll)))
        return tuple(found)

    def _read_slice_placement(self, raw: Any, field: str) -> SlicePlacement:
        x, y, z, *rest = self._read_numbers(raw, field, 10)
        width, height, depth, box_yaw, pitch, yaw, roll = rest
        return SlicePlacement((x, y, z), (width, height, depth), box_yaw, (pitch, yaw, roll))

    def _read_open_box(self, raw: Any, field: str) -> OpenBox:
        x, y, z, width, height, depth = self._read_numbers(raw, field, 6)
        if min(width, height, depth) <= 0:
            raise self._format_error(field, "should be a box with a size")
        return OpenBox((x, y, z), (width, height, depth))

    def _read_numbers(self, raw: Any, field: str, count: int | None = None) -> tuple[float, ...]:
        """Return a list of numbers; with `count`, exactly that many."""
        try:
            values = tuple(as_number(value, field) for value in as_list(raw, field))
        except FieldError as fault:
            raise self._format_error(field, fault.why) from fault
        if count not in (None, len(values)):
            raise self._format_error(field, f"should be {count} numbers")
        return values

    def _require_mapping(self, raw: Any, field: str) -> dict[str, Any]:
        if not isinstance(raw, dict):
            raise self._format_error(field, "should be an object")
        return cast(dict[str, Any], raw)

    def _format_error(self, field: str, why: str) -> MapFormatError:
        return MapFormatError(f"{field} {why}", where=str(self._path), fix=RECORDED_MAP.fix)


def _is_cell(raw: Any) -> bool:
    if not isinstance(raw, list) or len(cast(list[Any], raw)) != 2:
        return False
    return all(
        isinstance(v, int) and not isinstance(v, bool) and abs(v) <= _MAX_CELL_INDEX
        for v in cast(list[Any], raw)
    )
