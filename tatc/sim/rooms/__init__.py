"""tatc's own rooms: a generator, the shipped rooms, and the starts of sessions in them."""

from tatc.sim.rooms.generator.room_generator import generate_room
from tatc.sim.rooms.ithor import ithor_names
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.room_files import format_room, load_room, room_names, shipped_names
from tatc.sim.rooms.start_sampling import start_state

__all__ = ["Room", "format_room", "generate_room", "ithor_names", "load_room", "room_names"]
__all__ += ["shipped_names", "start_state"]
