"""Drafts: what is drafted works as said, and a plan in trouble leaves no trace."""

from dataclasses import replace

import pytest

from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlanFailure
from tatc.commander.skills.appliances import Switch
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.hold import ClearOut, Hold, PlaceIn, PutDown, SetAside
from tatc.home.actions import Action, ActionResult, Role, Verb
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


def execute_steps(sim: EmbeddedSimulator, builder: PlanBuilder) -> list[ActionResult]:
    """Do what the Follower would hear."""
    heard = hear(say(Stretch(tuple(each.step for each in builder.steps))))
    assert isinstance(heard, Stretch)
    return [sim.step(Role.FOLLOWER, step.action) for step in heard.steps]


PICKUPABLE_TYPES = ("Bowl", "Bread", "Cup", "Egg", "Knife", "Mug", "Plate", "Pot", "Potato")


@pytest.mark.parametrize("kind", PICKUPABLE_TYPES)
def test_hold_works_as_planned(kind: str):
    sim, known, ids = open_kitchen()
    builder = PlanBuilder(known)
    assert Hold(ids[kind]).plan(builder) is None
    assert all(result.success for result in execute_steps(sim, builder))
    held = sim.snapshot().held_object()
    assert held is not None and held.objectId == ids[kind] == builder.held_id
    assert sim.snapshot().follower.pose == builder.pose


def test_object_in_closed_drawer_is_revealed_first():
    sim, known, ids = open_kitchen()
    builder = PlanBuilder(known)
    assert Hold(ids["SaltShaker"]).plan(builder) is None
    verbs = [each.step.verb for each in builder.steps if each.step.click]
    assert verbs == [Verb.OPEN, Verb.PICKUP]
    assert all(result.success for result in execute_steps(sim, builder))


@pytest.mark.parametrize("runs", [True, False])
def test_water_that_stands_since_the_start_is_stopped_before_a_place(runs: bool):
    sim, known, ids = open_kitchen(Faucet={"isToggled": runs})
    builder = PlanBuilder(known)
    assert PlaceIn(ids["Mug"], ids["SinkBasin"]).plan(builder) is None
    verbs = [each.step.verb for each in builder.steps if each.step.click]
    assert verbs == [Verb.PICKUP, *([Verb.TOGGLE_OFF] if runs else []), Verb.PLACE]
    assert all(result.success for result in execute_steps(sim, builder))


def test_full_hand_is_emptied_before_pickup():
    sim, known, ids = open_kitchen()
    first = PlanBuilder(known)
    Hold(ids["Mug"]).plan(first)
    execute_steps(sim, first)
    known.refresh()
    second = PlanBuilder(known)
    assert Hold(ids["Plate"]).plan(second) is None
    verbs = [each.step.verb for each in second.steps if each.step.click]
    assert verbs == [Verb.PLACE, Verb.PICKUP]
    assert all(result.success for result in execute_steps(sim, second))


@pytest.mark.parametrize(("height", "kind"), [(1.25, "Shelf"), (1.7, "DiningTable")])
def test_surface_above_the_eye_is_last_to_be_put_down_on(height: float, kind: str):
    shelf = make_object("Shelf", (0.2, height, 0.8), (0.8, 0.02, 0.3))
    _, known, ids = open_kitchen(Shelf={"box": shelf.box, "position": shelf.position})
    builder = PlanBuilder(known)
    plan = Hold(ids["Mug"]), PutDown(surface_types=("Shelf", "DiningTable"))
    assert builder.add_plan(plan) is None
    assert builder.steps[-1].action_key == (
        Verb.PLACE,
        ids[kind],
        ids["Mug"],
        _contents(known, kind),
    )


def test_what_is_set_aside_stands_where_the_task_wants_nothing():
    _, known, ids = open_kitchen()
    places: list[str] = []
    for _ in range(2):
        key = ProblemKey("", "Mug", "all", "parentReceptacles", "", tuple(places))
        known.open_keys = (key,)
        builder = PlanBuilder(known)
        assert SetAside(ids["Egg"], ids["Bowl"]).plan(builder) is None
        places.append(builder.steps[-1].action_key[1])
    assert places[0] != places[1]


def _contents(known: Knowledge, kind: str) -> tuple[str, ...]:
    [place] = known.snapshot.of_type(kind)
    return tuple(obj.objectId for obj in known.view.contents_of(place))


def test_dish_is_cleared_of_all_that_lies_in_it():
    lies_in_bowl = {"parentReceptacles": (kitchen().initial.of_type("Bowl")[0].objectId,)}
    changes = {kind: lies_in_bowl for kind in ("Potato", "Egg")}
    sim, known, ids = open_kitchen(**changes)
    builder = PlanBuilder(known)
    assert builder.add_plan((ClearOut(ids["Bowl"]),)) is None
    assert all(result.success for result in execute_steps(sim, builder))
    known.refresh()
    assert _contents(known, "Bowl") == ()
    assert PlanBuilder(known).add_plan((ClearOut("Bowl|nowhere"),)) is not None


