"""`ThorEnv` with the methods of ALFRED's own (`env/thor_env.py` there), in tatc's world.

A model written for ALFRED's evaluation loop needs another import alone.  Events have the frame, the
instance masks and the metadata.

    env = ThorEnv()
    env.reset(scene_name)
    env.restore_scene(object_poses, object_toggles, dirty_and_empty)
    env.step(traj["scene"]["init_action"])
    env.set_task(traj, args)
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tatc.base.arguments import texts
from tatc.base.errors import UsageError
from tatc.base.json_fields import as_number
from tatc.evaluation.alfred.masked_session import Mask, MaskedSession
from tatc.home import actions, body, state
from tatc.home.camera.clicks import eye_of
from tatc.home.metadata import write_object, write_vector
from tatc.session import start
from tatc.session.alfred.named_actions import AgentsView
from tatc.session.records import file_search, trajectory_plan
from tatc.session.records.trajectory import MADE_BY_TATC_KEY, parse_trajectory
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.rooms import room_names

_WHERE = Path("traj_data.json")  # what faults in a given trajectory name
_NAMES = {name.partition("_")[0]: name for name in trajectory_plan.VERB_BY_ACTION}


class ThorEvent:
    """What an agent sees of a state, under AI2-THOR's names; each part is made when it is read."""

    def __init__(self, session: MaskedSession, *, success: bool, message: str) -> None:
        """Take a session's present state, and what came of its last action."""
        self._start, self._now, self._renderer = session.start, session.now, session.renderer
        self.success, self.message = success, "" if success else message

    @cached_property
    def frame(self) -> NDArray[np.uint8]:
        """The camera's image: (300, 300, 3)."""
        return self._renderer.frame(self._now, actions.Role.FOLLOWER)

    @cached_property
    def instance_masks(self) -> dict[str, Mask]:
        """The pixels of each object in view, by its id: (300, 300); without the held object."""
        agent = self._now.follower
        ids, _ = self._world.geometry.trace_objects(eye_of(agent), agent.body.frame_pixels)
        shown: list[int] = np.unique(ids[ids >= 0]).tolist()
        return {self._now.objects[i].objectId: ids == i for i in shown}

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """AI2-THOR's metadata: the agent, all objects, what is held, and the last action."""
        now, agent = self._now, self._now.follower
        view = AgentsView(now, self._world.geometry)
        in_hand = filter(None, (now.held_object(),))
        held = [{"objectId": obj.objectId, "objectType": obj.objectType} for obj in in_hand]
        return {
            "agent": {
                "position": write_vector(agent.position),
                "rotation": {"x": 0.0, "y": agent.yaw, "z": 0.0},
                "cameraHorizon": agent.horizon,
            },
            "objects": [{**write_object(obj), "visible": view.shows(obj)} for obj in now.objects],
            "inventoryObjects": held,
            "lastActionSuccess": self.success,
            "errorMessage": self.message,
        }

    @property
    def pose_discrete(self) -> tuple[int, int, int, int]:
        """The agent's cell, its quarter turns and its horizon, as ALFRED's planner has them."""
        agent = self._now.follower
        x, z = (round(agent.position[axis] / actions.GRID_SIZE_METRES) for axis in (0, 2))
        return x, z, round(agent.yaw / 90.0) % 4, round(agent.horizon)

    @cached_property
    def _world(self) -> WorldState:
        world = WorldState(self._start)
        world.restore(self._now)
        return world


