"""Reads and writes files: within limits, and whole or not at all.

Only regular files are read.  A file's size, packed and unpacked, is limited before it is read, and
the nesting and number of its JSON values before they are parsed: a small file cannot take
gigabytes, and a pipe or a device cannot block.  The limits are in one table, which
`docs/reference/security.md` explains.
"""

import gzip
import json
import os
import stat
import threading
import tomllib
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from io import BytesIO
from math import isinf
from os.path import exists, isdir, isfile  # unlike Path's, these accept any name
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import orjson

from tatc.base import errors


def check_writable(path: Path, *, force: bool) -> None:
    """Raise an OutputError if a file exists, without `force`, or its folder cannot take it."""
    _refuse_stdout(path)
    if isdir(path):
        raise errors.OutputError("is a folder", where=str(path), fix="name a file in it")
    if exists(path) and not isfile(path):
        raise errors.OutputError("is no plain file", where=str(path), fix="name another file")
    if exists(path) and not force:
        fix = "give --force to replace it, or another name"
        raise errors.OutputError("there is a file already", where=str(path), fix=fix)
    if not isdir(path.parent):
        make = f"make the folder first: mkdir -p {path.parent}"
        fix = "it is a file: name another place" if isfile(path.parent) else make
        raise errors.OutputError("there is no such folder", where=str(path.parent), fix=fix)
    if not os.access(path.parent, os.W_OK | os.X_OK):
        fix = "name a folder that is yours"
        raise errors.OutputError("its folder takes no files", where=str(path), fix=fix)
    try:
        os.lstat(path)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as fault:
        why = f"cannot be written: {getattr(fault, 'strerror', None) or fault}"
        raise errors.OutputError(why, where=str(path)[:100], fix="name another file") from fault


def _refuse_stdout(path: Path) -> None:
    if str(path) == "-":
        why = "is no file: what is written here does not go to stdout"
        raise errors.OutputError(why, where="-", fix="name a file or a folder")


def make_folder(path: Path, *, fix: str = "name another place") -> None:
    """Make a folder, and those it lies in, where they do not exist."""
    _refuse_stdout(path)
    with errors.os_errors_as(errors.OutputError, "cannot be made", path, fix=fix):
        path.mkdir(parents=True, exist_ok=True)


def append_text(text: str, path: Path, *, fix: str) -> None:
    """Add text to a file, which is made if missing; a pipe that nobody reads is an error."""

    def opened(path: str, flags: int) -> int:
        return os.open(path, flags | _WITHOUT_DELAY, _NEW_FILE_MODE)

    with (
        errors.os_errors_as(errors.OutputError, "cannot be written", path, fix=fix),
        open(path, "a", encoding="utf-8", opener=opened) as file,
    ):
        file.write(text)


def write_atomically(data: bytes, path: Path, *, force: bool) -> None:
    """Write a file so that it is there whole or not at all."""
    check_writable(path, force=force)
    # A process and its threads may write side by side into one folder.
    draft = path.parent / f".tatc-{os.getpid()}-{threading.get_ident():x}"
    try:
        why, fix = "cannot be written", "name another place"
        with errors.os_errors_as(errors.OutputError, why, path, fix=fix):
            with draft.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


MEBIBYTE = 1 << 20
FIX_COPY_AGAIN = "copy or download the file again"
FIX_MAKE_ROOM = "make room there, and give the same command again"


@dataclass(frozen=True, slots=True)
class FileLimits:
    """The limits of one kind of file.

    `max_bytes` limits the file, and what it holds once unpacked; for a file of lines, one line.
    `max_depth` limits how deeply JSON objects and lists are nested, `max_values` how many values
    there are, objects and lists included.  Faults are raised as `error`, with the advice `fix`.
    """

    max_bytes: int
    max_depth: int = 64
    max_values: int = 2_000_000
    error: type[errors.BadInput] = errors.BadInput
    fix: str = FIX_COPY_AGAIN


