"""Agents whose next action a tool call has decided."""

from tatc.actions import Action, Verb
from tatc.commander import CommanderView, Decision, Oracle
from tatc.observation import Observation
from tatc.tdl import Task
from tatc.text_world.follower_interface import VIEW_SIDE_PIXELS
from tatc.text_world.wording import text_world_label

PLAYED_NAME = "tools"
"""How a record names an agent that was played by tool calls."""


class PlayedFollower:
    """A Follower that takes the action which `next_action` holds."""

    perceives = True
    """Its text is made from percepts."""
    view_side_pixels = VIEW_SIDE_PIXELS

    @property
    def record_options(self) -> tuple[tuple[str, str], ...]:
        """What a record says of the text interface."""
        return (("text_world", text_world_label()),)

    def __init__(self) -> None:
        """Start with Stop."""
        self.next_action = Action(Verb.STOP)

    def begin(self) -> None:
        """Begin a session."""

    def act(self, observation: Observation) -> Action:
        """Return `next_action`."""
        return self.next_action


class PlayedCommander:
    """A Commander that takes the action which `next_action` holds."""

    @property
    def record_options(self) -> tuple[tuple[str, str], ...]:
        """What a record says of the text interface."""
        return (("text_world", text_world_label()),)

    def __init__(self) -> None:
        """Start with Stop."""
        self.next_action = Action(Verb.STOP)

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Begin a session."""

    def act(self, view: CommanderView) -> Action:
        """Return `next_action`."""
        return self.next_action

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """No decisions: the reasons for its actions are not known."""
        return ()
