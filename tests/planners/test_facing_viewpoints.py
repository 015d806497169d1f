"""Poses that face a point see it where they say, from within reach."""

from math import dist

import numpy as np

from tatc.home.camera.clicks import eye_at
from tatc.home.state import AgentState, Pose
from tatc.planners.viewpoints import PLANNED_REACH_METRES, viewpoints_facing

POINT = (1.0, 1.1, 1.0)
AGENT = AgentState((0.0, 0.9, 0.0), 0.0, 0.0)


def test_each_pose_looks_at_the_point_from_within_reach_and_clicks_there() -> None:
    poses = [
        (Pose(x, z, yaw, 30.0), i)
        for i, (x, z) in enumerate([(1.0, 0.0), (0.5, 0.0), (0.0, 0.0), (1.0, -1.0), (1.0, 2.0)])
        for yaw in (0.0, 90.0, 180.0, 270.0)
    ]
    found = list(viewpoints_facing(POINT, poses, AGENT))
    assert [(view.pose.x, view.pose.z, view.pose.yaw) for view in found] == [
        (1.0, 0.0, 0.0),
        (0.5, 0.0, 0.0),
        (1.0, 2.0, 180.0),
    ]
    for view in found:
        assert dist((view.pose.x, 0.9, view.pose.z), POINT) <= PLANNED_REACH_METRES
        eye = eye_at(view.pose, AGENT)
        forward, right, up = (np.array(axis) for axis in eye.axes)
        offset = np.array(POINT) - np.array(eye.position)
        ahead = offset @ forward
        assert abs(0.5 + offset @ right / ahead / 2 - view.click.x) < 0.01
        assert abs(0.5 - offset @ up / ahead / 2 - view.click.y) < 0.01
