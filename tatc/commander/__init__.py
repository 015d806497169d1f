"""Commanders: agents that know the task, may query the oracle, and speak, but cannot act."""

from tatc.commander.oracle import (
    Commander as Commander,
    CommanderView as CommanderView,
    Decision as Decision,
    InterjectingCommander as InterjectingCommander,
    Oracle as Oracle,
)
from tatc.commander.rule_commander import (
    FastDownwardCommander as FastDownwardCommander,
    PddlCommander as PddlCommander,
    PoliciesOnlyCommander as PoliciesOnlyCommander,
    RuleCommander as RuleCommander,
)
