"""A session's frame of reference: where the Follower stood, and how it was turned, at the start."""

from dataclasses import replace

from tatc.home.state import AgentState, Box, Vec3, yaw_sin_cos

_QUARTER_TURN_DEGREES = 90.0


class FollowerFrame:
    """Turns the world's coordinates into those of `tatc.home.percepts`.

    Positions are relative to the body at the start, and yaws to its yaw.  Quarter turns are
    exact, so that a start on the grid keeps the grid.
    """

    def __init__(self, start: AgentState) -> None:
        """Take the Follower's body at the start of a session."""
        self._origin, self._yaw = start.position, start.yaw
        self._sine, self._cosine = yaw_sin_cos(start.yaw)

    def point(self, point: Vec3) -> Vec3:
        """Return a point of the world, metres."""
        x, y, z = (a - b for a, b in zip(point, self._origin, strict=True))
        # Adding 0.0 turns -0.0 into 0.0.
        return (
            x * self._cosine - z * self._sine + 0.0,
            y + 0.0,
            x * self._sine + z * self._cosine + 0.0,
        )

    def body(self, agent: AgentState) -> AgentState:
        """Return the pose of the Follower's body."""
        position, yaw = self.point(agent.position), self._turn(agent.yaw)
        return AgentState(position, yaw, agent.horizon, agent.body)

    def rotation(self, rotation: Vec3) -> Vec3:
        """Return an object's rotation about x, y and z, degrees; y is applied last."""
        x, y, z = rotation
        return x, self._turn(y), z

    def box(self, box: Box) -> Box:
        """Return a box; after a quarter turn its sizes are exchanged and its yaw stays."""
        center, (width, height, depth) = self.point(box.center), box.size
        quarters, rest = divmod(self._yaw, _QUARTER_TURN_DEGREES)
        if rest:
            return Box(center, box.size, self._turn(box.yaw))
        if quarters % 2:
            width, depth = depth, width
        return Box(center, (width, height, depth), box.yaw)

    def point_in_world(self, point: Vec3) -> Vec3:
        """Return the point of the world, metres, that has these coordinates in this frame."""
        x, y, z = point
        a, b, c = self._origin
        return (
            a + x * self._cosine + z * self._sine,
            b + y,
            c - x * self._sine + z * self._cosine,
        )

    def body_in_world(self, agent: AgentState) -> AgentState:
        """Return the pose in the world of a body with this pose in this frame."""
        yaw = (agent.yaw + self._yaw) % 360.0
        return replace(agent, position=self.point_in_world(agent.position), yaw=yaw)

    def box_in_world(self, box: Box) -> Box:
        """Return a box of this frame in the world; the inverse of `box`."""
        center, (width, height, depth) = self.point_in_world(box.center), box.size
        quarters, rest = divmod(self._yaw, _QUARTER_TURN_DEGREES)
        if rest:
            return Box(center, box.size, (box.yaw + self._yaw) % 360.0)
        if quarters % 2:
            width, depth = depth, width
        return Box(center, (width, height, depth), box.yaw)

    def _turn(self, yaw: float) -> float:
        return (yaw - self._yaw) % 360.0
