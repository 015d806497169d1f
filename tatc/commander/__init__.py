"""Commanders: agents that know the task, may query the oracle, and speak, but cannot act."""

from tatc.commander.oracle import Commander, CommanderView, Decision, InterjectingCommander, Oracle
from tatc.commander.rule_commander import (
    FastDownwardCommander,
    PddlCommander,
    PoliciesOnlyCommander,
    RuleCommander,
)

__all__ = ["Commander", "CommanderView", "Decision", "FastDownwardCommander"]
__all__ += ["InterjectingCommander", "Oracle", "PddlCommander", "PoliciesOnlyCommander"]
__all__ += ["RuleCommander"]