class ThorEnv:
    """ALFRED's environment, without AI2-THOR."""

    def __init__(
        self,
        x_display: str = "",
        player_screen_height: int = body.ALFRED.frame_pixels,
        player_screen_width: int = body.ALFRED.frame_pixels,
        quality: str = "",
        build_path: str = "",
        *,
        plans: Sequence[str | Path] = (),
    ) -> None:
        """Take PLANS, if the shipped scenes shall not serve; what only Unity needs is ignored."""
        if {player_screen_height, player_screen_width} != {body.ALFRED.frame_pixels}:
            what = f"frames of {player_screen_width} x {player_screen_height} pixels are not drawn"
            raise UsageError(what, fix=f"leave the size at {body.ALFRED.frame_pixels}")
        self._plans = texts(plans, "plans")
        self._scene: dict[str, Any] = {}
        self._session: MaskedSession | None = None
        self._last_event: ThorEvent | None = None
        self._rewarded = 0

    @property
    def last_event(self) -> ThorEvent:
        """What the agent saw after the last action."""
        if self._last_event is None:
            raise UsageError("nothing has been seen yet", fix="call restore_scene and step first")
        return self._last_event

    @property
    def session(self) -> MaskedSession:
        """The session behind the interface."""
        if self._session is None:
            raise UsageError("there is no scene", fix="call reset, restore_scene and step first")
        return self._session

    def reset(self, scene_name_or_num: str | int, *unused: Any, **unused_too: Any) -> None:
        """Choose the next scene's floor plan by name or number, or a shipped room by its name."""
        self._session = self._last_event = None
        if scene_name_or_num in room_names():
            self._scene = {"floor_plan": scene_name_or_num}
            return
        number = str(scene_name_or_num).removeprefix("FloorPlan")
        if not number.isdecimal():
            fix = "give a name such as FloorPlan7, or a number"
            raise UsageError(f"{scene_name_or_num!r} is no floor plan", fix=fix)
        self._scene = {"floor_plan": f"FloorPlan{number}", "scene_num": int(number)}

    def restore_scene(
        self,
        object_poses: Sequence[Mapping[str, Any]],
        object_toggles: Sequence[Mapping[str, Any]],
        dirty_and_empty: bool,
    ) -> None:
        """Say what lies where in the floor plan; the scene begins where the agent is put."""
        self._scene |= {
            "object_poses": list(object_poses),
            "object_toggles": list(object_toggles),
            "dirty_and_empty": dirty_and_empty,
        }

    def set_task(
        self, traj: Mapping[str, Any], args: Any = None, reward_type: str = "sparse", **unused: Any
    ) -> None:
        """Take a trajectory's task, for rewards and scores, before the first action."""
        where = self.session.now.follower
        self._begin({**traj, "scene": {**traj["scene"], **self._scene}})
        self.session.sim.put_follower(where)
        self._see(success=True)

    def step(self, action: Mapping[str, Any], smooth_nav: bool = False) -> ThorEvent:
        """Do TeleportFull, a motion, or an interaction on `objectId`; `smooth_nav` does nothing."""
        name = str(action.get("action"))
        if name == "TeleportFull":
            return self._teleport(action)
        verb = trajectory_plan.VERB_BY_ACTION.get(_NAMES.get(name, name))
        if verb is None:
            fix = f"do TeleportFull or one of {', '.join(_NAMES)}"
            raise UsageError(f"{name} is none of ALFRED's actions", fix=fix)
        target = action.get("receptacleObjectId") or action.get("objectId")
        if target:
            done = self.session.act_on(verb, str(target))
            return self._see(success=done.success, message=done.message)
        return self._do(_NAMES.get(name, name), None)[1]

    def va_interact(
        self,
        action: str,
        interact_mask: Mask | None = None,
        smooth_nav: bool = True,
        mask_px_sample: int = 1,
        debug: bool = False,
    ) -> tuple[bool, ThorEvent, str, str, dict[str, Any] | None]:
        """Do one of ALFRED's actions ("MoveAhead_25" or "MoveAhead"), on what a mask means.

        Every `mask_px_sample`-th pixel of the 300 x 300 mask counts; `smooth_nav` and `debug` have
        no effect.  Return whether it was done, the event, the target's id ("" for none), why it was
        not done ("" if it was), and the action as AI2-THOR's API takes it (None for none).
        """
        name = _NAMES.get(action, action)
        if interact_mask is not None and mask_px_sample > 1:
            sampled = np.zeros_like(interact_mask)
            every = slice(None, None, mask_px_sample)
            sampled[every, every] = np.asarray(interact_mask)[every, every]
            interact_mask = sampled
        held = self.session.now.held_object()
        target, event = self._do(name, interact_mask)
        return event.success, event, target, event.message, _api_action(name, target, held)

    def get_transition_reward(self) -> tuple[float, bool]:
        """Return the goal conditions gained since the last call, and whether the task is done.

        The reward is tatc's own.  As in ALFRED, a call also counts the subgoals that are done.
        """
        met = self.session.goal_conditions().met
        gained, self._rewarded = met - self._rewarded, met
        self.session.count_subgoals()
        return float(gained), self.session.is_solved()

    def get_goal_satisfied(self) -> bool:
        """Return whether the task is done, by ALFRED's own test."""
        return self.session.is_solved()

    def get_goal_conditions_met(self) -> tuple[int, int]:
        """Return how many of ALFRED's goal conditions hold, and how many there are."""
        counts = self.session.goal_conditions()
        return counts.met, counts.total

    def get_subgoal_idx(self) -> int:
        """Return the index of the last subgoal that is done, in their order; -1 for none."""
        return self.session.subgoals_done - 1

    def noop(self) -> ThorEvent:
        """Do nothing, and see again."""
        return self._see(success=True)

    def stop(self) -> None:
        """Forget the scene."""
        self._session = self._last_event = None

    def _teleport(self, action: Mapping[str, Any]) -> ThorEvent:
        if self._session is None:
            scene, words = {**self._scene, "init_action": dict(action)}, dict[str, Any](anns=[])
            document = {"task_id": "scene", MADE_BY_TATC_KEY: {}, "turk_annotations": words}
            self._begin({**document, "scene": scene})
        else:
            with file_search.field_faults_in(_WHERE):
                x, y, z, yaw, horizon = (
                    as_number(action.get(name), name)
                    for name in ("x", "y", "z", "rotation", "horizon")
                )
            position: state.Vec3 = (x, y, z)
            agent = replace(self.session.now.follower, position=position)
            self.session.sim.put_follower(replace(agent, yaw=yaw % 360.0, horizon=horizon))
        return self._see(success=True)

    def _begin(self, document: Mapping[str, Any]) -> None:
        with file_search.field_faults_in(_WHERE):
            trajectory = parse_trajectory(document, _WHERE)
        self._session = MaskedSession(start.scene_of_trajectory(trajectory, self._plans))
        self._rewarded = self._session.goal_conditions().met

    def _do(self, name: str, mask: Mask | None) -> tuple[str, ThorEvent]:
        done = self.session.step(name, mask)
        return done.target_id, self._see(success=done.result.success, message=done.result.message)

    def _see(self, *, success: bool, message: str = "") -> ThorEvent:
        self._last_event = ThorEvent(self.session, success=success, message=message)
        return self._last_event


def _api_action(name: str, target: str, held: state.ObjectState | None) -> dict[str, Any] | None:
    """Return an action as AI2-THOR's API takes it; None for a Stop."""
    verb = trajectory_plan.VERB_BY_ACTION.get(name)
    if verb is None:
        return None
    call: dict[str, Any] = {"action": name.partition("_")[0], "forceAction": True}
    if verb is actions.Verb.PLACE and target and held is not None:
        return call | {"receptacleObjectId": target, "objectId": held.objectId}
    return call | {"objectId": target} if target else call
