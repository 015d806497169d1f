"""Sequences of hostile actions for the AI2-THOR server, damaged on top of that."""

import json
from pathlib import Path
from random import Random

from benchmarks.soak.thor_actions import CheckedWorld, draw_thor_action
from tatc.apps.thorserver.client_connection import parse_thor_action

SEQUENCES = "sequence-*.jsonl"
_ROOMS = ("kitchen-01", "bathroom-01", "bedroom-01")
_ACTIONS = 40


def make_thor_sequences(folder: Path) -> None:
    """Write a sequence of actions for each of some rooms, with two agents."""
    for room in _ROOMS:
        rng, checked = Random(room), CheckedWorld(room)
        actions = [{"action": "Initialize", "agentCount": 2}]
        checked.run(actions[0])
        while len(actions) < _ACTIONS:
            actions.append(draw_thor_action(checked.world, rng))
            checked.run(actions[-1])
        lines = [json.dumps(action) for action in actions]
        (folder / f"sequence-{room}.jsonl").write_text("\n".join(lines) + "\n")


def run_thor_sequences() -> None:
    """Run each sequence of the folder, and check the world's invariants after every action."""
    for path in sorted(Path().glob(SEQUENCES)):
        checked = CheckedWorld(path.stem.removeprefix("sequence-"))
        for line in path.read_bytes().split(b"\n"):
            if line:
                checked.run(parse_thor_action(line))
        checked.check_metadata("Pass")
