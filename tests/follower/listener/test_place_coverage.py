"""What of a receptacle has been in view follows from depth, and a look shows more of it."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from tatc.follower.listener.map_frame import Floats, raised
from tatc.follower.listener.place_coverage import (
    MAX_LOOK_METRES,
    LookDistance,
    PlaceCoverage,
    best_look,
)
from tatc.follower.listener.searched_places import distance_to_see
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import Action, Role, Verb
from tatc.home.body import ALFRED
from tatc.home.camera.geometry import Geometry
from tatc.home.percepts import View
from tatc.home.state import AgentState, Box, ObjectState, Pose
from tests.follower.listener.homes import Home, opening

BODY = AgentState((0.0, 0.9, 0.0), 0.0, 30.0)


@cache
def seen_counter() -> tuple[ObjectState, list[View]]:
    """Return a large counter and the views of a turn on the spot from which it is seen."""
    home, belief = Home(opening("coffee").scene), SemanticMap()
    views: list[View] = []
    for _ in range(4):
        views.append(raised(home.view(), {}))
        belief.see(home.view())
        home.sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    counters = [obj for obj in belief.objects if obj.objectType == "CounterTop"]
    return max(counters, key=lambda obj: obj.box.size[0] * obj.box.size[2]), views


def test_coverage_grows_with_views_and_only_with_what_they_show() -> None:
    counter, views = seen_counter()
    coverage = PlaceCoverage(counter, counter.box)
    assert coverage.unseen_share == 1.0
    shares: list[float] = []
    for view in views:
        PlaceCoverage.add_to_all([coverage], view)
        shares.append(coverage.unseen_share)
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 1.0
    blind = PlaceCoverage(counter, counter.box)
    for view in views:
        PlaceCoverage.add_to_all([blind], replace(view, depth=np.full_like(view.depth, 0.05)))
    assert blind.unseen_share == 1.0


def test_points_far_away_do_not_count_as_seen() -> None:
    counter, views = seen_counter()
    x, _, z = counter.box.center
    moved = counter.box.translate(30.0 - x, 0.0, 30.0 - z)
    coverage = PlaceCoverage(replace(counter, box=moved), moved)
    for view in views:
        PlaceCoverage.add_to_all([coverage], replace(view, depth=np.full_like(view.depth, np.inf)))
    assert coverage.unseen_share == 1.0


def look_from(
    geometry: Geometry, points: Floats, poses: list[tuple[Pose, int]], *more: Any
) -> Pose | None:
    """Return the best look from poses that come with their costs."""
    rows = np.array([(pose.x, pose.z, pose.yaw, pose.horizon) for pose, _ in poses])
    return best_look(geometry, points, (rows, np.array([cost for _, cost in poses])), *more)


def test_small_things_are_looked_for_from_nearer() -> None:
    counter, views = seen_counter()
    coverage = PlaceCoverage(counter, counter.box)
    for view in views:
        PlaceCoverage.add_to_all([coverage], view)
    usual = coverage.unseen_share
    coverage.want_from(1.2)
    assert coverage.unseen_share > usual
    points = coverage.unseen()[:1]
    ahead = [(Pose(points[0][0], points[0][2] - 1.8, 0.0, 30.0), 1)]
    assert look_from(Geometry(()), np.repeat(points, 2, axis=0), ahead, BODY) == ahead[0][0]
    near = coverage.near
    assert look_from(Geometry(()), np.repeat(points, 2, axis=0), ahead, BODY, near) is None
    coverage.want_from(MAX_LOOK_METRES)
    assert coverage.unseen_share == usual, "what was seen from afar is remembered"
    assert distance_to_see(("Mug", "Pencil")) < distance_to_see(("Mug",)) <= MAX_LOOK_METRES
    assert distance_to_see(("Sofa",)) == distance_to_see(()) == MAX_LOOK_METRES


def test_what_is_looked_into_from_above_has_its_points_at_the_bottom() -> None:
    counter, _ = seen_counter()
    y, height = counter.box.center[1], counter.box.size[1]
    deep = PlaceCoverage(counter, counter.box, is_deep=True).unseen()
    assert deep[:, 1] == pytest.approx(y - height / 2 + 0.05)
    assert PlaceCoverage(counter, counter.box).unseen()[:, 1].min() > deep[:, 1].max()


def test_a_look_goes_round_what_hides_the_points_from_near() -> None:
    points = np.array([[0.1 * k, 0.5, 0.0] for k in range(4)])
    wall = replace(
        seen_counter()[0], box=Box((0.0, 1.0, 0.4), (6.0, 2.0, 0.1)), objectType="Painting"
    )
    hidden = [(Pose(0.1 * k, 1.5, 180.0, 30.0), 1) for k in range(20)]
    far = [(Pose(0.1, -1.5, 0.0, 30.0), 20)]
    assert look_from(Geometry((wall,)), points, hidden, BODY) is None
    assert look_from(Geometry((wall,)), points, hidden + far, BODY) == far[0][0]


def test_a_look_stands_near_and_faces_the_points() -> None:
    points = np.array([[0.0, 1.0, 2.0], [0.2, 1.0, 2.0]])
    poses = [(Pose(0.0, float(z), yaw, 30.0), 1) for z in (-3, 1) for yaw in (0.0, 180.0)]
    look = look_from(Geometry(()), points, poses, BODY)
    assert look == Pose(0.0, 1.0, 0.0, 30.0)
    near = LookDistance()
    assert look_from(Geometry(()), points, poses, BODY, near, {look}) is None, "tried before"
    assert look_from(Geometry(()), points, poses[:2], BODY) is None
    assert look_from(Geometry(()), points[:0], poses, BODY) is None


def test_a_look_takes_the_bodys_own_field_of_view() -> None:
    points = np.array([[0.8, 1.3, 1.0], [0.82, 1.3, 1.0]])  # 39 degrees to the side
    ahead = (Pose(0.0, 0.0, 0.0, 30.0), 1)
    assert look_from(Geometry(()), points, [ahead], BODY) == ahead[0]
    assert look_from(Geometry(()), points, [ahead], replace(BODY, body=ALFRED)) is None
