"""Where to stand so that a point lies well within the frame and within reach, whatever hides it."""

from collections.abc import Iterable, Iterator
from math import hypot

import numpy as np

from tatc.home.actions import Click
from tatc.home.camera.clicks import eye_at
from tatc.home.state import AgentState, Pose, Vec3
from tatc.planners.viewpoints import PLANNED_REACH_METRES, Viewpoint

MAX_OFF_MIDDLE = 0.85
"""How far from the middle of the frame the point may be, in halves of the frame."""


def viewpoints_facing(
    point: Vec3, poses: Iterable[tuple[Pose, int]], agent: AgentState
) -> Iterator[Viewpoint]:
    """Yield the poses that look at a point (metres) from within reach, in the order given.

    Args:
        point: where to click.
        poses: where the body may be, each with the cost of getting there.
        agent: the Follower, of whom the body and its height are used.

    """
    for pose, cost in poses:
        body = (pose.x, agent.position[1], pose.z)
        if agent.body.reach_distance(body, point) > PLANNED_REACH_METRES:
            continue
        eye = eye_at(pose, agent)
        offset = np.array(point) - np.array(eye.position)
        forward, right, up = (float(offset @ np.array(axis)) for axis in eye.axes)
        if forward <= 0.0:
            continue
        ahead = forward * hypot(*eye.axes[1]) ** 2
        column, row = right / ahead, -up / ahead
        if max(abs(column), abs(row)) <= MAX_OFF_MIDDLE:
            click = Click(round(0.5 + column / 2, 2), round(0.5 + row / 2, 2))
            yield Viewpoint(pose, click, cost)
