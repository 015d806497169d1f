"""Damages a file as its format allows: JSON stays JSON, an archive an archive, most of the time."""

import gzip
import json
import re
import struct
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from zipfile import ZIP_STORED, ZipFile

from benchmarks.fuzz.mutate_bytes import Mutator, damage_gzip, mutate_bytes
from benchmarks.fuzz.mutate_json import mutate_json

_JSON_STAYS_JSON = 0.7
_ARCHIVE_STAYS_ARCHIVE = 0.7
_LENGTH = re.compile(rb"(?i)(content-length:) *\d+")
_SAFETENSORS_LENGTH = struct.Struct("<Q")
_NPY_HEADER_LENGTH = struct.Struct("<H")
_NPY_HEADER_AT = 8


def mutate_file(path: Path, rng: Random) -> None:
    """Damage a file in place, as its suffix says what it is."""
    mutator = _MUTATOR_BY_SUFFIX.get(path.suffix, mutate_bytes)
    path.write_bytes(mutator(path.read_bytes(), rng))


def _mutate_json_bytes(data: bytes, rng: Random) -> bytes:
    if rng.random() >= _JSON_STAYS_JSON:
        return mutate_bytes(data, rng)
    return mutate_json(json.loads(data), rng)


def _mutate_json_lines(data: bytes, rng: Random) -> bytes:
    """Damage a line, or the order, number and ends of the lines."""
    lines = data.split(b"\n")
    at = rng.choice([i for i, line in enumerate(lines) if line] or [0])
    match rng.randrange(8):
        case 0:
            lines.insert(at, rng.choice(lines))
        case 1:
            del lines[at]
        case 2:
            rng.shuffle(lines)
        case 3:
            return mutate_bytes(data, rng)
        case _ if lines[at]:
            lines[at] = _mutate_json_bytes(lines[at], rng)
        case _:
            pass
    return b"\n".join(lines)


def _mutate_gzip(data: bytes, rng: Random) -> bytes:
    if rng.random() >= _ARCHIVE_STAYS_ARCHIVE:
        return damage_gzip(data, rng)
    return gzip.compress(_mutate_json_bytes(gzip.decompress(data), rng), 1, mtime=0)


def _mutate_zip(data: bytes, rng: Random) -> bytes:
    """Damage a member and pack the archive anew, so that its checksums hold."""
    if rng.random() >= _ARCHIVE_STAYS_ARCHIVE:
        return mutate_bytes(data, rng)
    with ZipFile(BytesIO(data)) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    at = rng.randrange(len(members))
    if rng.random() < 0.5:  # a pickle's own members are few among its tensors
        at = next((i for i, (name, _) in enumerate(members) if name.endswith(".pkl")), at)
    name, content = members[at]
    members[at] = (name, (_mutate_npy if name.endswith(".npy") else mutate_bytes)(content, rng))
    if rng.random() < 0.1:
        del members[rng.randrange(len(members))]
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_STORED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return packed.getvalue()


def _mutate_safetensors(data: bytes, rng: Random) -> bytes:
    """Damage the header and write its length anew, or damage any byte."""
    if rng.random() >= _JSON_STAYS_JSON:
        return mutate_bytes(data, rng)
    (length,) = _SAFETENSORS_LENGTH.unpack_from(data)
    start = _SAFETENSORS_LENGTH.size
    header = json.loads(data[start : start + length])
    texts = header.get("__metadata__", {})
    holds_json = [name for name, text in texts.items() if text[:1] in ("[", "{")]
    if holds_json and rng.random() < 0.5:
        name = rng.choice(holds_json)
        texts[name] = mutate_json(json.loads(texts[name]), rng).decode("utf-8", "replace")
        new = json.dumps(header).encode()
    else:
        new = mutate_json(header, rng)
    return _SAFETENSORS_LENGTH.pack(len(new)) + new + data[start + length :]


def _mutate_npy(data: bytes, rng: Random) -> bytes:
    """Damage the header and write its length anew, or damage any byte."""
    start = _NPY_HEADER_AT + _NPY_HEADER_LENGTH.size
    if rng.random() >= _JSON_STAYS_JSON or len(data) < start:
        return mutate_bytes(data, rng)
    (length,) = _NPY_HEADER_LENGTH.unpack_from(data, _NPY_HEADER_AT)
    header = mutate_bytes(data[start : start + length], rng)[:60_000]
    return data[:_NPY_HEADER_AT] + _NPY_HEADER_LENGTH.pack(len(header)) + header + data[start:]


def _mutate_http(data: bytes, rng: Random) -> bytes:
    """Damage the body and write its length anew, or damage any byte."""
    head, blank, body = data.partition(b"\r\n\r\n")
    if not body or rng.random() >= _JSON_STAYS_JSON:
        return mutate_bytes(data, rng)
    body = _mutate_json_bytes(body, rng)
    head = _LENGTH.sub(lambda match: match[1] + b" %d" % len(body), head)
    return head + blank + body


_MUTATOR_BY_SUFFIX: dict[str, Mutator | Callable[[bytes, Random], bytes]] = {
    ".json": _mutate_json_bytes,
    ".jsonl": _mutate_json_lines,
    ".gz": _mutate_gzip,
    ".pth": _mutate_zip,
    ".pt": _mutate_zip,
    ".npz": _mutate_zip,
    ".npy": _mutate_npy,
    ".safetensors": _mutate_safetensors,
    ".http": _mutate_http,
}
