"""AI2-THOR as a `Simulator`: TEACh's wrapper around it (spec sections 1 and 2)."""

from collections.abc import Iterable, Mapping, Sequence
from math import dist
from typing import Any

import numpy as np

from tatc.base import files
from tatc.base.errors import UsageError
from tatc.home import observation, state, type_facts
from tatc.home.actions import INTERACTION_REACH_METRES, Action, ActionResult, Click, Role, Verb
from tatc.home.camera import geometry, rays, traced_views, views
from tatc.home.camera.clicks import affords, pixel_of, resolve_click_in_frame
from tatc.home.metadata import SIMBOT_FIELDS, write_vector
from tatc.sim import teach_effects as rules
from tatc.sim.embedded.motion import move_camera
from tatc.sim.thor import scenes
from tatc.sim.thor.client import ThorClient, ThorReply
from tatc.tdl.properties import assign_classes

ThorCall = Mapping[str, Any]  # an action of AI2-THOR's by name, under "action", with its arguments
_CALLS = files.package_table("tatc.sim.thor", "calls.toml")
MOTION_CALLS: Mapping[Verb, ThorCall] = {Verb(v): call for v, call in _CALLS["motions"].items()}
_OBJECT_ACTIONS: dict[Verb, str] = {Verb(v): name for v, name in _CALLS["interactions"].items()}
THOR_INTERACTION_VERBS = frozenset((*_OBJECT_ACTIONS, Verb.PLACE, Verb.POUR))


def interaction_call(verb: Verb, object_id: str, click: Click) -> ThorCall:
    """Return the call for an interaction with an object; Pour takes two calls of its own."""
    if verb is Verb.PLACE:
        put = {"action": "PutObject", "placeStationary": True, "forceAction": True}
        return {**put, "x": click.x, "y": click.y, "putNearXY": True}
    if verb is Verb.SLICE:
        return {"action": "SliceObject", "objectId": object_id, "x": click.x, "y": click.y}
    if verb is Verb.FILL:
        return fill_call(object_id, "water")
    return {"action": _OBJECT_ACTIONS[verb], "objectId": object_id}


def fill_call(object_id: str, liquid: str, *, force: bool = False) -> ThorCall:
    """Return the call that fills an object."""
    call = {"action": "FillObjectWithLiquid", "objectId": object_id, "fillLiquid": liquid}
    return {**call, "forceAction": True} if force else call


class InstanceSegmentation:
    """Which object of a snapshot each pixel of AI2-THOR's segmentation frame shows.

    Pixels are colours until they are looked at.  A frame may have fewer pixels than TEACh's: each
    then stands for several of those.
    """

    def __init__(self, frame: Any, colours: Any, snapshot: state.Snapshot) -> None:
        """Take a frame of colours and the client's map from colours to ids."""
        rgb = np.asarray(frame).astype(np.int32)
        self._codes: geometry.IndexArray = rgb[..., 0] << 16 | rgb[..., 1] << 8 | rgb[..., 2]
        self._snapshot = snapshot
        index = snapshot.object_index.by_id
        self._index_by_code: dict[int, int] = {
            int(r) << 16 | int(g) << 8 | int(b): index[name]
            for (r, g, b), name in colours.items()
            if name in index
        }
        self._code_by_index = {i: code for code, i in self._index_by_code.items()}

    def at(self, click: Click) -> int:
        """Return the index of the object at a click, `NO_OBJECT` for none."""
        column, row = pixel_of(click)
        code = self._codes[self._to_frame_scale(row), self._to_frame_scale(column)]
        return self._index_by_code.get(int(code), geometry.NO_OBJECT)

    def part(self, window: rays.PixelWindow) -> geometry.IndexArray:
        """Return the indices of a rectangle of pixels."""
        rows = self._to_frame_scale(np.arange(window.top, window.bottom))
        columns = self._to_frame_scale(np.arange(window.left, window.right))
        return self._indices(self._codes[np.ix_(rows, columns)])

    def pixels(self, index: int) -> int:
        """Return how many pixels of the frame show an object."""
        each = (rays.FRAME_PIXELS / len(self._codes)) ** 2
        return round(float((self._codes == self._code_by_index[index]).sum()) * each)

    def segments(self, size: int) -> observation.SegmentationFrame:
        """Return the view with fewer pixels, `size` a side, things by type alone."""
        kept = (np.arange(size) * 2 + 1) * len(self._codes) // (2 * size)
        ids = self._indices(self._codes[np.ix_(kept, kept)])
        return traced_views.segmentation_of(ids, self._snapshot.objects)

    def _to_frame_scale(self, pixels: Any) -> Any:
        """Return rows or columns of TEACh's frame as those of this one."""
        return pixels * len(self._codes) // rays.FRAME_PIXELS

    def _indices(self, codes: geometry.IndexArray) -> geometry.IndexArray:
        found, places = np.unique(codes, return_inverse=True)
        table = [self._index_by_code.get(int(code), geometry.NO_OBJECT) for code in found]
        return np.array(table, dtype=np.int32)[places].reshape(codes.shape)


