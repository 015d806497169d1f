"""Objects from masks and depth: boxes near the true ones, one number for each thing."""

from collections import Counter

from tatc.actions import Click, Verb
from tatc.listener.aiming import aimed_click
from tatc.listener.semantic_map import MISSES_UNTIL_FORGOTTEN, SemanticMap
from tatc.percepts import PerceptionLevel
from tests.listener.homes import Home, opening

ELSEWHERE = Click(0.5, 0.01)


def looked_around() -> tuple[Home, SemanticMap]:
    home, belief = Home(opening("coffee").scene, PerceptionLevel.MASKS), SemanticMap()
    home.turn_around(belief)
    return home, belief


def test_a_thing_seen_again_keeps_its_number() -> None:
    home, belief = looked_around()
    before = [obj.objectId for obj in belief.snapshot().objects]
    home.turn_around(belief)
    assert [obj.objectId for obj in belief.snapshot().objects] == before
    seen = Counter(obj.objectType for obj in belief.snapshot().objects)
    there = Counter(obj.objectType for obj in home.sim.snapshot().objects)
    assert sum((seen - there).values()) <= sum(seen.values()) // 5


def test_what_cannot_be_seen_is_taken_for_granted() -> None:
    _, belief = looked_around()
    for obj in belief.snapshot().objects:
        assert obj.isDirty is obj.affordances.dirtyable
        assert not (obj.isOpen or obj.isToggled or obj.isFilledWithLiquid)


def test_a_click_is_aimed_at_what_is_seen_within_reach() -> None:
    _, belief = looked_around()
    view = belief.view
    assert view is not None
    points = belief.points
    assert points is not None
    shown = [p for p in view.percepts if p.state is not None and p.pixel_count > 200]
    for percept in shown:
        state = percept.state
        assert state is not None
        click = aimed_click(view, points, state.objectId, Verb.OPEN, ELSEWHERE)
        if click is not None:
            row, column = int(click.y * 120), int(click.x * 120)
            assert view.percepts[view.pixels[row, column]] is percept
    assert aimed_click(view, points, "Mug|999", Verb.PICKUP, ELSEWHERE) is None


def test_what_is_missed_a_few_times_is_forgotten_there() -> None:
    _, belief = looked_around()
    loose = next(obj for obj in belief.objects if obj.affordances.pickupable)
    fixed = next(obj for obj in belief.objects if not obj.affordances.pickupable)
    for name in (loose.objectId, fixed.objectId):
        for _ in range(MISSES_UNTIL_FORGOTTEN - 1):
            belief.miss(name)
        assert belief.get(name) is not None
        belief.miss(name)
    assert belief.get(loose.objectId) is None
    assert belief.get(fixed.objectId) is not None
