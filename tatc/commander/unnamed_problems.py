"""What to do when a task is not done and the progress check names no object.

Where several slices are wanted, TEACh's check is content with one whole food, because one
whole gives many slices (spec section 3.5).  With one slice there already, and a whole that
is as the slices should be, it names no object.  Then the whole has to be cut.
"""

from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.skills.cut import Cut
from tatc.home.state import ObjectState
from tatc.home.type_facts import SLICE_TYPE_BY_WHOLE
from tatc.tdl import ProblemKey

UNNAMED_KEY = ProblemKey("", "", "a", "unnamed", None)
"""The problem key where a progress check names no object."""


def plans_without_problem_key(known: Knowledge) -> tuple[SkillPlan, ...]:
    """Return plans to cut each whole food of which there are slices, cooked ones first."""
    wholes = known.view.find_objects(where=lambda t: _has_slices_of_its_type(t, known))
    ranked = sorted(wholes, key=lambda t: not t.simbotIsCooked)
    return tuple((Cut(obj.objectId),) for obj in ranked)


def _has_slices_of_its_type(obj: ObjectState, known: Knowledge) -> bool:
    if not obj.affordances.sliceable or obj.isSliced:
        return False
    slice_type = SLICE_TYPE_BY_WHOLE.get(obj.objectType)
    return slice_type is not None and bool(known.snapshot.of_type(slice_type))
