"""A click goes to a pixel that shows what it is meant for, and never to something else instead."""

import numpy as np

from tatc.commander.plan_builder import PlannedStep
from tatc.follower.listener.follower import aimed_action
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import INTERACTION_REACH_METRES, Action, Click, PrimitiveStep, Role, Verb
from tatc.home.camera.clicks import affords
from tatc.home.percepts import VIEW_SIDE_PIXELS
from tatc.home.state import ObjectState, Pose
from tests.follower.listener.homes import Home, opening


def _click_on(belief: SemanticMap, obj: ObjectState) -> tuple[Click, float]:
    """Return a click on a pixel that shows an object, and how far away that is, metres."""
    view, points = belief.view, belief.points
    assert view is not None
    assert points is not None
    index = [p.state.objectId for p in view.percepts if p.state].index(obj.objectId)
    for hundredths in range(100 * 100):
        click = Click(hundredths % 100 / 100, hundredths // 100 / 100)
        row, column = (int(part * VIEW_SIDE_PIXELS) for part in (click.y, click.x))
        if view.pixels[row, column] == index:
            return click, float(np.linalg.norm(points[row, column] - view.body.position))
    raise AssertionError("it shows at no click")


def _step(verb: Verb, click: Click, target: str) -> PlannedStep:
    primitive = PrimitiveStep(verb, target.partition("|")[0], click)
    return PlannedStep(primitive, (verb, target, "", ()), Pose(0, 0, 0, 0))


def test_a_click_beside_its_target_is_moved_onto_it_or_not_made() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    moved = refused = 0
    for _ in range(2):
        home.turn_around(belief)
        home.sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
        belief.see(home.view())
        in_view = [
            p.state for p in home.view().percepts if p.state is not None and p.pixel_count > 30
        ]
        things = [belief.get(obj.objectId) for obj in in_view if affords(Verb.OPEN, obj)]
        for target in things:
            for other in things:
                if target is None or other is None or target is other:
                    continue
                (on_target, away), (on_other, _) = (_click_on(belief, o) for o in (target, other))
                exact = aimed_action(belief, _step(Verb.OPEN, on_target, target.objectId))
                assert exact == Action(Verb.OPEN, on_target), "a good click stays as it is"
                found = aimed_action(belief, _step(Verb.OPEN, on_other, target.objectId))
                if found is None:
                    assert away > INTERACTION_REACH_METRES - 0.4
                    refused += 1
                else:
                    assert found.click is not None
                    hit = home.sim.first_hit(found.click)
                    assert hit is not None
                    number = home.perception.number_of(hit[0])
                    assert target.objectId.endswith(f"|{number}")
                    moved += 1
        home.sim.step(Role.FOLLOWER, Action(Verb.FORWARD))
    assert moved + refused


def test_what_the_verb_cannot_act_on_is_clicked_through() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    belief.see(home.view())
    wall = next(
        obj
        for obj in belief.objects
        if not (obj.affordances.pickupable or obj.affordances.openable)
    )
    click, _ = _click_on(belief, wall)
    step = _step(Verb.PICKUP, click, "Mug|9999")
    assert aimed_action(belief, step) == step.step.action
