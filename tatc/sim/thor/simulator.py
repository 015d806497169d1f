"""AI2-THOR as a `Simulator`: TEACh's wrapper around it (spec sections 1 and 2)."""

from collections.abc import Iterable, Sequence
from math import dist
from typing import Any

from tatc.actions import Action, ActionResult, Click, Frame, Role, Segments, Verb
from tatc.affordances import DRAINS, affords
from tatc.camera.clicks import resolve_in
from tatc.errors import UsageError
from tatc.metadata import SIMBOT, write_vector
from tatc.sim.effects import Clean, Effect, FillWater, Mark, inherited, run_rules
from tatc.sim.embedded.motion import camera_move
from tatc.sim.manners import (
    REACH,
    books,
    no_target,
    refused,
    succeeded,
    too_far,
    unready,
)
from tatc.sim.thor.actions import (
    INTERACTION_VERBS,
    MOTION_CALLS,
    Call,
    clean_call,
    empty_call,
    fill_call,
    object_call,
)
from tatc.sim.thor.client import Reply, ThorClient
from tatc.sim.thor.masks import Segmentation
from tatc.sim.thor.moment import Reader
from tatc.sim.thor.restore import Same, restore, set_unbreakable
from tatc.state import AgentState, ObjectState, Pose, Scene, Snapshot, Vec3
from tatc.tdl.classes import assign_classes

_SEGMENTED = {
    "renderImage": True,
    "renderInstanceSegmentation": True,
    "renderObjectImage": True,  # its name in 3.1.0
}
_LISTS = frozenset({"simbotIsReceptacleOf"})


