"""Agents whose actions are decided outside the session: by an environment, or by tool calls."""

from tatc.commander import CommanderView, Decision
from tatc.commander.oracle import Oracle
from tatc.home.actions import Action, Verb
from tatc.home.observation import Observation
from tatc.tdl import Task


class ExternalCommander:
    """A Commander that takes the action which `next_action` holds."""

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


class ExternalFollower:
    """A Follower that takes the action which `next_action` holds."""

    def __init__(self) -> None:
        """Start with Stop."""
        self.next_action = Action(Verb.STOP)

    def begin(self) -> None:
        """Begin a session."""

    def act(self, observation: Observation) -> Action:
        """Return `next_action`."""
        return self.next_action
