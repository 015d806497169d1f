"""The start of a session: a place, a state, a task with its parameters; and splits of starts.

Of a recorded game, only the start state, the task, its parameters and the number of
actions are read (`records.read_start`): never what people did, nor the end.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, partial
from itertools import product
from pathlib import Path
from random import Random

from tatc.base.arguments import check_seed
from tatc.base.errors import BadInput, GameFormatError, ParameterError, UnknownName
from tatc.base.files import package_table
from tatc.home.state import RoomKind, Scene, Snapshot
from tatc.session.alfred import carried_objects, floor_plan_files
from tatc.session.alfred.scene import build_scene
from tatc.session.records import GameStart, read_start, record, trajectory as trajectories
from tatc.sim.rooms import Room, ithor, load_room, room_names, start_sampling, start_state
from tatc.sim.rooms.placement_feasibility import has_room_for_task
from tatc.tdl import Task, TaskDefinition, TaskLibrary, assign_classes, parameters, shipped_library
from tatc.tdl.task import FREE_PLAY


class AnnotatedLanguage(StrEnum):
    """What of an annotation a Follower hears: the goal alone, or the directives too."""

    GOAL = "goal"
    STEPS = "steps"


@dataclass(frozen=True, slots=True)
class SessionStart:
    """A session about to start.

    Either `room` or `game_id` (its id) is given.  `human_actions` counts the logged
    interactions of the recorded session, None in a room.  `alfred_task` is the task as ALFRED's
    own test takes it, None where the start is no trajectory of ALFRED's.  `furniture` is the name
    and the hash of the file that its furniture is from.  `directives` are the first annotation of
    a trajectory that has words.
    """

    task: Task
    scene: Scene
    seed: int
    room: str | None = None
    game_id: str | None = None
    human_actions: int | None = None
    alfred_task: trajectories.TrajectoryTask | None = None
    furniture: str = ""
    directives: trajectories.Annotation | None = None

    def __post_init__(self) -> None:
        """Refuse a seed that no record could hold."""
        object.__setattr__(self, "seed", check_seed(self.seed))

    @property
    def session_id(self) -> str:
        """The name of the session: its game's id, or its room, task and seed."""
        return record.session_id_of(self.game_id, self.scene.place, self.task.name, self.seed)

    @property
    def place(self) -> str:
        """The room or the game, as a report names it."""
        return self.room or self.game_id or self.scene.place


def start_from_game(
    path: Path, library: TaskLibrary, task: str | None, params: Sequence[str], seed: int
) -> SessionStart:
    """Return the start of a recorded game, with its own task or another that it allows."""
    game = read_start(path)
    start = game.scene.initial
    start = replace(start, objects=assign_classes(start.objects))
    if task is None and not params:
        chosen = task_of_game(game, f"{path}: tasks[0]", library)
    else:
        definition = library.find(task or game.task_name)
        fits = partial(has_room_for_task, start=start)
        chosen = _compile_with_params(library, definition, params, lambda: start, seed, fits)
        _check_possible(chosen, start, f"the recorded start of {path}")
    scene = Scene(game.scene.place, game.scene.kind, start)
    return SessionStart(chosen, scene, seed, game_id=game.game_id, human_actions=game.n_actions)


def task_of_game(game: GameStart | record.Record, where: str, library: TaskLibrary) -> Task:
    """Return the task that a game or record names, which is at `where`."""
    try:
        return library.compile(game.task_name, game.task_params)
    except BadInput as fault:
        fix = "--tasks DIR adds definitions"
        raise GameFormatError(str(fault), where=where, fix=fix) from fault


def start_from_room_name(
    room: str | None, library: TaskLibrary, task: str, params: Sequence[str], seed: int
) -> SessionStart:
    """Return a start in a room, or in the first shipped room that can hold the task."""
    definition = library.find(task)
    if room is not None:
        return start_from_room(load_room(room), library, definition, params, seed)
    reasons: list[tuple[str, ...]] = []
    for name in room_names():
        try:
            return start_from_room(load_room(name), library, definition, params, seed)
        except ParameterError:
            raise
        except start_sampling.NoStart as fault:
            reasons.append(fault.reasons)
            if reasons.count((start_sampling.DONE_FROM_START,)) == _MAX_ROOMS_WITHOUT_WORK:
                reasons = [fault.reasons]
                break
        except BadInput:
            reasons.append(())
    shared = reasons[0] if len(set(reasons)) == 1 else ()
    why = f": {', or '.join(shared)}" if shared else ""
    fix = "name a room with --room, or a recorded start with --game"
    raise BadInput(f"no shipped room can hold {definition.name!r}{why}", fix=fix)


