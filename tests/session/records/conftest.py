"""Files of the hand-made session."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.session.records import record_bytes, write_record
from tests.session.records.sample_record import sample_record


def written(document: Any, folder: Path) -> Path:
    """Return the file of a game with this content, whatever it is."""
    path = folder / "changed.game.json"
    path.write_text(json.dumps(document))
    return path


@pytest.fixture
def document() -> dict[str, Any]:
    """Return the hand-made session as JSON; the test may change it."""
    return json.loads(record_bytes(sample_record()))


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    """Return the file of the hand-made session."""
    path = tmp_path / "train" / "made.game.json"
    path.parent.mkdir()
    write_record(sample_record(), path)
    return path
