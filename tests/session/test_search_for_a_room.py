"""Tasks that no shipped room can hold: the search for a room ends soon, and says why."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.sim.rooms import start_sampling
from tests.command_line import run_tatc


def _component(determiner: str, **conditions: Any) -> dict[str, Any]:
    return {
        "determiner": determiner,
        "primary_condition": "objectType",
        "instance_shareable": False,
        "conditions": conditions,
        "condition_failure_descs": {},
    }


NOTHING = "no shipped room can hold 'Odd'"


@pytest.mark.parametrize(
    ("component", "options", "message"),
    [
        (_component("0", objectType="Mug"), (), "odd.json: components.it.determiner: asks for"),
        (_component("all", objectType="Cart", isDirty=1), (), f"{NOTHING}: there is no Cart"),
        (_component("a", objectType="Mugg"), (), f"{NOTHING}: there is no Mugg"),
        (_component("a", objectType="Mug", isDirty="true"), (), "components.it.conditions.isDirty"),
        (_component("#0", objectType="Mug"), ("--param", "n=0"), "'Odd' asks for nothing"),
        # It is done in every start of every room.
        (_component("a", objectType="Fridge"), (), f"{NOTHING}: it is done from the start"),
    ],
)
def test_it_is_refused_soon(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    component: dict[str, Any],
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.setattr(start_sampling, "MAX_START_TRIES", 2)
    count = int(bool(options))
    task = {
        "task_id": 9001,
        "task_name": "Odd",
        "task_nparams": count,
        "parameters": [{"name": "n", "meaning": "how many"}] * count,
        "task_anchor_object": None,
        "desc": "Odd.",
        "components": {"it": component},
        "relations": [],
    }
    (tmp_path / "odd.json").write_text(json.dumps(task))
    done = run_tatc("run", "Odd", "--tasks", tmp_path, "--no-save", "--quiet", *options)
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
