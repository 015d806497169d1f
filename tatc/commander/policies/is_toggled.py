"""isToggled: switch the object."""

from tatc.commander.candidates import candidates
from tatc.commander.draft import Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.commander.skills.switch import Switch
from tatc.tdl import ProblemKey


@policy("isToggled")
def switch(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Switch the object on or off, or one of its like."""
    on = bool(key.desired)
    things = candidates(key, known)
    return tuple((Switch(t.objectId, on=on),) for t in things if t.isToggled != on)
