"""Generates expert trajectories: tatc's own pair in shipped rooms, or for recorded goals.

Every trajectory is read back by the reader, built anew and checked: its actions, done one by one
on the objects that they name, must meet all of ALFRED's goal conditions.  What does not is
discarded, as ALFRED discarded episodes that failed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import abspath
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput
from tatc.base.json_fields import FieldError
from tatc.base.version import __version__
from tatc.evaluation.alfred.alfred_goal_conditions import goal_conditions
from tatc.evaluation.alfred.expert_course import expert_course
from tatc.evaluation.alfred.expert_subgoals import ExpertSubgoal, divide
from tatc.evaluation.alfred.trajectory_writing import (
    document_of,
    write_annotations,
    write_plan,
    write_scene,
)
from tatc.home.body import ALFRED
from tatc.home.state import Scene
from tatc.home.types.facts import SLICE_TYPES, WHOLE_TYPE_BY_PIECE
from tatc.session.alfred.named_replay import NamedReplay
from tatc.session.records.trajectory import (
    MADE_BY_TATC_KEY,
    TRAJECTORY_FILE_NAME,
    TaskType,
    TrajectoryTask,
    parse_trajectory,
)
from tatc.session.start import start_from_room
from tatc.session.trajectory_start import scene_of_trajectory, start_in_scene
from tatc.sim.rooms import load_room, room_names
from tatc.tdl import TaskLibrary

TYPES = {
    "look": TaskType.LOOK,
    "simple": TaskType.SIMPLE,
    "movable": TaskType.MOVABLE,
    "clean": TaskType.CLEAN,
    "heat": TaskType.HEAT,
    "cool": TaskType.COOL,
    "two": TaskType.TWO,
}
"""tatc's short names of ALFRED's task types."""

_START_HORIZON = 30.0  # at which every trajectory of ALFRED's begins, degrees down


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt: its number, and the trajectory's document, or why there is none.

    `folder` is where the file belongs, below the folder of the set.
    """

    number: int
    document: Mapping[str, Any] | None = None
    folder: Path = Path()
    why: str = ""

    @property
    def path(self) -> Path:
        """Where the file belongs, below the folder of the set."""
        return self.folder / TRAJECTORY_FILE_NAME


def attempts_in_rooms(
    types: Sequence[str], seed: int, library: TaskLibrary, numbers: Iterator[int]
) -> Iterator[Attempt]:
    """Yield an attempt for each number: types in turn, rooms and starts as seed and number say."""
    rooms = room_names()
    for number in numbers:
        kind = types[number % len(types)]
        for room in _rooms_from(rooms, seed * 7919 + number * 31):
            found = _in_room(kind, room, seed, number, library)
            if found is not None:
                yield found
                break
        else:
            yield Attempt(number, why=f"no shipped room can hold {kind}")


def _rooms_from(rooms: Sequence[str], first: int) -> Iterator[str]:
    """Yield all rooms, beginning somewhere."""
    at = first % len(rooms)
    yield from (*rooms[at:], *rooms[:at])


def _in_room(kind: str, room: str, seed: int, number: int, library: TaskLibrary) -> Attempt | None:
    """Return an attempt in a room, None if it cannot hold the task."""
    definition = library.find(TYPES[kind].value)
    session_seed = seed * 1_000_003 + number
    try:
        start = start_from_room(load_room(room), library, definition, (), session_seed)
    except BadInput:
        return None
    names = [each.name for each in start.task.definition.parameters]
    task = _task_of(TYPES[kind], dict(zip(names, start.task.params, strict=True)))
    follower = start.scene.start.follower
    follower = replace(follower, horizon=_START_HORIZON, body=ALFRED)
    scene = write_scene(room, start.scene.start.objects, follower, task)
    made_by = {"version": __version__, "generated": "in a shipped room", "seed": seed}
    trial = f"trial_tatc_{kind}_{seed:06d}_{number:06d}"
    document = document_of(scene, task, trial, {**made_by, "number": number})
    folder = Path(_folder_name(task, room)) / trial
    return solve(document, number, folder, (), library)


