"""Rule Commanders that plan with PDDL alone, or with policies alone."""

from tatc.commander.rule_commander import RuleCommander


class PddlCommander(RuleCommander):
    """A Commander that plans whole tasks in PDDL, without any policy."""

    uses_policies = False


class PoliciesOnlyCommander(RuleCommander):
    """A Commander without the PDDL fallback: where its policies have no plan, it gives up."""

    uses_fallback = False
