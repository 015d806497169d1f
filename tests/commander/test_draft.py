"""Drafts: what is drafted works as said, and a plan in trouble leaves no trace."""

from dataclasses import replace

import pytest

from tatc.actions import Action, ActionResult, Role, Verb
from tatc.commander.draft import Draft
from tatc.commander.knowledge import Knowledge
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.hold import Hold, PutDown, SetAside
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.switch import Switch
from tatc.commander.trouble import Reason, Trouble
from tatc.language import Stretch, hear, say
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import Pose
from tests.sim.scenes import kitchen


def open_kitchen(**changes):
    sim = EmbeddedSimulator()
    start = sim.reset(kitchen(**changes))
    known = Knowledge(sim)
    known.refresh()
    ids = {thing.objectType: thing.objectId for thing in start.objects}
    return sim, known, ids


def carry_out(sim: EmbeddedSimulator, draft: Draft) -> list[ActionResult]:
    """Do what the Follower would hear."""
    heard = hear(say(Stretch(tuple(draft.steps))))
    assert isinstance(heard, Stretch)
    return [sim.step(Role.FOLLOWER, step.action) for step in heard.steps]


CARRIED = ("Bowl", "Bread", "Cup", "Egg", "Knife", "Mug", "Plate", "Pot", "Potato")


@pytest.mark.parametrize("kind", CARRIED)
def test_holding_a_thing_works_as_drafted(kind: str):
    sim, known, ids = open_kitchen()
    draft = Draft(known)
    assert Hold(ids[kind]).plan(draft) is None
    assert all(result.success for result in carry_out(sim, draft))
    held = sim.snapshot().held()
    assert held is not None and held.objectId == ids[kind] == draft.held
    assert sim.snapshot().follower.pose == draft.pose


def test_a_thing_in_a_closed_drawer_is_revealed_first():
    sim, known, ids = open_kitchen()
    draft = Draft(known)
    assert Hold(ids["SaltShaker"]).plan(draft) is None
    verbs = [step.verb for step in draft.steps if step.click]
    assert verbs == [Verb.OPEN, Verb.PICKUP]
    assert all(result.success for result in carry_out(sim, draft))


def test_a_full_hand_is_emptied_before_it_takes_something_else():
    sim, known, ids = open_kitchen()
    first = Draft(known)
    Hold(ids["Mug"]).plan(first)
    carry_out(sim, first)
    known.refresh()
    second = Draft(known)
    assert Hold(ids["Plate"]).plan(second) is None
    verbs = [step.verb for step in second.steps if step.click]
    assert verbs == [Verb.PLACE, Verb.PICKUP]
    assert all(result.success for result in carry_out(sim, second))


def test_nothing_is_added_for_what_holds_already():
    _, known, ids = open_kitchen(Faucet={"isToggled": True})
    draft = Draft(known)
    assert Switch(ids["Faucet"], on=True).plan(draft) is None
    assert PutDown().plan(draft) is None
    counter = known.snapshot.get(ids["Mug"]).parentReceptacles[0]
    assert PlaceIn(ids["Mug"], counter).plan(draft) is None
    assert draft.steps == []


def test_where_a_thing_comes_to_rest_is_not_foretold():
    _, known, ids = open_kitchen()
    draft = Draft(known)
    trouble = draft.run((PlaceIn(ids["Mug"], ids["SinkBasin"]), Hold(ids["Mug"])))
    assert trouble == Trouble(Reason.UNCERTAIN, ids["Mug"]) and trouble.passes
    assert draft.steps and draft.placed(ids["Mug"])


def test_a_plan_in_trouble_leaves_no_trace():
    _, known, ids = open_kitchen()
    draft = Draft(known)
    Hold(ids["Mug"]).plan(draft)
    before = (list(draft.steps), draft.pose, draft.held)
    trouble = draft.run((SetAside(ids["Plate"]), Hold("Ladle|nowhere")))
    assert trouble == Trouble(Reason.NONE_EXISTS, "Ladle|nowhere")
    assert (draft.steps, draft.pose, draft.held) == before
    plate = draft.get(ids["Plate"])
    assert plate is not None and not plate.isPickedUp


def test_the_first_option_that_can_be_planned_is_taken():
    _, known, ids = open_kitchen()
    draft = Draft(known)
    options = [Hold("Ladle|nowhere"), Hold(ids["Mug"]), Hold(ids["Plate"])]
    assert draft.first(options, Trouble(Reason.NONE_EXISTS)) is None
    assert draft.held == ids["Mug"]


