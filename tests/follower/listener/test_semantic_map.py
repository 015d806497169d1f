"""The semantic map holds what was in view, where it was, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from tatc.follower.listener.expected_effects import (
    expect_effects,
    expect_effects_met,
    expect_running,
    has_missed,
    id_of_taken,
    id_of_unseen,
    learn_from_refusal,
)
from tatc.follower.listener.instance_tracking import affordances_of
from tatc.follower.listener.semantic_map import SemanticMap, StoveLinks
from tatc.follower.listener.sightings import receptacles_around, without_cycles
from tatc.home.actions import Action, Role, Verb, cell_of
from tatc.home.percepts import NO_PERCEPT, PerceptionLevel
from tatc.home.refusals import RefusalCode
from tatc.home.state import Affordances, Box, ObjectState, Vec3
from tatc.sim.perception import FollowerFrame
from tatc.tdl.properties import parent_receptacles_of
from tests.follower.listener.homes import Home, opening


def seen_kitchen() -> tuple[Home, SemanticMap]:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    home.turn_around(belief)
    return home, belief


def true_ids(home: Home) -> dict[str, str]:
    """Return the simulator's id of each object that has a number, by that number."""
    return {
        str(home.perception.number_of(obj.objectId)): obj.objectId
        for obj in home.sim.snapshot().objects
    }


def test_it_holds_exactly_what_was_in_view() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    first = home.view()
    belief.see(first)
    names = [each.state.objectId for each in first.percepts if each.state is not None]
    assert [obj.objectId for obj in belief.snapshot().objects] == names
    home.turn_around(belief)
    assert [obj.objectId for obj in belief.snapshot().objects][: len(names)] == names
    assert len(belief.snapshot().objects) < len(home.sim.snapshot().objects)


def test_the_floor_is_what_was_seen_and_the_body_fits_there() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    belief.see(home.view())
    before = {(pose.x, pose.z) for pose in belief.reachable()}
    home.turn_around(belief)
    after = {(pose.x, pose.z) for pose in belief.reachable()}
    assert before < after
    frame = FollowerFrame(home.sim.snapshot().follower)
    true_cells = set()
    for pose in home.sim.reachable():
        x, _, z = frame.point((pose.x, 0.0, pose.z))
        true_cells.add(cell_of(x, z))
    wrong = {cell_of(x, z) for x, z in after} - true_cells
    assert len(wrong) <= len(after) // 20


def test_what_things_in_view_are_in_follows_from_boxes() -> None:
    home, belief = seen_kitchen()
    ids, now = true_ids(home), home.sim.snapshot()
    right = total = 0
    for obj in belief.snapshot().objects:
        true = now.get(ids[obj.objectId.partition("|")[2]])
        assert true is not None
        if obj.affordances.pickupable:
            total += 1
            wanted = {p for p in parent_receptacles_of(true, now) if not p.startswith("Floor")}
            found = {ids[name.partition("|")[2]] for name in obj.parentReceptacles or ()}
            right += wanted == {p for p in found if not p.startswith("Floor")}
    assert total >= 5
    assert right >= 0.8 * total


def test_what_the_follower_takes_and_puts_down_moves_in_the_map() -> None:
    _, belief = seen_kitchen()
    now = belief.snapshot()
    thing = next(obj for obj in now.objects if obj.affordances.pickupable)
    place = next(
        obj
        for obj in now.objects
        if obj.affordances.receptacle and obj.objectId not in (thing.parentReceptacles or ())
        and not obj.affordances.pickupable
    )  # fmt: skip
    expect_effects(belief, Verb.PICKUP, thing.objectId, None)
    held = belief.snapshot().held_object()
    assert held is not None
    assert held.objectId == thing.objectId
    expect_effects(belief, Verb.PLACE, place.objectId, place.box.center)
    put = belief.snapshot().get(thing.objectId)
    assert put is not None
    assert not put.isPickedUp
    assert put.parentReceptacles == (place.objectId,)
    assert put.simbotLastParentReceptacle == place.objectId


