"""A Commander that fails when it is to speak."""

from tatc.commander import CommanderView, Decision
from tatc.commander.oracle import Oracle
from tatc.home.actions import Action
from tatc.tdl import Task


class CrashingCommander:
    @property
    def decisions(self) -> tuple[Decision, ...]:
        return ()

    def begin(self, oracle: Oracle, task: Task) -> None:
        pass

    def act(self, view: CommanderView) -> Action:
        raise RuntimeError("out of words")