class ThorSimulator:
    """A `Simulator` that asks a running AI2-THOR; fulfils the protocol's contracts."""

    def __init__(self, client: ThorClient) -> None:
        """Take a client, which is started at the first reset and goes on after `close`."""
        self._client = client
        self._scene: state.Scene | None = None
        self._reader = scenes.MetadataReader("")
        self._commander = state.AgentState((0.0, 0.0, 0.0), 0.0, 0.0)
        self._last_event: Any = None
        self._snapshot: state.Snapshot | None = None
        self._reachable_poses: tuple[state.Pose, ...] | None = None

    def reset(self, scene: state.Scene) -> state.Snapshot:
        """Load a scene as a new session and return its captured start state."""
        self._load_state(scene, scene.initial)
        start = self.capture()
        scenes.make_objects_unbreakable(self._client, start.objects)
        self.reachable()  # while all doors are as they were at the start
        return start

    def step(self, role: Role, action: Action) -> ActionResult:
        """Carry out a motion or an interaction and return its result."""
        self.snapshot()
        if role is Role.COMMANDER:
            return self._move_camera(action.verb)
        if action.verb in MOTION_CALLS:
            reply = self._perform(MOTION_CALLS[action.verb])
            return ActionResult(True) if reply.success else rules.refusal_result(reply.message)
        if action.verb in THOR_INTERACTION_VERBS:
            return self._interact(action)
        return rules.refusal_result(f"unsupported action {action.verb}")

    def snapshot(self) -> state.Snapshot:
        """Return the present state; it shares unchanged objects with the previous one."""
        if self._scene is None:
            raise UsageError("the simulator has no scene", fix="call reset(scene) before anything")
        if self._snapshot is None:
            self._snapshot = self._reader.snapshot(self._last_event.metadata, self._commander)
        return self._snapshot

    def restore(self, snapshot: state.Snapshot) -> None:
        """Restore a snapshot as well as AI2-THOR can; what moves gets the id of its position."""
        self.snapshot()
        assert self._scene is not None
        self._load_state(self._scene, snapshot)
        scenes.make_objects_unbreakable(self._client, snapshot.objects)
        self._set_event(self._client.act("Pass"))

    def capture(self) -> state.Snapshot:
        """Do TEACh's state capture and return the state (spec section 2.10)."""
        self._set_properties(
            rules.SetProperty(obj.objectId, "simbotObjectClass", obj.simbotObjectClass)
            for obj in assign_classes(self.snapshot().objects)
        )
        rules.run_effect_rules(self.snapshot, self._apply_effects, None)
        return self.snapshot()

    def reachable(self) -> tuple[state.Pose, ...]:
        """Return the poses that the Follower's body can reach; AI2-THOR is asked once a scene."""
        self.snapshot()
        if self._reachable_poses is None:
            found = self._client.act("GetReachablePositions").return_value or ()
            cells = sorted({(float(each["x"]), float(each["z"])) for each in found})
            self._reachable_poses = tuple(state.Pose(x, z, 0.0, 0.0) for x, z in cells)
        return self._reachable_poses

    def frame(self, role: Role) -> observation.Frame | None:
        """Return an image of an agent's view."""
        self.snapshot()
        event = self._client.act("Pass", renderImage=True).event
        if role is Role.FOLLOWER:
            return event.frame
        return event.third_party_camera_frames[0]

    def segments(self, role: Role, size: int) -> observation.SegmentationFrame | None:
        """Return an agent's view by a segmentation camera, `size` pixels along each side."""
        return self._segmentation(role).segments(size)

    def trace_view(self, size: int) -> views.TracedView | None:
        """Return None: AI2-THOR is not asked for depth."""
        return None

    def close(self) -> None:
        """End the session; AI2-THOR goes on, for the next one."""
        self._scene = self._snapshot = self._last_event = None

    def _load_state(self, scene: state.Scene, wanted: state.Snapshot) -> None:
        self._scene, self._snapshot, self._reachable_poses = None, None, None
        event = self._client.load(scene.place)
        self._reader = scenes.MetadataReader(scene.place)
        self._commander = wanted.commander
        fresh = self._reader.snapshot(event.metadata, self._commander)
        self._client.act("AddThirdPartyCamera", **self._camera_arguments(), fieldOfView=90)
        id_map = scenes.restore_scene(self._client, wanted, fresh)
        self._scene = scene
        self._set_event(self._client.act("Pass"))
        self._set_properties(_transfer_properties(wanted.objects, id_map))

    def _set_event(self, reply: ThorReply) -> ThorReply:
        self._last_event, self._snapshot = reply.event, None
        return reply

    def _perform(self, call: ThorCall) -> ThorReply:
        return self._set_event(self._client.act(**call))

    def _move_camera(self, verb: Verb) -> ActionResult:
        if verb is Verb.STOP:
            return ActionResult(True)
        moved = move_camera(self._commander, verb)
        if isinstance(moved, str):
            return rules.refusal_result(moved)
        self._commander, self._snapshot = moved, None
        self._client.act("UpdateThirdPartyCamera", thirdPartyCameraId=0, **self._camera_arguments())
        return ActionResult(True)

    def _camera_arguments(self) -> dict[str, Any]:
        camera = self._commander
        rotation: state.Vec3 = (camera.horizon, camera.yaw, 0.0)
        return {"position": write_vector(camera.position), "rotation": write_vector(rotation)}

    def _interact(self, action: Action) -> ActionResult:
        """Do an interaction step by step (spec section 2.3)."""
        before = self.snapshot()
        result = self._attempt(action, before)
        if result.success and action.verb is Verb.SLICE:
            self._apply_effects(rules.slice_inheritance_effects(self.snapshot()))
        rules.run_effect_rules(self.snapshot, self._apply_effects, before)
        return result

    def _attempt(self, action: Action, before: state.Snapshot) -> ActionResult:
        verb, click, held = action.verb, action.click, before.held_object()
        refusal = rules.unmet_precondition(verb, held)
        if refusal is not None:
            return rules.refusal_result(refusal)
        if click is None:
            return rules.refusal_result(rules.no_target_message(action))
        target = self._resolve_target(verb, click, before)
        if target is None:
            return rules.refusal_result(rules.no_target_message(action))
        ray = self._client.act("GetCoordinateFromRaycast", x=click.x, y=click.y)
        if ray.return_value is None:
            return rules.refusal_result(f"Could not find a target object: {ray.message}")
        point = (ray.return_value["x"], ray.return_value["y"], ray.return_value["z"])
        if dist(point, before.follower.position) > INTERACTION_REACH_METRES:
            return rules.refusal_result(rules.too_far_message(verb))
        done = self._perform_interaction(verb, target, click, held)
        if not done.success:
            return rules.refusal_result(done.message)
        self._apply_effects(rules.bookkeeping_effects(verb, target, held, self.snapshot()))
        return rules.success_result(action, target)

    def _perform_interaction(
        self, verb: Verb, target: state.ObjectState, click: Click, held: state.ObjectState | None
    ) -> ThorReply:
        if verb is not Verb.POUR or held is None:
            return self._perform(interaction_call(verb, target.objectId, click))
        coffee = held.simbotIsFilledWithCoffee is True
        filled = self._perform(fill_call(target.objectId, "coffee" if coffee else "water"))
        if filled.success or target.objectType in type_facts.SINK_TYPES:
            return self._perform(interaction_call(Verb.EMPTY, held.objectId, click))
        return filled

    def _resolve_target(
        self, verb: Verb, click: Click, now: state.Snapshot
    ) -> state.ObjectState | None:
        """Return the object that a click means, from the segmentation (spec 2.4)."""
        objects, frame = now.objects, self._segmentation(Role.FOLLOWER)
        found = resolve_click_in_frame(frame, click, lambda i: affords(verb, objects[i]))
        return None if found is None else objects[found]

    def _segmentation(self, role: Role) -> InstanceSegmentation:
        event = self._client.act("Pass", **_CALLS["segmentation"]).event
        frame = event.instance_segmentation_frame
        if role is Role.COMMANDER:
            frame = event.third_party_instance_segmentation_frames[0]
        return InstanceSegmentation(frame, event.color_to_object_id, self.snapshot())

    def _apply_effects(self, effects: Sequence[rules.SetProperty]) -> None:
        now = self.snapshot()
        for effect in effects:
            if effect.name == "isDirty":
                # Wherever the body is.
                clean = {"action": "CleanObject", "objectId": effect.object_id}
                self._perform({**clean, "forceAction": True})
            elif effect.name == "isFilledWithLiquid":
                obj = now.get(effect.object_id)
                # AI2-THOR refuses to fill what is full.
                if obj is not None and not obj.isFilledWithLiquid:
                    self._perform(fill_call(effect.object_id, "water", force=True))
        self._set_properties(effect for effect in effects if effect.name in SIMBOT_FIELDS)

    def _set_properties(self, changes: Iterable[rules.SetProperty]) -> None:
        for mark in changes:
            self._reader.set_property(mark)
            self._snapshot = None


def _transfer_properties(
    wanted: Sequence[state.ObjectState], id_map: scenes.ObjectIdMap
) -> list[rules.SetProperty]:
    """Return TEACh's properties of a wanted state, for the scene's objects that match it."""
    return [
        rules.SetProperty(
            id_map[obj.objectId], name, _replace_ids(name, getattr(obj, name), id_map)
        )
        for obj in wanted
        if obj.objectId in id_map
        for name in SIMBOT_FIELDS
    ]


def _replace_ids(name: str, value: object, id_map: scenes.ObjectIdMap) -> object:
    if name == "simbotIsReceptacleOf" and isinstance(value, tuple):
        return tuple(id_map.get(str(each), str(each)) for each in value)  # pyright: ignore
    if name == "simbotLastParentReceptacle" and isinstance(value, str):
        return id_map.get(value, value)
    return value
