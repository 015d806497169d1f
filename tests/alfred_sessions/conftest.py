"""One set of generated trajectories for all tests here."""

from pathlib import Path

import pytest

from tests.generated_trajectories import generate


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a generated trajectory of each of two types, by the type."""
    folder = tmp_path_factory.mktemp("generated") / "set"
    files = generate(folder, "heat,simple", 2)
    kinds = {"heat" if "heat" in str(path) else "simple": path for path in files}
    assert kinds.keys() == {"heat", "simple"}
    return kinds