def kept_folder(path: Path) -> Path:
    """Return where the trajectory for a recorded goal belongs, below the folder of the set.

    It has the names of the two folders in which the recorded one lies, however it is named.
    """
    trial = Path(abspath(path)).parent  # without `..`, which would lead out of the set
    return Path(trial.parent.name) / trial.name


def attempt_for(
    path: Path,
    document: Mapping[str, Any],
    number: int,
    plans: tuple[str, ...],
    library: TaskLibrary,
) -> Attempt:
    """Return tatc's own trajectory for the goal of a recorded one, in the same scene.

    The expert's plan and actions are left out before anything else is done with the file.  The
    annotators' goal sentences stay, since the goal is the same; the directives are tatc's.
    """
    made_by = {"version": __version__, "generated": "for a recorded goal"}
    folder = kept_folder(path)
    emptied: dict[str, Any] = {
        **document,
        "images": [],
        "plan": {"high_pddl": [], "low_actions": []},
        MADE_BY_TATC_KEY: made_by,
    }
    return solve(emptied, number, folder, plans, library)


def solve(
    document: Mapping[str, Any],
    number: int,
    folder: Path,
    plans: tuple[str, ...],
    library: TaskLibrary,
) -> Attempt:
    """Return a document with the pair's own plan, or why there is none.

    Raises:
        AgentCrash: an agent raised an error.

    """
    path = folder / TRAJECTORY_FILE_NAME
    try:
        trajectory = parse_trajectory(document, path)
        loaded = scene_of_trajectory(trajectory, plans)
        start = start_in_scene(loaded, library, seed=1)
    except (BadInput, FieldError) as fault:
        return Attempt(number, why=str(fault))
    task = trajectory.task
    assert task is not None  # start_in_scene refuses a trajectory without one
    course = expert_course(start)
    if isinstance(course, str):
        return Attempt(number, why=course)
    subgoals = divide(course)
    if not subgoals:
        return Attempt(number, why="the goal holds at the start")
    written: dict[str, Any] = {
        **document,
        "plan": write_plan(subgoals),
        "turk_annotations": _with_own_steps(task, subgoals, document["turk_annotations"]),
    }
    if not _holds_when_replayed(written, path, loaded.scene):
        return Attempt(number, why="its actions, done by name, do not meet ALFRED's goal")
    return Attempt(number, written, folder)


def _with_own_steps(
    task: TrajectoryTask, subgoals: Sequence[ExpertSubgoal], recorded: Mapping[str, Any]
) -> dict[str, Any]:
    """Return annotators' goal sentences, or else tatc's own, with directives for these subgoals."""
    written = write_annotations(task, subgoals)
    steps = written["anns"][0]["high_descs"]
    goals = [{**each, "high_descs": steps} for each in recorded["anns"]]
    return {"anns": goals} if goals else written


def _holds_when_replayed(document: Mapping[str, Any], path: Path, scene: Scene) -> bool:
    read = parse_trajectory(json.loads(json.dumps(document)), path)
    replay = NamedReplay(scene)
    done = all([replay.do(action) for action in read.low_actions])
    assert read.task is not None  # it was written with one
    counts = goal_conditions(read.task, replay.now, replay.view().shows)
    return done and not counts.unmet


def _task_of(kind: TaskType, params: Mapping[str, str]) -> TrajectoryTask:
    wanted = params["object"]
    return TrajectoryTask(
        kind,
        WHOLE_TYPE_BY_PIECE.get(wanted, wanted),
        params.get("receptacle", ""),
        params.get("movable", ""),
        params.get("toggle", ""),
        sliced=wanted in SLICE_TYPES,
    )


def _folder_name(task: TrajectoryTask, room: str) -> str:
    where = task.toggle or task.receptacle
    return f"{task.type}-{task.wanted_object}-{task.movable or 'None'}-{where}-{room}"
