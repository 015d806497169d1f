"""Sound files of every kind that tatc reads, each made by tatc itself: none is recorded.

Each kind has a folder of its own, from which its commands run.  The same code makes the same
files, but for times of day.
"""

import gzip
import json
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.fuzz import agent_cases, forged_cases
from benchmarks.fuzz.endpoint_answers import make_endpoint_answers
from benchmarks.fuzz.in_process import run_command
from benchmarks.fuzz.session_corpus import SESSION_KINDS
from benchmarks.fuzz.thor_sequences import make_thor_sequences
from benchmarks.fuzz.understanding_corpus import make_understanding_files
from benchmarks.fuzz.wire_corpus import WIRE_MAKERS
from tatc.evaluation.fidelity.fidelity_cache import FidelityCache
from tatc.evaluation.fidelity.game_fidelity import measure_game

GAME, TEACH_GAME = "kitchen.game.json", "teach.game.json.gz"
GAME_TASK = "Basic Kitchen Tasks"
CACHE_FILE = "cache.unfinished.jsonl"
_FIXED_TIME = 1_600_000_000  # of the games, by which a cache knows whether they have changed

MakeFiles = Callable[[Path], None]
"""Fills a folder; beside it lie the folders of the kinds that were made before."""


def make_corpus(root: Path, kinds: Mapping[str, MakeFiles]) -> None:
    """Make the folder of each kind under `root`."""
    for name, make in kinds.items():
        folder = root / name
        folder.mkdir(parents=True)
        with chdir(folder):
            make(folder)


def _tatc(*words: str) -> None:
    ending = run_command(words)
    if ending.status != 0:
        raise RuntimeError(f"tatc {' '.join(words)}: {ending.status}: {ending.stderr}")


def _make_games(folder: Path) -> None:
    """Make a record of a session, and the same as a TEACh game of another id."""
    _tatc("run", GAME_TASK, "--room", "kitchen-01", "--save", GAME)
    document = json.loads(Path(GAME).read_text("utf-8"))
    del document["tatc"]
    document["tasks"][0]["episodes"][0] |= {"episode_id": "teach", "world": "FloorPlan1"}
    Path(TEACH_GAME).write_bytes(gzip.compress(json.dumps(document).encode(), 1, mtime=0))
    for name in (GAME, TEACH_GAME):
        os.utime(name, (_FIXED_TIME, _FIXED_TIME))


def _copy_game(folder: Path) -> None:
    shutil.copy2(folder.parent / "games" / GAME, folder)


def _make_room(folder: Path) -> None:
    _tatc("rooms", "new", "--kind", "kitchen", "--seed", "7", "--out", "room.json")


def _make_tasks(folder: Path) -> None:
    """Make a task with conditions, one with a parameter, and one of both with a relation."""
    (folder / "mine").mkdir()
    for i, task in enumerate((_CLEAN_MUG, _OPEN_CONTAINER, _FRUIT_PLATE)):
        (folder / "mine" / f"task{i}.json").write_text(json.dumps(task, indent=1))
    _copy_game(folder)


def _make_map(folder: Path) -> None:
    _copy_game(folder)
    _tatc("maps", "build", GAME, str(folder.parent / "games" / TEACH_GAME), "--out", "map.json")


def _make_run(folder: Path) -> None:
    """Make a finished run with records, and a report of fidelity in it."""
    words = ["--room", "kitchen-01", "--tasks", "coffee,114", "--save-records", "all"]
    _tatc("eval", *words, "--out", "run")
    _copy_game(folder)
    _tatc("fidelity", GAME, "--out", "run")
    Path(GAME).unlink()


def _make_fidelity_cache(folder: Path) -> None:
    """Make a line for a compared game; `place_fidelity_cache` puts it in its place."""
    _copy_game(folder)
    cache = FidelityCache([Path(GAME)], "boxes")
    cache.add(measure_game(Path(GAME)))
    shutil.move(cache.path, CACHE_FILE)


def place_fidelity_cache(folder: Path) -> None:
    """Move the cache to where `tatc fidelity` looks for it, which depends on the folder."""
    path = FidelityCache([folder / GAME], "boxes").path
    path.parent.mkdir(parents=True)
    shutil.move(folder / CACHE_FILE, path)


def _make_instances(folder: Path) -> None:
    _copy_game(folder)
    for kind in ("edh", "tfd"):
        _tatc("instances", GAME, "--kind", kind, "--out", kind)


