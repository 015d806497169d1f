"""Finds the tasks that a room can hold: those for which a start can be drawn in it."""

from tatc.base.errors import BadInput
from tatc.sim.rooms.placement_feasibility import has_room_for_task
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.start_sampling import capture_start, reason_against_start, start_state
from tatc.sim.rooms.task_requirements import missing_for_task
from tatc.tdl.parameter_sampling import sample_params
from tatc.tdl.task_library import TaskLibrary


def feasible_tasks(room: Room, library: TaskLibrary, seed: int = 1) -> tuple[str, ...]:
    """Return the names of the tasks for which a room has a start, in the library's order.

    Each task's parameters are drawn from what the room contains.  The result is empty if
    no start can be drawn even without a task.
    """
    try:
        start = capture_start(start_state(room, seed))
    except BadInput:
        return ()
    found: list[str] = []
    for definition in library.definitions():
        try:
            params = sample_params(
                definition, start, seed, accept=lambda task: has_room_for_task(task, start)
            )
            task = library.compile(definition.name, params)
            if missing_for_task(room, task):
                continue
            if reason_against_start(task, start):  # another draw of the same start may do
                start_state(room, seed, task)
        except BadInput:
            continue
        found.append(definition.name)
    return tuple(found)
