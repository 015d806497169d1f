"""Three conditions of dialogue, as what the agents hear of one another."""

from enum import StrEnum

from tatc.commander import Commander, CommanderView, Decision
from tatc.commander.oracle import Oracle
from tatc.home.actions import Action, Verb
from tatc.tdl import Task


class DialogueCondition(StrEnum):
    """What is said and heard.

    `SILENT`: the Follower is told the task's one line before it begins, and nothing else; when it
    then speaks, nobody answers and the session ends.  `ONE_WAY`: the Commander has its turns, but
    hears nothing of what the Follower says.  `TWO_WAY`: both speak and hear, as in every session.
    """

    SILENT = "silent"
    ONE_WAY = "one-way"
    TWO_WAY = "two-way"


class DeafCommander:
    """A Commander that is told nothing of what the Follower says."""

    def __init__(self, commander: Commander) -> None:
        """Wrap a Commander."""
        self._commander = commander

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Begin a session."""
        self._commander.begin(oracle, task)

    def act(self, view: CommanderView) -> Action:
        """Let the Commander act, without the words."""
        return self._commander.act(CommanderView((), view.progress))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The Commander's."""
        return self._commander.decisions


class MuteCommander:
    """A Commander that never says anything: it ends the session when it should speak."""

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Begin a session."""

    def act(self, view: CommanderView) -> Action:
        """End the session."""
        return Action(Verb.STOP)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """No decisions."""
        return ()


def commander_under(condition: DialogueCondition, commander: Commander) -> Commander:
    """Return the Commander as it takes part under a condition."""
    match condition:
        case DialogueCondition.SILENT:
            return MuteCommander()
        case DialogueCondition.ONE_WAY:
            return DeafCommander(commander)
        case DialogueCondition.TWO_WAY:
            return commander