def test_a_pose_that_was_refused_is_not_taken_again_and_tries_run_out():
    _, known, ids = open_kitchen()
    poses = set()
    for _ in range(3):
        draft = Draft(known)
        assert draft.do(Verb.PICKUP, ids["Mug"]) is None
        attempt = draft.targets[-1]
        assert attempt is not None and draft.pose not in poses
        poses.add(draft.pose)
        known.memory.refuse(attempt, draft.pose, budget=3)
    trouble = Draft(known).do(Verb.PICKUP, ids["Mug"])
    assert trouble == Trouble(Reason.REFUSED, ids["Mug"])


def test_a_full_place_is_tried_again_once_it_holds_something_else():
    sim, known, ids = open_kitchen()
    first = Draft(known)
    PlaceIn(ids["Mug"], ids["SinkBasin"]).plan(first)
    attempt = first.targets[-1]
    assert attempt is not None
    known.memory.refuse(attempt, first.pose, budget=1)
    again = PlaceIn(ids["Mug"], ids["SinkBasin"])
    refused = Trouble(Reason.REFUSED, ids["SinkBasin"], ids["Mug"])
    assert again.plan(Draft(known)) == refused
    moved = Draft(known)
    PlaceIn(ids["Potato"], ids["SinkBasin"]).plan(moved)
    carry_out(sim, moved)
    known.refresh()
    assert again.plan(Draft(known)) is None


def test_an_imagined_change_is_forgotten_by_the_next_draft():
    _, known, ids = open_kitchen()
    first = Draft(known)
    assert first.do(Verb.OPEN, ids["Fridge"]) is None
    fridge = first.get(ids["Fridge"])
    assert fridge is not None and fridge.isOpen
    second = Draft(known)
    fridge = second.get(ids["Fridge"])
    assert fridge is not None and not fridge.isOpen
    assert second.do(Verb.OPEN, ids["Fridge"]) is None


def test_a_step_that_was_refused_is_gone_around():
    _, known, _ = open_kitchen()
    here, ahead = (0, 0), Pose(0.0, 0.25, 0.0, known.pose.horizon)
    assert known.paths(known.pose).to(ahead) == (Verb.FORWARD,)
    known.memory.walls[here, (0, 1)] = ""
    known.refresh()
    around = known.paths(known.pose).to(ahead)
    assert len(around) > 1 and around[0] is not Verb.FORWARD


def test_a_cell_that_was_refused_from_two_sides_is_taken():
    _, known, _ = open_kitchen()
    for here in ((0, 0), (1, 1)):
        known.memory.walls[here, (0, 1)] = ""
    known.refresh()
    assert known.paths(known.pose).cost(Pose(0.0, 0.25, 0.0, 0.0)) is None


@pytest.mark.parametrize("case", ["Fridge", "Drawer"])
def test_what_lies_in_a_case_is_brought_out_before_it_is_cut(case: str):
    _, _, ids = open_kitchen()
    _, known, ids = open_kitchen(Potato={"parentReceptacles": (ids[case],)})
    draft = Draft(known)
    assert Cut(ids["Potato"]).plan(draft) == Trouble(Reason.UNCERTAIN, ids["Potato"])
    assert Verb.SLICE not in [step.verb for step in draft.steps]
    assert draft.steps[-1].verb is Verb.PLACE


def test_what_lies_in_the_open_is_cut_there():
    _, known, ids = open_kitchen()
    draft = Draft(known)
    assert Cut(ids["Potato"]).plan(draft) is None
    assert [step.verb for step in draft.steps if step.click] == [
        Verb.PICKUP,
        Verb.SLICE,
    ]


def test_knowledge_follows_the_world_after_any_steps():
    sim, known, ids = open_kitchen()
    for skill in (Hold(ids["Mug"]), PutDown(), Hold(ids["SaltShaker"])):
        draft = Draft(known)
        skill.plan(draft)
        carry_out(sim, draft)
        known.refresh()
        fresh = Knowledge(sim)
        for i, thing in enumerate(known.snapshot.objects):
            if not thing.isOpen:  # a door is known only to who saw it shut
                assert known.geometry.extent(i) == fresh.geometry.extent(i), thing


def test_parents_follow_the_last_place_where_the_world_does_not_say():
    _, known, ids = open_kitchen()
    mug = known.snapshot.get(ids["Mug"])
    assert mug is not None
    mug = replace(
        mug, parentReceptacles=None, simbotLastParentReceptacle=ids["Microwave"]
    )
    assert [p.objectId for p in known.parents(mug)] == [ids["Microwave"]]
    assert known.closed_around(mug)


def test_a_step_without_its_click_cannot_be_drafted_for_a_held_thing():
    sim, known, ids = open_kitchen()
    sim.step(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    draft = Draft(known)
    Hold(ids["Mug"]).plan(draft)
    assert draft.do(Verb.PICKUP, ids["Mug"]) is not None
