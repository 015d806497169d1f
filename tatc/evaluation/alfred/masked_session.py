"""A session in a trajectory's scene, played by ALFRED's 13 discrete actions with masks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tatc.evaluation.alfred.alfred_conditions import goal_conditions, is_subgoal_done
from tatc.evaluation.scoring.scores import GoalConditionCounts
from tatc.home import actions
from tatc.planners.grid import NavigationGrid
from tatc.session import start, worlds
from tatc.session.alfred.named_actions import NamedReplay, object_of_mask
from tatc.session.records import trajectory_plan
from tatc.sim.embedded import snapshot_renderer
from tatc.sim.teach_effects import refusal_result

STOP = "Stop"
ACTIONS = (STOP, *trajectory_plan.VERB_BY_ACTION)  # ALFRED's 13 discrete actions

Mask = NDArray[np.bool_]  # the pixels of a frame that an interaction is meant for: (rows, columns)


@dataclass(frozen=True, slots=True)
class MaskedResult:
    """What came of an action; `target_id` is the object that its mask means, "" for none."""

    result: actions.ActionResult
    target_id: str = ""


class MaskedSession(NamedReplay):
    """The scene of a trajectory, in which an agent moves and interacts by masks."""

    def __init__(self, loaded: start.TrajectoryScene) -> None:
        """Begin in the scene; the task and the expert's subgoals are for scores alone."""
        trajectory, scene = loaded.trajectory, loaded.scene
        recorded_map = worlds.load_map_for(worlds.SHIPPED_MAP, scene.place, trajectory.key)
        super().__init__(scene, recorded_map)
        self.renderer = snapshot_renderer.SnapshotRenderer(scene)
        self.task, self.plan = trajectory.task, trajectory.high_actions
        self.act_on = self._actions.act
        self._grid: NavigationGrid | None = None
        self.subgoals_done = 0

    def step(self, name: str, mask: Mask | None = None) -> MaskedResult:
        """Do one of `ACTIONS`; a Stop changes nothing. Interactions need a `mask` of the frame."""
        verb = trajectory_plan.VERB_BY_ACTION.get(name)
        if verb is None:
            unknown = refusal_result(f"unsupported action {name}")
            return MaskedResult(actions.ActionResult(True) if name == STOP else unknown)
        if verb not in actions.INTERACTION_VERBS:
            return MaskedResult(self.sim.step(actions.Role.FOLLOWER, actions.Action(verb)))
        target = None
        if mask is not None:
            pixels, geometry = np.flatnonzero(mask), self.sim.geometry
            target = object_of_mask(pixels, verb, self.now, self.start, geometry)
        if target is None:
            return MaskedResult(refusal_result("Bad interact mask. Couldn't locate target object"))
        return MaskedResult(self.act_on(verb, target), target)

    def goal_conditions(self) -> GoalConditionCounts:
        """Return how many of ALFRED's goal conditions there are and hold; none without a task."""
        if self.task is None:
            return GoalConditionCounts(0, 0)
        return goal_conditions(self.task, self.now, self.view().shows)

    def is_solved(self) -> bool:
        """Return whether the task is done by ALFRED's own test."""
        counts = self.goal_conditions()
        return bool(counts.total) and not counts.unmet

    def count_subgoals(self) -> int:
        """Return how many of the expert's subgoals, in order, are done now or were once."""
        if self._grid is None:
            self._grid = NavigationGrid.from_poses(self.sim.reachable(), self.start.follower.body)
        plan, now = self.plan, self.now
        while self.subgoals_done < len(plan):
            if not is_subgoal_done(plan, self.subgoals_done, now, self._grid):
                break
            self.subgoals_done += 1
        return self.subgoals_done
