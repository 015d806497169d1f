"""Evaluates an agent at single subgoals of ALFRED's trajectories, as ALFRED's Table 4 does.

The expert's course is imposed up to a subgoal.  The agents then act, with the subgoal as their task
and with the limits of a whole session, until it is done by ALFRED's own test.  A Follower that
hears an annotator's words instead hears the goal sentence, or that and the subgoal's directive.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tatc.base.errors import BadInput, UnknownName
from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.failure_grouping import failure_of
from tatc.evaluation.runs.jobs import SessionJob
from tatc.evaluation.runs.rows import ALFRED_BENCHMARK, SessionRow
from tatc.evaluation.runs.session_runner import CompletedSession, PairRunner, counted_actions
from tatc.evaluation.runs.subgoal_task import PoseCommander, SubgoalTask
from tatc.evaluation.scoring import GoalConditionCounts
from tatc.home.actions import Role
from tatc.home.state import Snapshot
from tatc.planners.grid import NavigationGrid
from tatc.session import Session, SessionEvent, SessionResult
from tatc.session.agents.dialogue_readers import understanding_used
from tatc.session.alfred.named_replay import NamedReplay
from tatc.session.floor_maps import load_map_for
from tatc.session.records import SessionEnd
from tatc.session.records.trajectory import (
    KEY_SEPARATOR,
    Trajectory,
    is_trajectory_file,
    read_trajectory,
)
from tatc.session.records.trajectory_plan import SUBGOALS
from tatc.session.runner import check_world_of_start, make_simulator, session_from_start
from tatc.session.session_record import make_record
from tatc.session.start import SessionStart
from tatc.session.trajectory_start import TrajectoryScene, load_scene, start_in_scene
from tatc.sim.maps.recorded_map import RecordedMap
from tatc.sim.protocol import Simulator
from tatc.tdl import Task

ALL_SUBGOALS = "all"
"""The name under which a user asks for every kind of subgoal."""
_POSE_SAYERS = ("rule", "policies-only")
"""Commanders that are told to say the walk to a pose, which no task of theirs is about."""
_WHOLE_TASK_PLANNERS = ("pddl", "fast-downward")
_UNDONE, _DONE = GoalConditionCounts(1, 0), GoalConditionCounts(1, 1)


def parse_subgoals(names: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of subgoal that a user named, in ALFRED's order.

    Raises:
        BadInput: none is named.
        UnknownName: there is no such kind.

    """
    if not names:
        raise BadInput("--subgoals names no kind", fix=f"name {ALL_SUBGOALS}, or some kinds")
    for name in names:
        if name not in (ALL_SUBGOALS, *SUBGOALS):
            fix = f"name {ALL_SUBGOALS}, or some of {', '.join(SUBGOALS)}"
            raise UnknownName("kind of subgoal", name, (ALL_SUBGOALS, *SUBGOALS), fix=fix)
    return SUBGOALS if ALL_SUBGOALS in names else tuple(k for k in SUBGOALS if k in names)


def check_subgoal_options(options: EvalOptions) -> None:
    """Check that the Commander can be told of single subgoals, if the run is of these.

    Raises:
        BadInput: it plans whole tasks alone.

    """
    if options.subgoals and options.setup.commander in _WHOLE_TASK_PLANNERS:
        why = f"--planner {options.setup.commander} plans whole tasks, and no single subgoals"
        raise BadInput(why, fix="leave out --planner")


def subgoal_jobs(job: SessionJob, kinds: Sequence[str]) -> Iterator[SessionJob]:
    """Yield the subgoals of these kinds in a job's trajectory, a job for each.

    Raises:
        BadInput: the file is no trajectory, or has no plan.

    """
    path = Path(job.path or "")
    if not is_trajectory_file(path):
        fix = "name ALFRED's trajectories, or leave out --subgoals"
        raise BadInput("is no trajectory, and has no subgoals", where=str(path), fix=fix)
    plan = read_trajectory(path).high_actions
    if not plan:
        why = "has no plan, as none of ALFRED's test folds has"
        raise BadInput(why, where=str(path), fix="name one of train or of a valid fold")
    for i, subgoal in enumerate(plan):
        if subgoal.kind in kinds:
            key = f"{job.key}{KEY_SEPARATOR}{i}"
            yield replace(job, key=key, task=subgoal.kind, game_id=job.key, subgoal=i)


@dataclass(frozen=True, slots=True)
class SubgoalStart:
    """A subgoal: its trajectory, the session's start there, its index, and the state before it."""

    trajectory: Trajectory
    start: SessionStart
    index: int
    state: Snapshot


