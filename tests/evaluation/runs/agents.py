"""Agents that misbehave, for the tests of evaluation."""

import os
import sys

from tatc.commander import CommanderView, RuleCommander
from tatc.commander.oracle import Oracle
from tatc.home.actions import Action, Verb
from tatc.tdl import Task


class Raises(RuleCommander):
    """Fails with an exception in the middle of some sessions."""

    def begin(self, oracle: Oracle, task: Task) -> None:
        super().begin(oracle, task)
        self._task_name = task.name

    def act(self, view: CommanderView) -> Action:
        if view.progress is not None and self._task_name == "Coffee":
            raise RuntimeError("no coffee\nfor you")
        return super().act(view)


class Dies(Raises):
    """Takes its process down in the middle of some sessions."""

    def act(self, view: CommanderView) -> Action:
        if view.progress is not None and self._task_name == "Coffee":
            os._exit(3)
        return RuleCommander.act(self, view)


class Talks(RuleCommander):
    """Prints, as people's own agents do."""

    def act(self, view: CommanderView) -> Action:
        sys.stdout.write("thinking\n")
        sys.stderr.write("loudly\n")
        return super().act(view)


class Stops(RuleCommander):
    """Gives up at once."""

    def act(self, view: CommanderView) -> Action:
        return Action(Verb.STOP)