_MAX_ROOMS_WITHOUT_WORK = 3
"""Rooms in which every start has a task done already, after which no more are tried."""


def free_start(room: str | None, seed: int) -> SessionStart:
    """Return a start without a task, in a room or in the first shipped one."""
    name = room or room_names()[0]
    return SessionStart(FREE_PLAY, start_state(load_room(name), check_seed(seed)), seed, room=name)


def start_from_room(
    room: Room, library: TaskLibrary, definition: TaskDefinition, params: Sequence[str], seed: int
) -> SessionStart:
    """Return a start in a room, drawn by the seed."""
    seed = check_seed(seed)
    first = cache(lambda: start_state(room, seed))

    def fits(task: Task) -> bool:
        return start_sampling.can_hold_task(task, room, first(), first().initial)

    task = _compile_with_params(library, definition, params, lambda: first().initial, seed, fits)
    return SessionStart(task, start_state(room, seed, task), seed, room=room.name)


def _compile_with_params(
    library: TaskLibrary,
    definition: TaskDefinition,
    given: Sequence[str],
    draw_start: Callable[[], Snapshot],
    seed: int,
    fits: Callable[[Task], bool],
) -> Task:
    """Return the task with the given parameters, and the others drawn so that it `fits`."""
    named = parameters.parse_params(definition, given)
    params = tuple(named[each.name] for each in definition.parameters if each.name in named)
    if len(params) < len(definition.parameters):
        params = parameters.sample_params(definition, draw_start(), seed, named, accept=fits)
    task = library.compile(definition.name, params)
    if task.asks_for_nothing:
        why = f"{definition.name!r} asks for nothing: all counts are 0"
        raise ParameterError(why, fix="give a count of 1 or more")
    return task


def _check_possible(task: Task, start: Snapshot, where: str) -> None:
    if task.check(start).success:
        raise BadInput(f"{task.name!r} is done already", where=where, fix="name another --task")
    if not task.preconditions_hold(start):
        why = f"{task.name!r} cannot be done: something that it needs is not there"
        fix = "name another --task, or leave it out for the game's own"
        raise BadInput(why, where=where, fix=fix)


# The start of a session in the scene of one of ALFRED's trajectories.
#
# Of the trajectory, only the scene, the task and the number of actions are taken, and what the
# expert's actions call the furniture, and where it stands: never what the expert did.


def start_from_file(
    path: Path, library: TaskLibrary, plans: tuple[str, ...], seed: int
) -> SessionStart:
    """Return the start of a recorded game, or of a trajectory with the furniture of `plans`."""
    if trajectories.is_trajectory_file(path):
        return start_from_trajectory(path, library, plans, seed)
    return start_from_game(path, library, None, (), seed)


@dataclass(frozen=True, slots=True)
class TrajectoryScene:
    """A trajectory and its scene; `furniture` names the file that the furniture is from."""

    trajectory: trajectories.Trajectory
    scene: Scene
    furniture: str


def load_scene(path: Path, plans: tuple[str, ...]) -> TrajectoryScene:
    """Return a trajectory with its scene, in which its task may lack something."""
    return scene_of_trajectory(trajectories.read_trajectory(path), plans)


def scene_of_trajectory(
    trajectory: trajectories.Trajectory, plans: tuple[str, ...]
) -> TrajectoryScene:
    """Return a trajectory with its scene; one in a shipped room needs no `plans`."""
    if trajectory.floor_plan in room_names():
        furniture = floor_plan_files.furniture_of_room(trajectory.floor_plan)
        models = carried_objects.ModelTable([furniture.objects], are_later=False)
    else:
        catalogue = floor_plan_files.read_furniture(plans)
        furniture = catalogue.find(trajectory.floor_plan, str(trajectory.path))
        models = catalogue.models
    scene = build_scene(trajectory, furniture, models)
    return TrajectoryScene(trajectory, scene, f"{furniture.source} {furniture.hash}")


def start_from_trajectory(
    path: Path, library: TaskLibrary, plans: tuple[str, ...], seed: int
) -> SessionStart:
    """Return the start of a trajectory, with its own task."""
    return start_in_scene(load_scene(path, plans), library, seed)


