"""Whole sessions of the listening Follower in shipped rooms, with the true goal."""

import pytest

from tatc.actions import Action, Role, Verb
from tatc.listener.follower import ListenerEnd, ListenerFollower
from tests.listener.homes import Home, listener_for, opening


@pytest.mark.parametrize(
    ("task", "room", "seed"),
    [
        ("coffee", "kitchen-01", 0),
        ("plate_of_toast", "kitchen-02", 1),
        ("water_plant", "kitchen-01", 2),
    ],
)
def test_it_does_a_task_from_what_it_has_seen(task: str, room: str, seed: int) -> None:
    start = opening(task.replace("_", " "), room, seed)
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


def test_without_a_goal_or_without_percepts_it_stops_without_acting() -> None:
    home, follower = Home(opening("coffee").scene), ListenerFollower()
    assert home.play(follower) == [Action(Verb.STOP)]
    assert follower.end is ListenerEnd.NO_GOAL


def test_a_thing_never_in_view_changes_nothing_until_it_is_seen() -> None:
    """Two homes that differ only in what is shut away give the same actions until it is open."""
    start = opening("coffee")
    home = Home(start.scene)
    home.sim.step(Role.FOLLOWER, Action(Verb.STOP))
    hidden = [
        obj.objectId
        for obj in home.sim.snapshot().objects
        if obj.affordances.dirtyable
        and any(
            (p := home.sim.snapshot().get(name)) is not None
            and p.affordances.openable
            and not p.isOpen
            for name in obj.parentReceptacles or ()
        )
    ]
    first = Home(start.scene).play(listener_for(start))
    changed = Home(start.scene)
    world = changed.sim._require_scene()[0]
    for name in hidden:
        obj = world.find(name)
        assert obj is not None
        world.update_object(name, isDirty=not obj.isDirty)
    second = changed.play(listener_for(start))
    opened = next((i for i, a in enumerate(first) if a.verb is Verb.OPEN), len(first))
    assert first[: opened + 1] == second[: opened + 1]
