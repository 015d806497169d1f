"""The semantic map holds what was in view, where it was, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from tatc.follower.listener.expected_effects import (
    expect_effects,
    expect_effects_met,
    expect_running,
    id_of_taken,
    id_of_unseen,
    learn_from_refusal,
    notice_miss,
    take_for_clean,
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
from tests.follower.listener.homes import Home, looked_around, one_that_is, opening


def true_ids(home: Home) -> dict[str, str]:
    """Return the simulator's id of each object that has a number, by that number."""
    return {
        str(home.perception.number_of(obj.objectId)): obj.objectId
        for obj in home.sim.snapshot().objects
    }


def _known(belief: SemanticMap, object_id: str) -> ObjectState:
    found = belief.get(object_id)
    assert found is not None
    return found


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
    poses = belief.reachable()
    belief.see(home.view())
    assert belief.reachable() is poses, "kept while the floor is as it was"
    assert before < after
    frame = FollowerFrame(home.sim.snapshot().follower)
    true_points = [frame.point((pose.x, 0.0, pose.z)) for pose in home.sim.reachable()]
    true_cells = {cell_of(x, z) for x, _, z in true_points}
    wrong = {cell_of(x, z) for x, z in after} - true_cells
    assert len(wrong) <= len(after) // 20


def test_what_things_in_view_are_in_follows_from_boxes() -> None:
    home, belief = looked_around()
    ids, now = true_ids(home), home.sim.snapshot()
    right = total = 0
    for obj in belief.snapshot().objects:
        true = now.get(ids[obj.objectId.partition("|")[2]])
        if obj.affordances.pickupable:
            total += 1
            wanted = {p for p in parent_receptacles_of(true, now) if not p.startswith("Floor")}
            found = {ids[name.partition("|")[2]] for name in obj.parentReceptacles or ()}
            right += wanted == {p for p in found if not p.startswith("Floor")}
    assert total >= 5
    assert right >= 0.8 * total


def test_what_the_follower_takes_and_puts_down_moves_in_the_map() -> None:
    _, belief = looked_around()
    now = belief.snapshot()
    thing = next(obj for obj in now.objects if obj.affordances.pickupable)
    places = (obj for obj in now.objects if obj.affordances.receptacle)
    fixed = (obj for obj in places if not obj.affordances.pickupable)
    place = next(obj for obj in fixed if obj.objectId not in (thing.parentReceptacles or ()))
    expect_effects(belief, Verb.PICKUP, thing.objectId, None)
    assert belief.snapshot().held_object().objectId == thing.objectId
    expect_effects(belief, Verb.PLACE, place.objectId, place.box.center)
    put = _known(belief, thing.objectId)
    assert not put.isPickedUp
    assert put.parentReceptacles == (place.objectId,)
    assert put.simbotLastParentReceptacle == place.objectId


def test_water_is_expected_to_wash_and_a_later_view_corrects_it() -> None:
    home, belief = looked_around()
    thing = one_that_is("dirtyable", belief)
    belief.change(thing.objectId, isDirty=not thing.isDirty)
    assert _known(belief, thing.objectId) != thing
    home.turn_around(belief)
    assert _known(belief, thing.objectId).isDirty is thing.isDirty


def test_a_piece_that_was_never_in_view_is_held_and_no_other() -> None:
    _, belief = looked_around()
    thing = one_that_is("pickupable", belief)
    assert id_of_taken(belief, int(thing.objectId.partition("|")[2]), "Mug|0") == thing.objectId
    assert id_of_taken(belief, None, thing.objectId) == thing.objectId
    unseen = id_of_taken(belief, 9999, thing.objectId)
    expect_effects(belief, Verb.PICKUP, unseen, None)
    held = belief.held_object()
    assert (held.objectId, held.objectType) == (f"{thing.objectType}|9999", thing.objectType)
    assert not _known(belief, thing.objectId).isPickedUp


def see_an_empty_room(home: Home, belief: SemanticMap) -> set[str]:
    """Turn around where nothing is any more; return the ids of what is still believed in."""
    for _ in range(4):
        view = home.view()
        bare = np.full_like(view.pixels, NO_PERCEPT)
        belief.see(replace(view, percepts=(), pixels=bare, depth=np.full_like(view.depth, 9.0)))
        home.sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    return {obj.objectId for obj in belief.objects}


def test_what_is_on_a_held_dish_is_not_lost_though_it_is_out_of_view() -> None:
    home, belief = looked_around()
    before = {obj.objectId for obj in belief.objects}
    lost = sorted(before - see_an_empty_room(home, belief))
    assert lost
    home, belief = looked_around()
    dish = one_that_is("receptacle", belief)
    belief.change(lost[0], parentReceptacles=(dish.objectId,))
    belief.hold(dish.objectId)
    left = see_an_empty_room(home, belief)
    assert lost[0] in left
    assert set(lost[1:]) - left, "what nobody carries is"