class SubgoalRunner(PairRunner[SubgoalStart]):
    """Runs the subgoals of a run, each as a session."""

    def _open(self, job: SessionJob) -> SubgoalStart:
        if job.path is None or job.subgoal is None:
            raise BadInput("a subgoal needs its trajectory", fix="name ALFRED's trajectories")
        loaded = load_scene(Path(job.path), self._options.plans)
        start = start_in_scene(loaded, self._library, job.seed)
        check_world_of_start(start, self._options.setup)
        recorded_map = load_map_for(self._options.setup.floor_map, start.game_id)
        state = _state_before(loaded, job.subgoal, recorded_map)
        return SubgoalStart(loaded.trajectory, start, job.subgoal, state)

    def _row_at_start(self, row: SessionRow, opened: SubgoalStart) -> SessionRow:
        subgoal = opened.trajectory.high_actions[opened.index]
        own = [each for each in opened.trajectory.low_actions if each.high_index == subgoal.index]
        return replace(
            row,
            benchmark=ALFRED_BENCHMARK,
            params=tuple(filter(None, subgoal.arguments)),
            before=_UNDONE,
            after=_UNDONE,
            human_actions=len(own),
        )

    def _run(self, row: SessionRow, opened: SubgoalStart) -> CompletedSession:
        setup, state = self._options.setup, opened.state
        sim, recorded_map = make_simulator(opened.start, setup)
        try:
            sim.reset(opened.start.scene)  # a Commander has known the home since it was so
            start = _with_subgoal_as_task(opened, sim)
            attempt = _SubgoalAttempt(sim, start.task)
            pose = opened.trajectory.high_actions[opened.index].pose
            leader = PoseCommander(pose) if pose and setup.commander in _POSE_SAYERS else None
            session, follower = session_from_start(
                sim, start, setup, commander=leader, watch=attempt.watch
            )
            session.resume_after(state, ())
            sim.restore(state)
            attempt.run(session)
            result = replace(session.result(), understanding=understanding_used(follower))
        finally:
            sim.close()
        row = _row_at_end(row, result, attempt.is_done or result.success)
        begun = replace(opened.start, scene=replace(opened.start.scene, start=state))
        return self._with_record(row, lambda: make_record(begun, result, recorded_map, setup))


def _with_subgoal_as_task(opened: SubgoalStart, sim: Simulator) -> SessionStart:
    """Return the start with the subgoal as its task, and its directive as the only one."""
    body = sim.snapshot().follower.body
    grid = NavigationGrid.from_poses(sim.reachable(), body)
    plan, start, heard = opened.trajectory.high_actions, opened.start, opened.start.directives
    if heard is not None:
        heard = replace(heard, steps=heard.steps[opened.index : opened.index + 1])
    task = SubgoalTask(start.task, plan, opened.index, grid)
    return replace(start, task=task, directives=heard)


def _state_before(loaded: TrajectoryScene, i: int, recorded_map: RecordedMap | None) -> Snapshot:
    """Return the state that the expert's actions lead to, up to the i-th subgoal.

    Raises:
        BadInput: an earlier action is done to an object that the scene lacks.

    """
    replay, trajectory = NamedReplay(loaded.scene, recorded_map), loaded.trajectory
    index = trajectory.high_actions[i].index
    for action in trajectory.low_actions:
        if action.high_index >= index:
            break
        if not replay.impose(action):
            why = f"an earlier action needs {action.target_id}, which the scene lacks"
            raise BadInput(why, where=str(trajectory.path), fix="name other PLANS")
    return replay.now


class _SubgoalAttempt:
    """Asks the subgoal's test after each action whether it is done."""

    def __init__(self, sim: Simulator, task: Task) -> None:
        self._sim, self._task = sim, task
        self._has_acted = self.is_done = False

    def watch(self, event: SessionEvent) -> None:
        """Note that the Follower acted."""
        self._has_acted |= event.interaction.role is Role.FOLLOWER and event.result is not None

    def run(self, session: Session) -> None:
        """Let the agents act until the subgoal is done or the session ends."""
        while session.end is None and not self.is_done:
            session.step()
            if self._has_acted:
                self._has_acted = False
                self.is_done = self._task.check(self._sim.snapshot()).success


def _row_at_end(row: SessionRow, result: SessionResult, is_done: bool) -> SessionRow:
    return replace(
        counted_actions(row, result),
        end=(SessionEnd.SUCCESS if is_done else result.end).value,
        after=_DONE if is_done else _UNDONE,
        failure=None if is_done else failure_of(result),
    )
