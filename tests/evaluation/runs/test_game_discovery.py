"""The games of files and folders: each once, and none left out in silence."""

import json
from pathlib import Path

import pytest

from tatc.base.errors import BadInput
from tatc.evaluation.runs.session_selection import game_headings
from tatc.session.records import record_bytes, write_record
from tests.session.records.sample_record import sample_record

CHANGED_FIELD = {"comments": "another"}


def ids_or_faults(folder: Path) -> list[str]:
    """Return what comes of each file of a folder: its game, or why it is left out."""
    results = game_headings([str(folder)])
    return [head.one_line if isinstance(head, BadInput) else head.game_id for _, head in results]


def test_a_copy_is_passed_over(tmp_path: Path) -> None:
    for name in ("a.game.json", "b.game.json.gz"):
        write_record(sample_record(), tmp_path / name)
    assert ids_or_faults(tmp_path) == ["0123456789abcdef_0123"]


def test_another_game_of_the_same_name_is_said(tmp_path: Path) -> None:
    write_record(sample_record(), tmp_path / "a.game.json")
    changed = json.loads(record_bytes(sample_record())) | CHANGED_FIELD
    (tmp_path / "b.game.json").write_text(json.dumps(changed))
    first, second = ids_or_faults(tmp_path)
    assert first == "0123456789abcdef_0123"
    assert second.startswith(f"{tmp_path / 'b.game.json'}: calls itself {first}, as ")
    assert second.endswith("(name one of the two)")


@pytest.mark.parametrize("name", ["../evil", "a/b", "a\\b", "..", "nul\0"])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    document = json.loads(record_bytes(sample_record()))
    document["tasks"][0]["episodes"][0]["episode_id"] = name
    (tmp_path / "a.game.json").write_text(json.dumps(document))
    [why] = ids_or_faults(tmp_path)
    assert "episodes[0].episode_id: should be a printable name without slashes" in why
