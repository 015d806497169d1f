"""The furniture of the sample trajectory, which is made from a shipped room."""

import json
from pathlib import Path

import pytest

from tests.session.records.sample_trajectory import sample_furniture


@pytest.fixture(scope="session")
def furniture_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plans") / "dump.json"
    path.write_text(json.dumps(sample_furniture()))
    return path
