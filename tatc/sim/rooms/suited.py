"""Which tasks a room can hold: those that a start in it can be drawn for."""

from tatc.errors import BadInput
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.start import start_state
from tatc.tdl.draw import draw_params
from tatc.tdl.library import Library


def tasks_of(room: Room, library: Library, seed: int = 1) -> tuple[str, ...]:
    """Return the names of the tasks that a start of a room allows, in their order.

    The preconditions decide, with parameters drawn among what is there.
    """
    try:
        start = start_state(room, seed).start
    except BadInput:
        return ()
    found: list[str] = []
    for definition in library.definitions():
        try:
            draw_params(definition, start, seed)
        except BadInput:
            continue
        found.append(definition.name)
    return tuple(found)
