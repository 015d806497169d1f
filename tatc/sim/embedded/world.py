"""The embedded simulator: TEACh's home in plain Python, behind `Simulator`.

It can be filled from recorded starts, from shipped rooms and by hand, and it is
deterministic: the same scene and actions give the same bytes in every process.
"""

from dataclasses import replace

from tatc.actions import (
    INTERACTIONS,
    MOTIONS,
    Action,
    ActionResult,
    Click,
    Frame,
    Role,
    Segments,
    Verb,
)
from tatc.camera.clicks import eye_of
from tatc.errors import UsageError
from tatc.sim.effects import run_rules
from tatc.sim.embedded.hands import interact, meant
from tatc.sim.embedded.house import House
from tatc.sim.embedded.imposed import impose, lay, let_go
from tatc.sim.embedded.motion import Floor, camera_move
from tatc.sim.embedded.render import Renderer
from tatc.sim.hints import hint_for
from tatc.sim.maps.floor_map import FloorMap
from tatc.sim.maps.traces import NOTHING
from tatc.sim.stoves import KNOB, burners_of
from tatc.state import AgentState, Pose, Scene, Snapshot, Vec3
from tatc.tdl.classes import assign_classes

_MOTIONS = frozenset(MOTIONS)
_INTERACTIONS = frozenset(
    (*INTERACTIONS, Verb.DIRTY, Verb.CLEAN, Verb.FILL, Verb.EMPTY, Verb.BREAK)
)


class EmbeddedSimulator:
    """A `Simulator` made of boxes and rules; fulfils the protocol's contracts."""

    def __init__(self, floor_map: FloorMap | None = None) -> None:
        """Make a world; `floor_map` adds what recorded sessions show of its plans."""
        self._map = floor_map
        self._house: House | None = None
        self._floor: Floor | None = None
        self._renderer: Renderer | None = None

    @property
    def world(self) -> str:
        """Name the world and its map."""
        if self._map is None:
            return "embedded, map boxes"
        return f"embedded, map {self._map.name} {self._map.hash}"

    def reset(self, scene: Scene) -> Snapshot:
        """Load a scene as a new session and return its captured start state."""
        objects = scene.start.objects
        knobs = {
            thing.objectId: burners_of(scene.place, thing, objects)
            for thing in objects
            if thing.objectType == KNOB
        }
        start = Snapshot(
            tuple(
                replace(thing, controlledObjects=knobs[thing.objectId])
                if thing.objectType == KNOB
                else thing
                for thing in objects
            ),
            scene.start.roster,
            scene.start.commander,
            scene.start.follower,
        )
        traces = NOTHING if self._map is None else self._map.traces(scene.place)
        self._house = House(start, traces)
        self._renderer = Renderer(scene)
        self._floor = Floor.of(scene, self._map)
        return self.capture()

    def step(self, role: Role, action: Action) -> ActionResult:
        """Carry out a motion or an interaction and return what came of it."""
        return self.step_on(role, action, None)

    def step_on(
        self, role: Role, action: Action, target_id: str | None
    ) -> ActionResult:
        """Do as `step`, with a named object in place of the one the click means.

        TEACh's replay of recorded sessions does so; the distance to the clicked point
        and the world's own rules still decide.
        """
        house, floor = self._loaded()
        verb = action.verb
        if role is Role.COMMANDER:
            return _moved_camera(house, verb)
        if verb in _MOTIONS:
            return _moved_body(house, floor, verb)
        if verb in _INTERACTIONS:
            return interact(house, action, target_id)
        if verb is Verb.STOP:
            return ActionResult(True)
        return _refused(f"unsupported action {verb}")

    def meant(self, action: Action) -> str | None:
        """Return the id of the object that a click means for its verb, or None."""
        found = meant(self._loaded()[0], action)
        return None if found is None else found.objectId

    def met(self, click: Click) -> tuple[str, Vec3] | None:
        """Return the id of the object that a click's ray meets, and where, or None."""
        house, _ = self._loaded()
        hit = house.geometry.first(eye_of(house.follower), click)
        return None if hit is None else (house.things[hit.index].objectId, hit.point)

    def put_follower(self, follower: AgentState) -> None:
        """Put the Follower's body, with what it holds, somewhere else."""
        self._loaded()[0].move_follower(follower)

    def impose(self, action: Action, target_id: str | None) -> None:
        """Let an interaction have been done to an object, whatever speaks against it.

        None as the object: it was refused, and only time passes.  So a replay goes back
        onto the recorded course.
        """
        impose(self._loaded()[0], action.verb, target_id, action.click)

    def lay(self, object_id: str, position: Vec3, rotation: Vec3) -> None:
        """Let a thing lie at a position and rotation (degrees), which a replay knows.

        Only its turn about the vertical changes its box; a thing that lies on another
        side than it does here keeps the box it has, and moves.
        """
        lay(self._loaded()[0], object_id, position, rotation)

    def let_go(self) -> None:
        """Let what is held lie on the floor."""
        let_go(self._loaded()[0])

    def snapshot(self) -> Snapshot:
        """Return the present state; it shares what has not changed."""
        return self._loaded()[0].snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Put the world back exactly as it was at `snapshot`."""
        self._loaded()[0].restore(snapshot)

    def capture(self) -> Snapshot:
        """Do TEACh's state capture and return the state (spec section 2.10)."""
        house, _ = self._loaded()
        for before, after in zip(
            tuple(house.things), assign_classes(house.things), strict=True
        ):
            if after is not before:
                house.put(after)
        run_rules(house.snapshot, house.apply, None)
        return house.snapshot()

    def reachable(self) -> tuple[Pose, ...]:
        """Return where the Follower's body can stand and get to."""
        return self._loaded()[1].reachable()

    def frame(self, role: Role) -> Frame | None:
        """Draw what an agent sees, 900 x 900 pixels as in TEACh."""
        snapshot = self.snapshot()
        renderer = self._renderer
        return None if renderer is None else renderer.frame(snapshot, role)

    def segments(self, role: Role, size: int) -> Segments | None:
        """Return what an agent's segmentation camera shows."""
        snapshot = self.snapshot()
        renderer = self._renderer
        return None if renderer is None else renderer.segments(snapshot, role, size)

    def close(self) -> None:
        """Forget the session; the world may be reset again."""
        self._house = self._floor = self._renderer = None

    def _loaded(self) -> tuple[House, Floor]:
        if self._house is None or self._floor is None:
            raise UsageError(
                "the simulator has no scene", fix="call reset(scene) before anything"
            )
        return self._house, self._floor


def _moved_body(house: House, floor: Floor, verb: Verb) -> ActionResult:
    moved = floor.move(house.follower, verb, house.things)
    if isinstance(moved, str):
        return _refused(moved)
    house.move_follower(moved)
    return ActionResult(True)


def _moved_camera(house: House, verb: Verb) -> ActionResult:
    if verb is Verb.STOP:
        return ActionResult(True)
    moved = camera_move(house.commander, verb)
    if isinstance(moved, str):
        return _refused(moved)
    house.move_commander(moved)
    return ActionResult(True)


def _refused(message: str) -> ActionResult:
    return ActionResult(False, message, hint_for(message))
