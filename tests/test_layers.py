"""Imports point one way: the contracts of import-linter in pyproject.toml hold."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = {
    path.stem
    for path in (ROOT / "tatc").iterdir()
    if path.suffix == ".py" or (path / "__init__.py").exists()
} - {"__init__"}

MAX_LAYERS = 12


def test_imports_keep_the_contracts() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _layers() -> list[set[str]]:
    """Return the rooms of each layer of the contract, from above."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    [layers] = [
        each["layers"]
        for each in contracts
        if each["type"] == "layers" and "containers" not in each
    ]
    return [set(re.findall(r"tatc\.(\w+)", layer)) for layer in layers]


def test_every_part_of_the_package_has_its_layer() -> None:
    placed = [part for layer in _layers() for part in layer]
    assert len(_layers()) <= MAX_LAYERS
    assert len(placed) == len(set(placed))
    assert not PARTS - set(placed)


@pytest.mark.parametrize("document", ["CONTRIBUTING.md", "AGENTS.md"])
def test_the_table_of_rooms_has_the_rows_of_the_contract(document: str) -> None:
    rooms = (ROOT / document).read_text("utf-8").partition("\n## Rooms\n")[2]
    rows = re.findall(r"^\| (\d+) \| (.+)$", rooms.partition("\n## ")[0], re.MULTILINE)
    row_of = {
        room: int(row)
        for row, text in rows
        for room in re.findall(r"`tatc/(\w+)(?:/|\.py)`", text.split("|")[0])
    }
    assert PARTS - {"__main__"} <= row_of.keys()
    shown = [{row_of[room] for room in layer & row_of.keys()} for layer in _layers()]
    assert all(len(rows) <= 1 for rows in shown)  # the rooms of a layer stand in one row
    numbers = [row for rows in shown for row in rows]
    assert numbers == sorted(numbers, reverse=True)
