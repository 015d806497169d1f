"""What the Commander says when it gives up: plain English, with objects by short names."""

from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import FailureReason, PlanFailure
from tatc.commander.rule_planner import RejectedPlans
from tatc.commander.skills.hold import PlaceIn
from tatc.home.actions import Verb
from tatc.home.state import ShortNames
from tatc.tdl import ProblemKey
from tests.commander.test_plan_builder import open_kitchen


def _explained(known: Knowledge, failure: PlanFailure | None, key: ProblemKey) -> str:
    ids = {obj.objectType: obj.objectId for obj in known.snapshot.objects}
    rejected = RejectedPlans()
    rejected.add(key, (PlaceIn(ids["Mug"], ids["Fridge"]),), failure)
    return rejected.explain((key,), ShortNames(known.snapshot), known.memory)


def test_reason_names_skill_and_object_in_words() -> None:
    _, known, ids = open_kitchen()
    key = ProblemKey(ids["Mug"], "Mug", "a", "parentReceptacles", "Fridge")
    full = PlanFailure(FailureReason.NO_ROOM, ids["Fridge"])
    assert _explained(known, full, key) == "put Mug in Fridge: no room (Fridge)"
    assert _explained(known, None, key) == "put Mug in Fridge: nothing is left to do for it"


def test_reason_counts_refusals() -> None:
    _, known, ids = open_kitchen()
    key = ProblemKey(ids["Mug"], "Mug", "a", "parentReceptacles", "Fridge")
    refused = PlanFailure(FailureReason.REFUSED, ids["Fridge"])
    assert _explained(known, refused, key).endswith(": refused before (Fridge)")
    for _ in range(2):
        action_key = (Verb.PLACE, ids["Fridge"], ids["Mug"], ())
        known.memory.record_refusal(action_key, known.pose, budget=3)
    assert _explained(known, refused, key).endswith(": refused twice (Fridge)")


def test_reason_without_a_plan_names_the_property() -> None:
    _, known, ids = open_kitchen()
    rejected, names = RejectedPlans(), ShortNames(known.snapshot)
    key = ProblemKey(ids["Mug"], "Mug", "a", "isBroken", True)
    nothing = "nothing is named that policies could change"
    assert rejected.explain((), names, known.memory) == nothing
    no_plan = "the policy of isBroken has no plan for Mug"
    assert rejected.explain((key,), names, known.memory) == no_plan
    rejected.add(key, (), PlanFailure(FailureReason.UNACHIEVABLE, ids["Mug"]))
    assert (
        rejected.explain((key,), names, known.memory)
        == "change isBroken of Mug: cannot be changed (Mug)"
    )
