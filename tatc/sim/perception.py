"""Perception: turns what the Follower's rays hit into views in the Follower's own frame."""

from dataclasses import replace
from functools import lru_cache

from tatc.home import actions, percepts, type_facts
from tatc.home.camera import traced_views, views
from tatc.home.observation import ObservedResult
from tatc.home.state import ABSENT, AgentState, Box, ObjectState, Snapshot, Vec3, yaw_sin_cos
from tatc.sim.protocol import Simulator


class Perception:
    """What the Follower of one session perceives, at a level; objects keep their numbers."""

    def __init__(
        self,
        sim: Simulator,
        level: percepts.PerceptionLevel,
        start: AgentState,
        side: int = percepts.VIEW_SIDE_PIXELS,
    ) -> None:
        """Perceive in a simulator from the `start` on; views are `side` pixels wide and high."""
        self._sim, self._level, self._side = sim, level, side
        self._frame = FollowerFrame(start)
        is_usual = level is percepts.PerceptionLevel.TRUTH and side == percepts.VIEW_SIDE_PIXELS
        self._min_pixels = percepts.MIN_TRUTH_PIXELS if is_usual else 1
        self._numbers: dict[str, int] = {}
        self._states: dict[str, tuple[ObjectState, int, ObjectState]] = {}
        self._last_view: tuple[Snapshot, percepts.View] | None = None
        self._home = object()  # another one for each state of the home

    def view(self) -> percepts.View | None:
        """Return what is in view now; None where the simulator has no such sensor.

        While the home stays as it is, a view from a pose is made once, if it is among the last.
        """
        snapshot = self._sim.snapshot()
        if self._last_view is None or self._last_view[0] is not snapshot:
            if self._last_view is None or not self._last_view[0].is_like(snapshot):
                self._home = object()
            made = _views_from(self._home, snapshot.follower)
            if not made:
                traced = self._sim.trace_view(self._side)
                if traced is None:
                    return None
                made.append(self._make_view(snapshot, traced))
            self._last_view = snapshot, made[0]
        return self._last_view[1]

    def number_of(self, object_id: str | None) -> int | None:
        """Return an object's number; None at `PerceptionLevel.MASKS` and for no object.

        An object that has none yet gets the next one: whoever acts on it has noticed it.
        """
        if object_id is None or self._level is percepts.PerceptionLevel.MASKS:
            return None
        return self._numbers.setdefault(object_id, len(self._numbers) + 1)

    def find_number(self, object_id: str) -> int | None:
        """Return an object's number, None if it has none yet."""
        return self._numbers.get(object_id)

    def _make_view(self, snapshot: Snapshot, traced: views.TracedView) -> percepts.View:
        objects, depth = snapshot.objects, traced.distances
        pixels, shown = traced_views.number_objects(traced.ids, len(objects), self._min_pixels)
        seen = [
            percepts.Percept(place, objects[index].objectType, count, None)
            if self._level is percepts.PerceptionLevel.MASKS
            else self._percept(objects[index], traced, index, count)
            for place, (index, count) in enumerate(shown)
        ]
        for each in (pixels, depth):
            each.setflags(write=False)
        body = self._frame.body(snapshot.follower)
        return percepts.View(self._level, body, pixels, depth, tuple(seen))

    def _percept(
        self, obj: ObjectState, traced: views.TracedView, index: int, count: int
    ) -> percepts.Percept:
        known = self._states.get(obj.objectId)
        if known is None or known[0] is not obj:
            number = self._numbers.setdefault(obj.objectId, len(self._numbers) + 1)
            known = self._states[obj.objectId] = obj, number, self._perceived_state(obj, number)
        _, number, state = known
        if obj.objectType == type_facts.FLOOR_TYPE:
            # Only the part of the floor that is in view, as a box along the world's axes.
            low, high = traced_views.bounds_hit(traced, index).tolist()
            x, y, z = ((a + b) / 2 for a, b in zip(low, high, strict=True))
            width, height, depth = (b - a for a, b in zip(low, high, strict=True))
            box = self._frame.box(Box((x, y, z), (width, height, depth)))
            state = state.with_values(position=box.center, box=box)
        return percepts.Percept(number, obj.objectType, count, state)

    def _perceived_state(self, obj: ObjectState, number: int) -> ObjectState:
        """Return an object's state in the Follower's frame."""
        name = f"{obj.objectType}|{number}"
        return obj.with_values(
            objectId=name,
            name=name,
            affordances=replace(obj.affordances),  # no value of the world's
            position=self._frame.point(obj.position),
            rotation=self._frame.rotation(obj.rotation),
            box=self._frame.box(obj.box),
            mass=0.0,
            salientMaterials=(),
            controlledObjects=None,
            parentReceptacles=None,
            simbotObjectClass=ABSENT,
            simbotLastParentReceptacle=ABSENT,
            simbotIsReceptacleOf=ABSENT,
        )


@lru_cache(maxsize=percepts.MAX_KEPT_VIEWS)
def _views_from(home: object, follower: AgentState) -> list[percepts.View]:
    """Return the list that holds the view from a pose, empty until the view is made.

    `home` stands for one state of the home in one session: any object that equals no other.
    """
    return []


def observed_result(result: actions.ActionResult, perception: Perception | None) -> ObservedResult:
    """Return what a Follower is told of an action's outcome: no id, and no message with ids."""
    number = perception.number_of(result.object_id) if perception is not None else None
    return ObservedResult(result.success, result.refusal_code, number)


class FollowerFrame:
    """A session's frame of reference, as `tatc.home.percepts` uses it.

    Positions are relative to the Follower's body at the start, and yaws to its yaw.  Quarter turns
    are exact, so that a start on the grid keeps the grid.
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
        return self._turn_box(box, self.point(box.center), self._turn(box.yaw))

    def point_in_world(self, point: Vec3) -> Vec3:
        """Return the point of the world, metres, that has these coordinates in this frame."""
        x, y, z = point
        a, b, c = self._origin
        return (a + x * self._cosine + z * self._sine, b + y, c - x * self._sine + z * self._cosine)

    def body_in_world(self, agent: AgentState) -> AgentState:
        """Return the pose in the world of a body with this pose in this frame."""
        yaw = (agent.yaw + self._yaw) % 360.0
        return replace(agent, position=self.point_in_world(agent.position), yaw=yaw)

    def box_in_world(self, box: Box) -> Box:
        """Return a box of this frame in the world; the inverse of `box`."""
        return self._turn_box(box, self.point_in_world(box.center), (box.yaw + self._yaw) % 360.0)

    def _turn_box(self, box: Box, center: Vec3, yaw: float) -> Box:
        """Return a box with another centre, and with a yaw unless this is a quarter turn."""
        (width, height, depth), (quarters, rest) = box.size, divmod(self._yaw, 90.0)
        if rest:
            return Box(center, box.size, yaw)
        return Box(center, (depth, height, width) if quarters % 2 else box.size, box.yaw)

    def _turn(self, yaw: float) -> float:
        return (yaw - self._yaw) % 360.0
