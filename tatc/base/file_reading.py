"""Reads files within their limits: regular files only, and no more than their kind may hold.

Size, packed and unpacked, is limited before a file is read, nesting and number of its JSON values
before they are parsed: a small file cannot take gigabytes, and a pipe or a device cannot block.
"""

import gc
import gzip
import json
import os
import stat
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from math import isinf
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from tatc.base.file_limits import LINES_FILE, MEBIBYTE, FileLimits

_PLAIN_DECODER = json.JSONDecoder()
_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = zlib.MAX_WBITS | 16
_GZIP_MEMBER_MAGIC = b"\x1f\x8b\x08"
_MAX_GZIP_MEMBERS = 1000  # each costs some 20 microseconds, even an empty one
_WITHOUT_DELAY = getattr(os, "O_NONBLOCK", 0)  # a pipe would wait for its other end


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ValueError(f"{text[:40]} is no number")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


FINITE_NUMBERS = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse_constant)
"""Refuses NaN and infinities, which the JSON that tatc prints may not hold."""


def open_regular(path: Path, limits: FileLimits) -> BinaryIO:
    """Open a regular file to read its bytes; a symbolic link to one is followed.

    Raises:
        limits.error: there is no such file, it is a folder, a pipe or a device, or it cannot be
            read.

    """
    try:
        # Looked at before it is opened, because opening a device may do something.
        _check_regular(os.stat(path), path, limits)
        file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | _WITHOUT_DELAY))
    except FileNotFoundError as fault:
        fix = "check the path for a slip"
        raise limits.error("there is no such file", where=str(path), fix=fix) from fault
    except (OSError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or str(fault)
        fix = "check its name and its permissions"
        raise limits.error(f"cannot be read: {why}", where=str(path), fix=fix) from fault
    try:
        _check_regular(os.fstat(file.fileno()), path, limits)
    except limits.error:
        file.close()
        raise
    return file


def check_file(path: Path, limits: FileLimits) -> int:
    """Check a file that a library opens by its path; return its size in bytes.

    Raises:
        limits.error: see `open_regular`, or the file is too large.

    """
    with open_regular(path, limits) as file:
        size = os.fstat(file.fileno()).st_size
    _check_size(size, path, limits)
    return size


def read_bytes(path: Path, limits: FileLimits) -> bytes:
    """Return the bytes of a regular file, as they are.

    Raises:
        limits.error: see `check_file`.

    """
    with open_regular(path, limits) as file:
        _check_size(os.fstat(file.fileno()).st_size, path, limits)
        try:
            data = file.read(limits.max_bytes + 1)
        except OSError as fault:
            why = f"cannot be read: {fault.strerror or fault}"
            raise limits.error(why, where=str(path), fix=limits.fix) from fault
    _check_size(len(data), path, limits)
    return data


def read_head(path: Path, limits: FileLimits, size: int) -> bytes:
    """Return the first `size` bytes of what a file holds, gzipped or not; fewer if it is damaged.

    Raises:
        limits.error: see `open_regular`.

    """
    with open_regular(path, limits) as file:
        try:
            data = file.read(size)
            packed = data.startswith(_GZIP_MAGIC)
            return zlib.decompressobj(_GZIP_WINDOW).decompress(data, size) if packed else data
        except (OSError, zlib.error):
            return b""


def read_json(path: Path, limits: FileLimits, decoder: json.JSONDecoder = _PLAIN_DECODER) -> Any:
    """Return the JSON value in a file, plain or gzipped, whatever its name is.

    NaN and infinities are read as numbers, unless the decoder refuses them.

    Raises:
        limits.error: see `check_file`, or the file is cut off or not JSON, unpacks to too much,
            or holds too many values.

    """
    return parse_json(_unpack(read_bytes(path, limits), path, limits), str(path), limits, decoder)


def parse_json(
    data: bytes, where: str, limits: FileLimits, decoder: json.JSONDecoder = _PLAIN_DECODER
) -> Any:
    """Return the JSON value in UTF-8; `where` names the file in errors, which `limits` types."""
    try:
        if len(data) > limits.max_bytes:
            raise ValueError(f"it is longer than {limits.max_bytes} bytes")
        _check_structure(data, limits)
        with _collection_paused():
            return decoder.decode(_decode(data))
    except json.JSONDecodeError as fault:
        why, where = f"is not JSON: {fault.msg}", f"{where}: line {fault.lineno}"
        where = f"{where} column {fault.colno}"
        raise limits.error(why, where=where, fix=limits.fix) from fault
    except RecursionError as fault:
        why = "is not JSON that can be read: it is nested too deeply"
        raise limits.error(why, where=where, fix=limits.fix) from fault
    except ValueError as fault:
        # Python's own words about long integers advise programmers.
        what = "a number in it has too many digits" if "integer string" in str(fault) else fault
        why = f"is not JSON that can be read: {what}"
        raise limits.error(why, where=where, fix=limits.fix) from fault


@contextmanager
def _collection_paused() -> Generator[None]:
    """Let Python look for no garbage inside.

    What a parser makes holds none, and while it is made, looking takes a third of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise ValueError("it is not text in UTF-8") from fault


def read_lines(path: Path, limits: FileLimits) -> Iterator[bytes]:
    """Yield the complete lines of a file, without their ends; none if there is no file.

    A last line without an end was cut off as it was written, and is left out.  Of a line that is
    too long, the beginning comes, one byte longer than the limit.

    Raises:
        limits.error: the file cannot be read, or is too large.

    """
    if not exists(path):
        return
    with open_regular(path, limits) as file:
        size = os.fstat(file.fileno()).st_size
        _check_size(size, path, replace(limits, max_bytes=LINES_FILE.max_bytes))
        while line := file.readline(limits.max_bytes + 1):
            while not line.endswith(b"\n"):
                rest = file.readline(limits.max_bytes)
                if not rest:
                    return
                line = line[: limits.max_bytes + 1] + rest[-1:]
            yield line[:-1]


def _check_regular(facts: os.stat_result, path: Path, limits: FileLimits) -> None:
    if stat.S_ISDIR(facts.st_mode):
        raise limits.error("is a folder", where=str(path), fix="name a file in it")
    if not stat.S_ISREG(facts.st_mode):
        raise limits.error("is no regular file", where=str(path), fix="name a file")


def _check_size(size: int, path: Path, limits: FileLimits) -> None:
    if size > limits.max_bytes:
        why = f"holds more than {_size_words(limits.max_bytes)}, the limit for its kind of file"
        raise limits.error(why, where=str(path), fix=limits.fix)


def _size_words(size: int) -> str:
    return f"{size // MEBIBYTE} MiB" if size >= MEBIBYTE else f"{size:,} bytes"


def _unpack(data: bytes, path: Path, limits: FileLimits) -> bytes:
    """Return what gzipped data hold; other data as they are."""
    if not data.startswith(_GZIP_MAGIC):
        return data
    try:
        if data.count(_GZIP_MEMBER_MAGIC) > _MAX_GZIP_MEMBERS:
            raise ValueError(f"it has more than {_MAX_GZIP_MEMBERS} parts")
        with gzip.GzipFile(fileobj=BytesIO(data)) as file:
            unpacked = file.read(limits.max_bytes + 1)
    except (EOFError, OSError, ValueError, zlib.error) as fault:
        why = f"is damaged or cut off: {fault}"
        raise limits.error(why, where=str(path), fix=limits.fix) from fault
    _check_size(len(unpacked), path, limits)
    return unpacked


_STRUCTURE = b'[]{},:"'
_TO_LISTS = bytes.maketrans(b"{}", b"[]")
_NO_STRUCTURE = bytes(set(range(256)).difference(_STRUCTURE))
_MAX_QUOTES_PER_VALUE = 4  # those of a key and of a text


def _check_structure(data: bytes, limits: FileLimits) -> None:
    """Check nesting and number of values, by brackets and commas outside of texts.

    A list or object in another is counted by its bracket and again by the comma after it.

    Raises:
        ValueError: there are too many values, or they are nested too deeply.

    """
    if b"\\" in data:  # a quote after an odd number of backslashes ends no text
        data = data.replace(rb"\\", b"").replace(rb"\"", b"")
    marks = data.translate(_TO_LISTS, _NO_STRUCTURE).replace(b'""', b"")
    if marks.count(b'"') <= _MAX_QUOTES_PER_VALUE * limits.max_values:
        marks = b"".join(marks.split(b'"')[::2])
    if marks.count(b"[") + marks.count(b",") + marks.count(b'"') > limits.max_values:
        raise ValueError(f"it holds more than {limits.max_values} values")
    marks = marks.translate(None, b",:")
    for _ in range(limits.max_depth):
        outer = marks.replace(b"[]", b"")
        if len(outer) == len(marks):
            return  # nothing is left, or the parser will say what does not match
        marks = outer
    if marks:
        raise ValueError(f"it is nested deeper than {limits.max_depth} levels")
