"""Reads JSON files, plain or gzipped, with an error for every kind of damage."""

import gzip
import json
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from io import BytesIO
from os.path import isdir  # unlike Path's, it bears any name
from pathlib import Path
from typing import Any

from tatc.errors import BadInput, GameFormatError
from tatc.json_fields import FieldError

MAX_JSON_BYTES = 1 << 28
"""The largest JSON that is read; TEACh's largest game file has a hundredth of it."""

_GZIP_MAGIC = b"\x1f\x8b"
_FIX_COPY_AGAIN = "copy or download the file again"


def load_json(path: Path) -> Any:
    """Return the JSON value in a file, plain or gzipped, whatever its name is.

    NaN and infinities are read as numbers; the readers of fields refuse them.

    Raises:
        BadInput: there is no such file, or it cannot be read.
        GameFormatError: the file is cut off, too large or not JSON.

    """
    data = _decompress(_read_bytes(path), path)
    try:
        return json.loads(data)
    except json.JSONDecodeError as fault:
        why = f"is not JSON: {fault.msg}"
        place = f"{path}: line {fault.lineno} column {fault.colno}"
        raise GameFormatError(why, where=place, fix=_FIX_COPY_AGAIN) from fault
    except (RecursionError, ValueError) as fault:
        said = "it is nested too deeply" if isinstance(fault, RecursionError) else fault
        why = f"is not JSON that can be read: {said}"
        raise GameFormatError(why, where=str(path), fix=_FIX_COPY_AGAIN) from fault


def _read_bytes(path: Path) -> bytes:
    if isdir(path):
        raise BadInput("is a folder", where=str(path), fix="name a file in it")
    try:
        with path.open("rb") as file:
            return file.read(MAX_JSON_BYTES + 1)
    except FileNotFoundError as fault:
        fix = "check the path for a slip"
        raise BadInput("there is no such file", where=str(path), fix=fix) from fault
    except (OSError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or str(fault)
        fix = "check its name and its permissions"
        raise BadInput(f"cannot be read: {why}", where=str(path), fix=fix) from fault


def _decompress(data: bytes, path: Path) -> bytes:
    if data.startswith(_GZIP_MAGIC):
        try:
            with gzip.GzipFile(fileobj=BytesIO(data)) as file:
                data = file.read(MAX_JSON_BYTES + 1)
        except (EOFError, OSError, zlib.error) as fault:
            why = f"is damaged or cut off: {fault}"
            raise GameFormatError(why, where=str(path), fix=_FIX_COPY_AGAIN) from fault
    if len(data) > MAX_JSON_BYTES:
        why = f"holds more than {MAX_JSON_BYTES >> 20} MiB"
        fix = "TEACh's game files are below 3 MiB"
        raise GameFormatError(why, where=str(path), fix=fix)
    return data


@contextmanager
def field_faults_in(path: Path) -> Generator[None]:
    """Turn a `FieldError` into a `GameFormatError` that names this file too."""
    try:
        yield
    except FieldError as fault:
        where = f"{path}: {fault.field}" if fault.field else str(path)
        fix = fault.fix or f"mend the field, or {_FIX_COPY_AGAIN}"
        raise GameFormatError(fault.why, where=where, fix=fix) from fault


def gzip_bytes(data: bytes, level: int = 9) -> bytes:
    """Return gzipped data without a name or time, so that equal data give equal bytes."""
    buffer = BytesIO()
    with gzip.GzipFile("", "wb", level, buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()