def start_in_scene(loaded: TrajectoryScene, library: TaskLibrary, seed: int) -> SessionStart:
    """Return the start of a trajectory in its scene."""
    trajectory, scene = loaded.trajectory, loaded.scene
    task, path = trajectory.task, trajectory.path
    if task is None:
        why = "has no task, as none of ALFRED's test folds has"
        raise GameFormatError(why, where=str(path), fix="name one of train or of a valid fold")
    definition = library.find(task.type.value)
    types = {name: trajectories.current_type(value) for name, value in task.parameters.items()}
    _check_types(scene, {**types, "object": trajectories.current_type(task.object)}, path)
    return SessionStart(
        library.compile(definition.name, [types[each.name] for each in definition.parameters]),
        scene,
        seed,
        game_id=trajectory.key,
        human_actions=len(trajectory.low_actions),
        alfred_task=task,
        furniture=loaded.furniture,
        directives=next((each for each in trajectory.annotations if each.goal.strip()), None),
    )


def _check_types(scene: Scene, types: dict[str, str], path: Path) -> None:
    for name, kind in types.items():
        if not scene.initial.of_type(kind):
            why = f"needs a {kind}, and the scene has none"
            fix = "name other PLANS, or another trajectory"
            raise GameFormatError(why, where=f"{path}: pddl_params ({name})", fix=fix)


# Train, validation and test splits of shipped rooms, tasks and seeds, from `splits.json`.
#
# A split's name stands for the same rooms, tasks and seeds for ever: other ones get other names.
# Seen splits have the rooms of `train` with other seeds, unseen ones rooms that no other split has,
# and `test_tasks` also tasks that no other split has.

_MAX_DRAWS = 100
_table = partial(package_table, "tatc.session", "splits.json")


@dataclass(frozen=True, slots=True)
class Split:
    """Rooms, tasks and seeds under a name.

    `first_room` and `last_room` are numbers of rooms of each kind, `kinds_by_task` the kinds of
    room in which a task is drawn.  The rooms are AI2-THOR's scenes if it `is_ithor`, numbered from
    1 to 30 in each kind, and else generated ones.
    """

    name: str
    first_room: int
    last_room: int
    first_seed: int
    last_seed: int
    kinds_by_task: tuple[tuple[str, tuple[str, ...]], ...]
    is_ithor: bool = False

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks, in name order."""
        return tuple(task for task, _ in self.kinds_by_task)

    def draw(self, number: int) -> SessionStart:
        """Return the start of this number, 0 or more; equal numbers give equal starts."""
        rng = Random(f"{self.name} {number}")
        for _ in range(_MAX_DRAWS):
            task, kinds = rng.choice(self.kinds_by_task)
            kind, number = rng.choice(kinds), rng.randint(self.first_room, self.last_room)
            room = self._room(kind, number)
            seed = rng.randint(self.first_seed, self.last_seed)
            library = shipped_library()
            try:
                return start_from_room(load_room(room), library, library.find(task), (), seed)
            except BadInput:
                continue
        raise BadInput(f"no start was found in {_MAX_DRAWS} draws", where=f"split {self.name}")

    def sessions(self) -> tuple[tuple[str, str, int], ...]:
        """Return the rooms, tasks and seeds of its sessions, each of which the rule pair solves.

        They are listed for splits that test, and never change; `benchmarks/split_sessions.py` made
        the list.
        """
        listed = package_table("tatc.session", "split_sessions.json")
        if self.name not in listed:
            names = ", ".join(sorted(listed))
            why = f"the split {self.name} has starts without end, and no list of sessions"
            raise BadInput(why, fix=f"name {names}")
        return tuple(
            (room, task, seed)
            for room, tasks in listed[self.name].items()
            for task, seeds in tasks.items()
            for seed in seeds
        )

    def rooms(self) -> Iterator[tuple[str, str]]:
        """Yield each of its rooms with each task that can be done there."""
        for task, kinds in self.kinds_by_task:
            for kind, number in product(kinds, range(self.first_room, self.last_room + 1)):
                yield self._room(kind, number), task

    def _room(self, kind: str, number: int) -> str:
        if not self.is_ithor:
            return f"{kind}-{number:02}"
        return ithor.ithor_name(RoomKind(kind.capitalize().replace("-", " ")), number)


@cache
def load_split(name: str) -> Split:
    """Return the split of this name."""
    table = _table()
    UnknownName.check("split", name, table["splits"])
    raw = table["splits"][name]
    kinds = sorted((task, tuple(kinds)) for task, kinds in table[raw["tasks"]].items())
    (first_room, last_room), (first_seed, last_seed) = raw["rooms"], raw["seeds"]
    is_ithor = raw.get("of") == "ithor"
    return Split(name, first_room, last_room, first_seed, last_seed, tuple(kinds), is_ithor)


def split_names() -> tuple[str, ...]:
    """Return the names of the splits."""
    return tuple(_table()["splits"])