def test_what_hid_behind_the_thing_aimed_at_is_like_what_lies_beside_it() -> None:
    _, belief = looked_around()
    knife = one_that_is("pickupable", belief)
    beside = replace(knife, objectId="TomatoSliced|8000", objectType="TomatoSliced")
    beside = replace(beside, box=knife.box.translate(0.05, 0.0, 0.0))
    belief.add(beside)
    assert id_of_taken(belief, 9999, knife.objectId) == "TomatoSliced|9999"
    far = replace(beside, objectId="Mug|8001", objectType="Mug")
    belief.add(replace(far, box=knife.box.translate(3.0, 0.0, 0.0)))
    assert id_of_taken(belief, 9998, "TomatoSliced|8000") == "TomatoSliced|9998"
    assert not expect_effects_met(belief, Verb.PICKUP, 9997, knife.objectId, None)


def test_heat_is_expected_only_after_a_view_that_could_show_which_burner_glows() -> None:
    _, belief = looked_around(opening("boil x", "kitchen-01", 0, "Potato"))
    potato = next(obj for obj in belief.objects if obj.objectType == "Potato")
    knob = next(obj for obj in belief.snapshot().objects if obj.controlledObjects)
    belief.change(potato.objectId, parentReceptacles=knob.controlledObjects)
    expect_effects(belief, Verb.TOGGLE_ON, knob.objectId, None)
    assert not _known(belief, potato.objectId).isCooked
    expect_running(belief)
    assert _known(belief, potato.objectId).isCooked


def test_a_knob_lights_the_burner_that_glows_when_it_is_turned() -> None:
    now = Home(opening("boil x", "kitchen-01", 0, "Potato").scene).sim.snapshot()
    off = {"isToggled": False, "ObjectTemperature": "RoomTemp", "controlledObjects": None}
    stove = {o.objectId: replace(o, **off) for o in now.of_type("StoveKnob", "StoveBurner")}
    knobs = [name for name in stove if name.startswith("StoveKnob")]
    burners = [name for name in stove if name.startswith("StoveBurner")]
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


def test_what_cannot_be_poured_into_is_full() -> None:
    _, belief = looked_around(level=PerceptionLevel.MASKS)
    name = one_that_is("canFillWithLiquid", belief).objectId
    learn_from_refusal(belief, Verb.POUR, name, RefusalCode.NO_FITTING_TARGET)
    assert _known(belief, name).isFilledWithLiquid


def test_a_refused_switch_tells_how_it_stands() -> None:
    _, belief = looked_around()
    switch = one_that_is("toggleable", belief)
    for verb, code, stands in (
        (Verb.TOGGLE_ON, RefusalCode.NO_FITTING_TARGET, True),
        (Verb.TOGGLE_OFF, RefusalCode.NO_FITTING_TARGET, False),
        (Verb.TOGGLE_ON, RefusalCode.TARGET_TOO_FAR, False),
        (Verb.OPEN, RefusalCode.MUST_BE_OFF, True),
    ):
        learn_from_refusal(belief, verb, switch.objectId, code)
        assert _known(belief, switch.objectId).isToggled is stands


@pytest.mark.parametrize("code", ["NO_FREE_POSITION", "RECEPTACLE_CLOSED", "NO_FITTING_TARGET"])
def test_a_full_basin_leaves_the_sink_around_it_until_that_is_refused_too(code: str) -> None:
    home, belief = looked_around()
    true_basin = next(o for o in home.sim.snapshot().objects if o.objectType == "SinkBasin")
    basin = replace(true_basin, objectId="SinkBasin|900")
    sink = replace(basin, objectId="Sink|901", objectType="Sink", affordances=Affordances())
    belief.add(basin)
    belief.add(sink)
    thing = replace(sink, objectId="Mug|902", parentReceptacles=(basin.objectId,))
    belief.add(thing)
    for parents, is_tried in (((), False), ((basin.objectId,), False), ((), True)):
        belief.change(thing.objectId, parentReceptacles=parents)
        learn_from_refusal(belief, Verb.PLACE, basin.objectId, RefusalCode.NO_FREE_POSITION)
        assert _known(belief, sink.objectId).affordances.receptacle is is_tried
    learn_from_refusal(belief, Verb.PLACE, sink.objectId, RefusalCode[code])
    assert not _known(belief, sink.objectId).affordances.receptacle
    learn_from_refusal(belief, Verb.PLACE, basin.objectId, RefusalCode.NO_FREE_POSITION)
    assert not _known(belief, sink.objectId).affordances.receptacle


