"""Games with more objects, interactions or digits than any session has are one line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import GameFormatError
from tatc.base.files import MAX_INTERACTIONS, MAX_STATE_OBJECTS
from tatc.session.records import read_game, read_instance, read_record

Document = dict[str, Any]


def _episode(document: Document) -> Document:
    return document["tasks"][0]["episodes"][0]


def _repeat(entries: list[Any], count: int) -> None:
    entries += [entries[0]] * (count - len(entries))


CHANGES: dict[str, Callable[[Document], object]] = {
    "initial_state.objects: has more than": lambda document: _repeat(
        _episode(document)["initial_state"]["objects"], MAX_STATE_OBJECTS + 1
    ),
    "interactions: has more than": lambda document: _repeat(
        _episode(document)["interactions"], MAX_INTERACTIONS + 1
    ),
    "tatc.decisions: has more than": lambda document: document["tatc"].update(
        decisions=[{}] * (MAX_INTERACTIONS + 1)
    ),
    "tatc.seed: is impossible": lambda document: document["tatc"].update(seed=10**4000),
    "tatc.gc_total: is impossible": lambda document: document["tatc"].update(gc_total=1 << 64),
}


@pytest.mark.parametrize("why", CHANGES)
def test_what_no_session_has_is_refused(why: str, document: Document, tmp_path: Path) -> None:
    path = tmp_path / "large.game.json"
    path.write_text(json.dumps(document))
    read_record(path)
    objects = _episode(document)["initial_state"]["objects"]
    CHANGES[why](document)
    # A repaired start takes equal objects once.
    objects[:] = [each | {"name": f"{each['name']} {i}"} for i, each in enumerate(objects)]
    path.write_text(json.dumps(document))
    with pytest.raises(GameFormatError, match=why):
        read_record(path)
    if "tatc" not in why:
        with pytest.raises(GameFormatError, match=why):
            read_game(path)


@pytest.mark.parametrize("field", ["interactions", "dialog_history"])
def test_an_instance_is_limited_too(field: str, tmp_path: Path) -> None:
    instance: Document = {
        "game_id": "game",
        "pred_start_idx": 0,
        "dialog_history": [["Commander", "hello"]],
        "interactions": [],
        "state_changes": {"objects": {}},
    }
    path = tmp_path / "game.edh0.json"
    path.write_text(json.dumps(instance))
    assert read_instance(path).dialogue[0].text == "hello"
    instance[field] = [["Commander", "hello"]] * (MAX_INTERACTIONS + 1)
    path.write_text(json.dumps(instance))
    with pytest.raises(GameFormatError, match=f"{field}: has more than {MAX_INTERACTIONS} entries"):
        read_instance(path)
