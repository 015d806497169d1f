"""Drafts: what is drafted works as said, and a plan in trouble leaves no trace."""

from dataclasses import replace

import pytest

from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlanFailure, Skill
from tatc.commander.skills.appliances import Switch
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.hold import ClearOut, Hold, PlaceIn, PutDown, SetAside
from tatc.home.actions import Action, Role, Verb
from tatc.home.state import Pose
from tatc.language import Stretch, hear, say
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import ProblemKey
from tests.sim.box_kitchen import kitchen, make_object


def open_kitchen(**changes):
    sim = EmbeddedSimulator()
    start = sim.reset(kitchen(**changes))
    known = Knowledge(sim)
    known.refresh()
    ids = {obj.objectType: obj.objectId for obj in start.objects}
    return sim, known, ids


def planned(known: Knowledge, *skills: Skill) -> PlanBuilder:
    builder = PlanBuilder(known)
    assert builder.add_plan(skills) is None
    return builder


def carry_out(sim: EmbeddedSimulator, builder: PlanBuilder) -> None:
    """Do what the Follower would hear, all of which must succeed, and look at the home again."""
    heard = hear(say(Stretch(tuple(each.step for each in builder.steps))))
    assert isinstance(heard, Stretch)
    assert all(sim.step(Role.FOLLOWER, step.action).success for step in heard.steps)
    builder.known.refresh()


def verbs_clicked(builder: PlanBuilder) -> list[Verb]:
    return [each.step.verb for each in builder.steps if each.step.click]


PICKUPABLE_TYPES = ("Bowl", "Bread", "Cup", "Egg", "Knife", "Mug", "Plate", "Pot", "Potato")


@pytest.mark.parametrize("kind", PICKUPABLE_TYPES)
def test_hold_works_as_planned(kind: str):
    sim, known, ids = open_kitchen()
    builder = planned(known, Hold(ids[kind]))
    carry_out(sim, builder)
    held = sim.snapshot().held_object()
    assert held is not None and held.objectId == ids[kind] == builder.held_id
    assert sim.snapshot().follower.pose == builder.pose


def test_object_in_closed_drawer_is_revealed_first():
    sim, known, ids = open_kitchen()
    builder = planned(known, Hold(ids["SaltShaker"]))
    assert verbs_clicked(builder) == [Verb.OPEN, Verb.PICKUP]
    carry_out(sim, builder)


@pytest.mark.parametrize("runs", [True, False])
def test_water_that_stands_since_the_start_is_stopped_before_a_place(runs: bool):
    sim, known, ids = open_kitchen(Faucet={"isToggled": runs})
    builder = planned(known, PlaceIn(ids["Mug"], ids["SinkBasin"]))
    stopped = [Verb.TOGGLE_OFF] if runs else []
    assert verbs_clicked(builder) == [Verb.PICKUP, *stopped, Verb.PLACE]
    carry_out(sim, builder)


def test_full_hand_is_emptied_before_pickup():
    sim, known, ids = open_kitchen()
    carry_out(sim, planned(known, Hold(ids["Mug"])))
    second = planned(known, Hold(ids["Plate"]))
    assert verbs_clicked(second) == [Verb.PLACE, Verb.PICKUP]
    carry_out(sim, second)


@pytest.mark.parametrize(("height", "kind"), [(1.25, "Shelf"), (1.7, "DiningTable")])
def test_surface_above_the_eye_is_last_to_be_put_down_on(height: float, kind: str):
    shelf = make_object("Shelf", (0.2, height, 0.8), (0.8, 0.02, 0.3))
    _, known, ids = open_kitchen(Shelf={"box": shelf.box, "position": shelf.position})
    builder = planned(known, Hold(ids["Mug"]), PutDown(surface_types=("Shelf", "DiningTable")))
    action_key = (Verb.PLACE, ids[kind], ids["Mug"], _contents(known, kind))
    assert builder.steps[-1].action_key == action_key


def test_what_is_set_aside_stands_where_the_task_wants_nothing():
    _, known, ids = open_kitchen()
    places: list[str] = []
    for _ in range(2):
        key = ProblemKey("", "Mug", "all", "parentReceptacles", "", tuple(places))
        known.open_keys = (key,)
        builder = planned(known, SetAside(ids["Egg"], ids["Bowl"]))
        places.append(builder.steps[-1].action_key[1])
    assert places[0] != places[1]


def _contents(known: Knowledge, kind: str) -> tuple[str, ...]:
    [place] = known.snapshot.of_type(kind)
    return tuple(obj.objectId for obj in known.view.contents_of(place))


def test_dish_is_cleared_of_all_that_lies_in_it():
    lies_in_bowl = {"parentReceptacles": (kitchen().initial.of_type("Bowl")[0].objectId,)}
    sim, known, ids = open_kitchen(Potato=lies_in_bowl, Egg=lies_in_bowl)
    carry_out(sim, planned(known, ClearOut(ids["Bowl"])))
    assert _contents(known, "Bowl") == ()
    assert PlanBuilder(known).add_plan((ClearOut("Bowl|nowhere"),)) is not None


def test_satisfied_skill_adds_no_steps():
    _, known, ids = open_kitchen(Faucet={"isToggled": True})
    counter = known.snapshot.get(ids["Mug"]).parentReceptacles[0]
    satisfied = Switch(ids["Faucet"], on=True), PutDown(), PlaceIn(ids["Mug"], counter)
    assert planned(known, *satisfied).steps == []


