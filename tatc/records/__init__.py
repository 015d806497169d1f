"""TEACh game files in, tatc records in and out.

`read_start` gives what running and scoring may see of a recorded session, `read_game`
all of it; `write_record` and `read_record` save and load a session of tatc's.
"""

from tatc.records.find import INSTANCES, find_files, find_games
from tatc.records.game import Game, Start, plan_kind, read_game, read_start
from tatc.records.heading import Heading, read_heading
from tatc.records.instance import (
    Benchmark,
    Instance,
    parse_instance,
    read_instance,
    write_instance,
)
from tatc.records.interaction import (
    COMMANDER_POSE,
    Interaction,
    LoggedPose,
    interaction_json,
    logged_pose,
    read_interaction,
)
from tatc.records.record import Decision, End, Problem, Record
from tatc.records.saving import (
    content_hash,
    read_record,
    read_session,
    record_bytes,
    write_record,
)

__all__ = [
    "COMMANDER_POSE",
    "INSTANCES",
    "Benchmark",
    "Decision",
    "End",
    "Game",
    "Heading",
    "Instance",
    "Interaction",
    "LoggedPose",
    "Problem",
    "Record",
    "Start",
    "content_hash",
    "find_files",
    "find_games",
    "interaction_json",
    "logged_pose",
    "parse_instance",
    "plan_kind",
    "read_game",
    "read_heading",
    "read_instance",
    "read_interaction",
    "read_record",
    "read_session",
    "read_start",
    "record_bytes",
    "write_instance",
    "write_record",
]