@cache
def package_table(package: str, name: str) -> Any:
    """Return the JSON or TOML in a file of a package of tatc's, the same value at each call."""
    parse = tomllib.loads if name.endswith(".toml") else json.loads
    return parse(resources.files(package).joinpath(name).read_text("utf-8"))


def _limits(kind: str) -> FileLimits:
    given = dict(package_table("tatc.base", "file_limits.toml")[kind])
    error = getattr(errors, given.pop("error", "BadInput"))
    return FileLimits(given.pop("kibibytes") * 1024, error=error, **given)


GAME = _limits("game")
METADATA_DUMP = _limits("metadata_dump")
ROOM = _limits("room")
TASK = _limits("task")
RECORDED_MAP = _limits("recorded_map")
ALFRED_FILE = _limits("alfred_file")
TRAJECTORY = _limits("trajectory")
RUN = _limits("run")
CARD = _limits("card")
RUN_CONTENTS = _limits("run_contents")
RESULT_LINE = _limits("result_line")
FIDELITY_REPORT = _limits("fidelity_report")
BLAME = _limits("blame")
CACHE_LINE = _limits("cache_line")
EXAMPLES = _limits("examples")
TRAINING_NOTE = _limits("training_note")
MODEL_ANSWER = _limits("model_answer")
CACHED_ANSWER = _limits("cached_answer")
DIALOGUE = _limits("dialogue")
MEMORY_LINE = _limits("memory_line")
MEMORY = _limits("memory")
MAX_MEMORY_ENTRIES = 10_000  # how many goals a memory may hold
POLICY = _limits("policy")
BREAKPOINTS = _limits("breakpoints")
NETWORK_CHECKPOINT = _limits("network_checkpoint")
MAX_HEADER_BYTES = 4 * MEBIBYTE
TORCH_FILE = _limits("torch_file")
MAX_PICKLE_BYTES = 8 * MEBIBYTE  # the largest pickle in such a file; its tensors lie apart
MAX_STATE_OBJECTS = 1000
"""How many objects a state or a room may hold; iTHOR's homes hold about 150."""
MAX_INTERACTIONS = 10_000  # how many interactions, utterances or decisions a session may hold
MAX_SUBGOALS = 200
"""How many subgoals the plan of a trajectory may have; ALFRED's longest have about 20."""
MAX_TASK_DEPTH = 16  # how deeply tasks may be nested; TEACh's are nested 4 deep
MAX_TASK_PARTS = 5000
"""How many components, conditions and texts a task may have, those of nested tasks included."""
MAX_TASK_TEXT = 2000  # the longest text of a task in characters, parameters filled in
MAX_NEEDED_OBJECTS = 1_000_000
"""How many objects of one component a task may ask for, numbers of nested tasks multiplied."""
LINES_FILE = _limits("lines_file")
TOOL_CALL = _limits("tool_call")
DEMONSTRATION = _limits("demonstration")
CLIENT_TOKENS = _limits("client_tokens")


_PLAIN_DECODER = json.JSONDecoder()
_NUMBERS = bytes(48 if c in b"0123456789" else c if c in b"." else 32 for c in range(256))
_LONG_INTEGER = b" " + b"0" * 19  # of which orjson would make a float
_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = zlib.MAX_WBITS | 16
_GZIP_MEMBER_MAGIC = b"\x1f\x8b\x08"
_MAX_GZIP_MEMBERS = 1000  # each costs about 20 microseconds, even an empty one
_STRUCTURE = b'[]{},:"'
_TO_LISTS = bytes.maketrans(b"{}", b"[]")
_NO_STRUCTURE = bytes(set(range(256)).difference(_STRUCTURE))
_MAX_QUOTES_PER_VALUE = 4  # those of a key and of a text
_WITHOUT_DELAY = getattr(os, "O_NONBLOCK", 0)  # a pipe would wait for its other end
_NEW_FILE_MODE = 0o666  # less what the user's umask takes away


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
    """Open a regular file to read its bytes; a symbolic link to one is followed."""
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


