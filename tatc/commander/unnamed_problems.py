"""What to do when a task is not done and the progress check names nothing.

TEACh's check leaves it at one whole thing where several slices are wanted, because one
whole gives many (spec section 3.5): with a slice there already, and a whole thing that
is as the slices should be, no object is named.  Then the whole is to be cut.
"""

from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.skills.cut import Cut
from tatc.state import ObjectState
from tatc.thor_types.facts import SLICE_TYPE_BY_WHOLE


def plans_without_problem_key(known: Knowledge) -> tuple[SkillPlan, ...]:
    """Return plans to cut each whole thing whose slices are about, cooked first."""
    wholes = known.view.find_objects(where=lambda t: _has_slices_of_its_type(t, known))
    ranked = sorted(wholes, key=lambda t: not t.simbotIsCooked)
    return tuple((Cut(obj.objectId),) for obj in ranked)


def _has_slices_of_its_type(obj: ObjectState, known: Knowledge) -> bool:
    if not obj.affordances.sliceable or obj.isSliced:
        return False
    slice_type = SLICE_TYPE_BY_WHOLE.get(obj.objectType)
    return slice_type is not None and bool(known.snapshot.of_type(slice_type))
