"""The start of a session: a place, a start state, and a task with its parameters.

Of a recorded game, only the start state, the task, its parameters and the number of
actions are read (`records.read_start`): never what people did, nor the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tatc.base.errors import BadInput, GameFormatError, ParameterError
from tatc.home.state import Scene, Snapshot
from tatc.session.directives import Directives
from tatc.session.records import GameStart, read_start
from tatc.session.records.record import session_id_of
from tatc.session.records.trajectory import TrajectoryTask
from tatc.sim.rooms import Room, load_room, room_names, start_state
from tatc.sim.rooms.placement_feasibility import has_room_for_task
from tatc.tdl import Task, TaskDefinition, TaskLibrary, assign_classes
from tatc.tdl.parameter_sampling import sample_params
from tatc.tdl.parameter_values import parse_params


@dataclass(frozen=True, slots=True)
class SessionStart:
    """A session about to start.

    Either `room` or `game_id` (its id) is given.  `human_actions` counts the logged
    interactions of the recorded session, None in a room.  `alfred_task` is the task as ALFRED's
    own test takes it, None where the start is no trajectory of ALFRED's.  `furniture` is the name
    and the hash of the file that its furniture is from.  `directives` are what an annotator of
    ALFRED wrote.
    """

    task: Task
    scene: Scene
    seed: int
    room: str | None = None
    game_id: str | None = None
    human_actions: int | None = None
    alfred_task: TrajectoryTask | None = None
    furniture: str = ""
    directives: Directives | None = None

    @property
    def session_id(self) -> str:
        """The name of the session: its game's id, or its room, task and seed."""
        return session_id_of(self.game_id, self.scene.place, self.task.name, self.seed)

    @property
    def place(self) -> str:
        """The room or the game, as a report names it."""
        return self.room or self.game_id or self.scene.place


def start_from_game(
    path: Path, library: TaskLibrary, task: str | None, params: Sequence[str], seed: int
) -> SessionStart:
    """Return the start of a recorded game, with its own task or another that it allows."""
    game = read_start(path)
    start = _with_object_classes(game.scene.start)
    if task is None and not params:
        chosen = task_of_game(game, path, library)
    else:
        definition = library.find(task or game.task_name)
        chosen = _compile_with_params(library, definition, params, start, seed)
        _check_possible(chosen, start, f"the recorded start of {path}")
    return SessionStart(
        chosen,
        Scene(game.scene.place, game.scene.kind, start),
        seed,
        game_id=game.game_id,
        human_actions=game.n_actions,
    )


def task_of_game(game: GameStart, path: Path, library: TaskLibrary) -> Task:
    """Return the task that a game file names."""
    try:
        return library.compile(game.task_name, game.task_params)
    except BadInput as fault:
        fix = "--tasks DIR adds definitions"
        where = f"{path}: tasks[0]"
        raise GameFormatError(str(fault), where=where, fix=fix) from fault


def start_from_room_name(
    room: str | None, library: TaskLibrary, task: str, params: Sequence[str], seed: int
) -> SessionStart:
    """Return a start in a room, or in the first shipped room that can hold the task."""
    definition = library.find(task)
    if room is not None:
        return start_from_room(load_room(room), library, definition, params, seed)
    for name in room_names():
        try:
            return start_from_room(load_room(name), library, definition, params, seed)
        except ParameterError:
            raise
        except BadInput:
            continue
    raise BadInput(
        f"no shipped room can hold {definition.name!r}",
        fix="name a room with --room, or a recorded start with --game",
    )


def start_from_room(
    room: Room, library: TaskLibrary, definition: TaskDefinition, params: Sequence[str], seed: int
) -> SessionStart:
    """Return a start in a room, drawn by the seed."""
    start = start_state(room, seed).start
    task = _compile_with_params(library, definition, params, start, seed)
    scene = start_state(room, seed, task)
    return SessionStart(task, scene, seed, room=room.name)


def _compile_with_params(
    library: TaskLibrary,
    definition: TaskDefinition,
    given: Sequence[str],
    start: Snapshot,
    seed: int,
) -> Task:
    """Return the task with the given parameters, and the others drawn.

    Drawn objects fit in the places where the task wants them.
    """
    named = parse_params(definition, given)
    params = sample_params(
        definition, start, seed, named, accept=lambda task: has_room_for_task(task, start)
    )
    return library.compile(definition.name, params)


def _check_possible(task: Task, start: Snapshot, where: str) -> None:
    if task.check(start).success:
        raise BadInput(f"{task.name!r} is done already", where=where, fix="name another --task")
    if not task.preconditions_hold(start):
        raise BadInput(
            f"{task.name!r} cannot be done: something that it needs is not there",
            where=where,
            fix="name another --task, or leave it out for the game's own",
        )


def _with_object_classes(start: Snapshot) -> Snapshot:
    return Snapshot(
        tuple(assign_classes(start.objects)), start.object_index, start.commander, start.follower
    )
