"""Names the file in what is wrong with its fields, and gzips data."""

import gzip
from collections.abc import Generator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from tatc.base.errors import GameFormatError
from tatc.base.file_reading import FIX_COPY_AGAIN
from tatc.base.json_fields import FieldError


@contextmanager
def field_faults_in(path: Path) -> Generator[None]:
    """Turn a `FieldError` into a `GameFormatError` that names this file too."""
    try:
        yield
    except FieldError as fault:
        where = f"{path}: {fault.field}" if fault.field else str(path)
        fix = fault.fix or f"mend the field, or {FIX_COPY_AGAIN}"
        raise GameFormatError(fault.why, where=where, fix=fix) from fault


def gzip_bytes(data: bytes, level: int = 9) -> bytes:
    """Return gzipped data without a name or time, so that equal data give equal bytes."""
    buffer = BytesIO()
    with gzip.GzipFile("", "wb", level, buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()
