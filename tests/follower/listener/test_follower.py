"""Whole sessions of the listening Follower in shipped rooms, with the true goal."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from tatc.commander.plan_builder import PlannedStep
from tatc.follower.listener.aimed_clicks import aimed_action
from tatc.follower.listener.follower import ListenerFollower
from tatc.follower.listener.heard_dialogue import DONE_WORDS, ListenerEnd
from tatc.follower.listener.internal_planner import InternalPlanner
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import (
    INTERACTION_REACH_METRES,
    PRIMITIVE_VERBS,
    Action,
    Click,
    FailureReport,
    PrimitiveStep,
    Role,
    Utterance,
    Verb,
)
from tatc.home.camera.clicks import affords
from tatc.home.observation import Observation
from tatc.home.percepts import VIEW_SIDE_PIXELS, PerceptionLevel
from tatc.home.refusals import RefusalCode
from tatc.home.state import ObjectState, Pose
from tatc.sim.perception import observed_result
from tests.follower.listener.homes import Home, listener_for, opening


@pytest.mark.parametrize(
    ("task", "room", "seed"),
    [("coffee", "01", 0), ("plate of toast", "02", 1), ("water plant", "01", 2)],
)
def test_it_does_a_task_from_what_it_has_seen(task: str, room: str, seed: int) -> None:
    start = opening(task, f"kitchen-{room}", seed)
    home, follower = Home(start.scene), listener_for(start)
    done = home.play(follower)
    assert start.task.check(home.sim.capture()).success
    assert follower.end is ListenerEnd.DONE
    assert len(done) < 200


def test_it_does_the_same_twice_and_after_it_begins_again() -> None:
    start = opening("coffee")
    follower = listener_for(start)
    first = Home(start.scene).play(follower)
    follower.begin()
    assert Home(start.scene).play(follower) == first


def test_a_thing_is_put_where_the_click_ended_where_boxes_are_guessed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start, ends = opening("coffee"), list[object]()
    follower = listener_for(start)
    home = Home(start.scene, PerceptionLevel.MASKS)
    act, put = follower.act, follower.belief.put

    def acting(seen: Observation) -> Action:
        action = act(seen)
        if action.verb is Verb.PLACE:
            ends.append(follower.belief.point_at(action.click))
        return action

    def putting(name: str, place: str, point: object) -> None:
        assert point == ends[-1]
        put(name, place, point)
        ends.append("put")

    monkeypatch.setattr(follower, "act", acting)
    monkeypatch.setattr(follower.belief, "put", putting)
    home.play(follower)
    assert "put" in ends


def test_it_understands_what_it_is_told_and_does_that() -> None:
    start = opening("coffee")
    home = Home(start.scene)
    done = home.play(ListenerFollower(), "hi, could you make me a cup of coffee please")
    assert start.task.check(home.sim.capture()).success
    assert [a.text for a in done if a.verb is Verb.TEXT] == [DONE_WORDS]


def test_what_it_hears_after_its_report_is_done_too() -> None:
    start, more = opening("coffee"), opening("water plant")
    home = Home(start.scene)
    words = ("make coffee please", "you also need to water the plant", "thanks, that is all")
    home.play(ListenerFollower(), *words)
    assert start.task.check(home.sim.capture()).success
    assert more.task.check(home.sim.capture()).success


def test_it_speaks_only_as_often_as_its_budget_allows() -> None:
    home, silent = Home(opening("coffee").scene), ListenerFollower(questions=0)
    assert home.play(silent, "blah blah") == [Action(Verb.STOP)]
    asked = home.play(ListenerFollower(questions=2), "blah blah", "well", "hm", "so what")
    assert [action.verb for action in asked] == [Verb.TEXT, Verb.TEXT, Verb.STOP]


def test_to_ask_for_the_task_costs_no_question() -> None:
    home, follower = Home(opening("coffee").scene), ListenerFollower(questions=0)
    asked = follower.act(Observation((), None, percepts=home.perception.view))
    assert asked.verb is Verb.TEXT
    told = (Utterance(Role.COMMANDER, "make a coffee", 0.0),)
    done = follower.act(Observation(told, None, percepts=home.perception.view))
    assert done.verb not in (Verb.TEXT, Verb.STOP)


def test_it_asks_what_was_left_open_once_and_keeps_to_its_budget() -> None:
    start = opening("salad", "kitchen-01", 3)
    words = "put slices of lettuce on a plate"
    talks = Home(start.scene).play(ListenerFollower(), words, "two")
    assert [each.text for each in talks if each.verb is Verb.TEXT] == [
        "How many slices of lettuce would you like?",
        DONE_WORDS,
    ]
    follower = ListenerFollower(questions=2)
    told = (Utterance(Role.COMMANDER, words, 0.0),)
    home = Home(start.scene)
    seen = Observation(told, None, percepts=home.perception.view)
    assert follower.act(seen).verb is not Verb.TEXT
    follower.begin_after(told, tuple, tuple)
    assert follower.act(replace(seen, utterances=())).verb is not Verb.TEXT


def test_what_the_task_wants_held_is_kept() -> None:
    start = opening("look", "bedroom-01", 0, "Pillow", "DeskLamp")
    home = Home(start.scene)
    done = home.play(listener_for(start))
    assert start.task.check(home.sim.capture()).success
    assert Verb.PLACE not in {action.verb for action in done}


def test_without_a_goal_or_without_percepts_it_does_not_act() -> None:
    home, follower = Home(opening("coffee").scene), ListenerFollower()
    assert [action.verb for action in home.play(follower)] == [Verb.TEXT, Verb.STOP]
    assert follower.end is ListenerEnd.NO_GOAL
    blind = ListenerFollower()
    assert blind.act(Observation((), None)) == Action(Verb.STOP)
    assert blind.end is ListenerEnd.NO_PERCEPTS


def test_a_thing_never_in_view_changes_nothing_until_it_is_seen() -> None:
    """Two homes that differ only in what is shut away give the same actions until it is open."""
    start = opening("coffee")
    first = Home(start.scene).play(listener_for(start))
    changed = Home(start.scene)
    now, world = changed.sim.snapshot(), changed.sim._world_state
    closed = {o.objectId for o in now.objects if o.affordances.openable and not o.isOpen}
    for obj in now.objects:
        if obj.affordances.dirtyable and closed.intersection(obj.parentReceptacles or ()):
            world.update_object(obj.objectId, isDirty=not obj.isDirty)
    second = changed.play(listener_for(start))
    opened = next((i for i, a in enumerate(first) if a.verb is Verb.OPEN), len(first))
    assert first[: opened + 1] == second[: opened + 1]


def _click_on(belief: SemanticMap, obj: ObjectState) -> tuple[Click, float]:
    """Return a click on a pixel that shows an object, and how far away that is, metres."""
    view = belief.view
    index = [p.state.objectId for p in view.percepts if p.state].index(obj.objectId)
    hundredths = np.arange(100) / 100
    pixels = (hundredths * VIEW_SIDE_PIXELS).astype(int)
    row, column = np.argwhere(view.pixels[np.ix_(pixels, pixels)] == index)[0]
    point = belief.points[pixels[row], pixels[column]]
    click = Click(float(hundredths[column]), float(hundredths[row]))
    return click, float(np.linalg.norm(point - view.body.position))


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
        in_view = [p.state for p in home.view().percepts if p.state and p.pixel_count > 30]
        things = [belief.get(obj.objectId) for obj in in_view if affords(Verb.OPEN, obj)]
        for target, other in permutations(filter(None, things), 2):
            (on_target, away), (on_other, _) = (_click_on(belief, o) for o in (target, other))
            exact = aimed_action(belief, _step(Verb.OPEN, on_target, target.objectId))
            assert exact == Action(Verb.OPEN, on_target), "a good click stays as it is"
            found = aimed_action(belief, _step(Verb.OPEN, on_other, target.objectId))
            if found is None:
                assert away > INTERACTION_REACH_METRES - 0.4
                refused += 1
            else:
                hit = home.sim.first_hit(found.click)
                assert target.objectId.endswith(f"|{home.perception.number_of(hit[0])}")
                moved += 1
        home.sim.step(Role.FOLLOWER, Action(Verb.FORWARD))
    assert moved + refused


def test_what_the_verb_cannot_act_on_is_clicked_through() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    belief.see(home.view())
    fixed = (obj for obj in belief.objects if not obj.affordances.pickupable)
    wall = next(obj for obj in fixed if not obj.affordances.openable)
    click, _ = _click_on(belief, wall)
    step = _step(Verb.PICKUP, click, "Mug|9999")
    assert aimed_action(belief, step) == step.step.action


@pytest.mark.parametrize(
    ("most_refused", "verb", "code"),
    [(1, None, RefusalCode.PATH_BLOCKED), (1_000, Verb.PICKUP, RefusalCode.GRASP_COLLIDES)],
)
def test_another_thing_does_only_once_the_one_that_is_meant_cannot_be_had(
    most_refused: int, verb: Verb | None, code: RefusalCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps for the mug used last are refused: the first alone, or all that would pick it up."""
    lines = ["get a mug", "put it in the sink", "go to the fridge", "pick up the mug", "goodbye"]
    home, follower = Home(opening("coffee").scene), ListenerFollower(talk="person")
    learned, meant, refused = list[FailureReport](), list[str](), 0
    learn = InternalPlanner.learn

    def learning(planner: InternalPlanner, failure: FailureReport) -> None:
        learned.append(failure)
        learn(planner, failure)

    monkeypatch.setattr(InternalPlanner, "learn", learning)
    action, result = Action(Verb.TEXT), None
    while action.verb is not Verb.STOP:
        says = not follower.keeps_turn and (lines.pop(0),)
        heard = tuple(Utterance(Role.COMMANDER, each, 0.0) for each in says or ())
        action = follower.act(Observation(heard, result, percepts=home.perception.view))
        result = None
        if action.verb in PRIMITIVE_VERBS:
            order = follower._order
            is_refused = len(lines) == 1 and refused < most_refused
            is_refused = is_refused and order is not None and bool(order.only)
            is_refused = is_refused and verb in (None, action.verb)
            if len(lines) == 1 and order is not None:
                meant.append(order.only)
            refused += is_refused
            done = Action(Verb.PICKUP, Click(0.5, 0)) if is_refused else action  # of the ceiling
            result = observed_result(home.sim.step(Role.FOLLOWER, done), home.perception)
            if is_refused:
                result = replace(result, refusal_code=code)
                assert not result.success
    assert learned and learned[0].reason == code
    assert set(meant[:2]) == set(meant[:1]) and meant[0]
    assert bool(meant[-1]) is (most_refused == 1)