def read_stream(stream: BinaryIO, where: str, limits: FileLimits) -> str:
    """Return the text of a stream that is no file, such as stdin, within the limits of a kind."""
    data = stream.read(limits.max_bytes + 1)
    _check_size(len(data), Path(where), limits)
    return decode_text(data, where, limits)


def decode_text(data: bytes, where: str, limits: FileLimits) -> str:
    """Return bytes as the text in UTF-8 that they are, or raise the kind's error."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise limits.error("is no text in UTF-8", where=where, fix=limits.fix) from fault


def check_file(path: Path, limits: FileLimits) -> int:
    """Check a file that a library opens by its path; return its size in bytes."""
    with open_regular(path, limits) as file:
        size = os.fstat(file.fileno()).st_size
    _check_size(size, path, limits)
    return size


def read_bytes(path: Path, limits: FileLimits) -> bytes:
    """Return the bytes of a regular file, as they are."""
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
    """Return the first `size` bytes of a file, gzipped or not; fewer if it is damaged."""
    with open_regular(path, limits) as file:
        try:
            data = file.read(size)
            packed = data.startswith(_GZIP_MAGIC)
            return zlib.decompressobj(_GZIP_WINDOW).decompress(data, size) if packed else data
        except (OSError, zlib.error):
            return b""


def read_json(path: Path, limits: FileLimits, decoder: json.JSONDecoder = _PLAIN_DECODER) -> Any:
    """Return the JSON in a file, plain or gzipped; NaN is read unless the decoder refuses it."""
    return parse_json(_unpack(read_bytes(path, limits), path, limits), str(path), limits, decoder)


def parse_json(
    data: bytes, where: str, limits: FileLimits, decoder: json.JSONDecoder = _PLAIN_DECODER
) -> Any:
    """Return the JSON value in UTF-8; errors name `where` and have the type in `limits`."""
    try:
        if len(data) > limits.max_bytes:
            raise ValueError(f"it is longer than {limits.max_bytes} bytes")
        _check_structure(data, limits)
        numbers = b" " + data.translate(_NUMBERS)  # all digits are 0 there
        if decoder.object_pairs_hook is None and _LONG_INTEGER not in numbers:
            with suppress(orjson.JSONDecodeError):  # it refuses what decoders may read, as NaN
                return orjson.loads(data)
        return decoder.decode(data.decode("utf-8-sig"))
    except json.JSONDecodeError as fault:
        why, where = f"is not JSON: {fault.msg}", f"{where}: line {fault.lineno}"
        where = f"{where} column {fault.colno}"
        raise limits.error(why, where=where, fix=limits.fix) from fault
    except RecursionError as fault:
        why = "is not JSON that can be read: it is nested too deeply"
        raise limits.error(why, where=where, fix=limits.fix) from fault
    except UnicodeDecodeError as fault:
        why = "is not JSON that can be read: it is not text in UTF-8"
        raise limits.error(why, where=where, fix=limits.fix) from fault
    except ValueError as fault:
        # Python's own words about long integers advise programmers.
        what = "a number in it has too many digits" if "integer string" in str(fault) else fault
        why = f"is not JSON that can be read: {what}"
        raise limits.error(why, where=where, fix=limits.fix) from fault


def read_lines(path: Path, limits: FileLimits) -> Iterator[bytes]:
    """Yield the complete lines of a file, without their ends; none if there is no file.

    A last line without an end was cut off as it was written, and is left out.  A line beyond the
    limit is cut to limit + 1 bytes.
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
        most = limits.max_bytes
        words = f"{most // MEBIBYTE} MiB" if most >= MEBIBYTE else f"{most:,} bytes"
        why = f"holds more than {words}, the limit for its kind of file"
        raise limits.error(why, where=str(path), fix=limits.fix)


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


def _check_structure(data: bytes, limits: FileLimits) -> None:
    """Check nesting and number of values, by brackets and commas outside of texts.

    A list or object in another is counted by its bracket and again by the comma after it.  A
    ValueError says what is too much.
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
