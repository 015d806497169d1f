"""The text world: what either agent perceives as text, and its actions as tools.

Everything that a model reads is in `wording.json`, whose version and hash stand in every record
of a session in which it was used.
"""

from tatc.session.text_world.commander_interface import CommanderInterface as CommanderInterface
from tatc.session.text_world.follower_interface import FollowerInterface as FollowerInterface
from tatc.session.text_world.text_agents import (
    Chooser as Chooser,
    TextCommander as TextCommander,
    TextFollower as TextFollower,
)
from tatc.session.text_world.tools import (
    Grain as Grain,
    commander_tools as commander_tools,
    follower_tools as follower_tools,
    parse_grain as parse_grain,
)
from tatc.session.text_world.wording import (
    TEXT_WORLD_VERSION as TEXT_WORLD_VERSION,
    rules_for as rules_for,
    server_words as server_words,
    wording_hash as wording_hash,
)
