"""Files: read within limits, and added to; what is too large, deep or no file is one line."""

import gc
import gzip
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from tatc.base.errors import BadInput, GameFormatError, OutputError
from tatc.base.files import (
    GAME,
    ROOM,
    FileLimits,
    append_text,
    check_file,
    parse_json,
    read_bytes,
    read_head,
    read_json,
    read_lines,
)
from tatc.session.records import read_game, read_game_header, read_instance, read_record
from tatc.session.records.trajectory import read_alfred_cells, read_trajectory
from tatc.sim.maps.recorded_map import read_recorded_map
from tatc.sim.rooms import load_room
from tatc.tdl.task_files import read_json_file

SMALL = FileLimits(max_bytes=1000, max_depth=4, max_values=20, error=GameFormatError)
READERS: dict[str, Callable[[Path], object]] = {
    "a.game.json": read_game,
    "b.game.json.gz": read_game_header,
    "c.record.game.json": read_record,
    "d.edh0.json": read_instance,
    "f.room.json": load_room,
    "g.map.json": read_recorded_map,
    "h.task.json": read_json_file,
    "traj_data.json": read_alfred_cells,
    "i.traj.json": read_trajectory,
    "FloorPlan1-layout.npy": read_alfred_cells,
}


def _refuse(read: Callable[[Path], object], path: Path) -> str:
    """Return the line with which a reader refuses a file."""
    with pytest.raises(BadInput) as caught:
        read(path)
    line = str(caught.value)
    assert line.startswith(str(path)) and "\n" not in line and len(line) < 500
    return line


@pytest.mark.parametrize("name", READERS)
def test_only_regular_files_are_read(name: str, tmp_path: Path) -> None:
    """A pipe without a writer would block for ever, and /dev/zero never ends."""
    path, read = tmp_path / name, READERS[name]
    assert "there is no such file" in _refuse(read, path)
    os.mkfifo(path)
    assert "is no regular file" in _refuse(read, path)
    path.unlink()
    path.symlink_to("/dev/zero")
    assert "is no regular file" in _refuse(read, path)
    path.unlink()
    path.mkdir()
    assert "is a folder" in _refuse(read, path)
    path.rmdir()
    path.symlink_to(name)
    assert "cannot be read" in _refuse(read, path)


