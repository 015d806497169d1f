"""Directions and points of what is in view are those of the body's own camera."""

from dataclasses import replace

import pytest

from tatc.home.actions import Role
from tatc.home.body import ALFRED, TEACH, Body
from tatc.home.camera.rays import EYE_HEIGHT_METRES, Eye
from tatc.session.tool_session import ToolSession
from tests.session.text_world.sessions import opening


@pytest.mark.parametrize("body", [TEACH, ALFRED], ids=["teach", "alfred"])
def test_what_is_seen_lies_where_it_is_clicked(body: Body) -> None:
    start = opening()
    snapshot = start.scene.start
    follower = replace(snapshot.follower, body=body)
    scene = replace(start.scene, start=replace(snapshot, follower=follower))
    session = ToolSession(replace(start, scene=scene), plays=tuple(Role))
    seen = session.follower_interface.seen
    assert seen
    eye = Eye((0.0, EYE_HEIGHT_METRES, 0.0), 0.0, follower.horizon, body.fov_degrees)
    for each in seen:
        x, y, _ = eye.project(each.point)
        assert (x, y) == pytest.approx((each.click.x, each.click.y), abs=0.02)
        assert (each.degrees > 0) == (each.click.x > 0.5)
