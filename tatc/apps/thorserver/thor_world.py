"""The world as AI2-THOR's clients know it: objects, agents, cameras and settings.

TEACh's rules are not here: the client applies them, as it does with Unity.  Interactions
and appliances are those of `tatc.sim.embedded`.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from math import dist, fsum, hypot, inf
from pathlib import Path
from typing import Any, cast

from tatc.apps.thorserver import moved_objects, thor_agent
from tatc.apps.thorserver.served_scenes import ServedScene
from tatc.home import actions
from tatc.home.body import ALFRED, TEACH, Body
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import pixel_of
from tatc.home.camera.views import ImageKind
from tatc.home.state import AgentState, Box, ObjectState, Scene, Snapshot, Vec3
from tatc.session.alfred.recorded_ids import RecordedId
from tatc.sim.embedded import appliances, interactions, motion, snapshot_renderer, world_state
from tatc.sim.maps.recorded_evidence import NO_EVIDENCE
from tatc.sim.rooms.room import ReachableFloor, Room, free_cells
from tatc.sim.stove_knobs import with_burners

SAME_OBJECT_METRES = 0.3
"""How far apart the positions in two versions' ids of one object are at most (99.5 % of what stands
fast in the scenes of TEACh's games)."""


@dataclass(frozen=True, slots=True)
class ClientVersion:
    """What differs between the versions of the `ai2thor` client that are served.

    Clients before 2.5 do not say which server they run; they have only one, over HTTP.
    That is how `CLIENT_2` is recognised.  Later clients are served as 5.0.0 is, because what
    they send does not tell them apart.
    """

    default_fov: float
    """The vertical field of view that Initialize sets if it is not told otherwise, degrees."""
    depth_range_metres: float  # the distance for which the largest value of a depth image stands
    is_strict: bool
    """Whether AI2-THOR refuses arguments that an action does not have, and teleports to
    places off the floor or off the grid."""
    lists_reachable_positions: bool
    """Whether metadata always has `reachablePositions`, which later is `actionReturn` alone."""
    body: Body = TEACH  # what the agents' bodies touch


NEAR_PLANE_METRES, FAR_PLANE_METRES = 0.01, 20.0
"""AI2-THOR's clipping planes; later clients multiply depths by the distance between them."""
MIN_ROOM_HEIGHT_METRES = 2.5  # the smallest height of a room
CLIENT_2 = ClientVersion(60.0, 10.0, False, True, ALFRED)  # ALFRED's and ALFWorld's client
CLIENT_5 = ClientVersion(90.0, FAR_PLANE_METRES - NEAR_PLANE_METRES, True, False)
VIEW_ARGUMENTS: Mapping[ImageKind, tuple[str, ...]] = {
    ImageKind.DEPTH: ("renderDepthImage",),
    ImageKind.IDS: ("renderInstanceSegmentation", "renderObjectImage"),
    ImageKind.CLASSES: ("renderSemanticSegmentation", "renderClassImage"),
}
"""The arguments, any of which asks for a kind of images: the newer client's name first."""


@dataclass(frozen=True, slots=True)
class SceneSettings:
    """What Initialize sets: metres, degrees, and which images every event holds."""

    visibility_metres: float = 1.5
    step_metres: float = 0.25
    fov: float = 90.0
    turn_degrees: float = 90.0
    snap_to_grid: bool = True
    draws_agents: bool = True
    views: frozenset[ImageKind] = frozenset()


@dataclass(frozen=True, slots=True)
class ThirdPartyCamera:
    """A camera: metres, degrees about x, y and z; half the height it sees if orthographic."""

    position: Vec3
    rotation: Vec3
    fov: float = 90.0
    orthographic_size: float | None = None


