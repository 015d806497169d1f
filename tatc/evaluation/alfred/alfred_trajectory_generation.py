"""Generates expert trajectories: tatc's own pair in shipped rooms, or for recorded goals.

Every trajectory is read back by the reader, built anew and checked: its actions, done one by one
on the objects that they name, must meet all of ALFRED's goal conditions.  What does not is
discarded, as ALFRED discarded episodes that failed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from os.path import (
    abspath,
    isfile,  # unlike Path's, it bears any name
)
from pathlib import Path
from typing import Any

from tatc.base.atomic_files import append_text, make_folder, write_atomically
from tatc.base.errors import BadInput, OutputError
from tatc.base.file_reading import GAME, RESULT_LINE, parse_json, read_json, read_lines
from tatc.base.json_fields import FieldError, as_integer, as_mapping, get_text_or_empty
from tatc.base.version import __version__
from tatc.evaluation.alfred.alfred_conditions import goal_conditions
from tatc.evaluation.alfred.alfred_trajectory_writing import (
    document_of,
    write_annotations,
    write_plan,
    write_scene,
)
from tatc.evaluation.alfred.expert_course import ExpertSubgoal, divide, expert_course
from tatc.home.body import ALFRED
from tatc.home.state import Scene
from tatc.home.type_facts import SLICE_TYPES, WHOLE_TYPE_BY_PIECE
from tatc.session.alfred.named_actions import NamedReplay
from tatc.session.records.trajectory import (
    MADE_BY_TATC_KEY,
    TRAJECTORY_FILE_NAME,
    TaskType,
    TrajectoryTask,
    parse_trajectory,
)
from tatc.session.start import scene_of_trajectory, start_from_room, start_in_scene
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


# A folder with generated trajectories: it says how they were made, and remembers each attempt.
#
# Every file is written whole, and the line that remembers it after it, so that the same command
# goes on where it was stopped.

ABOUT_FILE_NAME = "about.json"
"""The file that says that the set is tatc's own, and how it was made."""
_LOG_NAME = "attempts.jsonl"
FILE_NAMES = (ABOUT_FILE_NAME, _LOG_NAME)
"""The names of the files beside the trajectories' folders, which no folder can have."""
_NOTE = "Generated by tatc in its own world: no demonstrations of ALFRED's, and not from AI2-THOR."


@dataclass(frozen=True, slots=True)
class PastAttempt:
    """An attempt that was made before; `path` is "" if there is no trajectory of it."""

    number: int
    path: str
    why: str


class GeneratedSet:
    """The folder of a set."""

    def __init__(self, folder: Path, made_by: Mapping[str, Any]) -> None:
        """Make the folder, or go on in it.

        Raises:
            OutputError: the folder cannot be made, or holds a set that was made otherwise, or
                something else.

        """
        self.folder, self._log = folder, folder / _LOG_NAME
        about = folder / ABOUT_FILE_NAME
        wanted = {"note": _NOTE, **made_by}
        if about.exists():
            if read_json(about, GAME) != wanted:
                why = "holds a set that was generated with other options"
                raise OutputError(why, where=str(folder), fix="name another folder")
        elif folder.is_dir() and any(folder.iterdir()):
            raise OutputError("is not empty", where=str(folder), fix="name another folder")
        make_folder(folder)
        write_atomically(json.dumps(wanted, indent=2).encode() + b"\n", about, force=True)

    def past_attempts(self) -> tuple[PastAttempt, ...]:
        """Return what was attempted before, each once.

        A line that cannot be read does not count, nor does one whose trajectory is not there: these
        are attempted again.
        """
        found: dict[int, PastAttempt] = {}
        for line in read_lines(self._log, RESULT_LINE):
            with suppress(BadInput, FieldError):
                attempt = _read_line(line)
                if not attempt.path or isfile(self.folder / attempt.path):
                    found.setdefault(attempt.number, attempt)
        return tuple(found.values())

    def keep(self, attempt: Attempt) -> Path | None:
        """Write an attempt's trajectory, if it has one, and remember the attempt.

        Returns:
            The file, None for none.

        Raises:
            OutputError: the disk refuses.

        """
        path = None
        if attempt.document is not None:
            path = self.folder / attempt.path
            make_folder(path.parent)
            write_atomically(json.dumps(attempt.document).encode() + b"\n", path, force=True)
        entry = {
            "number": attempt.number,
            "path": "" if path is None else str(attempt.path),
            "why": attempt.why,
        }
        # The line before may be torn.
        append_text(f"\n{json.dumps(entry)}\n", self._log, fix="name another place")
        return path


def _read_line(line: bytes) -> PastAttempt:
    raw = as_mapping(parse_json(line, "", RESULT_LINE), "")
    number = as_integer(raw.get("number"), "number")
    return PastAttempt(number, get_text_or_empty(raw, "path"), get_text_or_empty(raw, "why"))
