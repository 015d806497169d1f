"""What is in view lies where the body's camera has it, and is clicked in its reachable middle."""

from dataclasses import replace

import numpy as np
import pytest

from tatc.home.actions import Role
from tatc.home.body import ALFRED, TEACH, Body
from tatc.home.camera.rays import EYE_HEIGHT_METRES, Eye
from tatc.session.text_world.seen_objects import (
    CLICKED_WITHIN_METRES,
    FAR_WEIGHT,
    choose_pixels_with_numpy,
)
from tatc.session.tool_session import ToolSession
from tests.session.text_world.sessions import opening


@pytest.mark.parametrize("body", [TEACH, ALFRED], ids=["teach", "alfred"])
def test_what_is_seen_lies_where_it_is_clicked(body: Body) -> None:
    start = opening()
    snapshot = start.scene.initial
    follower = replace(snapshot.follower, body=body)
    scene = replace(start.scene, initial=replace(snapshot, follower=follower))
    session = ToolSession(replace(start, scene=scene), plays=tuple(Role))
    seen = session.follower_interface.seen
    assert seen
    eye = Eye((0.0, EYE_HEIGHT_METRES, 0.0), 0.0, follower.horizon, body.fov_degrees)
    for each in seen:
        x, y, _ = eye.project(each.point)
        assert (x, y) == pytest.approx((each.click.x, each.click.y), abs=0.02)
        assert (each.degrees > 0) == (each.click.x > 0.5)


def test_both_ways_choose_the_same_pixels() -> None:
    pytest.importorskip("numba", reason="needs the extra: fast")
    from tatc.session.text_world.compiled_click_choice import choose_pixels

    rng = np.random.default_rng(3)
    for _ in range(20):
        side, count = 60, 7
        coarse = rng.integers(-1, count, (12, 12)).astype(np.int32)
        pixels = np.kron(coarse, np.ones((5, 5), np.int32)).ravel()
        pixels[:count] = np.arange(count)
        depth, up = rng.uniform(0.2, 4.0, side * side), rng.uniform(-1.0, 1.0, side * side)
        seen = pixels, depth, up, side, count, CLICKED_WITHIN_METRES, FAR_WEIGHT
        one = choose_pixels_with_numpy(*seen)
        other = choose_pixels(*seen)
        assert one[0].tolist() == other[0].tolist()
        assert one[1].tolist() == other[1].tolist()


def test_what_is_in_reach_is_clicked_first() -> None:
    pixels = np.zeros(9, np.int32)
    depth, up = np.full(9, 3.0), np.zeros(9)
    seen = pixels, depth, up, 3, 1, CLICKED_WITHIN_METRES, FAR_WEIGHT
    middle, away = choose_pixels_with_numpy(*seen)
    assert middle.tolist() == [4]
    assert away[0] > CLICKED_WITHIN_METRES
    depth[[6, 7, 8]] = 1.0
    clicked, away = choose_pixels_with_numpy(*seen)
    assert clicked.tolist() == [7]
    assert away[0] < CLICKED_WITHIN_METRES
