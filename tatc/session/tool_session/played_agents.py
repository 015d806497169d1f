"""Agents that tool calls play: external agents of the text interface."""

from tatc.session.agents.external_agents import ExternalCommander, ExternalFollower
from tatc.session.text_world.follower_interface import TEXT_VIEW_SIDE_PIXELS
from tatc.session.text_world.wording import text_world_label

PLAYED_NAME = "tools"
"""How a record names an agent that was played by tool calls."""


class PlayedFollower(ExternalFollower):
    """A Follower whose next action a tool call has decided."""

    perceives = True
    """Its text is made from percepts."""
    view_side_pixels = TEXT_VIEW_SIDE_PIXELS

    @property
    def record_options(self) -> tuple[tuple[str, str], ...]:
        """What a record says of the text interface."""
        return (("text_world", text_world_label()),)


class PlayedCommander(ExternalCommander):
    """A Commander whose next action a tool call has decided."""

    @property
    def record_options(self) -> tuple[tuple[str, str], ...]:
        """What a record says of the text interface."""
        return (("text_world", text_world_label()),)
