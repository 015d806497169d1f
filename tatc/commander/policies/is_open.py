"""isOpen: open or close the object."""

from tatc.commander.candidates import candidates
from tatc.commander.draft import Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.policies import policy
from tatc.commander.skills.switch import Swing
from tatc.tdl import ProblemKey


@policy("isOpen")
def swing(key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
    """Open or close the object, or one of its like."""
    is_open = bool(key.desired)
    things = candidates(key, known)
    return tuple(
        (Swing(t.objectId, is_open=is_open),) for t in things if t.isOpen != is_open
    )
