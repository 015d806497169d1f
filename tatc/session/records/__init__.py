"""Reads TEACh's game files; reads and writes tatc's records.

`read_start` returns the part of a recorded session that running and scoring may see, and
`read_game` all of it.  `write_record` and `read_record` save and load a session of tatc's.
"""

from tatc.language.llm.recorded_calls import ModelCallEnd, RecordedModelCall
from tatc.session.records.file_search import INSTANCE_FILES, SESSION_FILES, find_files, find_games
from tatc.session.records.game import Game, GameStart, floor_plan_room_kind, read_game, read_start
from tatc.session.records.game_header import GameHeader, read_game_header
from tatc.session.records.instance import (
    Benchmark,
    Instance,
    parse_instance,
    read_instance,
    write_instance,
)
from tatc.session.records.record import (
    COMMANDER_POSE,
    Interaction,
    LoggedPose,
    Record,
    RecordedDecision,
    SessionEnd,
    interaction_json,
    logged_pose,
    read_interaction,
)
from tatc.session.records.record_io import (
    content_hash,
    read_record,
    read_session,
    record_bytes,
    write_record,
)

__all__ = ["COMMANDER_POSE", "INSTANCE_FILES", "SESSION_FILES", "Benchmark", "Game", "GameHeader"]
__all__ += ["GameStart", "Instance", "Interaction", "LoggedPose", "ModelCallEnd", "Record"]
__all__ += ["RecordedDecision", "RecordedModelCall", "SessionEnd", "content_hash", "find_files"]
__all__ += ["find_games", "floor_plan_room_kind", "interaction_json", "logged_pose"]
__all__ += ["parse_instance", "read_game", "read_game_header", "read_instance", "read_interaction"]
__all__ += ["read_record", "read_session", "read_start", "record_bytes", "write_instance"]
__all__ += ["write_record"]
