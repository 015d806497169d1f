"""AI2-THOR's world at its own level: objects, bodies, cameras and settings.

TEACh's rules are not here: they are the client's, as with Unity.  What is done to
objects is what `tatc.sim.embedded` does, machines included.
"""

from dataclasses import dataclass, replace
from math import dist, hypot

import numpy as np

from tatc.actions import Click
from tatc.camera.clicks import eye_of
from tatc.camera.geometry import NOTHING
from tatc.camera.rays import EYE_HEIGHT, pixel_of
from tatc.sim.embedded.appliances import run_appliances
from tatc.sim.embedded.house import House, hand_at
from tatc.sim.embedded.motion import Floor, cell_of
from tatc.sim.embedded.render import Renderer
from tatc.sim.rooms.reach import Ground
from tatc.sim.stoves import KNOB, burners_of
from tatc.state import AgentState, ObjectState, Scene, Snapshot, Vec3
from tatc.thorserver.lens import Lens
from tatc.thorserver.scenes import Served

SIGHT = 150
"""Pixels on the longer side of the frame that says what is visible."""
EXACT = 900
"""The same, where it decides whether something can be done."""
ROOF = 2.5
"""The least height of a room, metres."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What Initialize sets: metres, degrees, and which pictures are always sent."""

    visibility: float = 1.5
    step: float = 0.25
    fov: float = 90.0
    turn: float = 90.0
    depth: bool = False
    instances: bool = False
    classes: bool = False


@dataclass(frozen=True, slots=True)
class Camera:
    """A third-party camera; `span` is the half height of an orthographic one."""

    position: Vec3
    rotation: Vec3
    fov: float = 90.0
    span: float | None = None


@dataclass(slots=True)
class Body:
    """An agent: where it is, and which object it holds."""

    state: AgentState
    held: str | None = None