class ThorSimulator:
    """A `Simulator` that asks a running AI2-THOR; fulfils the protocol's contracts."""

    def __init__(self, client: ThorClient, *, lasting: bool = False) -> None:
        """Take a client; it starts AI2-THOR at the first reset.

        With `lasting` AI2-THOR outlives `close`, for the next simulator of the client.
        """
        self._client = client
        self._lasting = lasting
        self._scene: Scene | None = None
        self._reader = Reader("")
        self._commander = AgentState((0.0, 0.0, 0.0), 0.0, 0.0)
        self._event: Any = None
        self._now: Snapshot | None = None
        self._cells: tuple[Pose, ...] | None = None

    @property
    def world(self) -> str:
        """Name the client and its version."""
        return self._client.name

    def reset(self, scene: Scene) -> Snapshot:
        """Load a scene as a new session and return its captured start state.

        Raises:
            MissingExtra: the client is not installed.
            ThorError: AI2-THOR does not start, lacks the scene, died or hangs.

        """
        self._put_into(scene, scene.start)
        start = self.capture()
        set_unbreakable(self._client, start.objects)
        return start

    def step(self, role: Role, action: Action) -> ActionResult:
        """Carry out a motion or an interaction and return what came of it."""
        self.snapshot()
        if role is Role.COMMANDER:
            return self._fly(action.verb)
        if action.verb in MOTION_CALLS:
            return self._result(self._call(MOTION_CALLS[action.verb]))
        if action.verb in INTERACTION_VERBS:
            return self._interact(action)
        return refused(f"unsupported action {action.verb}")

    def snapshot(self) -> Snapshot:
        """Return the present state; it shares what has not changed."""
        if self._scene is None:
            raise UsageError(
                "the simulator has no scene", fix="call reset(scene) before anything"
            )
        if self._now is None:
            metadata = self._event.metadata
            self._now = self._reader.snapshot(metadata, self._commander)
        return self._now

    def restore(self, snapshot: Snapshot) -> None:
        """Put the world back as it was at `snapshot`, as exactly as AI2-THOR can."""
        self.snapshot()
        assert self._scene is not None
        self._put_into(self._scene, snapshot)
        set_unbreakable(self._client, snapshot.objects)
        self._take(self._client.act("Pass"))

    def capture(self) -> Snapshot:
        """Do TEACh's state capture and return the state (spec section 2.10)."""
        self._mark(
            Mark(thing.objectId, "simbotObjectClass", thing.simbotObjectClass)
            for thing in assign_classes(self.snapshot().objects)
        )
        run_rules(self.snapshot, self._apply, None)
        return self.snapshot()

    def reachable(self) -> tuple[Pose, ...]:
        """Return where the Follower's body can stand and get to, asked once a scene."""
        self.snapshot()
        if self._cells is None:
            found = self._client.act("GetReachablePositions").value or ()
            cells = sorted({(float(each["x"]), float(each["z"])) for each in found})
            self._cells = tuple(Pose(x, z, 0.0, 0.0) for x, z in cells)
        return self._cells

    def frame(self, role: Role) -> Frame | None:
        """Return what an agent sees."""
        self.snapshot()
        event = self._client.act("Pass", renderImage=True).event
        if role is Role.FOLLOWER:
            return event.frame
        return event.third_party_camera_frames[0]

    def segments(self, role: Role, size: int) -> Segments | None:
        """Return what an agent's segmentation camera shows, `size` pixels a side."""
        return self._segmentation(role).segments(size)

    def close(self) -> None:
        """Forget the session; end AI2-THOR too, unless it is to last."""
        if not self._lasting:
            self._client.stop()
        self._scene = self._now = self._event = None

    def _put_into(self, scene: Scene, wanted: Snapshot) -> None:
        """Load a scene and bring about a state in it."""
        self._scene, self._now, self._cells = None, None, None
        event = self._client.load(scene.place)
        self._reader = Reader(scene.place)
        self._commander = wanted.commander
        fresh = self._reader.snapshot(event.metadata, self._commander)
        self._client.act("AddThirdPartyCamera", **self._camera(), fieldOfView=90)
        same = restore(self._client, wanted, fresh)
        self._scene = scene
        self._take(self._client.act("Pass"))
        self._mark(_carried_over(wanted.objects, same))

    def _take(self, reply: Reply) -> Reply:
        """Let the state of an event be the present one."""
        self._event, self._now = reply.event, None
        return reply

    def _call(self, call: Call) -> Reply:
        return self._take(self._client.act(call.action, **call.arguments))

    def _result(self, reply: Reply) -> ActionResult:
        return ActionResult(True) if reply.success else refused(reply.message)

    def _fly(self, verb: Verb) -> ActionResult:
        if verb is Verb.STOP:
            return ActionResult(True)
        moved = camera_move(self._commander, verb)
        if isinstance(moved, str):
            return refused(moved)
        self._commander, self._now = moved, None
        camera = self._camera()
        self._client.act("UpdateThirdPartyCamera", thirdPartyCameraId=0, **camera)
        return ActionResult(True)

    def _camera(self) -> dict[str, Any]:
        camera = self._commander
        rotation: Vec3 = (camera.horizon, camera.yaw, 0.0)
        return {
            "position": write_vector(camera.position),
            "rotation": write_vector(rotation),
        }

    def _interact(self, action: Action) -> ActionResult:
        """Do an interaction step by step (spec section 2.3)."""
        before = self.snapshot()
        result = self._attempt(action, before)
        if result.success and action.verb is Verb.SLICE:
            self._apply(inherited(self.snapshot()))
        run_rules(self.snapshot, self._apply, before)
        return result

    def _attempt(self, action: Action, before: Snapshot) -> ActionResult:
        verb, click, held = action.verb, action.click, before.held()
        refusal = unready(verb, held)
        if refusal is not None:
            return refused(refusal)
        if click is None:
            return refused(no_target(action))
        target = self._meant(verb, click, before)
        if target is None:
            return refused(no_target(action))
        ray = self._client.act("GetCoordinateFromRaycast", x=click.x, y=click.y)
        if ray.value is None:
            return refused(f"Could not find a target object: {ray.message}")
        point = (ray.value["x"], ray.value["y"], ray.value["z"])
        if dist(point, before.follower.position) > REACH:
            return refused(too_far(verb))
        done = self._done(verb, target, click, held)
        if not done.success:
            return refused(done.message)
        self._apply(books(verb, target, held, self.snapshot()))
        return succeeded(action, target)

    def _done(
        self, verb: Verb, target: ObjectState, click: Click, held: ObjectState | None
    ) -> Reply:
        if verb is not Verb.POUR or held is None:
            return self._call(object_call(verb, target.objectId, click))
        coffee = held.simbotIsFilledWithCoffee is True
        call = fill_call(target.objectId, "coffee" if coffee else "water")
        filled = self._call(call)
        if filled.success or target.objectType in DRAINS:
            return self._call(empty_call(held.objectId))
        return filled

    def _meant(self, verb: Verb, click: Click, now: Snapshot) -> ObjectState | None:
        """Return the object that a click means, from the segmentation (spec 2.4)."""
        things, seen = now.objects, self._segmentation(Role.FOLLOWER)
        found = resolve_in(seen, click, lambda i: affords(verb, things[i]))
        return None if found is None else things[found]

    def _segmentation(self, role: Role) -> Segmentation:
        event = self._client.act("Pass", **_SEGMENTED).event
        frame = event.instance_segmentation_frame
        if role is Role.COMMANDER:
            frame = event.third_party_instance_segmentation_frames[0]
        return Segmentation(frame, event.color_to_object_id, self.snapshot())

    def _apply(self, effects: Sequence[Effect]) -> None:
        """Carry out what TEACh's rules ask for."""
        now = self.snapshot()
        for effect in effects:
            if isinstance(effect, Clean):
                self._call(clean_call(effect.object_id))
            elif isinstance(effect, FillWater):
                thing = now.get(effect.object_id)
                # AI2-THOR refuses to fill what is full.
                if thing is not None and not thing.isFilledWithLiquid:
                    self._call(fill_call(effect.object_id, "water", force=True))
        self._mark(effect for effect in effects if isinstance(effect, Mark))

    def _mark(self, marks: Iterable[Mark]) -> None:
        for mark in marks:
            self._reader.mark(mark)
            self._now = None


def _carried_over(wanted: Sequence[ObjectState], same: Same) -> list[Mark]:
    """Return TEACh's properties of a state for the objects that now stand for it."""
    marks: list[Mark] = []
    for thing in wanted:
        if thing.objectId not in same:
            continue
        for name in SIMBOT:
            value = _renamed(name, getattr(thing, name), same)
            marks.append(Mark(same[thing.objectId], name, value))
    return marks


def _renamed(name: str, value: object, same: Same) -> object:
    """Return a value with the ids that it holds replaced by those of the scene."""
    if name in _LISTS and isinstance(value, tuple):
        return tuple(same.get(str(each), str(each)) for each in value)  # pyright: ignore
    if name == "simbotLastParentReceptacle" and isinstance(value, str):
        return same.get(value, value)
    return value
