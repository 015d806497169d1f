"""Evaluates an agent at single subgoals of ALFRED's trajectories, as ALFRED's Table 4 does.

The expert's course is imposed up to a subgoal.  The agents then act, with the limits of a whole
session, until it is done by ALFRED's own test; of directives, its own alone is heard.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from tatc.base.errors import BadInput, UnknownName
from tatc.commander import CommanderView, Decision, Oracle
from tatc.evaluation.alfred import alfred_conditions
from tatc.evaluation.runs import eval_options, failure_grouping, job_runners, rows
from tatc.evaluation.scoring.scores import GoalConditionCounts
from tatc.home.actions import Action, PrimitiveStep, Role, Verb
from tatc.home.state import Pose, Snapshot
from tatc.home.type_facts import SLICE_TYPE_BY_WHOLE, SLICE_TYPES
from tatc.language import Stretch, TaskDone, say
from tatc.planners.grid import NavigationGrid
from tatc.session import play, records, session_record, worlds
from tatc.session.alfred.named_actions import NamedReplay
from tatc.session.records import trajectory as trajectories
from tatc.session.records.trajectory_plan import SUBGOALS, HighAction
from tatc.session.session_types import SessionEvent, SessionResult
from tatc.session.start import SessionStart, TrajectoryScene, load_scene, start_in_scene
from tatc.sim.maps.recorded_map import RecordedMap
from tatc.sim.protocol import Simulator
from tatc.tdl import ProblemKey, Progress, Task, definition, progress

ALL_SUBGOALS = "all"  # the name under which a user asks for every kind of subgoal
_POSE_SAYERS = ("rule", "policies-only")
"""Commanders that are told to say the walk to a pose, which no task of theirs is about."""
_UNDONE, _DONE = GoalConditionCounts(1, 0), GoalConditionCounts(1, 1)


def parse_subgoals(names: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of subgoal that a user named, in ALFRED's order."""
    if not names:
        raise BadInput("--subgoals names no kind", fix=f"name {ALL_SUBGOALS}, or some kinds")
    for name in names:
        UnknownName.check("kind of subgoal", name, (ALL_SUBGOALS, *SUBGOALS))
    return SUBGOALS if ALL_SUBGOALS in names else tuple(k for k in SUBGOALS if k in names)


def check_subgoal_options(options: eval_options.EvalOptions) -> None:
    """Check that the Commander can be told of single subgoals, if the run is of these."""
    if options.subgoals and options.setup.commander in ("pddl", "fast-downward"):
        why = f"--planner {options.setup.commander} plans whole tasks, and no single subgoals"
        raise BadInput(why, fix="leave out --planner")


def subgoal_jobs(job: rows.SessionJob, kinds: Sequence[str]) -> Iterator[rows.SessionJob]:
    """Yield the subgoals of these kinds in a job's trajectory, a job for each."""
    path = Path(job.path or "")
    if not trajectories.is_trajectory_file(path):
        fix = "name ALFRED's trajectories, or leave out --subgoals"
        raise BadInput("is no trajectory, and has no subgoals", where=str(path), fix=fix)
    plan = trajectories.read_trajectory(path).high_actions
    if not plan:
        why = "has no plan, as none of ALFRED's test folds has"
        raise BadInput(why, where=str(path), fix="name one of train or of a valid fold")
    for i, subgoal in enumerate(plan):
        if subgoal.kind in kinds:
            key = f"{job.key}{trajectories.KEY_SEPARATOR}{i}"
            yield replace(job, key=key, task=subgoal.kind, game_id=job.key, subgoal=i)


@dataclass(frozen=True, slots=True)
class SubgoalStart:
    """A subgoal: its trajectory, the session's start there, its index, and the state before it."""

    trajectory: trajectories.Trajectory
    start: SessionStart
    index: int
    state: Snapshot


