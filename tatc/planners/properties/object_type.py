"""objectType: a whole is cut into slices, which the PDDL planner makes without a goal."""

from tatc.home import state, type_facts
from tatc.planners.properties import AlternativeIds, PropertyFacts, PropertyNeed, StartMeans
from tatc.tdl.definition import DesiredValue


def _need(means: StartMeans, obj: state.ObjectState, desired: DesiredValue) -> PropertyNeed:
    cutting: dict[str, AlternativeIds] = {f"cut {obj.objectType}": frozenset()}
    if obj.objectType not in type_facts.CRACKED_TYPE_BY_WHOLE and means.knives:
        cutting["knife"] = means.knives
    return PropertyNeed(shared_interactions=cutting, stays_in_place=False)


FACTS = PropertyFacts("objectType", rank=0, need_of=_need)
