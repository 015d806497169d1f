"""objectType: cut something whole into the slices that are wanted."""

from tatc.commander.candidates import candidates
from tatc.commander.draft import Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.commander.skills.cut import Cut
from tatc.tdl import ProblemKey


@policy("objectType")
def cut(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Cut the object; only what is whole and can be cut is a candidate."""
    return tuple(
        (Cut(thing.objectId),)
        for thing in candidates(key, known)
        if thing.affordances.sliceable and not thing.isSliced
    )
