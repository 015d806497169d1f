"""Imports point one way: the contracts of import-linter in pyproject.toml hold."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTS = {
    path.stem
    for path in (ROOT / "tatc").iterdir()
    if path.suffix == ".py" or (path / "__init__.py").exists()
} - {"__init__"}


def test_imports_keep_the_contracts() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_part_of_the_package_has_its_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    [layers] = [
        each["layers"]
        for each in contracts
        if each["type"] == "layers" and "containers" not in each
    ]
    placed = re.findall(r"tatc\.(\w+)", " ".join(layers))
    assert len(placed) == len(set(placed))
    assert not PARTS - set(placed)


def test_contributing_says_what_every_part_is_for() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert not PARTS - set(re.findall(r"`tatc/(\w+)(?:/|\.py)`", text))
