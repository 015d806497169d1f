"""Damage to bytes, whatever they mean: flipped bits, cuts, swapped tokens, damaged gzip."""

import gzip
import re
from collections.abc import Callable
from random import Random

_TOKEN = re.compile(rb"[A-Za-z_]\w*|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[^\s\w]")
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_MAX_TOKENS = 200_000
_MAX_RANGE = 300  # bytes
HOSTILE_NUMBERS = (
    *(b"0", b"-1", b"-0.0", b"1e308", b"-1e308", b"1e999", b"1e-320", b"NaN", b"-Infinity"),
    *(b"2147483648", b"9223372036854775808", b"18446744073709551617", b"1e30", b"9" * 400),
    *(b"9" * 5000, b"0.1", b"01", b"1.", b"-", b"0x10"),
)
HOSTILE_TOKENS = (
    *(b"null", b"true", b'"', b"[", b"]", b"{", b"}", b",", b":", b"\\", b"\x00", b"\xff\xfe"),
    *(b"\\ud800", b"\xed\xa0\x80", b"\x1b[31m", b"\r\n", b"../../x", b"[" * 3000, b'{"a":' * 500),
    *(b"%s%n", b"\xe2\x80\xae", b"a" * 70_000),
)
Mutator = Callable[[bytes, Random], bytes]


def flip_bits(data: bytes, rng: Random) -> bytes:
    """Return the data with one to eight bits flipped."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def truncate(data: bytes, rng: Random) -> bytes:
    """Return the beginning of the data: often most of it, sometimes almost nothing."""
    most = max(len(data) - rng.randrange(1, 40), 0)
    return data[: rng.choice((rng.randrange(len(data) + 1), most, rng.randrange(20)))]


def delete_range(data: bytes, rng: Random) -> bytes:
    """Return the data without some bytes in the middle."""
    at, length = _range_in(data, rng)
    return data[:at] + data[at + length :]


def repeat_range(data: bytes, rng: Random) -> bytes:
    """Return the data with some bytes in the middle written up to a thousand times."""
    at, length = _range_in(data, rng)
    times = rng.choice((1, 2, 10, 1000))
    return data[:at] + data[at : at + length] * times + data[at:]


def overwrite_range(data: bytes, rng: Random) -> bytes:
    """Return the data with some bytes replaced by zeros or noise."""
    at, length = _range_in(data, rng)
    new = bytes(length) if rng.random() < 0.5 else rng.randbytes(length)
    return data[:at] + new + data[at + length :]


def insert_token(data: bytes, rng: Random) -> bytes:
    """Return the data with something hostile in between."""
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(HOSTILE_TOKENS) + data[at:]


def swap_tokens(data: bytes, rng: Random) -> bytes:
    """Return the data with one word, number or sign in the place of another."""
    found = list(_TOKEN.finditer(data[:_MAX_TOKENS]))
    if len(found) < 2:
        return flip_bits(data, rng)
    one, other = rng.sample(found, 2)
    return data[: one.start()] + other.group() + data[one.end() :]


def replace_number(data: bytes, rng: Random) -> bytes:
    """Return the data with one number replaced by one that is out of range or none."""
    found = list(_NUMBER.finditer(data[:_MAX_TOKENS]))
    if not found:
        return flip_bits(data, rng)
    one = rng.choice(found)
    return data[: one.start()] + rng.choice(HOSTILE_NUMBERS) + data[one.end() :]


def append_bytes(data: bytes, rng: Random) -> bytes:
    """Return the data with more after its end."""
    return data + rng.choice((data, rng.randbytes(20), b"\n", b"\x00" * 5000, b"}"))


def replace_all(data: bytes, rng: Random) -> bytes:
    """Return other data altogether."""
    return rng.choice((b"", b"\n", b"null", b"[]", b"{}", b'""', b"0", rng.randbytes(500)))


BYTE_MUTATORS: tuple[Mutator, ...] = (
    *(flip_bits, flip_bits, truncate, delete_range, repeat_range, overwrite_range),
    *(insert_token, swap_tokens, swap_tokens, replace_number, append_bytes, replace_all),
)


def mutate_bytes(data: bytes, rng: Random) -> bytes:
    """Return the data damaged in one way."""
    return rng.choice(BYTE_MUTATORS)(data, rng)


def damage_gzip(packed: bytes, rng: Random) -> bytes:
    """Return damaged gzip: its bytes, its checksum, several members, or more after it."""
    whole = gzip.decompress(packed)
    return rng.choice(
        (
            lambda: mutate_bytes(packed, rng),
            lambda: packed[:-8] + rng.randbytes(4) + packed[-4:],
            lambda: packed[:-4] + rng.randbytes(4),
            lambda: packed + _gzip(b"[" * rng.choice((1, 10**5, 10**7))),
            lambda: packed + b"more",
            lambda: _gzip(b"") * rng.choice((2, 3000)) + packed,
            lambda: _gzip(b" " * (40 << 20)),
            lambda: _gzip(_gzip(whole)),
        )
    )()


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, 1, mtime=0)  # the same seed gives the same bytes


def _range_in(data: bytes, rng: Random) -> tuple[int, int]:
    at = rng.randrange(len(data) + 1)
    return at, min(rng.randrange(1, _MAX_RANGE), len(data) - at)