@pytest.mark.parametrize("name", [name for name in READERS if "json" in name])
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (lambda: b"[" * 100 + b"]" * 100, "nested deeper than"),
        (lambda: b"[" + b"[]," * 9_000_000 + b"[]]", "holds more than"),
        (lambda: b" " * (129 << 20), "holds more than"),
    ],
    ids=["deep", "lists", "blank"],
)
def test_what_takes_memory_is_refused_before_it_is_parsed(
    name: str,
    data: Callable[[], bytes],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of these files has less than 600 kB."""
    path = tmp_path / name
    path.write_bytes(gzip.compress(data(), 1))
    monkeypatch.setattr(json.JSONDecoder, "decode", lambda *_: pytest.fail("it was parsed"))
    assert why in _refuse(READERS[name], path)


@pytest.mark.parametrize("name", [name for name in READERS if "json" in name])
def test_damaged_gzip_is_one_line(name: str, tmp_path: Path) -> None:
    whole, path = gzip.compress(json.dumps({"tasks": list(range(9999))}).encode()), tmp_path / name
    for at in range(0, len(whole), len(whole) // 20):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        _refuse(READERS[name], path)
        path.write_bytes(whole[:at])
        _refuse(READERS[name], path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('[]{},:"\\a\n', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text('[,"\\:'), inner, max_size=5)
    ),
    max_leaves=30,
)


def _measure(value: Any) -> tuple[int, int]:
    """Return the depth of a JSON value, and the number of values in it."""
    if not isinstance(value, dict | list):
        return 0, 1
    inner = [_measure(each) for each in (value.values() if isinstance(value, dict) else value)]
    return 1 + max((depth for depth, _ in inner), default=0), 1 + sum(n for _, n in inner)


@given(json_values, st.sampled_from([None, 1]), st.booleans())
def test_depth_is_exact_and_values_count_once_or_twice(value: Any, indent: int | None, ascii: bool):
    data = json.dumps(value, indent=indent, ensure_ascii=ascii).encode()
    depth, count = _measure(value)
    enough = FileLimits(max_bytes=len(data), max_depth=max(depth, 1), max_values=2 * count)
    assert parse_json(data, "", enough) == value
    if depth > 1:
        with pytest.raises(BadInput, match="nested deeper"):
            parse_json(data, "", replace(enough, max_depth=depth - 1))
    if depth > 0 and count > 2:
        with pytest.raises(BadInput, match="more than"):
            parse_json(data, "", replace(enough, max_values=count // 2 - 1))
    with pytest.raises(BadInput, match="longer than"):
        parse_json(data, "", replace(enough, max_bytes=len(data) - 1))


@given(st.binary(max_size=200) | st.text('[]{},:"\\', max_size=200).map(str.encode))
def test_any_bytes_are_json_or_refused(data: bytes):
    try:
        parse_json(data, "here", SMALL)
    except GameFormatError as fault:
        assert str(fault).startswith("here")


@example("[-0, -0.0, 1E5, 5e-324, 0.1000000000000000055511151231257827]")
@example("[1e999, -1e999, NaN, -Infinity]")
@example("[18446744073709551615, 18446744073709551616, -9223372036854775809]")
@example('["\\ud800", "\\u0000", "\x7f\u2028"]')
@example('{"a": 1, "a": 2, "": 3}')
@example("\ufeff[1]")
@given(
    st.recursive(st.floats() | st.integers() | st.text(), st.lists, max_leaves=9).map(json.dumps)
)
def test_json_is_read_as_python_reads_it(text: str):
    expected = json.loads(text.removeprefix("\ufeff"))
    assert repr(parse_json(text.encode(), "", GAME)) == repr(expected)


def test_a_number_with_too_many_digits_is_told_without_advice_for_programmers() -> None:
    with pytest.raises(GameFormatError, match="a number in it has too many digits") as caught:
        parse_json(b"[" + b"9" * 6000 + b"]", "here", GAME)
    assert "sys." not in str(caught.value)


def test_a_link_to_a_regular_file_is_followed(tmp_path: Path):
    (tmp_path / "whole.json").write_text("[1]")
    (tmp_path / "link.json").symlink_to("whole.json")
    assert read_json(tmp_path / "link.json", SMALL) == [1]
    assert check_file(tmp_path / "link.json", SMALL) == 3


def test_a_file_is_limited_packed_and_unpacked(tmp_path: Path):
    path = tmp_path / "large"
    path.write_bytes(b" " * 999 + b"1")
    assert read_json(path, SMALL) == 1
    path.write_bytes(b" " * 1000 + b"1")
    for read in (read_json, read_bytes, check_file):
        with pytest.raises(GameFormatError, match="holds more than 1,000 bytes"):
            read(path, SMALL)
    path.write_bytes(gzip.compress(b" " * 1000 + b"1"))
    with pytest.raises(GameFormatError, match="holds more than"):
        read_json(path, SMALL)


def test_a_file_of_many_empty_gzip_members_is_refused(tmp_path: Path):
    path = tmp_path / "members"
    path.write_bytes(gzip.compress(b"") * 1001 + gzip.compress(b"1"))
    with pytest.raises(GameFormatError, match="more than 1000 parts"):
        read_json(path, GAME)
    path.write_bytes(gzip.compress(b"[1,") + gzip.compress(b"2]"))
    assert read_json(path, GAME) == [1, 2]


def test_a_head_is_what_a_file_begins_with(tmp_path: Path):
    path, data = tmp_path / "file", bytes(range(256)) * 9
    path.write_bytes(data)
    assert read_head(path, GAME, 300) == data[:300]
    path.write_bytes(gzip.compress(data)[:-9])
    assert read_head(path, GAME, 300) == data[:300]
    path.write_bytes(b"\x1f\x8b damaged")
    assert read_head(path, GAME, 300) == b""


def test_lines_are_read_one_by_one(tmp_path: Path):
    path = tmp_path / "lines"
    assert list(read_lines(path, SMALL)) == []
    path.write_bytes(b"one\n\n" + b"x" * 5000 + b"\nlast\ntorn")
    one, blank, long, last = read_lines(path, SMALL)
    assert (one, blank, last) == (b"one", b"", b"last")
    assert len(long) == SMALL.max_bytes + 1
    for size in (999, 1000, 1001, 1002, 1999, 2000, 2001):
        path.write_bytes(b"x" * size + b"\nlast\n")
        first, last = read_lines(path, SMALL)
        assert (len(first), last) == (min(size, 1001), b"last")


def test_text_in_utf_8_with_a_byte_order_mark_is_read(tmp_path: Path):
    assert parse_json("\ufeff[1]".encode(), "", ROOM) == [1]


@pytest.mark.parametrize("enabled", [True, False])
def test_parser_leaves_garbage_collection_as_it_was(enabled: bool) -> None:
    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        assert parse_json(b'{"a": [1]}', "here", GAME) == {"a": [1]}
        with pytest.raises(BadInput):
            parse_json(b'{"a": [1}', "here", GAME)
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()


def test_text_is_added_after_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for text in ("eins\n", "zwei ✓\n"):
        append_text(text, path, fix="")
    assert path.read_text("utf-8") == "eins\nzwei ✓\n"


@pytest.mark.parametrize("name", ["/dev/full", "pipe", "gone/log.jsonl"])
def test_what_takes_no_text_is_named_and_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputError, match="cannot be written") as fault:
        append_text("a line\n", tmp_path / name, fix="name another file")
    assert name in fault.value.one_line and "name another file" in fault.value.one_line
