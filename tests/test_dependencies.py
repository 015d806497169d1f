"""The lower bounds of dependencies: no version with a known way in, and what is imported."""

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# The first versions without: running code through `weights_only` (torch, CVE-2025-32434), a
# request that takes minutes (starlette, CVE-2025-62727), writing beyond a buffer (pillow,
# CVE-2025-48379), and reading one request as two (h11, CVE-2025-43859).
SAFE_FROM = {
    "torch": (2, 6),
    "starlette": (0, 49, 1),
    "pillow": (11, 3),
    "h11": (0, 16),
}


def _lower_bounds() -> dict[str, tuple[int, ...]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = [*project["dependencies"], *project["optional-dependencies"]["learned"]]
    pairs = (line.split(">=") for line in required)
    return {name: tuple(map(int, version.split("."))) for name, version in pairs}


@pytest.mark.parametrize("name", SAFE_FROM)
def test_no_version_with_a_known_way_in_is_allowed(name: str) -> None:
    assert _lower_bounds()[name] >= SAFE_FROM[name]


def test_what_these_bounds_are_for_is_imported() -> None:
    imported: set[str] = set()
    for path in (ROOT / "tatc").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported.update(each.name.partition(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    assert {"torch", "starlette", "PIL", "h11"} <= imported
