"""isToggled: switch the object."""

from tatc.commander.candidates import candidate_objects
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import policy
from tatc.commander.skills.heat import Switch
from tatc.tdl import ProblemKey


@policy("isToggled")
def switch_on_or_off(key: ProblemKey, known: Knowledge) -> tuple[SkillPlan, ...]:
    """Switch the object on or off, or another of its type."""
    on = bool(key.desired)
    objects = candidate_objects(key, known)
    return tuple((Switch(t.objectId, on=on),) for t in objects if t.isToggled != on)
