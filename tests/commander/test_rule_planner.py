"""Progress in, plan out: the next stretch with its decision, or why there is none."""

import pytest

from tatc.api import run
from tatc.commander.knowledge import MAX_PLAN_REPEATS
from tatc.commander.plan_builder import FailureReason, PlanFailure
from tatc.commander.rule_planner import (
    NoStretch,
    PlannedStretch,
    RejectedPlans,
    RulePlanner,
)
from tatc.commander.skills.hold import PlaceIn
from tatc.home.actions import FailureReport, Verb
from tatc.home.state import ShortNames
from tatc.tdl import ProblemKey, Task, shipped_library
from tests.commander.test_plan_builder import open_kitchen


def _planner(name: str, *params: str, **changes: dict[str, object]) -> tuple[RulePlanner, Task]:
    task = shipped_library().compile(name, params)
    return RulePlanner(open_kitchen(**changes)[1], task), task


def test_a_stretch_has_its_skills_and_the_decision_but_no_words() -> None:
    planner, task = _planner("Coffee")
    found = planner.next_stretch(task.check(planner.known.snapshot))
    assert isinstance(found, PlannedStretch)
    assert planner.last_steps == found.steps and found.steps[-1].step.verb is Verb.TOGGLE_ON
    assert found.view is planner.known.view
    assert (found.decision.utterance, found.decision.policy) == ("", "simbotIsFilledWithCoffee")
    assert found.decision.cost == len(found.steps)


def test_a_failed_step_is_named_by_the_next_decision_alone() -> None:
    planner, task = _planner("Coffee")
    progress = task.check(planner.known.snapshot)
    planner.next_stretch(progress)
    planner.learn(FailureReport(planner.last_steps[-1].step, "it does not fit"))
    reasons = [planner.next_stretch(progress).decision.reason for _ in range(2)]
    assert reasons[0].endswith("failed: it does not fit") and reasons[1] == ""


def test_a_stretch_that_was_only_asked_about_counts_as_not_said() -> None:
    def plans(*, asks: bool) -> list[str]:
        planner, task = _planner("Coffee")
        found = list[str]()
        for _ in range(MAX_PLAN_REPEATS + 1):
            found.append(planner.next_stretch(task.check(planner.known.snapshot)).decision.skill)
            if asks:
                planner.take_back()
        return found

    first, *others = plans(asks=True)
    assert first and set(others) == {first}
    *said, last = plans(asks=False)
    assert set(said) == {first} != {last}


@pytest.mark.parametrize(
    ("task", "room", "seed"),
    [("Plate Of Toast", "kitchen-07", 701), ("Boil X", "FloorPlan29", 601)],
)
def test_a_plan_goes_on_while_the_follower_asks_for_each_click(
    task: str, room: str, seed: int
) -> None:
    """The first has a plan that only hope allows, the second more clicks than a plan is said."""
    assert run(task, room=room, seed=seed, wording="steps").success


def test_there_is_no_stretch_for_a_task_that_is_done() -> None:
    planner, task = _planner("Water Plant", HousePlant={"isFilledWithLiquid": True})
    found = planner.next_stretch(task.check(planner.known.snapshot))
    assert isinstance(found, NoStretch)
    assert (found.is_complete, found.explanation) == (True, "")
    assert planner.last_steps == ()


def test_without_thoroughness_only_policies_are_asked() -> None:
    """The coffee machine has refused every mug: policies have no plan, and PDDL is not asked."""
    planner, task = _planner("Coffee")
    known, progress = planner.known, task.check(planner.known.snapshot)
    [machine] = known.view.find_objects("CoffeeMachine")
    for mug in known.view.find_objects("Mug"):
        known.memory.ruled_out.add((Verb.PLACE, machine.objectId, mug.objectId, ()))
    found = planner.next_stretch(progress, thorough=False)
    assert isinstance(found, NoStretch) and not found.is_complete
    assert "refused before" in found.explanation and found.decision.alternatives


def test_a_session_that_has_looked_long_enough_says_so() -> None:
    planner, task = _planner("Coffee")
    planner.known.views_left = 1
    found = planner.next_stretch(task.check(planner.known.snapshot), thorough=False)
    assert isinstance(found, NoStretch) and not found.is_complete
    assert "looked long enough for where to stand" in found.explanation


def test_reason_names_skill_and_object_in_words_and_counts_refusals() -> None:
    _, known, ids = open_kitchen()
    key = ProblemKey(ids["Mug"], "Mug", "a", "parentReceptacles", "Fridge")

    def explained(failure: FailureReason | None) -> str:
        why = failure and PlanFailure(failure, ids["Fridge"])
        rejected = RejectedPlans()
        rejected.add(key, (PlaceIn(ids["Mug"], ids["Fridge"]),), why)
        return rejected.explain((key,), ShortNames(known.snapshot), known.memory)

    assert explained(FailureReason.NO_ROOM) == "put Mug in Fridge: no room (Fridge)"
    assert explained(None) == "put Mug in Fridge: nothing is left to do for it"
    assert explained(FailureReason.REFUSED) == "put Mug in Fridge: refused before (Fridge)"
    for _ in range(2):
        action_key = (Verb.PLACE, ids["Fridge"], ids["Mug"], ())
        known.memory.record_refusal(action_key, known.pose, budget=3)
    assert explained(FailureReason.REFUSED) == "put Mug in Fridge: refused twice (Fridge)"


def test_reason_without_a_plan_names_the_property() -> None:
    _, known, ids = open_kitchen()
    rejected, names = RejectedPlans(), ShortNames(known.snapshot)
    key = ProblemKey(ids["Mug"], "Mug", "a", "isBroken", True)
    nothing = "nothing is named that policies could change"
    assert rejected.explain((), names, known.memory) == nothing
    no_plan = "the policy of isBroken has no plan for Mug"
    assert rejected.explain((key,), names, known.memory) == no_plan
    rejected.add(key, (), PlanFailure(FailureReason.UNACHIEVABLE, ids["Mug"]))
    cannot = "change isBroken of Mug: cannot be changed (Mug)"
    assert rejected.explain((key,), names, known.memory) == cannot
