"""Objects from masks and depth: boxes near the true ones, one number for each thing."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tatc.follower.listener.aimed_clicks import aimed_click
from tatc.follower.listener.instance_tracking import InstanceTracker
from tatc.follower.listener.semantic_map import MISSES_UNTIL_FORGOTTEN
from tatc.home.actions import Click, Verb
from tatc.home.percepts import NO_PERCEPT, Percept, PerceptionLevel, View
from tatc.home.state import AgentState, ObjectState
from tests.follower.listener.homes import looked_around, one_that_is

ELSEWHERE = Click(0.5, 0.01)


def test_a_thing_seen_again_keeps_its_number() -> None:
    home, belief = looked_around(level=PerceptionLevel.MASKS)
    before = [obj.objectId for obj in belief.snapshot().objects]
    home.turn_around(belief)
    assert [obj.objectId for obj in belief.snapshot().objects] == before
    seen = Counter(obj.objectType for obj in belief.snapshot().objects)
    there = Counter(obj.objectType for obj in home.sim.snapshot().objects)
    assert sum((seen - there).values()) <= sum(seen.values()) // 5


def test_what_cannot_be_seen_is_taken_for_granted() -> None:
    _, belief = looked_around(level=PerceptionLevel.MASKS)
    for obj in belief.snapshot().objects:
        assert obj.isDirty is obj.affordances.dirtyable
        assert not (obj.isOpen or obj.isToggled or obj.isFilledWithLiquid)


def test_a_click_is_aimed_at_what_is_seen_within_reach() -> None:
    _, belief = looked_around(level=PerceptionLevel.MASKS)
    view, points = belief.view, belief.points
    shown = [p for p in view.percepts if p.state is not None and p.pixel_count > 200]
    for percept in shown:
        click = aimed_click(view, points, percept.state.objectId, Verb.OPEN, ELSEWHERE)
        if click is not None:
            row, column = int(click.y * 120), int(click.x * 120)
            assert view.percepts[view.pixels[row, column]] is percept
    assert aimed_click(view, points, "Mug|999", Verb.PICKUP, ELSEWHERE) is None


@pytest.mark.parametrize("kind", ["Plate", "CounterTop"])
def test_a_click_is_not_aimed_at_the_outline(kind: str) -> None:
    tracker = InstanceTracker()
    view = _view_of_plates([40])
    view = replace(view, percepts=(replace(view.percepts[0], object_type=kind),))
    view.pixels[60, 30:50] = 0
    seen = tracker.with_states(view, _points_of([40]), {}, (), {})
    click = aimed_click(seen, _points_of([40]), f"{kind}|1", Verb.PLACE, ELSEWHERE)
    row, column = int(click.y * 120), int(click.x * 120)
    assert row > 60 and 40 < column < 47
    view.pixels[62:] = NO_PERCEPT
    seen = tracker.with_states(view, _points_of([40]), {}, (), {})
    click = aimed_click(seen, _points_of([40]), f"{kind}|2", Verb.PLACE, Click(0.4, 0.9))
    assert abs(click.y * 120 - 61.0) == pytest.approx(0.25), "off the ends of the two rows"


def test_what_was_lost_is_the_same_where_it_is_seen_again() -> None:
    _, belief = looked_around(level=PerceptionLevel.MASKS)
    loose = one_that_is("pickupable", belief)
    for _ in range(MISSES_UNTIL_FORGOTTEN):
        belief.miss(loose.objectId)
    assert belief.get(loose.objectId) is None
    home, _ = looked_around(level=PerceptionLevel.MASKS)
    home.turn_around(belief)
    assert belief.get(loose.objectId) is not None


def test_what_is_missed_a_few_times_is_forgotten_there() -> None:
    _, belief = looked_around(level=PerceptionLevel.MASKS)
    loose = one_that_is("pickupable", belief)
    fixed = next(obj for obj in belief.objects if not obj.affordances.pickupable)
    for name in (loose.objectId, fixed.objectId):
        for _ in range(MISSES_UNTIL_FORGOTTEN - 1):
            belief.miss(name)
        assert belief.get(name) is not None
        belief.miss(name)
    assert belief.get(loose.objectId) is None
    assert belief.get(fixed.objectId) is not None


def test_what_is_put_down_beside_another_of_its_type_does_not_take_its_number() -> None:
    tracker = InstanceTracker()
    first = tracker.with_states(_view_of_plates([40]), _points_of([40]), {}, (), {})
    known = {p.state.objectId: p.state for p in first.percepts if p.state is not None}
    (name,) = known
    gone = {name: known[name], "Plate|9": _moved_aside(known[name])}
    view = _view_of_plates([52, 40])  # the one that was put down comes first in the view
    seen = tracker.with_states(view, _points_of([52, 40]), gone, ["Plate|9"], {})
    found = [p.state.objectId for p in seen.percepts if p.state is not None]
    assert found == ["Plate|9", name]


def test_a_part_of_a_loose_thing_at_the_edge_of_the_frame_leaves_its_box() -> None:
    tracker = InstanceTracker()
    first = tracker.with_states(_view_of_plates([40]), _points_of([40]), {}, (), {})
    whole = first.percepts[0].state
    part = replace(first, pixels=np.full((120, 120), NO_PERCEPT, np.int32))
    part.pixels[60:64, 116:120] = 0
    points = np.full((120, 120, 3), np.nan)
    x, y, z = whole.box.center
    points[60:64, 116:120] = (x + 0.05, y, z)
    seen = tracker.with_states(part, points, {whole.objectId: whole}, (), {})
    assert seen.percepts[0].state == whole


def _moved_aside(plate: ObjectState) -> ObjectState:
    """Return another plate, expected 15 cm beside the first."""
    x, y, z = plate.position
    box = plate.box.translate(0.15, 0.0, 0.0)
    return replace(plate, objectId="Plate|9", name="Plate|9", position=(x + 0.15, y, z), box=box)


def _view_of_plates(columns: list[int]) -> View:
    """Return a view of plates, each a square of 8 x 8 pixels from a column on."""
    pixels = np.full((120, 120), NO_PERCEPT, np.int32)
    for i, column in enumerate(columns):
        pixels[60:68, column : column + 8] = i
    percepts = tuple(Percept(i, "Plate", 64, None) for i in range(len(columns)))
    body = AgentState((0.0, 0.9, 0.0), 0.0, 30.0)
    return View(PerceptionLevel.MASKS, body, pixels, np.ones((120, 120)), percepts)


def _points_of(columns: list[int]) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Return where the rays of such a view end: a metre ahead, a column every 2 cm."""
    points = np.full((120, 120, 3), np.nan)
    for column in columns:
        xs = (np.arange(column, column + 8) - 40) * 0.02
        points[60:68, column : column + 8, 0] = xs[None, :]
        points[60:68, column : column + 8, 1] = 0.9
        points[60:68, column : column + 8, 2] = 1.0 + 0.02 * np.arange(8)[:, None]
    return points
