"""A subgoal of one of ALFRED's trajectories as the task of a session, and the Commander of a walk.

A Commander gets a subgoal as it gets any task: its check says whether the subgoal is done, by
ALFRED's own test, and if not, which property of which object is missing.  A GotoLocation is about
no object; its pose is said by a Commander of its own.
"""

from collections.abc import Sequence

from tatc.commander import CommanderView, Decision
from tatc.commander.oracle import Oracle
from tatc.evaluation.alfred.alfred_subgoals import (
    is_subgoal_done,
    objects_of_subgoal,
    receptacle_of_subgoal,
)
from tatc.home.actions import Action, Verb
from tatc.home.state import Pose, Snapshot
from tatc.home.steps import PrimitiveStep
from tatc.home.types.facts import SLICE_TYPE_BY_WHOLE, SLICE_TYPES
from tatc.language import Stretch, TaskDone, say
from tatc.planners.grid import NavigationGrid
from tatc.session.records.trajectory_plan import HighAction
from tatc.tdl import ProblemKey, Progress, Task
from tatc.tdl.definition import DesiredValue
from tatc.tdl.progress import Subgoal

_PROPERTIES = {
    "PickupObject": "isPickedUp",
    "CoolObject": "wasCooled",
    "HeatObject": "wasHeated",
    "CleanObject": "wasCleaned",
    "ToggleObject": "isToggled",
}
"""The property that each kind of subgoal gives to its object."""
_MAX_WALKS = 5  # that a Commander says for one GotoLocation


class SubgoalTask(Task):
    """The task of a trajectory, of which a single subgoal is to be done."""

    __slots__ = ("_grid", "_index", "_plan")

    def __init__(
        self, task: Task, plan: Sequence[HighAction], index: int, grid: NavigationGrid
    ) -> None:
        """Take the trajectory's task, its subgoals, and where the agent's body can walk."""
        super().__init__(task.definition)
        self._plan, self._index, self._grid = tuple(plan), index, grid

    def check(self, snapshot: Snapshot, *, nearest_first: bool = False) -> Progress:
        """Return whether the subgoal is done, as the only goal condition."""
        done = is_subgoal_done(self._plan, self._index, snapshot, self._grid)
        keys = () if done else self._problem_keys(snapshot)
        words = self._plan[self._index].kind
        goal = Subgoal(done, 1, int(done), problem_keys=keys, description=words)
        return Progress(done, 1, int(done), words, None, None, lambda: (goal,))

    def _problem_keys(self, now: Snapshot) -> tuple[ProblemKey, ...]:
        kind = self._plan[self._index].kind
        objects = objects_of_subgoal(self._plan, self._index, now)
        if not objects:
            return ()
        obj = objects[0]
        name = _PROPERTIES.get(kind, "")
        desired: DesiredValue = 1
        targets: tuple[str, ...] = ()
        if kind == "SliceObject":
            name, desired = "objectType", SLICE_TYPE_BY_WHOLE[obj.objectType]
        elif kind == "PutObject":
            place = receptacle_of_subgoal(self._plan, self._index, now)
            if place is None:
                return ()
            name, desired, targets = "parentReceptacles", place.objectType, (place.objectId,)
        if not name:
            return ()
        # Any slice of the whole will do; of all else, only the object itself.
        which = "a" if obj.objectType in SLICE_TYPES else "all"
        return (ProblemKey(obj.objectId, obj.objectType, which, name, desired, targets),)


class PoseCommander:
    """Says the shortest walk to a pose until the body is there, by the test of its task."""

    def __init__(self, pose: Pose) -> None:
        """Lead to this pose."""
        self._pose = pose
        self._oracle: Oracle | None = None
        self._walks = 0
        self.decisions: tuple[Decision, ...] = ()

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a session in the oracle's home."""
        self._oracle, self._walks = oracle, 0

    def act(self, view: CommanderView) -> Action:
        """Return a progress check, and after it the walk that is left, or Stop for none."""
        if view.progress is None:
            return Action(Verb.OPEN_PROGRESS_CHECK)
        if view.progress.success:
            return Action(Verb.TEXT, text=say(TaskDone()))
        steps = self._steps()
        self._walks += 1
        if not steps or self._walks > _MAX_WALKS:
            return Action(Verb.STOP)
        return Action(Verb.TEXT, text=say(Stretch(steps)))

    def _steps(self) -> tuple[PrimitiveStep, ...]:
        if self._oracle is None:
            return ()
        body = self._oracle.snapshot().follower
        grid = NavigationGrid.from_poses(self._oracle.reachable(), body.body)
        paths = grid.shortest_paths_from(body.pose)
        if paths.cost_to(self._pose) is None:
            return ()
        return tuple(PrimitiveStep(verb) for verb in paths.verbs_to(self._pose))
