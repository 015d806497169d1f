"""What a session starts from: a place, a start state, a task with its parameters.

From a recorded game only its start state, task, parameters and action count are read
(`records.read_start`): never what the people did, nor the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tatc.errors import BadInput, GameFormatError, ParameterError
from tatc.records import Start, read_start
from tatc.records.record import session_name
from tatc.sim.rooms import Room, load_room, room_names, start_state
from tatc.sim.rooms.roomy import has_room
from tatc.state import Scene, Snapshot
from tatc.tdl import Library, Task, TaskDefinition, assign_classes
from tatc.tdl.draw import draw_params
from tatc.tdl.parameters import named_params


@dataclass(frozen=True, slots=True)
class Opening:
    """A session about to start.

    Either `room` or `game` (its id) is given.  `human_actions` counts the logged
    interactions of the recorded session, None in a room.
    """

    task: Task
    scene: Scene
    seed: int
    room: str | None = None
    game: str | None = None
    human_actions: int | None = None

    @property
    def session_id(self) -> str:
        """What names the session: its game's id, or its room and seed."""
        return session_name(self.game, self.scene.place, self.seed)

    @property
    def place(self) -> str:
        """The room or the game, as a report names it."""
        return self.room or self.game or self.scene.place


def open_game(
    path: Path, library: Library, task: str | None, params: Sequence[str], seed: int
) -> Opening:
    """Open a recorded game with its own task, or another that its start allows.

    Raises:
        BadInput: the file is no game, or the task cannot be done from its start.

    """
    game = read_start(path)
    start = _classed(game.scene.start)
    if task is None and not params:
        chosen = own_task(game, path, library)
    else:
        definition = library.find(task or game.task_name)
        chosen = _filled(library, definition, params, start, seed)
        _require(chosen, start, f"the recorded start of {path}")
    return Opening(
        chosen,
        Scene(game.scene.place, game.scene.kind, start),
        seed,
        game=game.game_id,
        human_actions=game.n_actions,
    )


def own_task(game: Start, path: Path, library: Library) -> Task:
    """Return the task that a game file names.

    Raises:
        GameFormatError: the library has no such task, or its parameters do not fit.

    """
    try:
        return library.compile(game.task_name, game.task_params)
    except BadInput as fault:
        fix = "--tasks DIR adds definitions"
        where = f"{path}: tasks[0]"
        raise GameFormatError(str(fault), where=where, fix=fix) from fault


def open_room(
    room: str | None, library: Library, task: str, params: Sequence[str], seed: int
) -> Opening:
    """Open a room of ours, or the first that can hold the task.

    Raises:
        BadInput: there is no such room, or none can hold the task.

    """
    definition = library.find(task)
    if room is not None:
        return open_in(load_room(room), library, definition, params, seed)
    for name in room_names():
        try:
            return open_in(load_room(name), library, definition, params, seed)
        except ParameterError:
            raise
        except BadInput:
            continue
    raise BadInput(
        f"no shipped room can hold {definition.name!r}",
        fix="name a room with --room, or a recorded start with --game",
    )


def open_in(
    room: Room,
    library: Library,
    definition: TaskDefinition,
    params: Sequence[str],
    seed: int,
) -> Opening:
    """Open a room at hand.

    Raises:
        BadInput: it cannot hold the task.

    """
    start = start_state(room, seed).start
    task = _filled(library, definition, params, start, seed)
    scene = start_state(room, seed, task)
    return Opening(task, scene, seed, room=room.name)


def _filled(
    library: Library,
    definition: TaskDefinition,
    given: Sequence[str],
    start: Snapshot,
    seed: int,
) -> Task:
    """Return the task with its parameters: those given, and the rest drawn.

    What is drawn has room where the task wants it.
    """
    named = named_params(definition, given)
    params = draw_params(
        definition, start, seed, named, accept=lambda task: has_room(task, start)
    )
    return library.compile(definition.name, params)


def _require(task: Task, start: Snapshot, where: str) -> None:
    if task.check(start).success:
        raise BadInput(
            f"{task.name!r} is done already", where=where, fix="name another --task"
        )
    if not task.preconditions_hold(start):
        raise BadInput(
            f"{task.name!r} cannot be done: something that it needs is not there",
            where=where,
            fix="name another --task, or leave it out for the game's own",
        )


def _classed(start: Snapshot) -> Snapshot:
    return Snapshot(
        tuple(assign_classes(start.objects)),
        start.roster,
        start.commander,
        start.follower,
    )