class Stage:
    """A scene as AI2-THOR runs it; one of its agents acts at a time."""

    def __init__(self, served: Served, size: tuple[int, int]) -> None:
        """Load a first scene; `size` is the frame's width and height."""
        self.size = size
        self.settings = Settings()
        self.fault = ""
        self.load(served)

    def load(self, served: Served) -> None:
        """Load a scene afresh; one agent stands in the middle of the floor."""
        self.served = served
        self.fault = ""
        self.cameras: list[Camera] = []
        self.map_view = False
        self.unbreakable: set[str] = set()
        self.liquids: dict[str, str] = {}
        self.active = 0
        objects, room = served.room.objects, served.room
        body = _first_body(objects, room.agent_y)
        self.bodies = [Body(body)]
        self.rebuild(_with_burners(served, objects))

    def rebuild(self, things: list[ObjectState]) -> None:
        """Let these be the objects from now on; hands are empty."""
        body = self.bodies[self.active]
        start = Snapshot.of(things, body.state, body.state)
        self.house = House(start)
        self.renderer = Renderer(self._scene(start))
        self._floor: Floor | None = None
        for each in self.bodies:
            each.held = None

    def act_as(self, agent: int) -> None:
        """Let an agent be the one who acts."""
        if agent == self.active:
            return
        self.settle()
        self.active = agent
        body = self.bodies[agent]
        self.house.move_follower(body.state)
        self.house.grasp(body.held)

    def settle(self) -> None:
        """Note where the acting agent is and what it holds."""
        held = self.house.in_hand
        body = self.bodies[self.active]
        body.state = self.house.follower
        body.held = None if held is None else held.objectId

    def run_machines(self) -> None:
        """Let machines act, and know what they fill vessels with."""
        run_appliances(self.house)
        full = {o.objectId for o in self.house.things if o.isFilledWithLiquid}
        for gone in self.liquids.keys() - full:
            del self.liquids[gone]
        for name in sorted(full - self.liquids.keys()):
            parents = self._thing(name).parentReceptacles or ()
            brewed = any(parent.startswith("CoffeeMachine") for parent in parents)
            self.liquids[name] = "coffee" if brewed else "water"

    def put_body(self, state: AgentState) -> None:
        """Put the acting agent somewhere, whatever is there."""
        self.house.move_follower(state)
        self._floor = None

    def add_body(self, state: AgentState) -> None:
        """Add an agent."""
        self.bodies.append(Body(state))

    @property
    def body(self) -> AgentState:
        """The acting agent's body."""
        return self.house.follower

    @property
    def floor(self) -> Floor:
        """Where an agent can stand, laid out from how things are when first asked."""
        if self._floor is None:
            self._floor = Floor.of(self._scene(self.house.snapshot()))
        return self._floor

    def stands_free(self, position: Vec3) -> bool:
        """Whether an agent has room at a position."""
        cell = cell_of(AgentState(position, 0.0, 0.0))
        return cell in self.floor.free

    def lens(self) -> Lens:
        """Return the acting agent's camera."""
        return self.lens_of(self.body)

    def lens_of(self, state: AgentState) -> Lens:
        """Return an agent's camera."""
        eye = eye_of(state)
        fov = self.settings.fov
        return Lens.of(eye.position, eye.yaw, eye.horizon, fov, self.size)

    def visible(self, state: AgentState, side: int = SIGHT) -> frozenset[str]:
        """Return what an agent sees within AI2-THOR's visibility distance.

        The distance is measured on the level, as AI2-THOR's capsule does.
        """
        lens = self.lens_of(state).scaled(side)
        ids, depth = self.house.geometry.frame(lens.eye, lens.side)
        ids, depth = lens.cut(ids), lens.cut(depth)
        x, _, z = lens.ways()
        near = (ids != NOTHING) & (depth * np.hypot(x, z) <= self.settings.visibility)
        found: list[int] = np.unique(ids[near]).tolist()
        return frozenset(self.house.things[i].objectId for i in found)

    def interactable(self, thing: ObjectState) -> bool:
        """Whether the acting agent sees a thing near enough to do something to it."""
        if thing.isPickedUp:
            return True
        return any(
            thing.objectId in self.visible(self.body, side) for side in (SIGHT, EXACT)
        )

    def point_on(self, thing: ObjectState) -> Vec3:
        """Return a point in the middle of what the acting agent sees of a thing.

        Where it sees nothing of it, the point of its box that is nearest to its eye.
        """
        lens = self.lens().scaled(SIGHT)
        ids, depth = self.house.geometry.frame(lens.eye, lens.side)
        rows, columns = np.nonzero(ids == self.house.index(thing.objectId))
        eye = lens.eye.position
        if not len(rows):
            low, high = thing.box.bounds()
            x, y, z = (
                min(max(v, a), b) for v, a, b in zip(eye, low, high, strict=True)
            )
            return x, y, z
        away = np.hypot(rows - rows.mean(), columns - columns.mean())
        row, column = rows[away.argmin()], columns[away.argmin()]
        far = float(depth[row, column])
        dx, dy, dz = lens.eye.ray(int(column), int(row), lens.side)
        return eye[0] + far * dx, eye[1] + far * dy, eye[2] + far * dz

    def distance(self, thing: ObjectState, state: AgentState) -> float:
        """Return how far a thing is from an agent, metres."""
        return dist(thing.position, state.position)

    def bounds(self) -> tuple[Vec3, Vec3]:
        """Return the lowest and highest corner of the room, walls left out."""
        x0, z0, x1, z1 = self.served.room.walls
        boxes = [thing.box.bounds() for thing in self.house.things]
        floor = min((low[1] for low, _ in boxes), default=0.0)
        return (x0, floor, z0), (x1, max(floor + ROOF, *(h[1] for _, h in boxes)), z1)

    def wall_at(self, click: Click) -> Vec3:
        """Return where a ray from the agent's eye leaves the room."""
        eye = self.lens().eye
        way = eye.ray(*pixel_of(click))
        low, high = self.bounds()
        sides = zip(eye.position, way, low, high, strict=True)
        far = min(((b if d > 0 else a) - o) / d for o, d, a, b in sides)
        x, y, z = (
            o + max(far, 0.0) * d for o, d in zip(eye.position, way, strict=True)
        )
        return x, y, z

    def _thing(self, object_id: str) -> ObjectState:
        return self.house.things[self.house.index(object_id)]

    def _scene(self, start: Snapshot) -> Scene:
        return Scene(self.served.scene, self.served.room.kind, start)


def camera_position(state: AgentState) -> Vec3:
    """Return where an agent's camera is."""
    x, y, z = state.position
    return x, y + EYE_HEIGHT, z


def hand_position(state: AgentState) -> Vec3:
    """Return where an agent's hand is."""
    return hand_at(state)


def _first_body(objects: tuple[ObjectState, ...], agent_y: float) -> AgentState:
    """Return an agent on the cell nearest to the middle of the floor."""
    cells = [(float(x), float(z)) for x, z in Ground.of(objects, agent_y).cells]
    if not cells:
        return AgentState((0.0, agent_y, 0.0), 0.0, 0.0)
    mx, mz = (sum(axis) / len(cells) for axis in zip(*cells, strict=True))
    x, z = min(cells, key=lambda cell: (hypot(cell[0] - mx, cell[1] - mz), cell))
    return AgentState((x, agent_y, z), 0.0, 0.0)


def _with_burners(
    served: Served, objects: tuple[ObjectState, ...]
) -> list[ObjectState]:
    """Return the objects with each stove knob's burners."""
    return [
        replace(thing, controlledObjects=burners_of(served.scene, thing, objects))
        if thing.objectType == KNOB
        else thing
        for thing in objects
    ]
