"""Reads TEACh's game files; reads and writes tatc's records.

`read_start` returns the part of a recorded session that running and scoring may see, and
`read_game` all of it.  `write_record` and `read_record` save and load a session of tatc's.
"""

from tatc.language.llm.recorded_calls import (
    ModelCallEnd as ModelCallEnd,
    RecordedModelCall as RecordedModelCall,
)
from tatc.session.records.file_search import (
    INSTANCE_FILES as INSTANCE_FILES,
    SESSION_FILES as SESSION_FILES,
    find_files as find_files,
    find_games as find_games,
)
from tatc.session.records.game import (
    Game as Game,
    GameStart as GameStart,
    floor_plan_room_kind as floor_plan_room_kind,
    read_game as read_game,
    read_start as read_start,
)
from tatc.session.records.game_header import (
    GameHeader as GameHeader,
    read_game_header as read_game_header,
)
from tatc.session.records.instance import (
    Benchmark as Benchmark,
    Instance as Instance,
    parse_instance as parse_instance,
    read_instance as read_instance,
    write_instance as write_instance,
)
from tatc.session.records.record import (
    COMMANDER_POSE as COMMANDER_POSE,
    Interaction as Interaction,
    LoggedPose as LoggedPose,
    Record as Record,
    RecordedDecision as RecordedDecision,
    SessionEnd as SessionEnd,
    interaction_json as interaction_json,
    logged_pose as logged_pose,
    read_interaction as read_interaction,
)
from tatc.session.records.record_io import (
    content_hash as content_hash,
    read_record as read_record,
    read_session as read_session,
    record_bytes as record_bytes,
    write_record as write_record,
)
