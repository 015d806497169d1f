"""Reads TEACh's game files; reads and writes tatc's records.

`read_start` returns the part of a recorded session that running and scoring may see, and
`read_game` all of it.  `write_record` and `read_record` save and load a session of tatc's.
"""

from tatc.language.llm.recorded_calls import ModelCallEnd, RecordedModelCall
from tatc.session.records.file_search import INSTANCE_FILES, SESSION_FILES, find_files, find_games
from tatc.session.records.game import Game, GameStart, floor_plan_room_kind, read_game, read_start
from tatc.session.records.game_header import GameHeader, read_game_header
from tatc.session.records.instance import Benchmark, Instance, parse_instance, read_instance
from tatc.session.records.record import (
    COMMANDER_POSE,
    Interaction,
    Record,
    RecordedDecision,
    SessionEnd,
    interaction_json,
    logged_pose,
)
from tatc.session.records.record_io import read_record, record_bytes, write_record

__all__ = ["COMMANDER_POSE", "INSTANCE_FILES", "SESSION_FILES", "Benchmark", "Game", "GameHeader"]
__all__ += ["GameStart", "Instance", "Interaction", "ModelCallEnd", "Record", "RecordedDecision"]
__all__ += ["RecordedModelCall", "SessionEnd", "find_files", "find_games", "floor_plan_room_kind"]
__all__ += ["interaction_json", "logged_pose", "parse_instance", "read_game", "read_game_header"]
__all__ += ["read_instance", "read_record", "read_start", "record_bytes", "write_record"]