def test_water_is_expected_to_wash_and_a_later_view_corrects_it() -> None:
    home, belief = seen_kitchen()
    thing = next(obj for obj in belief.snapshot().objects if obj.affordances.dirtyable)
    belief.change(thing.objectId, isDirty=not thing.isDirty)
    assert belief.snapshot().get(thing.objectId) != thing
    home.turn_around(belief)
    corrected = belief.snapshot().get(thing.objectId)
    assert corrected is not None
    assert corrected.isDirty is thing.isDirty


def test_a_piece_that_was_never_in_view_is_held_and_no_other() -> None:
    _, belief = seen_kitchen()
    thing = next(obj for obj in belief.objects if obj.affordances.pickupable)
    assert id_of_taken(belief, int(thing.objectId.partition("|")[2]), "Mug|0") == thing.objectId
    assert id_of_taken(belief, None, thing.objectId) == thing.objectId
    unseen = id_of_taken(belief, 9999, thing.objectId)
    expect_effects(belief, Verb.PICKUP, unseen, None)
    held, other = belief.held_object(), belief.get(thing.objectId)
    assert held is not None
    assert (held.objectId, held.objectType) == (f"{thing.objectType}|9999", thing.objectType)
    assert other is not None
    assert not other.isPickedUp


def see_an_empty_room(home: Home, belief: SemanticMap) -> set[str]:
    """Turn around where nothing is any more; return the ids of what is still believed in."""
    for _ in range(4):
        view = home.view()
        bare = np.full_like(view.pixels, NO_PERCEPT)
        belief.see(replace(view, percepts=(), pixels=bare, depth=np.full_like(view.depth, 9.0)))
        home.sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    return {obj.objectId for obj in belief.objects}


def test_what_is_on_a_held_dish_is_not_lost_though_it_is_out_of_view() -> None:
    home, belief = seen_kitchen()
    before = {obj.objectId for obj in belief.objects}
    lost = sorted(before - see_an_empty_room(home, belief))
    assert lost
    home, belief = seen_kitchen()
    dish = next(obj for obj in belief.objects if obj.affordances.receptacle)
    belief.change(lost[0], parentReceptacles=(dish.objectId,))
    belief.hold(dish.objectId)
    left = see_an_empty_room(home, belief)
    assert lost[0] in left
    assert set(lost[1:]) - left, "what nobody carries is"


def test_what_hid_behind_the_thing_aimed_at_is_like_what_lies_beside_it() -> None:
    _, belief = seen_kitchen()
    knife = next(obj for obj in belief.objects if obj.affordances.pickupable)
    x, y, z = knife.box.center
    beside = replace(
        knife, objectId="TomatoSliced|8000", objectType="TomatoSliced",
        box=replace(knife.box, center=(x + 0.05, y, z)),
    )  # fmt: skip
    belief.add(beside)
    assert id_of_taken(belief, 9999, knife.objectId) == "TomatoSliced|9999"
    far = replace(beside, objectId="Mug|8001", objectType="Mug")
    belief.add(replace(far, box=replace(far.box, center=(x + 3, y, z))))
    assert id_of_taken(belief, 9998, "TomatoSliced|8000") == "TomatoSliced|9998"
    assert not expect_effects_met(belief, Verb.PICKUP, 9997, knife.objectId, None)


def test_heat_is_expected_only_after_a_view_that_could_show_which_burner_glows() -> None:
    home, belief = Home(opening("boil x", "kitchen-01", 0, "Potato").scene), SemanticMap()
    home.turn_around(belief)
    potato = next(obj for obj in belief.objects if obj.objectType == "Potato")
    knob = next(obj for obj in belief.snapshot().objects if obj.controlledObjects)
    belief.change(potato.objectId, parentReceptacles=knob.controlledObjects)
    expect_effects(belief, Verb.TOGGLE_ON, knob.objectId, None)
    assert not known(belief, potato.objectId).isCooked
    expect_running(belief)
    assert known(belief, potato.objectId).isCooked


