"""The text world: what either agent perceives as text, and its actions as tools.

Everything that a model reads is in `wording.json`, whose version and hash stand in every record
of a session in which it was used.
"""

from tatc.session.text_world.commander_interface import CommanderInterface
from tatc.session.text_world.follower_interface import FollowerInterface
from tatc.session.text_world.text_agents import Chooser, TextCommander, TextFollower
from tatc.session.text_world.tools import Grain, commander_tools, follower_tools, parse_grain
from tatc.session.text_world.wording import rules_for, server_words

__all__ = ["Chooser", "CommanderInterface", "FollowerInterface", "Grain", "TextCommander"]
__all__ += ["TextFollower", "commander_tools", "follower_tools", "parse_grain", "rules_for"]
__all__ += ["server_words"]
