"""tatc's own rooms: a generator, the shipped rooms, and the starts of sessions in them."""

from tatc.sim.rooms.generator.room_generator import generate_room as generate_room
from tatc.sim.rooms.ithor import ithor_names as ithor_names
from tatc.sim.rooms.room import Room as Room
from tatc.sim.rooms.room_files import (
    format_room as format_room,
    load_room as load_room,
    room_names as room_names,
    shipped_names as shipped_names,
)
from tatc.sim.rooms.start_sampling import start_state as start_state