def test_a_knob_lights_the_burner_that_glows_when_it_is_turned() -> None:
    now = Home(opening("boil x", "kitchen-01", 0, "Potato").scene).sim.snapshot()
    stove = {
        obj.objectId: replace(
            obj, isToggled=False, ObjectTemperature="RoomTemp", controlledObjects=None
        )
        for obj in now.of_type("StoveKnob", "StoveBurner")
    }
    knobs, burners = (
        [name for name in stove if name.startswith(kind)] for kind in ("StoveKnob", "StoveBurner")
    )
    for burner in burners:
        links = StoveLinks()
        others = burners[: burners.index(burner)]
        before = stove | {each: replace(stove[each], ObjectTemperature="Hot") for each in others}
        links.learn(before.values())
        on = replace(stove[knobs[0]], isToggled=True)
        hot = replace(stove[burner], ObjectTemperature="Hot")
        links.learn((before | {knobs[0]: on, burner: hot}).values())
        linked = {obj.objectId: obj.controlledObjects for obj in links.linked(stove.values())}
        assert linked[knobs[0]] == (burner,)


def known(belief: SemanticMap, object_id: str) -> ObjectState:
    found = belief.get(object_id)
    assert found is not None
    return found


def test_a_refused_switch_tells_how_it_stands() -> None:
    _, belief = seen_kitchen()
    switch = next(obj for obj in belief.objects if obj.affordances.toggleable)
    for verb, stands in ((Verb.TOGGLE_ON, True), (Verb.TOGGLE_OFF, False)):
        learn_from_refusal(belief, verb, switch.objectId, RefusalCode.NO_FITTING_TARGET)
        known = belief.get(switch.objectId)
        assert known is not None
        assert known.isToggled is stands
    learn_from_refusal(belief, Verb.TOGGLE_ON, switch.objectId, RefusalCode.TARGET_TOO_FAR)
    known = belief.get(switch.objectId)
    assert known is not None
    assert known.isToggled is False


def test_what_must_be_off_is_on() -> None:
    _, belief = seen_kitchen()
    switch = next(obj for obj in belief.objects if obj.affordances.toggleable)
    learn_from_refusal(belief, Verb.OPEN, switch.objectId, RefusalCode.MUST_BE_OFF)
    assert known(belief, switch.objectId).isToggled


@pytest.mark.parametrize(
    "code",
    [
        RefusalCode.NO_FREE_POSITION,
        RefusalCode.RECEPTACLE_CLOSED,
        RefusalCode.NO_FITTING_TARGET,
    ],
)
def test_a_full_basin_leaves_the_sink_around_it_until_that_is_refused_too(
    code: RefusalCode,
) -> None:
    home, belief = seen_kitchen()
    true_basin = next(o for o in home.sim.snapshot().objects if o.objectType == "SinkBasin")
    basin = replace(true_basin, objectId="SinkBasin|900")
    sink = replace(basin, objectId="Sink|901", objectType="Sink", affordances=Affordances())
    belief.add(basin)
    belief.add(sink)
    learn_from_refusal(belief, Verb.PLACE, basin.objectId, RefusalCode.NO_FREE_POSITION)
    assert known(belief, sink.objectId).affordances.receptacle
    learn_from_refusal(belief, Verb.PLACE, sink.objectId, code)
    assert not known(belief, sink.objectId).affordances.receptacle
    learn_from_refusal(belief, Verb.PLACE, basin.objectId, RefusalCode.NO_FREE_POSITION)
    assert not known(belief, sink.objectId).affordances.receptacle


def test_what_was_taken_unseen_is_like_the_nearest_of_its_type() -> None:
    _, belief = seen_kitchen()
    mug = next(obj for obj in belief.objects if obj.objectType == "Mug")
    assert id_of_unseen(belief, "Unheard", 900) is None
    assert id_of_unseen(belief, "Mug", None) == mug.objectId
    assert id_of_unseen(belief, "Mug", 900) == "Mug|900"
    assert known(belief, "Mug|900").affordances == mug.affordances


def test_a_thing_seen_elsewhere_than_where_it_was_put_is_noticed_where_boxes_are_guessed() -> None:
    home, belief = Home(opening("coffee").scene, PerceptionLevel.MASKS), SemanticMap()
    home.turn_around(belief)
    thing = next(obj for obj in belief.objects if obj.affordances.pickupable)
    place = next(obj for obj in belief.objects if obj.affordances.openable)
    key = (Verb.PLACE, place.objectId, thing.objectId, ())
    expect_effects(belief, Verb.PICKUP, thing.objectId, None)
    expect_effects(belief, Verb.PLACE, place.objectId, place.box.center)
    assert not has_missed(belief, key), "no view has shown it yet"
    belief.views_by_object[thing.objectId] = belief.view_count
    assert not has_missed(belief, key)
    belief.change(thing.objectId, parentReceptacles=("CounterTop|99",))
    assert has_missed(belief, key)
    assert not has_missed(belief, (Verb.PICKUP, thing.objectId, "", ()))
    assert not has_missed(belief, None)


