"""The embedded simulator: TEACh's homes in plain Python, behind the `Simulator` protocol.

It is deterministic: the same scene and actions give the same bytes in every process.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from tatc.base.errors import UsageError
from tatc.home import actions, observation
from tatc.home.camera import clicks, ray_intersection, traced_views, views
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.room_bounds import prepare_room_solid, room_bounds_of
from tatc.home.state import AgentState, Pose, Scene, Snapshot, Value, Vec3
from tatc.sim import stove_knobs, teach_effects
from tatc.sim.embedded import interactions, motion, snapshot_renderer, world_state
from tatc.sim.embedded.interaction_handlers import INTERACTION_HANDLERS
from tatc.sim.maps.recorded_evidence import NO_EVIDENCE
from tatc.sim.maps.recorded_map import RecordedMap
from tatc.tdl.properties import assign_classes

_MOTION_VERBS, _DONE = frozenset(actions.MOTION_VERBS), actions.ActionResult(True)


class EmbeddedSimulator:
    """A `Simulator` that consists of boxes and rules."""

    def __init__(self, recorded_map: RecordedMap | None = None, fast: bool | None = False) -> None:
        """Make a simulator with what recorded sessions show; `fast` is that of its renderer."""
        self._recorded_map, self._fast = recorded_map, fast
        self._world_state: world_state.WorldState | None = None
        self._walkable: Callable[[], motion.WalkableGrid] | None = None
        self._renderer: snapshot_renderer.SnapshotRenderer | None = None
        self._room_solid: ray_intersection.PreparedSolid | None = None

    @classmethod
    def acting_in(cls, state: world_state.WorldState) -> "EmbeddedSimulator":
        """Return a simulator whose interactions change a world that is there, without a floor."""
        made = cls()
        made._world_state = state
        return made

    def reset(self, scene: Scene) -> Snapshot:
        """Load a scene as a new session and return its captured start state.

        Of objects with one id the first is taken, since an id names one object: some recorded
        starts list a mug or a kettle twice.
        """
        start = scene.initial
        if len(start.object_index.by_id) < len(start.objects):
            firsts = [start.objects[i] for i in start.object_index.by_id.values()]
            start = Snapshot.from_objects(firsts, start.commander, start.follower)
            scene = replace(scene, initial=start)
        objects = stove_knobs.with_burners(scene.place, scene.initial.objects)
        start, known = replace(scene.initial, objects=objects), self._recorded_map
        evidence = known.evidence_for(scene.place) if known else NO_EVIDENCE
        world = self._world_state = world_state.WorldState(start, evidence)
        self._renderer = snapshot_renderer.SnapshotRenderer(scene, world, fast=self._fast)
        self._room_solid = prepare_room_solid(room_bounds_of(scene.initial.objects))
        self._walkable = cache(partial(motion.WalkableGrid.from_scene, scene, known))
        return self.capture()

    def step(self, role: actions.Role, action: actions.Action) -> actions.ActionResult:
        """Carry out a motion or an interaction and return its result."""
        return self.step_on_object(role, action, None)

    def step_on_object(
        self, role: actions.Role, action: actions.Action, target_id: str | None
    ) -> actions.ActionResult:
        """Do as `step`, but on a named object instead of the one that the click means.

        TEACh's replay of recorded sessions does so; the distance and the world can still refuse.
        """
        world = _require(self._world_state)
        verb = action.verb
        if role is actions.Role.FOLLOWER and verb in INTERACTION_HANDLERS:
            return interactions.interact(world, action, target_id)
        if verb is actions.Verb.STOP:
            return _DONE
        if role is actions.Role.COMMANDER:
            moved, move = motion.move_camera(world.commander, verb), world.move_commander
        elif verb in _MOTION_VERBS:
            walkable = _require(self._walkable)()
            moved, move = walkable.move(world.follower, verb, world.objects), world.move_follower
        else:
            return teach_effects.refusal_result(f"unsupported action {verb}")
        if isinstance(moved, str):
            return teach_effects.refusal_result(moved)
        move(moved)
        return _DONE

    def resolve_target_id(self, action: actions.Action) -> str | None:
        """Return the id of the object that an action's click resolves to, or None."""
        found = interactions.resolve_target(_require(self._world_state), action)
        return None if found is None else found.objectId

    def first_hit(self, click: actions.Click) -> tuple[str, Vec3] | None:
        """Return the id of the first object on a click's ray and the point of the hit, or None."""
        world = _require(self._world_state)
        hit = world.geometry.hit_at_click(clicks.eye_of(world.follower), click)
        return None if hit is None else (world.objects[hit.index].objectId, hit.point)

    def put_follower(self, follower: AgentState) -> None:
        """Move the Follower's body, with the object that it holds, to another pose."""
        _require(self._world_state).move_follower(follower)

    def apply_recorded_effect(self, action: actions.Action, target_id: str | None) -> None:
        """Apply a recorded interaction, even one that this world would refuse."""
        now = _require(self._world_state)
        interactions.apply_recorded_effect(now, action.verb, target_id, action.click)

    def move_object(self, object_id: str, position: Vec3, rotation: Vec3) -> None:
        """Move an object to a position (metres) and rotation (degrees) from a recording."""
        interactions.move_object(_require(self._world_state), object_id, position, rotation)

    def drop_held_object(self) -> None:
        """Put the held object on the floor below the hand."""
        interactions.drop_held_object(_require(self._world_state))

    @property
    def geometry(self) -> Geometry:
        """What rays hit in the present state; it changes with the world, and by nothing else."""
        return _require(self._world_state).geometry

    def snapshot(self) -> Snapshot:
        """Return the present state; unchanged objects are shared with earlier snapshots."""
        return _require(self._world_state).snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Put the world back exactly as it was at `snapshot`."""
        _require(self._world_state).restore(snapshot)

    def capture(self) -> Snapshot:
        """Do TEACh's state capture and return the state (spec section 2.10)."""
        world = _require(self._world_state)
        for before, after in zip(tuple(world.objects), assign_classes(world.objects), strict=True):
            if after is not before:
                world.set_object(after)
        teach_effects.run_effect_rules(world.snapshot, world.apply_effects, None)
        return world.snapshot()

    def reachable(self) -> tuple[Pose, ...]:
        """Return the poses that the Follower's body can reach from its start."""
        return _require(self._walkable)().reachable()

    @property
    def renderer(self) -> snapshot_renderer.SnapshotRenderer:
        """What draws the present state, and no other."""
        return _require(self._renderer)

    def frame(self, role: actions.Role) -> observation.Frame | None:
        """Draw what an agent sees, in the size of its body's frame."""
        return self.renderer.frame(self.snapshot(), role)

    def segments(self, role: actions.Role, size: int) -> observation.SegmentationFrame | None:
        """Return what an agent's segmentation camera shows, `size` pixels a side."""
        return self.renderer.segments(self.snapshot(), role, size)

    def trace_view(self, size: int) -> views.TracedView | None:
        """Return what the Follower's rays hit; an object is hit exactly where a click hits it."""
        world = _require(self._world_state)
        eye = clicks.eye_of(world.follower)
        return traced_views.trace_first_hits(world.geometry, _require(self._room_solid), eye, size)

    def close(self) -> None:
        """Forget the session; `reset` may be called again."""
        self._world_state = self._walkable = self._renderer = self._room_solid = None


def _require(part: Value | None) -> Value:
    """Return what `reset` has made."""
    if part is None:
        raise UsageError("the simulator has no scene", fix="call reset(scene) before anything")
    return part
