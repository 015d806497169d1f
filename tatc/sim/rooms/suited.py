"""Which tasks a room can hold: those that a start in it can be drawn for."""

from tatc.errors import BadInput
from tatc.sim.rooms.needs import lacking
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.roomy import has_room
from tatc.sim.rooms.start import captured, refusal, start_state
from tatc.tdl.draw import draw_params
from tatc.tdl.library import Library


def tasks_of(room: Room, library: Library, seed: int = 1) -> tuple[str, ...]:
    """Return the names of the tasks that a start of a room allows, in their order.

    Parameters are drawn among what is there.
    """
    try:
        start = captured(start_state(room, seed))
    except BadInput:
        return ()
    found: list[str] = []
    for definition in library.definitions():
        try:
            params = draw_params(
                definition, start, seed, accept=lambda task: has_room(task, start)
            )
            task = library.compile(definition.name, params)
            if lacking(room, task):
                continue
            if refusal(task, start):  # another draw of the same start may do
                start_state(room, seed, task)
        except BadInput:
            continue
        found.append(definition.name)
    return tuple(found)
