"""A damaged game file gives one line that names file, field and fix, and no crash."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tatc.base.errors import GameFormatError
from tatc.session.records import read_game, read_record, read_start, record_bytes
from tests.session.records.damaged_files import (
    DAMAGES,
    GONE,
    Damage,
    Part,
    change,
    without_tatc_key,
)
from tests.session.records.sample_record import sample_record


def _read(path: Path, part: Part) -> None:
    game = read_game(path)
    if part is Part.END:
        _ = game.final
    elif part is Part.LOG:
        _ = game.interactions


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.title)
def test_one_line_names_file_field_and_fix(
    damage: Damage, document: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "damaged.game.json"
    path.write_bytes(json.dumps(without_tatc_key(document)).encode())
    good = read_start(path)
    _read(path, damage.part)
    path.write_bytes(damage.spoil(without_tatc_key(document)))
    if damage.part is not Part.START:  # running and scoring read a start, and nothing else
        assert read_start(path) == good
    with pytest.raises(GameFormatError) as caught:
        _read(path, damage.part)
    line = str(caught.value)
    assert "\n" not in line and len(line) < 500
    assert line.startswith(str(path))
    assert damage.names in line
    assert caught.value.fix


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return where a JSON value has parts, at any depth."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    found = [(*path, key) for key, _ in inner]
    for key, part in inner:
        found += _paths(part, (*path, key))
    return found


WHOLE = json.loads(record_bytes(sample_record()))
PLACES = [path for path in _paths(WHOLE) if path[0] in ("tasks", "version", "tatc")]
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(10**300, 10**400)
    | st.floats()
    | st.text(max_size=5)
)
anything = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["x", "objectId", "size", ""]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=150)
@given(st.sampled_from(PLACES), st.just(GONE) | anything)
def test_a_random_change_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, place: tuple[Any, ...], value: Any
) -> None:
    document = json.loads(json.dumps(WHOLE))
    change(document, place, value)
    path = tmp_path_factory.getbasetemp() / "changed.game.json"
    path.write_text(json.dumps(document))
    for read in (
        read_start,
        lambda path: read_game(path).final,
        lambda path: read_game(path).interactions,
        lambda path: record_bytes(read_record(path)),  # what can be read can be written again
    ):
        try:
            read(path)
        except GameFormatError as fault:
            assert "\n" not in str(fault) and len(str(fault)) < 600


@settings(max_examples=100)
@given(st.binary(max_size=40), st.integers(0, 1 << 16), st.booleans())
def test_random_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int, packed: bool
) -> None:
    data = json.dumps(WHOLE).encode()
    at %= len(data)
    spoiled = data[:at] + noise + data[at + len(noise) :]
    path = tmp_path_factory.getbasetemp() / "noise.game.json"
    path.write_bytes(b"\x1f\x8b" + noise if packed else spoiled)
    try:
        _ = read_game(path).final
    except GameFormatError as fault:
        assert "\n" not in str(fault)
