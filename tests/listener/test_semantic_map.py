"""The semantic map holds what was in view, where it was, and nothing else."""

from tatc.actions import Verb, cell_of
from tatc.listener.expected_effects import expect_effects, learn_from_refusal
from tatc.listener.semantic_map import SemanticMap
from tatc.refusals import RefusalCode
from tatc.sim.follower_frame import FollowerFrame
from tatc.tdl.properties import parent_receptacles_of
from tests.listener.homes import Home, opening


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