def _make_alfred(folder: Path) -> None:
    """Make what tatc reads of a clone of ALFRED: layouts and trajectories."""
    layouts, data = folder / "clone/gen/layouts", folder / "clone/data/train/a-trial"
    layouts.mkdir(parents=True)
    data.mkdir(parents=True)
    rows = np.array([(0.25 * i, 0.5, 0.0, 0.0) for i in range(8)])
    np.save(layouts / "FloorPlan1-layout.npy", rows)
    start = {"x": 0.25, "y": 0.9, "z": 0.5, "rotation": 90, "horizon": 30}
    names = ("MoveAhead_25", "RotateLeft_90", "MoveAhead_25", "LookDown_15")
    done = [{"discrete_action": {"action": name, "args": {}}} for name in names]
    trajectory: dict[str, Any] = {
        "scene": {"floor_plan": "FloorPlan1", "init_action": start},
        "plan": {"low_actions": done},
    }
    (data / "traj_data.json").write_text(json.dumps(trajectory))


def _make_breakpoints(folder: Path) -> None:
    _copy_game(folder)
    lines = ("failed Pickup", "says the (mug|cup)", "goal gained", "key isDirty", "step 40")
    lines += ("off object Mug.isDirty=False", "departs", "policy isDirty", "skill Rinse")
    Path("breakpoints.txt").write_text("".join(f"{line}\n" for line in lines))


def _make_training(folder: Path) -> None:
    """Make a finished training of one tiny network on one game."""
    import torch

    torch.set_num_threads(1)  # more wait for one another where other work takes the cores
    _copy_game(folder)
    _tatc("train", GAME, *TRAINING_WORDS)


TRAINING_WORDS = ("--rounds", "1", "--batches", "2", "--width", "8", "--out", "out")


def _make_checkpoints(folder: Path) -> None:
    """Make a checkpoint of tatc's, and one of E.T. with its vocabulary, both tiny."""
    import torch

    from tatc.follower.learned.et.checkpoint import write_checkpoint
    from tatc.follower.learned.et.network import ET, ETSettings
    from tatc.follower.learned.et.vocabulary import OFFICIAL_VARIANT, build_vocabulary
    from tatc.home.actions import Role, Utterance

    _copy_game(folder)
    shutil.copy(folder.parent / "training/out/follower.safetensors", "own.safetensors")
    words = build_vocabulary([(Utterance(Role.COMMANDER, "Wash the mug please", 1.0),)])
    torch.manual_seed(1)
    counts = (len(words.words), len(OFFICIAL_VARIANT.actions))
    network = ET(ETSettings(*counts, width=24, heads=12, feed_forward_width=24))
    write_checkpoint(network, words, folder / "latest.pth", {"epoch": 1.0})


def _part(**fields: Any) -> dict[str, Any]:
    return {
        "determiner": "a",
        "primary_condition": "objectType",
        "instance_shareable": False,
        "condition_failure_descs": {},
        **fields,
    }


def _task(number: int, name: str, anchor: str, **fields: Any) -> dict[str, Any]:
    return {
        "task_id": number,
        "task_name": name,
        "aliases": [name.split()[0].lower()],
        "summary": f"{name} is done",
        "task_nparams": 0,
        "task_anchor_object": anchor,
        "desc": f"Do {name}.",
        "relations": [],
        **fields,
    }


_CLEAN_MUG = _task(
    9001,
    "Washed Mug",
    "mug",
    components={
        "mug": _part(
            conditions={"objectType": "Mug", "isDirty": 0},
            condition_failure_descs={"isDirty": "The mug is dirty."},
        )
    },
)
_OPEN_CONTAINER = _task(
    9002,
    "Opened Container",
    "container",
    task_nparams=1,
    components={"container": _part(conditions={"objectType": "#0", "isOpen": 1})},
)
_FRUIT_PLATE = _task(
    9003,
    "Fruit Plate",
    "plate",
    components={
        "plate": {"determiner": "a", "task_name": "Clean X", "task_params": ["Plate"]},
        "drawer": {"determiner": "a", "task_name": "Opened Container", "task_params": ["Drawer"]},
        "apple": _part(conditions={"objectType": "Apple"}),
    },
    relations=[
        {
            "property": "parentReceptacles",
            "tail_entity_list": ["plate"],
            "tail_determiner_list": ["the"],
            "head_entity_list": ["apple"],
            "head_determiner_list": ["a"],
            "failure_desc": "Put the apple onto the plate.",
        }
    ],
)

KINDS: dict[str, MakeFiles] = {
    "games": _make_games,
    "room": _make_room,
    "tasks": _make_tasks,
    "map": _make_map,
    "run": _make_run,
    "fidelity-cache": _make_fidelity_cache,
    "instances": _make_instances,
    "alfred": _make_alfred,
    "breakpoints": _make_breakpoints,
    "understanding": make_understanding_files,
    **SESSION_KINDS,
    **WIRE_MAKERS,
    "endpoint-answers": make_endpoint_answers,
    "thor-sequences": make_thor_sequences,
    "agents": agent_cases.make_agent,
    "forged": forged_cases.make_forged,
    "ids": agent_cases.make_ids,
    "training": _make_training,
    "checkpoints": _make_checkpoints,
}
"""What makes the folder of each kind; one may copy files of those before it."""