def test_satisfied_skill_adds_no_steps():
    _, known, ids = open_kitchen(Faucet={"isToggled": True})
    builder = PlanBuilder(known)
    assert Switch(ids["Faucet"], on=True).plan(builder) is None
    assert PutDown().plan(builder) is None
    counter = known.snapshot.get(ids["Mug"]).parentReceptacles[0]
    assert PlaceIn(ids["Mug"], counter).plan(builder) is None
    assert builder.steps == []


def test_placed_object_position_is_not_predicted():
    _, known, ids = open_kitchen()
    builder = PlanBuilder(known)
    failure = builder.add_plan((PlaceIn(ids["Mug"], ids["SinkBasin"]), Hold(ids["Mug"])))
    assert failure == PlanFailure(FailureReason.UNCERTAIN, ids["Mug"]) and failure.is_temporary
    assert builder.steps


def test_failed_plan_adds_no_steps():
    _, known, ids = open_kitchen()
    builder = PlanBuilder(known)
    Hold(ids["Mug"]).plan(builder)
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
    first = PlanBuilder(known)
    PlaceIn(ids["Mug"], ids["SinkBasin"]).plan(first)
    action_key = first.steps[-1].action_key
    assert action_key is not None
    known.memory.record_refusal(action_key, first.pose, budget=1)
    again = PlaceIn(ids["Mug"], ids["SinkBasin"])
    refused = PlanFailure(FailureReason.REFUSED, ids["SinkBasin"], ids["Mug"])
    assert again.plan(PlanBuilder(known)) == refused
    moved = PlanBuilder(known)
    PlaceIn(ids["Potato"], ids["SinkBasin"]).plan(moved)
    execute_steps(sim, moved)
    known.refresh()
    assert again.plan(PlanBuilder(known)) is None


def test_predicted_change_is_forgotten_by_next_builder():
    _, known, ids = open_kitchen()
    first = PlanBuilder(known)
    assert first.add_interaction(Verb.OPEN, ids["Fridge"]) is None
    fridge = first.predicted_object(ids["Fridge"])
    assert fridge is not None and fridge.isOpen
    second = PlanBuilder(known)
    fridge = second.predicted_object(ids["Fridge"])
    assert fridge is not None and not fridge.isOpen
    assert second.add_interaction(Verb.OPEN, ids["Fridge"]) is None


def test_refused_step_is_avoided():
    _, known, _ = open_kitchen()
    here, ahead = (0, 0), Pose(0.0, 0.25, 0.0, known.pose.horizon)
    assert known.shortest_paths_from(known.pose).verbs_to(ahead) == (Verb.FORWARD,)
    known.memory.blocked_edges[here, (0, 1)] = ""
    known.refresh()
    around = known.shortest_paths_from(known.pose).verbs_to(ahead)
    assert len(around) > 1 and around[0] is not Verb.FORWARD


def test_cell_blocked_from_two_sides_counts_as_taken():
    _, known, _ = open_kitchen()
    for here in ((0, 0), (1, 1)):
        known.memory.blocked_edges[here, (0, 1)] = ""
    known.refresh()
    assert known.shortest_paths_from(known.pose).cost_to(Pose(0.0, 0.25, 0.0, 0.0)) is None


@pytest.mark.parametrize("case", ["Fridge", "Drawer"])
def test_object_in_container_is_taken_out_before_cut(case: str):
    _, _, ids = open_kitchen()
    _, known, ids = open_kitchen(Potato={"parentReceptacles": (ids[case],)})
    builder = PlanBuilder(known)
    assert Cut(ids["Potato"]).plan(builder) == PlanFailure(FailureReason.UNCERTAIN, ids["Potato"])
    assert Verb.SLICE not in [each.step.verb for each in builder.steps]
    assert builder.steps[-1].step.verb is Verb.PLACE


def test_object_in_the_open_is_cut_in_place():
    _, known, ids = open_kitchen()
    builder = PlanBuilder(known)
    assert Cut(ids["Potato"]).plan(builder) is None
    assert [each.step.verb for each in builder.steps if each.step.click] == [
        Verb.PICKUP,
        Verb.SLICE,
    ]


def test_knowledge_matches_world_after_any_steps():
    sim, known, ids = open_kitchen()
    for skill in (Hold(ids["Mug"]), PutDown(), Hold(ids["SaltShaker"])):
        builder = PlanBuilder(known)
        skill.plan(builder)
        execute_steps(sim, builder)
        known.refresh()
        fresh = Knowledge(sim)
        for i, obj in enumerate(known.snapshot.objects):
            if not obj.isOpen:  # a door is known only to who saw it shut
                assert known.geometry.object_bounds(i) == fresh.geometry.object_bounds(i), obj


def test_parents_fall_back_on_last_parent_receptacle():
    _, known, ids = open_kitchen()
    mug = known.snapshot.get(ids["Mug"])
    assert mug is not None
    mug = replace(mug, parentReceptacles=None, simbotLastParentReceptacle=ids["Microwave"])
    assert [p.objectId for p in known.view.receptacles_of(mug)] == [ids["Microwave"]]
    assert known.view.closed_containers_of(mug)


def test_held_object_cannot_be_clicked():
    sim, known, ids = open_kitchen()
    sim.step(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    builder = PlanBuilder(known)
    Hold(ids["Mug"]).plan(builder)
    assert builder.add_interaction(Verb.PICKUP, ids["Mug"]) is not None
