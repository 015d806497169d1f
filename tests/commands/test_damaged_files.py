"""Damaged games through the real commands: one line each, and the right status."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.session.records import record_bytes, write_record
from tests.command_line import run_tatc
from tests.session.records.damaged_files import DAMAGES, Damage, Part, without_tatc_key
from tests.session.records.sample_record import sample_record


def _document() -> dict[str, Any]:
    return without_tatc_key(json.loads(record_bytes(sample_record())))


@pytest.fixture
def damaged(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "damaged.game.json"
    path.write_bytes(request.param.spoil(_document()))
    return path


@pytest.mark.parametrize(
    ("damaged", "damage"),
    [(damage, damage) for damage in DAMAGES if damage.part is Part.START],
    indirect=["damaged"],
    ids=lambda each: each.title,
)
def test_run_refuses_a_damaged_start(damaged: Path, damage: Damage) -> None:
    saved = damaged.with_name("saved.game.json")
    done = run_tatc("run", "--game", damaged, "--save", saved, "--json")
    assert (done.exit_code, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(f"error: {damaged}") and damage.names in line
    assert line.endswith(")")
    assert [path.name for path in damaged.parent.iterdir()] == [damaged.name]


def test_many_files_are_read_past_the_damaged(tmp_path: Path) -> None:
    write_record(sample_record(), tmp_path / "good.game.json")
    spoiled = [damage for damage in DAMAGES if damage.part in (Part.START, Part.END)]
    for i, damage in enumerate(spoiled):
        data = damage.spoil(_document())
        (tmp_path / f"damaged-{i:03}.game.json").write_bytes(data)
    done = run_tatc("check", tmp_path, "--json")
    assert done.exit_code == 1
    [entry] = [json.loads(line) for line in done.stdout.splitlines()]
    assert entry["game"] == "0123456789abcdef_0123"
    *skipped, last = done.stderr.splitlines()
    assert len(skipped) == len(spoiled)
    for i, (line, damage) in enumerate(zip(skipped, spoiled, strict=True)):
        assert line.startswith(f"skipped: {tmp_path}/damaged-{i:03}.game.json")
        assert damage.names in line
    assert last == f"skipped: {len(spoiled)} of {len(spoiled) + 1} files"


def test_eval_names_games_that_turn_out_damaged_and_ends_with_1(tmp_path: Path) -> None:
    """Its heading is sound; the fault is in the state, read when the session starts."""
    document = _document()
    episode = document["tasks"][0]["episodes"][0]
    episode["initial_state"]["objects"][0]["position"]["x"] = float("nan")
    bad = tmp_path / "bad.game.json"
    bad.write_text(json.dumps(document))
    words = ["eval", str(bad), "--out", str(tmp_path / "run"), "--json"]
    done = run_tatc(*words)
    assert done.exit_code == 1
    skipped, last = done.stderr.splitlines()[-2:]
    assert skipped.startswith(f"skipped: {bad}: ")
    assert "initial_state.objects[0].position.x: is impossible: nan" in skipped
    assert last == "skipped: 1 file"