def test_placed_object_position_is_not_predicted():
    _, known, ids = open_kitchen()
    builder = PlanBuilder(known)
    failure = builder.add_plan((PlaceIn(ids["Mug"], ids["SinkBasin"]), Hold(ids["Mug"])))
    assert failure == PlanFailure(FailureReason.UNCERTAIN, ids["Mug"]) and failure.is_temporary
    assert builder.steps


def test_failed_plan_adds_no_steps():
    _, known, ids = open_kitchen()
    builder = planned(known, Hold(ids["Mug"]))
    before = (list(builder.steps), builder.pose, builder.held_id)
    failure = builder.add_plan((SetAside(ids["Plate"]), Hold("Ladle|nowhere")))
    assert failure == PlanFailure(FailureReason.NONE_EXISTS, "Ladle|nowhere")
    assert (builder.steps, builder.pose, builder.held_id) == before
    plate = builder.predicted_object(ids["Plate"])
    assert plate is not None and not plate.isPickedUp


def test_first_possible_option_is_taken():
    _, known, ids = open_kitchen()
    builder = PlanBuilder(known)
    options = [Hold("Ladle|nowhere"), Hold(ids["Mug"]), Hold(ids["Plate"])]
    assert builder.add_first_possible(options, PlanFailure(FailureReason.NONE_EXISTS)) is None
    assert builder.held_id == ids["Mug"]


def test_refused_pose_is_not_used_again():
    _, known, ids = open_kitchen()
    poses = set()
    for _ in range(3):
        builder = PlanBuilder(known)
        assert builder.add_interaction(Verb.PICKUP, ids["Mug"]) is None
        action_key = builder.steps[-1].action_key
        assert action_key is not None and builder.pose not in poses
        poses.add(builder.pose)
        known.memory.record_refusal(action_key, builder.pose, budget=3)
    failure = PlanBuilder(known).add_interaction(Verb.PICKUP, ids["Mug"])
    assert failure == PlanFailure(FailureReason.REFUSED, ids["Mug"])


def test_full_receptacle_is_tried_again_after_change():
    sim, known, ids = open_kitchen()
    again = PlaceIn(ids["Mug"], ids["SinkBasin"])
    first = planned(known, again)
    action_key = first.steps[-1].action_key
    assert action_key is not None
    known.memory.record_refusal(action_key, first.pose, budget=1)
    refused = PlanFailure(FailureReason.REFUSED, ids["SinkBasin"], ids["Mug"])
    assert again.plan(PlanBuilder(known)) == refused
    carry_out(sim, planned(known, PlaceIn(ids["Potato"], ids["SinkBasin"])))
    assert again.plan(PlanBuilder(known)) is None


def test_predicted_change_is_forgotten_by_next_builder():
    _, known, ids = open_kitchen()
    first, second = PlanBuilder(known), PlanBuilder(known)
    assert first.add_interaction(Verb.OPEN, ids["Fridge"]) is None
    assert first.predicted_object(ids["Fridge"]).isOpen
    assert not second.predicted_object(ids["Fridge"]).isOpen
    assert second.add_interaction(Verb.OPEN, ids["Fridge"]) is None


def test_refused_step_is_avoided_and_a_cell_refused_from_two_sides_too():
    _, known, _ = open_kitchen()
    here, ahead = (0, 0), Pose(0.0, 0.25, 0.0, known.pose.horizon)
    assert known.shortest_paths_from(known.pose).verbs_to(ahead) == (Verb.FORWARD,)
    known.memory.blocked_edges[here, (0, 1)] = ""
    known.refresh()
    around = known.shortest_paths_from(known.pose).verbs_to(ahead)
    assert len(around) > 1 and around[0] is not Verb.FORWARD
    known.memory.blocked_edges[(1, 1), (0, 1)] = ""
    known.refresh()
    assert known.shortest_paths_from(known.pose).cost_to(ahead) is None


@pytest.mark.parametrize("case", ["Fridge", "Drawer"])
def test_object_in_container_is_taken_out_before_cut(case: str):
    _, _, ids = open_kitchen()
    _, known, _ = open_kitchen(Potato={"parentReceptacles": (ids[case],)})
    builder = PlanBuilder(known)
    assert Cut(ids["Potato"]).plan(builder) == PlanFailure(FailureReason.UNCERTAIN, ids["Potato"])
    assert Verb.SLICE not in [each.step.verb for each in builder.steps]
    assert builder.steps[-1].step.verb is Verb.PLACE


def test_object_in_the_open_is_cut_in_place():
    _, known, ids = open_kitchen()
    assert verbs_clicked(planned(known, Cut(ids["Potato"]))) == [Verb.PICKUP, Verb.SLICE]


def test_knowledge_matches_world_after_any_steps():
    sim, known, ids = open_kitchen()
    for skill in (Hold(ids["Mug"]), PutDown(), Hold(ids["SaltShaker"])):
        carry_out(sim, planned(known, skill))
        fresh = Knowledge(sim)
        for i, obj in enumerate(known.snapshot.objects):
            if not obj.isOpen:  # a door is known only to who saw it shut
                assert known.geometry.object_bounds(i) == fresh.geometry.object_bounds(i), obj


def test_parents_fall_back_on_last_parent_receptacle():
    _, known, ids = open_kitchen()
    mug = known.snapshot.get(ids["Mug"])
    mug = replace(mug, parentReceptacles=None, simbotLastParentReceptacle=ids["Microwave"])
    assert [p.objectId for p in known.view.receptacles_of(mug)] == [ids["Microwave"]]
    assert known.view.closed_containers_of(mug)


def test_held_object_cannot_be_clicked():
    sim, known, ids = open_kitchen()
    sim.step(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    builder = planned(known, Hold(ids["Mug"]))
    assert builder.add_interaction(Verb.PICKUP, ids["Mug"]) is not None