class ThorWorld:
    """A scene as AI2-THOR runs it; one of its agents acts at a time."""

    def __init__(
        self, served_scene: ServedScene, size: tuple[int, int], client: ClientVersion = CLIENT_5
    ) -> None:
        """Load a scene; `size` is the frame's width and height in pixels."""
        self.size = size
        self.client = client
        self.rooms_folder: Path | None = None  # has rooms that come before the user's
        self.settings = SceneSettings(fov=client.default_fov)
        self.random_seed = "0"
        self.load_fault = ""
        self.load(served_scene)

    def load(self, served_scene: ServedScene) -> None:
        """Load a scene, with one agent in the middle of the floor."""
        self.served_scene, self._recorded_map = served_scene, served_scene.recorded_map
        self.load_fault = ""
        self.cameras: list[ThirdPartyCamera] = []
        self.is_map_view_on = False
        self.is_physics_paused = False
        self._paint = ""
        self.unbreakable_types: set[str] = set()
        self.liquid_by_object: dict[str, str] = {}
        self.openness_by_object: dict[str, float] = {}
        self.absent_ids: set[str] = set()  # the objects that were removed or disabled
        self.disabled_objects: dict[str, ObjectState] = {}
        self.listed_ids: frozenset[str] | None = None
        """The objects that metadata list; None for all."""
        self.active_agent = 0
        room = served_scene.room
        self.agents = [thor_agent.ThorAgent(_initial_agent_state(room, self.client.body))]
        aligned = served_scene.aligned_boxes
        self._aligned_boxes = {
            obj.objectId: (obj.box, aligned[obj.objectId])
            for obj in room.objects
            if obj.objectId in aligned
        }
        self.loaded_objects = with_burners(served_scene.scene, room.objects)
        self._set_objects(self.loaded_objects)

    def replace_objects(self, objects: Iterable[ObjectState]) -> None:
        """Replace all objects; hands keep what is there and picked up, and nothing else is."""
        self.save_active_agent()
        objects = moved_objects.without_loose_ends(objects, {agent.held for agent in self.agents})
        closed_at_start = self.state.closed_at_start
        in_hands = {obj.objectId for obj in objects if obj.isPickedUp}
        for agent in self.agents:
            if agent.held not in in_hands:
                agent.held, agent.hand = None, thor_agent.DEFAULT_HAND_POSE
        # Doors are measured on objects that are closed.
        closed = [(obj.isOpen and closed_at_start(obj.objectId)) or obj for obj in objects]
        self._set_objects(
            [
                moved_objects.move_object_to(shut, obj.position, obj.rotation)
                if shut is not obj and obj.affordances.moveable
                else shut
                for shut, obj in zip(closed, objects, strict=True)
            ]
        )
        for shut, obj in zip(closed, objects, strict=True):
            if shut is not obj:
                self.state.set_object(obj)

    def set_active_agent(self, agent: int) -> None:
        """Make an agent the one that acts."""
        if agent != self.active_agent:
            self.save_active_agent()
            self._let_act(agent)

    def _let_act(self, agent: int) -> None:
        self.active_agent, acting = agent, self.agents[agent]
        self.state.change_follower(acting.state, acting.held, self._bystanders())

    def drop_from_hand(self, object_id: str) -> None:
        """Let the agent that holds an object, if one does, drop it on the floor below its hand."""
        self.save_active_agent()
        acting = self.active_agent
        for number, agent in enumerate(self.agents):
            if agent.held == object_id:
                self.set_active_agent(number)
                interactions.drop_held_object(self.state)
        self.save_active_agent()
        self.set_active_agent(acting)

    def empty_hand(self, object_id: str) -> None:
        """Let no agent hold an object any more."""
        self.save_active_agent()
        for agent in self.agents:
            if agent.held == object_id:
                agent.held, agent.hand = None, thor_agent.DEFAULT_HAND_POSE
        self._let_act(self.active_agent)

    def set_agents(self, agents: Sequence[thor_agent.ThorAgent]) -> None:
        """Let these be all agents; the first one acts, and who leaves drops what it holds."""
        for leaving in self.agents[len(agents) :]:
            if leaving.held is not None:
                self.drop_from_hand(leaving.held)
        self.save_active_agent()
        self.agents = list(agents)
        self._let_act(0)

    def agent_in_the_way(self, end: Vec3, start: Vec3 | None = None) -> int | None:
        """Return the number of another agent in which the acting one would stand, or None.

        With `start`, a step away from an agent in which it stands already is free.
        """
        for number, agent in enumerate(self.agents):
            is_away = start is not None and agent.gap_to(end) > agent.gap_to(start)
            if number != self.active_agent and agent.is_in_the_way(end) and not is_away:
                return number
        return None

    def _bystanders(self) -> world_state.Bystanders:
        others = [each for i, each in enumerate(self.agents) if i != self.active_agent]
        held = frozenset(agent.held for agent in others if agent.held is not None)
        return world_state.Bystanders(tuple(agent.state.position for agent in others), held)

    def saved(self) -> Callable[[], None]:
        """Return what puts all of this world back as it is now."""
        self.save_active_agent()
        values: dict[str, Any] = vars(self)
        kept = {
            name: copy(value) if type(value) in (list, set, dict) else value
            for name, value in values.items()
        }
        kept["agents"] = [replace(agent) for agent in self.agents]
        snapshot, bystanders = self.state.snapshot(), self.state.bystanders

        def restore() -> None:
            vars(self).update(kept)
            self.state.bystanders = bystanders
            self.state.restore(snapshot)

        return restore

    def save_active_agent(self) -> None:
        """Copy the acting agent's pose and held object from the world to `agents`."""
        held = self.state.held_object
        agent = self.agents[self.active_agent]
        agent.state = self.state.follower
        held_id = None if held is None else held.objectId
        if agent.held != held_id:
            agent.held, agent.hand = held_id, thor_agent.DEFAULT_HAND_POSE

    def update_appliances(self) -> None:
        """Let appliances act, and note which liquids they fill vessels with."""
        appliances.run_appliances(self.state)
        full = {obj.objectId for obj in self.state.objects if obj.isFilledWithLiquid}
        for emptied in self.liquid_by_object.keys() - full:
            del self.liquid_by_object[emptied]
        for name in sorted(full - self.liquid_by_object.keys()):
            parents = self.object_of_id(name).parentReceptacles or ()
            brewed = any(self.object_of_id(p).objectType == "CoffeeMachine" for p in parents)
            self.liquid_by_object[name] = "coffee" if brewed else "water"

    def move_agent(self, state: AgentState) -> None:
        """Give the acting agent another pose; its hand goes back to the default pose."""
        agent = self.acting_agent
        held, unturned = self.state.held_object, agent.hand.unturned
        if held is not None and unturned is not None:
            self.state.set_object(moved_objects.unturned_object(held, unturned))
        agent.hand = thor_agent.DEFAULT_HAND_POSE
        self.state.move_follower(state)

    def place_agent(self, state: AgentState) -> None:
        """Put the acting agent somewhere, without a check for room."""
        self.move_agent(state)
        self._floor = None

    @property
    def acting_agent(self) -> thor_agent.ThorAgent:
        """The agent that acts, as it is now."""
        self.save_active_agent()
        return self.agents[self.active_agent]

    @property
    def agent_state(self) -> AgentState:
        """The acting agent's pose."""
        return self.state.follower

    @property
    def agent_y(self) -> float:
        """The height of an agent that stands on the floor, metres."""
        return self.served_scene.room.agent_y

    @property
    def floor(self) -> motion.WalkableGrid:
        """Where an agent can stand, computed from the world's state at the first use."""
        if self._floor is None:
            cells = listed_cells(self.served_scene.room, self.state.objects)
            # A user's room that knows where people stood lists these cells itself.
            known = self._recorded_map if self.served_scene.is_shipped else None
            place = self.served_scene.source
            scene = replace(self._scene(self.state.snapshot()), place=place, cells=cells)
            self._floor = motion.WalkableGrid.from_scene(scene, known)
        return self._floor

    def contains(self, x: float, z: float) -> bool:
        """Return whether a point of the floor is inside the room."""
        low, high = self.bounds()
        return low[0] <= x <= high[0] and low[2] <= z <= high[2]

    def has_standing_room(self, position: Vec3) -> bool:
        """Return whether an agent has room at a position."""
        return actions.cell_of(position[0], position[2]) in self.floor.free_cells

    def bodies_seen_by(self, viewer: thor_agent.ThorAgent | None) -> list[ObjectState]:
        """Return the bodies that an agent sees: the others'; a camera, None, sees all."""
        self.save_active_agent()
        return [each.body_seen(i) for i, each in enumerate(self.agents) if each is not viewer]

    @contextmanager
    def geometry_seen_by(self, viewer: thor_agent.ThorAgent) -> Generator[Geometry]:
        """Let rays hit the bodies that an agent sees, numbered after all objects, for a while."""
        geometry, numbered = self.state.geometry, list[int]()
        for i, body in enumerate(self.bodies_seen_by(viewer), len(self.state.objects)):
            if i == len(geometry):
                geometry.append(body)
            else:
                geometry.update(i, body)
            numbered.append(i)
        try:
            yield geometry
        finally:
            for i in numbered:
                geometry.hide(i)

    def agent_camera(self) -> thor_agent.FrameCamera:
        """Return the acting agent's camera."""
        return self.camera_of(self.acting_agent)

    def camera_of(self, agent: thor_agent.ThorAgent) -> thor_agent.FrameCamera:
        """Return an agent's camera."""
        eye, fov = agent.eye, self.settings.fov
        return thor_agent.FrameCamera.from_pose(eye.position, eye.yaw, eye.horizon, fov, self.size)

    def bounds(self) -> tuple[Vec3, Vec3]:
        """Return the lowest and the highest corner of the room's inside, in metres."""
        x0, z0, x1, z1 = self.served_scene.room.walls
        boxes = [obj.box.bounds() for obj in self.state.objects]
        floor = min((low[1] for low, _ in boxes), default=0.0)
        top = max((high[1] for _, high in boxes), default=0.0)
        return (x0, floor, z0), (x1, max(floor + MIN_ROOM_HEIGHT_METRES, top), z1)

    def wall_point_at(self, click: actions.Click) -> Vec3:
        """Return the point where a click's ray leaves the room."""
        eye = self.agent_camera().eye
        direction = eye.ray(*pixel_of(click))
        low, high = self.bounds()
        sides = zip(eye.position, direction, low, high, strict=True)
        far = min(((b if d > 0 else a) - o) / d for o, d, a, b in sides)
        x, y, z = (o + max(far, 0.0) * d for o, d in zip(eye.position, direction, strict=True))
        return x, y, z

    def object_of_id(self, object_id: str) -> ObjectState:
        """Return the object with an id, which must exist, as it is now."""
        return self.state.objects[self.state.index_of(object_id)]

    def aligned_box(self, obj: ObjectState) -> Box | None:
        """Return AI2-THOR's box of an object along the world's axes; None if unknown, or moved."""
        known = self._aligned_boxes.get(obj.objectId)
        return None if known is None or known[0] != obj.box else known[1]

    def with_known_ids(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """Return an action with the scene's ids for those, centimetres off, of other versions."""
        known = {"objectId": self._known_id, "receptacleObjectId": self._known_id}
        found = {k: v if (f := known.get(k)) is None else f(v) for k, v in action.items()}
        if isinstance(ids := action.get("objectIds"), list):
            found["objectIds"] = [self._known_id(each) for each in cast("list[object]", ids)]
        return found

    def _known_id(self, named: object) -> object:
        if not isinstance(named, str) or self.state.find(named) is not None:
            return named
        wanted = RecordedId.parse(named)
        if wanted is None or named in self.absent_ids:
            return named
        near = (
            (dist(parts.position, wanted.position), obj.objectId)
            for obj in self.state.of_type(wanted.own_type)
            if not obj.affordances.pickupable
            and (parts := RecordedId.parse(obj.objectId)) is not None
        )
        metres, found = min(near, default=(inf, named))
        return found if metres <= SAME_OBJECT_METRES else named

    def _set_objects(self, objects: Sequence[ObjectState]) -> None:
        agent = self.agents[self.active_agent]
        start = Snapshot.from_objects(objects, agent.state, agent.state)
        known = self._recorded_map
        evidence = known.evidence_for(self.served_scene.room.name) if known else NO_EVIDENCE
        self.state = world_state.WorldState(start, evidence, self._bystanders())
        self.state.placing_reach_metres = self.settings.visibility_metres
        self.renderer = snapshot_renderer.SnapshotRenderer(self._scene(start))
        self.repaint(self._paint)
        self._floor: motion.WalkableGrid | None = None

    def repaint(self, paint: str) -> None:
        """Draw everything in colours that `paint` decides; if it is empty, in its own."""
        self._paint = paint
        self.renderer.repaint(paint)

    def _scene(self, start: Snapshot) -> Scene:
        return Scene(self.served_scene.scene, self.served_scene.room.kind, start)


def _initial_agent_state(room: Room, body: Body) -> AgentState:
    agent_y = room.agent_y
    cells = [(float(x), float(z)) for x, z in ReachableFloor.of_room(room).cells]
    if not cells:
        return AgentState((0.0, agent_y, 0.0), 0.0, 0.0, body)
    mx, mz = (fsum(axis) / len(cells) for axis in zip(*cells, strict=True))
    x, z = min(cells, key=lambda cell: (hypot(cell[0] - mx, cell[1] - mz), cell))
    return AgentState((x, agent_y, z), 0.0, 0.0, body)


def listed_cells(room: Room, objects: Sequence[ObjectState]) -> tuple[actions.Cell, ...]:
    """Return the cells that a room lists, as they are now, sorted; none if it lists none.

    Rooms that were captured in AI2-THOR, or made of recorded games, list their cells.  The
    list knows more than the boxes tell, but only of the room as it was.  Cells over which
    moved furniture stands now are taken away, and cells that it left are added.  Objects that
    can be picked up are small and do not count.
    """
    furniture = [[o for o in each if o.affordances.moveable] for each in (room.objects, objects)]
    poses_before, poses = ({(obj.position, obj.rotation) for obj in each} for each in furniture)
    if not room.cells or poses_before == poses:
        return room.cells
    ids = {obj.objectId for obj in furniture[0]}
    fixed = [obj for obj in room.objects if obj.objectId not in ids]
    before, now = (free_cells([*fixed, *each], room.agent_y) for each in furniture)
    return tuple(sorted((frozenset(room.cells) - (before - now)) | (now - before)))
