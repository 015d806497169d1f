"""One set of generated trajectories for all tests here."""

from pathlib import Path

import pytest

from tests.generated_trajectories import generate


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a generated trajectory of each of two types, by the type."""
    folder = tmp_path_factory.mktemp("generated")
    return {kind: generate(folder / kind, kind, 1)[0] for kind in ("heat", "simple")}
