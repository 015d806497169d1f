"""Makes the list of the sessions of the splits that test: `tatc/session/split_sessions.json`.

    python -m benchmarks.split_sessions > tatc/session/split_sessions.json

Of each room and task of a split, the list has the first seeds with which a session can start and
the rule-based pair solves it, three of at most ten tried.  The list never changes once it is
published: a split's name stands for the same sessions for ever.
"""

import json
import sys

from tatc.base.errors import BadInput
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import prepare, run_from_start
from tatc.session.start import load_split, start_from_room_name
from tatc.tdl import shipped_library

SPLITS = ("valid_unseen", "test_unseen", "test_tasks")
SEED_COUNT, MOST_TRIED = 3, 10


def seeds_of(room: str, task: str, first: int) -> list[int]:
    """Return the first seeds with which the rule-based pair solves a task in a room."""
    found, agents = list[int](), prepare(SessionSetup())
    for seed in range(first, first + MOST_TRIED):
        try:
            start = start_from_room_name(room, shipped_library(), task, (), seed)
        except BadInput:
            continue
        if start.task.check(start.scene.initial).success:
            continue
        if run_from_start(start, agents)[0].success:
            found.append(seed)
        if len(found) == SEED_COUNT:
            break
    return found if len(found) == SEED_COUNT else []


def main() -> None:
    """Print the list."""
    listed: dict[str, dict[str, dict[str, list[int]]]] = {}
    for name in [f"{group}{split}" for group in ("", "ithor_") for split in SPLITS]:
        split = load_split(name)
        rooms: dict[str, dict[str, list[int]]] = {}
        for room, task in split.rooms():
            if seeds := seeds_of(room, task, split.first_seed):
                rooms.setdefault(room, {})[task] = seeds
        listed[name] = rooms
    text = json.dumps(listed, indent=1, sort_keys=True)
    sys.stdout.write(text.replace("\n     ", " ").replace("\n    ]", " ]") + "\n")


if __name__ == "__main__":
    main()
