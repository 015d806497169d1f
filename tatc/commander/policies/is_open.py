"""isOpen: open or close the object."""

from tatc.commander.candidates import candidate_objects
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.commander.skills.heat import OpenClose
from tatc.tdl import ProblemKey


@policy("isOpen")
def open_or_close(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Open or close the object, or another of its type."""
    is_open = bool(key.desired)
    objects = candidate_objects(key, known)
    return tuple((OpenClose(t.objectId, is_open=is_open),) for t in objects if t.isOpen != is_open)