class SubgoalRunner(job_runners.PairRunner[SubgoalStart]):
    """Runs the subgoals of a run, each as a session."""

    def _open(self, job: rows.SessionJob) -> SubgoalStart:
        if job.path is None or job.subgoal is None:
            raise BadInput("a subgoal needs its trajectory", fix="name ALFRED's trajectories")
        loaded = load_scene(Path(job.path), self._options.plans)
        start = start_in_scene(loaded, self._library, job.seed)
        play.check_world_of_start(start, self._options.setup)
        place, floor_map = start.scene.place, self._options.setup.floor_map
        recorded_map = worlds.load_map_for(floor_map, place, start.game_id)
        state = _state_before(loaded, job.subgoal, recorded_map)
        return SubgoalStart(loaded.trajectory, start, job.subgoal, state)

    def _row_at_start(self, row: rows.SessionRow, opened: SubgoalStart) -> rows.SessionRow:
        subgoal = opened.trajectory.high_actions[opened.index]
        own = [each for each in opened.trajectory.low_actions if each.high_index == subgoal.index]
        return replace(
            row,
            benchmark=rows.ALFRED_BENCHMARK,
            params=tuple(filter(None, subgoal.arguments)),
            before=_UNDONE,
            after=_UNDONE,
            human_actions=len(own),
        )

    def _run(self, row: rows.SessionRow, opened: SubgoalStart) -> job_runners.JobResult:
        setup, state = self._agents.setup, opened.state
        has_acted = is_done = False

        def watch(event: SessionEvent) -> None:
            nonlocal has_acted
            has_acted |= event.interaction.role is Role.FOLLOWER and event.result is not None

        sim, recorded_map = play.make_simulator(opened.start, setup)
        with closing(sim):
            sim.reset(opened.start.scene)  # a Commander has known the home since it was so
            start = _with_subgoal_as_task(opened, sim)
            pose = opened.trajectory.high_actions[opened.index].pose
            leader = PoseCommander(pose) if pose and setup.commander in _POSE_SAYERS else None
            session, _, _ = play.session_from_start(
                sim, start, self._agents, commander=leader, watch=watch
            )
            session.resume_after(state, ())
            sim.restore(state)
            while session.end is None and not is_done:
                session.step()
                if has_acted:
                    has_acted, is_done = False, start.task.check(sim.snapshot()).success
            result = session.result()
        row = _row_at_end(row, result, is_done or result.success)
        row = replace(row, map=worlds.map_label(recorded_map))
        begun = replace(opened.start, scene=replace(opened.start.scene, initial=state))

        def record() -> records.Record:
            made = session_record.make_record(begun, result, recorded_map, setup)
            return replace(made, options=(*made.options, (session_record.SUBGOAL_OPTION, row.task)))

        return self._with_record(row, record)


def _with_subgoal_as_task(opened: SubgoalStart, sim: Simulator) -> SessionStart:
    grid = NavigationGrid.from_poses(sim.reachable(), sim.snapshot().follower.body)
    plan, start, heard = opened.trajectory.high_actions, opened.start, opened.start.directives
    if heard is not None:
        heard = replace(heard, steps=heard.steps[opened.index : opened.index + 1])
    task = SubgoalTask(start.task, plan, opened.index, grid)
    return replace(start, task=task, directives=heard)


def _state_before(loaded: TrajectoryScene, i: int, recorded_map: RecordedMap | None) -> Snapshot:
    replay, trajectory = NamedReplay(loaded.scene, recorded_map), loaded.trajectory
    index = trajectory.high_actions[i].index
    for action in trajectory.low_actions:
        if action.high_index >= index:
            break
        if not replay.impose(action):
            why = f"an earlier action needs {action.target_id}, which the scene lacks"
            raise BadInput(why, where=str(trajectory.path), fix="name other PLANS")
    return replay.now


def _row_at_end(row: rows.SessionRow, result: SessionResult, is_done: bool) -> rows.SessionRow:
    return replace(
        job_runners.counted_actions(row, result),
        end=(records.SessionEnd.SUCCESS if is_done else result.end).value,
        after=_DONE if is_done else _UNDONE,
        failure=None if is_done else failure_grouping.failure_of(result),
    )


# A subgoal as the task of a session, whose check says which property of which object is missing.  A
# GotoLocation is about no object; its pose is said by a Commander of its own.

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
        done = alfred_conditions.is_subgoal_done(self._plan, self._index, snapshot, self._grid)
        keys = () if done else self._problem_keys(snapshot)
        words = self._plan[self._index].kind
        goal = progress.Subgoal(done, 1, int(done), problem_keys=keys, description=words)
        return Progress(done, 1, int(done), words, None, None, lambda: (goal,))

    def _problem_keys(self, now: Snapshot) -> tuple[ProblemKey, ...]:
        kind = self._plan[self._index].kind
        objects = alfred_conditions.objects_of_subgoal(self._plan, self._index, now)
        if not objects:
            return ()
        obj = objects[0]
        name = alfred_conditions.MARK_BY_SUBGOAL.get(kind, "")
        desired: definition.DesiredValue = 1
        targets: tuple[str, ...] = ()
        if kind == "SliceObject":
            name, desired = "objectType", SLICE_TYPE_BY_WHOLE[obj.objectType]
        elif kind == "PutObject":
            place = alfred_conditions.receptacle_of_subgoal(self._plan, self._index, now)
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
        body = self._oracle.snapshot().follower
        grid = NavigationGrid.from_poses(self._oracle.reachable(), body.body)
        paths = grid.shortest_paths_from(body.pose)
        is_reached = paths.cost_to(self._pose) is not None
        return tuple(map(PrimitiveStep, paths.verbs_to(self._pose))) if is_reached else ()
