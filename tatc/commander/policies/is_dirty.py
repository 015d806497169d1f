"""isDirty: rinse the object in a sink."""

from tatc.commander.candidates import candidates
from tatc.commander.draft import Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.commander.skills.water import Rinse
from tatc.tdl import ProblemKey


@policy("isDirty")
def clean(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Stand the object, or one of its like, under running water."""
    return tuple(
        (Rinse(thing.objectId),) for thing in candidates(key, known) if thing.isDirty
    )
