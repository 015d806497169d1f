"""The text world: what either agent perceives as text, and its actions as tools.

Everything that a model reads is in `wording.json`, whose version and hash stand in every record
of a session in which it was used.
"""

from tatc.session.text_world.commander_interface import CommanderInterface
from tatc.session.text_world.follower_interface import FollowerInterface
from tatc.session.text_world.text_agents import Chooser, TextCommander, TextFollower
from tatc.session.text_world.tools import Grain, commander_tools, follower_tools, parse_grain
from tatc.session.text_world.wording import (
    TEXT_WORLD_VERSION,
    rules_for,
    server_words,
    wording_hash,
)

__all__ = ["TEXT_WORLD_VERSION", "Chooser", "CommanderInterface", "FollowerInterface", "Grain"]
__all__ += ["TextCommander", "TextFollower", "commander_tools", "follower_tools", "parse_grain"]
__all__ += ["rules_for", "server_words", "wording_hash"]
