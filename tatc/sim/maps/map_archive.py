"""Recorded maps as archives, floor plan by floor plan; and the one that tatc ships.

An archive is a zip file: `map.json` has the name and the hash of the map, and every other entry is
a map file of one floor plan.  So a session reads its own plan of half a megabyte, and no more.  The
shipped map is made again, byte by byte, from TEACh's 1,482 train games:

    tatc maps build games/ --without-plans 3,16,27,205,223,317,408,419 --name shipped --out FILE.zip
"""

import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, BadZipFile, ZipFile, ZipInfo

from tatc.base import files, json_fields
from tatc.base.errors import BadInput, MapFormatError
from tatc.sim.maps import recorded_map as maps

SHIPPED_FILE = Path(__file__).parent / "data" / "teach-train.map.zip"
SUFFIX = ".zip"
ARCHIVE_FORMAT = "tatc-map-archive-1"
_INDEX, _NOTICE_ENTRY = "map.json", "NOTICE.txt"
_PLAN_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
_SHIPPED_PLAN = re.compile(r"FloorPlan[1-9][0-9]{0,2}")
_NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip file can say


def archive_bytes(recorded_map: maps.RecordedMap) -> bytes:
    """Return a map as an archive; equal maps give equal bytes."""
    content, buffer = recorded_map.content, BytesIO()
    plans = sorted({*content.visited, *content.refused, *content.evidence})
    if strange := [plan for plan in plans if not _PLAN_NAME.fullmatch(plan)]:
        raise BadInput(f"{strange[0]!r} cannot be the name of an entry", fix="write a map.json")
    index = {"format": ARCHIVE_FORMAT, "name": recorded_map.name, "hash": recorded_map.hash}
    with ZipFile(buffer, "w") as archive:
        _add(archive, _INDEX, json.dumps(index).encode())
        _add(archive, _NOTICE_ENTRY, SHIPPED_FILE.with_name(_NOTICE_ENTRY).read_bytes())
        for plan in plans:
            part = maps.RecordedMap(recorded_map.name, content.of_plan(plan))
            _add(archive, f"{plan}.json", maps.map_bytes(part))
    return buffer.getvalue()


def write_map(recorded_map: maps.RecordedMap, path: Path, *, force: bool = False) -> None:
    """Write a map, as an archive if the name ends so; replace an existing file with `force`."""
    if path.suffix == SUFFIX:
        files.write_atomically(archive_bytes(recorded_map), path, force=force)
    else:
        maps.write_recorded_map(recorded_map, path, force=force)


def _add(archive: ZipFile, name: str, data: bytes) -> None:
    entry = ZipInfo(name, _NO_TIME)
    entry.create_system, entry.external_attr = 3, 0o644 << 16  # the same on every system
    archive.writestr(entry, data, ZIP_BZIP2)


@lru_cache(maxsize=4)
def read_index(path: Path) -> tuple[str, str]:
    """Return the name and the hash of the map in an archive."""
    with _opened(path) as archive:
        return _index_of(archive, path)


@lru_cache(maxsize=128)
def read_plan(path: Path, plan: str) -> maps.RecordedMap | None:
    """Return what an archive holds of a floor plan, None where it holds nothing of it.

    A place that has not the name of one of iTHOR's plans is in no map that tatc ships: for such a
    place that file is not opened.
    """
    if path == SHIPPED_FILE and not _SHIPPED_PLAN.fullmatch(plan):
        return None
    with _opened(path) as archive:
        name, content_hash = _index_of(archive, path)
        if f"{plan}.json" not in archive.namelist() or f"{plan}.json" in (_INDEX, _NOTICE_ENTRY):
            return None
        raw = _read_entry(archive, f"{plan}.json", path)
    part = maps.parse_recorded_map(raw, f"{path}: {plan}.json")
    return maps.RecordedMap(name, part.content, whole_hash=content_hash)


def _index_of(archive: ZipFile, path: Path) -> tuple[str, str]:
    raw = _read_entry(archive, _INDEX, path)
    with json_fields.errors_in(f"{path}: {_INDEX}", MapFormatError, _fix_of(path)):
        index = json_fields.as_mapping(raw, "")
        if index.get("format") != ARCHIVE_FORMAT:
            raise json_fields.FieldError("format", f"should be {ARCHIVE_FORMAT!r}")
        return json_fields.get_text(index, "name"), json_fields.get_text(index, "hash")


def _read_entry(archive: ZipFile, name: str, path: Path) -> Any:
    limits = files.RECORDED_MAP
    entry = archive.getinfo(name)
    if entry.file_size > limits.max_bytes or entry.compress_type != ZIP_BZIP2:
        raise BadZipFile(f"its entry {name} is none of a map's")
    return files.parse_json(archive.read(entry), f"{path}: {name}", limits)


@contextmanager
def _opened(path: Path) -> Generator[ZipFile]:
    """Open an archive; what is no archive, or is damaged, is a MapFormatError."""
    data = files.read_bytes(path, files.RECORDED_MAP)
    try:
        with ZipFile(BytesIO(data)) as archive:
            yield archive
    except (BadZipFile, KeyError, EOFError, OSError, ValueError, RuntimeError) as fault:
        why = f"is damaged, or no archive of a map: {fault}"
        raise MapFormatError(why, where=str(path), fix=_fix_of(path)) from fault


def _fix_of(path: Path) -> str:
    return "install tatc again" if path == SHIPPED_FILE else files.RECORDED_MAP.fix
