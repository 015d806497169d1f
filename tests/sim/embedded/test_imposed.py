"""Where a thing goes that a recording says was put down."""

import pytest

from tatc.actions import Action, Click, Role, Verb
from tatc.camera.clicks import eye_of
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import RoomKind, Scene, Snapshot
from tests.sim.scenes import kitchen, thing, within


def test_it_goes_where_the_ray_meets_the_receptacle_whatever_stands_before_it():
    scene = kitchen()
    counter = next(o for o in scene.start.objects if o.objectType == "CounterTop")
    mug = next(o for o in scene.start.objects if o.objectType == "Mug")
    point = (0.2, counter.box.center[1] + counter.box.size[1] / 2, 0.9)
    screen = within(thing("Bread", (0.2, 0.9, 0.62), (0.3, 0.4, 0.02)), counter)
    follower = scene.start.follower
    objects = [*scene.start.objects, screen]
    start = Snapshot.of(objects, scene.start.commander, follower)
    sim = EmbeddedSimulator()
    sim.reset(Scene("a-screened-counter", RoomKind.KITCHEN, start))
    sim.impose(Action(Verb.PICKUP), mug.objectId)
    across, down, _ = eye_of(follower).project(point)
    click = Click(across, down)
    met = sim.met(click)
    assert met is not None and met[0] == screen.objectId
    sim.impose(Action(Verb.PLACE, click), counter.objectId)
    now = sim.snapshot().get(mug.objectId)
    assert now is not None and not now.isPickedUp
    assert now.box.center[0] == pytest.approx(point[0], abs=0.15)
    assert now.box.center[2] == pytest.approx(point[2], abs=0.15)


@pytest.mark.parametrize("imposed", [True, False])
def test_what_is_put_into_itself_comes_to_stand_where_the_click_leads(imposed: bool):
    scene = kitchen()
    [counter] = [o for o in scene.start.of_type("CounterTop") if o.box.center[2] > 0.5]
    [mug] = scene.start.of_type("Mug")
    sim = EmbeddedSimulator()
    sim.reset(scene)
    sim.impose(Action(Verb.PICKUP), mug.objectId)
    top = counter.box.center[1] + counter.box.size[1] / 2
    across, down, _ = eye_of(scene.start.follower).project((-0.05, top, 0.72))
    place = Action(Verb.PLACE, Click(across, down))
    if imposed:
        sim.impose(place, mug.objectId)
    else:
        assert sim.step_on(Role.FOLLOWER, place, mug.objectId).success
    now = sim.snapshot().get(mug.objectId)
    assert now is not None and not now.isPickedUp
    assert now.parentReceptacles == (counter.objectId,)