def test_what_was_taken_unseen_is_like_the_nearest_of_its_type() -> None:
    _, belief = looked_around()
    mug = next(obj for obj in belief.objects if obj.objectType == "Mug")
    assert id_of_unseen(belief, "Unheard", 900) is None
    assert id_of_unseen(belief, "Mug", None) == mug.objectId
    assert id_of_unseen(belief, "Mug", 900) == "Mug|900"
    assert _known(belief, "Mug|900").affordances == mug.affordances


def test_a_thing_seen_elsewhere_than_where_it_was_put_is_noticed_where_boxes_are_guessed() -> None:
    _, belief = looked_around(level=PerceptionLevel.MASKS)
    thing = one_that_is("pickupable", belief)
    place = one_that_is("openable", belief)
    key = (Verb.PLACE, place.objectId, thing.objectId, ())
    expect_effects(belief, Verb.PICKUP, thing.objectId, None)
    expect_effects(belief, Verb.PLACE, place.objectId, place.box.center)
    assert not notice_miss(belief, key), "no view has shown it yet"
    belief.views_by_object[thing.objectId] = belief.view_count
    assert not notice_miss(belief, key)
    belief.change(thing.objectId, parentReceptacles=("CounterTop|99",))
    assert notice_miss(belief, key)
    sink = replace(place, objectId="Sink|901", objectType="Sink")
    belief.add(replace(sink, affordances=Affordances(receptacle=True)))
    assert notice_miss(belief, (Verb.PLACE, sink.objectId, thing.objectId, ()))
    assert not _known(belief, sink.objectId).affordances.receptacle
    assert not notice_miss(belief, (Verb.PICKUP, thing.objectId, "", ()))
    assert not notice_miss(belief, None)


def test_water_washes_what_the_next_view_shows_in_the_sink_and_nothing_beside_it() -> None:
    _, belief = looked_around(level=PerceptionLevel.MASKS)
    thing = one_that_is("dirtyable", belief)
    sink = next(obj for obj in belief.objects if obj.objectType == "SinkBasin")
    faucet = next(obj for obj in belief.objects if obj.objectType == "Faucet")
    expect_effects(belief, Verb.TOGGLE_ON, faucet.objectId, None)
    for parents, dirty in ((("CounterTop|99",), True), ((sink.objectId,), False)):
        belief.change(thing.objectId, isDirty=True, parentReceptacles=parents)
        expect_running(belief)
        assert _known(belief, thing.objectId).isDirty is dirty


@pytest.mark.parametrize("way", [(1.0, 0.0), (0.0, -0.5)], ids=["beside", "below"])
def test_what_is_seen_beside_a_dish_or_below_it_is_not_on_it(way: tuple[float, float]) -> None:
    _, belief = looked_around(level=PerceptionLevel.MASKS)
    dish = next(o for o in belief.objects if o.affordances.receptacle and o.affordances.pickupable)
    thing = next(o for o in belief.objects if o.affordances.pickupable and o is not dish)
    x, y, z = dish.box.center
    away = way[0] * (dish.box.size[0] / 2 + 0.05), way[1]
    for shift, held in (((0.0, 0.0), True), (away, False)):
        belief.hold(thing.objectId)
        belief.put(thing.objectId, dish.objectId, dish.box.center)
        at = replace(thing.box, center=(x + shift[0], y + shift[1], z), size=(0.02, 0.02, 0.02))
        belief.change(thing.objectId, box=at)
        place = _known(belief, thing.objectId)
        assert belief.may_hold(dish, place.box.center) is held


def test_what_cannot_be_washed_is_taken_for_clean_where_dirt_is_guessed() -> None:
    task = opening("clean all x", "kitchen-01", 0, "Mug").task
    for level in (PerceptionLevel.MASKS, PerceptionLevel.TRUTH):
        _, belief = looked_around(level=level)
        mug = next(obj for obj in belief.objects if obj.objectType == "Mug")
        belief.change(mug.objectId, isDirty=True)
        assert take_for_clean(belief, task.check(belief.snapshot())) is belief.is_guessed
        assert _known(belief, mug.objectId).isDirty is not belief.is_guessed
        assert not belief.is_guessed or task.check(belief.snapshot()).success


def test_what_takes_an_object_was_not_on_it() -> None:
    _, belief = looked_around()
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


@pytest.mark.parametrize(
    ("place", "around"),
    [
        pytest.param((0.03, 0.912, 0.0), ("Plate|1", "CounterTop|1"), id="on the plate"),
        pytest.param((0.11, 0.905, 0.11), ("CounterTop|1",), id="beside the plate"),
        pytest.param((0.05, 0.905, 0.0), ("CounterTop|1",), id="under its rim"),
    ],
)
def test_a_slice_is_on_the_counter_and_on_a_plate_if_it_lies_there(
    place: Vec3, around: tuple[str, ...]
) -> None:
    assert receptacles_around(lying_at(SLICE, *place), (COUNTER, PLATE)) == around


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
