"""Where a thing goes that a recording says was put down."""

from dataclasses import replace

import pytest

from tatc.home.actions import Action, Click, Role, Verb
from tatc.home.camera.clicks import eye_of
from tatc.home.state import Snapshot, subtract
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.sim.box_kitchen import kitchen, make_object, with_parents


def test_it_goes_where_the_ray_meets_the_receptacle_whatever_stands_before_it():
    scene = kitchen()
    counter = next(o for o in scene.initial.objects if o.objectType == "CounterTop")
    mug = next(o for o in scene.initial.objects if o.objectType == "Mug")
    point = (0.2, counter.box.center[1] + counter.box.size[1] / 2, 0.9)
    screen = with_parents(make_object("Bread", (0.2, 0.9, 0.62), (0.3, 0.4, 0.02)), counter)
    follower = scene.initial.follower
    sim = EmbeddedSimulator()
    sim.reset(kitchen(screen))
    sim.apply_recorded_effect(Action(Verb.PICKUP), mug.objectId)
    across, down, _ = eye_of(follower).project(point)
    click = Click(across, down)
    met = sim.first_hit(click)
    assert met is not None and met[0] == screen.objectId
    sim.apply_recorded_effect(Action(Verb.PLACE, click), counter.objectId)
    now = sim.snapshot().get(mug.objectId)
    assert now is not None and not now.isPickedUp
    assert now.box.center[0] == pytest.approx(point[0], abs=0.15)
    assert now.box.center[2] == pytest.approx(point[2], abs=0.15)


@pytest.mark.parametrize("imposed", [True, False])
def test_what_is_put_into_itself_comes_to_stand_where_the_click_leads(imposed: bool):
    scene = kitchen()
    [counter] = [o for o in scene.initial.of_type("CounterTop") if o.box.center[2] > 0.5]
    [mug] = scene.initial.of_type("Mug")
    sim = EmbeddedSimulator()
    sim.reset(scene)
    sim.apply_recorded_effect(Action(Verb.PICKUP), mug.objectId)
    top = counter.box.center[1] + counter.box.size[1] / 2
    across, down, _ = eye_of(scene.initial.follower).project((-0.05, top, 0.72))
    place = Action(Verb.PLACE, Click(across, down))
    if imposed:
        sim.apply_recorded_effect(place, mug.objectId)
    else:
        assert sim.step_on_object(Role.FOLLOWER, place, mug.objectId).success
    now = sim.snapshot().get(mug.objectId)
    assert now is not None and not now.isPickedUp
    assert now.parentReceptacles == (counter.objectId,)


def simulator_holding_plate() -> tuple[EmbeddedSimulator, str, str]:
    """Return a world with a plate in hand, a potato on it, and the ids of both."""
    sim = EmbeddedSimulator()
    start = sim.reset(kitchen())
    [plate], [potato] = start.of_type("Plate"), start.of_type("Potato")
    sim.apply_recorded_effect(Action(Verb.PICKUP), potato.objectId)
    sim.apply_recorded_effect(Action(Verb.PLACE), plate.objectId)
    sim.apply_recorded_effect(Action(Verb.PICKUP), plate.objectId)
    return sim, plate.objectId, potato.objectId


def offset_between(now: Snapshot, one: str, other: str) -> tuple[float, float, float]:
    """Return the way from the middle of one thing to that of another."""
    a, b = now.get(one), now.get(other)
    assert a is not None and b is not None
    return subtract(b.box.center, a.box.center)


def test_what_lies_on_a_dish_is_where_the_dish_was_put_in_spite_of_us():
    sim, plate, potato = simulator_holding_plate()
    [toaster] = sim.snapshot().of_type("Toaster")  # takes bread alone
    before = offset_between(sim.snapshot(), plate, potato)
    sim.apply_recorded_effect(Action(Verb.PLACE), toaster.objectId)
    now = sim.snapshot()
    rider = now.get(potato)
    assert rider is not None and offset_between(now, plate, potato) == pytest.approx(before)
    assert set(rider.parentReceptacles or ()) == {plate, toaster.objectId}


def test_what_lies_on_a_dish_falls_with_it_beside_where_the_body_is_now():
    sim, plate, potato = simulator_holding_plate()
    body = sim.snapshot().follower
    before = offset_between(sim.snapshot(), plate, potato)
    [floor] = sim.snapshot().of_type("Floor")
    sim.put_follower(replace(body, position=(0.5, 0.9, 0.25), yaw=90.0))
    sim.drop_held_object()
    now = sim.snapshot()
    dish, rider = now.get(plate), now.get(potato)
    assert dish is not None and rider is not None and now.held_object() is None
    assert dish.position[0] > 0.75 and dish.position[2] == pytest.approx(0.25)
    assert dish.box.center[1] - dish.box.size[1] / 2 == pytest.approx(floor.position[1])
    assert offset_between(now, plate, potato) == pytest.approx(before)
    assert set(rider.parentReceptacles or ()) == {plate, floor.objectId}
    sim.put_follower(body)
    assert sim.snapshot().get(potato) == rider


def test_a_drawer_that_is_open_slides_no_farther():
    sim = EmbeddedSimulator()
    [drawer] = sim.reset(kitchen()).of_type("Drawer")
    sim.apply_recorded_effect(Action(Verb.OPEN), drawer.objectId)
    once = sim.snapshot().get(drawer.objectId)
    assert once is not None and once.isOpen and once.box != drawer.box
    sim.apply_recorded_effect(Action(Verb.OPEN), drawer.objectId)
    assert sim.snapshot().get(drawer.objectId) == once
