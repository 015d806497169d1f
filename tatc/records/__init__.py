"""TEACh game files in, tatc records in and out.

`read_start` gives what running and scoring may see of a recorded session, `read_game`
all of it; `write_record` and `read_record` save and load a session of tatc's.
"""

from tatc.records.find import find_games
from tatc.records.game import Game, Start, read_game, read_start
from tatc.records.interaction import (
    COMMANDER_POSE,
    Interaction,
    interaction_json,
    logged_pose,
    read_interaction,
)

__all__ = [
    "COMMANDER_POSE",
    "Game",
    "Interaction",
    "Start",
    "find_games",
    "interaction_json",
    "logged_pose",
    "read_game",
    "read_interaction",
    "read_start",
]