def test_water_washes_what_the_next_view_shows_in_the_sink_and_nothing_beside_it() -> None:
    home, belief = Home(opening("coffee").scene, PerceptionLevel.MASKS), SemanticMap()
    home.turn_around(belief)
    thing = next(obj for obj in belief.objects if obj.affordances.dirtyable)
    sink = next(obj for obj in belief.objects if obj.objectType == "SinkBasin")
    faucet = next(obj for obj in belief.objects if obj.objectType == "Faucet")
    expect_effects(belief, Verb.TOGGLE_ON, faucet.objectId, None)
    for parents, dirty in ((("CounterTop|99",), True), ((sink.objectId,), False)):
        belief.change(thing.objectId, isDirty=True, parentReceptacles=parents)
        expect_running(belief)
        after = belief.get(thing.objectId)
        assert after is not None
        assert after.isDirty is dirty


def test_what_takes_an_object_was_not_on_it() -> None:
    _, belief = seen_kitchen()
    dishes = [o for o in belief.objects if o.affordances.pickupable and o.affordances.receptacle]
    one, other = (each.objectId for each in dishes[:2])
    belief.hold(one)
    belief.put(one, other, dishes[1].box.center)
    belief.hold(other)
    belief.put(other, one, dishes[0].box.center)
    parents = {obj.objectId: obj.parentReceptacles for obj in belief.objects}
    assert one in (parents[other] or ()) and other not in (parents[one] or ())


def thing(kind: str, center: Vec3, size: Vec3) -> ObjectState:
    return ObjectState(
        objectId=f"{kind}|1",
        objectType=kind,
        name=kind,
        affordances=affordances_of(kind),
        position=center,
        rotation=(0.0, 0.0, 0.0),
        box=Box(center, size),
    )


COUNTER = thing("CounterTop", (0.0, 0.45, 0.0), (2.0, 0.9, 0.6))
PLATE = thing("Plate", (0.0, 0.91, 0.0), (0.24, 0.02, 0.24))
SLICE = thing("TomatoSliced", (0.0, 0.915, 0.0), (0.06, 0.01, 0.06))


def lying_at(obj: ObjectState, x: float, y: float, z: float) -> ObjectState:
    return replace(obj, position=(x, y, z), box=Box((x, y, z), obj.box.size))


def test_a_slice_on_a_plate_is_on_the_counter_too() -> None:
    on_plate = lying_at(SLICE, 0.03, 0.912, 0.0)
    assert receptacles_around(on_plate, (COUNTER, PLATE)) == ("Plate|1", "CounterTop|1")


def test_a_slice_beside_a_plate_is_not_on_it() -> None:
    beside = lying_at(SLICE, 0.11, 0.905, 0.11)
    assert receptacles_around(beside, (COUNTER, PLATE)) == ("CounterTop|1",)
    under_the_rim = lying_at(SLICE, 0.05, 0.905, 0.0)
    assert receptacles_around(under_the_rim, (COUNTER, PLATE)) == ("CounterTop|1",)


def test_what_is_in_view_is_in_no_closed_drawer() -> None:
    drawer = thing("Drawer", (0.0, 0.8, 0.0), (0.5, 0.3, 0.5))
    inside = lying_at(SLICE, 0.0, 0.8, 0.0)
    assert receptacles_around(inside, (drawer,)) == ()
    assert receptacles_around(inside, (replace(drawer, isOpen=True),)) == ("Drawer|1",)


def test_nothing_is_in_what_is_in_it() -> None:
    around = {"Mug|1": ("Bowl|2", "Sink|3"), "Bowl|2": ("Mug|1",), "Sink|3": ()}
    assert without_cycles(around, {"Mug|1"}) == around | {"Bowl|2": ()}
    assert without_cycles(around, {"Bowl|2"}) == around | {"Mug|1": ()}
    assert without_cycles(around, ()) == around | {"Mug|1": (), "Bowl|2": ()}
