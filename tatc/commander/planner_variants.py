"""Rule Commanders that plan with PDDL alone, in one of two engines, or with policies alone."""

from tatc.commander.rule_commander import RuleCommander
from tatc.planners.pddl.problem import SearchEngine


class PddlCommander(RuleCommander):
    """A Commander that plans whole tasks in PDDL, without any policy."""

    uses_policies = False


class FastDownwardCommander(PddlCommander):
    """A Commander that plans whole tasks in PDDL, with Fast Downward as the engine."""

    search_engine = SearchEngine.FAST_DOWNWARD


class PoliciesOnlyCommander(RuleCommander):
    """A Commander without the PDDL fallback: where its policies have no plan, it gives up."""

    uses_fallback = False
