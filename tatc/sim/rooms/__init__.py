"""Rooms of our own: a generator, the shipped ones, and starts of sessions in them."""

from tatc.sim.rooms.files import load_room, room_names, write_room
from tatc.sim.rooms.generator import generate
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.start import start_state

__all__ = [
    "Room",
    "generate",
    "load_room",
    "room_names",
    "start_state",
    "write_room",
]
