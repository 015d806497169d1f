"""What was seen within reach can be clicked there again; what a view looks through is gone."""

from dataclasses import replace

import numpy as np

from tatc.follower.listener.map_frame import point_cloud, raised
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.follower.listener.sightings import Sightings, absent_objects, receptacles_around
from tatc.home.actions import Action, Role, Verb
from tatc.home.camera.clicks import eye_of
from tatc.home.state import Box
from tests.follower.listener.homes import Home, looked_around, one_that_is, opening


def test_a_remembered_click_hits_the_object_from_the_remembered_pose() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    hits = 0
    for _ in range(8):
        belief.see(home.view())
        pose = belief.body.pose
        for obj in belief.objects:
            if (click := belief.sightings.of(obj).get(pose)) is not None:
                hit = home.sim.first_hit(click)
                assert obj.objectId.endswith(f"|{home.perception.number_of(hit[0])}")
                hits += 1
        home.sim.step(Role.FOLLOWER, Action(Verb.FORWARD if hits % 2 else Verb.TURN_RIGHT))
    assert hits >= 5


def test_what_has_moved_since_is_not_remembered() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    sightings = Sightings()
    for _ in range(4):
        view = raised(home.view(), {})
        sightings.note(view, point_cloud(view))
        belief.see(home.view())
        home.sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    known = [obj for obj in belief.objects if any(sightings.of(obj))]
    assert known
    for obj in known:
        away = replace(obj, box=obj.box.translate(0.5, 0.0, 0.0))
        assert not any(sightings.of(away))


def test_only_what_a_view_looks_through_is_absent() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    belief.see(home.view())
    view = belief.view
    shown = [each.state for each in view.percepts if each.state is not None]
    assert not absent_objects(view, shown)
    empty = replace(view, depth=np.full_like(view.depth, np.inf))
    gone = absent_objects(empty, shown)
    assert gone
    assert all(obj in shown for obj in gone)
    walled = replace(view, depth=np.full_like(view.depth, 0.1))
    assert not absent_objects(walled, shown)


def test_an_object_that_was_taken_away_is_forgotten_until_it_is_seen_again() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    for _ in range(3):
        home.turn_around(belief)
        home.sim.step(Role.FOLLOWER, Action(Verb.FORWARD))
    loose = (obj for obj in belief.objects if obj.affordances.pickupable)
    thing = next(obj for obj in loose if any(belief.sightings.of(obj)))
    view = home.view()
    eye = eye_of(raised(view, {}).body)
    x, y, z = (at + 1.2 * ahead for at, ahead in zip(eye.position, eye.axes[0], strict=True))
    moved = replace(thing.box, center=(x, y, z))
    belief.change(thing.objectId, box=moved, parentReceptacles=(), simbotPickedUp=1)
    far, none = np.full_like(view.depth, 9.0), np.full_like(view.pixels, -1)
    belief.see(replace(view, percepts=(), depth=far, pixels=none))
    assert belief.get(thing.objectId) is None
    home.turn_around(belief)
    for _ in range(4):
        home.sim.step(Role.FOLLOWER, Action(Verb.BACKWARD))
        home.turn_around(belief)
    assert belief.get(thing.objectId).simbotPickedUp == 1


def test_what_stands_on_the_bottom_of_a_basin_is_in_it_though_its_sides_were_not_seen() -> None:
    _, belief = looked_around()
    basin = next(obj for obj in belief.objects if obj.objectType == "SinkBasin")
    x, y, z = basin.box.center
    flat = replace(basin, box=Box((x, y, z), (0.4, 0.005, 0.3)))
    bottle = one_that_is("pickupable", belief)
    for above, around in ((0.02, (basin.objectId,)), (0.16, ())):
        stands = replace(bottle, box=Box((x, y + above + 0.15, z), (0.1, 0.3, 0.1)))
        assert receptacles_around(stands, [flat]) == around
