"""The listener's planner: the rule Commander, planning on what the Follower has seen.

It plans stretches of primitives as for any Follower, with the semantic map as its oracle.  Only
its knowledge differs: the shapes are built anew when something new has come into view, because
what is seen of an object decides its shape (what rests on it, what is cut into it).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from math import atan2, pi

from tatc.commander import CommanderView, RuleCommander
from tatc.commander.knowledge import Knowledge
from tatc.commander.oracle import Oracle
from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlannedStep, SkillPlan
from tatc.commander.recovery import learn_from_failure
from tatc.commander.refusal_memory import ActionKey, RefusalMemory
from tatc.commander.rejected_plans import RejectedPlans
from tatc.commander.skills.hold import PutDown
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import FailureReport, Role, Utterance, cell_of
from tatc.home.camera.geometry import Geometry
from tatc.home.state import ObjectState, Pose, Snapshot, is_invisible_to_rays
from tatc.language import InstructionRequest, Meaning, Wording, say
from tatc.planners.viewpoints import Viewpoint, viewpoints_facing
from tatc.tdl import ProblemKey, Task

MAX_PUT_DOWNS = 3
"""Times that what is still held when all is done is put down, at most."""
SAME_SIDE_RADIANS = pi / 8
"""Directions from which an object is seen that differ by less are tried in the order of cost."""
_NOTHING_CLOSED: Mapping[str, ObjectState] = {}


class SeenKnowledge(Knowledge):
    """Knowledge whose shapes follow a semantic map that grows."""

    def __init__(self, oracle: Oracle) -> None:
        """Ask the semantic map for the first time."""
        super().__init__(oracle)
        self._built_of: tuple[str, ...] = ()

    def refresh(self) -> None:
        """Ask the map again; build the shapes anew where objects are new or stand elsewhere."""
        super().refresh()
        shapes = tuple(
            f"{obj.objectId} {obj.box.center}"
            for obj in self.snapshot.objects
            if not obj.affordances.openable and not obj.isPickedUp
        )
        if shapes != self._built_of:
            self._built_of = shapes
            self._build_geometry()
            self.failed_searches.clear()

    def remembered_viewpoints(self, obj: ObjectState, start: Pose) -> tuple[Viewpoint, ...]:
        """Return the poses from which an object was seen within reach, the nearest first."""
        oracle = self._oracle
        if not isinstance(oracle, SemanticMap):
            return ()
        paths = self.shortest_paths_from(start)
        found = ((paths.cost_to(seen.pose), seen) for seen in oracle.sightings.of(obj))
        views = (Viewpoint(seen.pose, seen.click, cost) for cost, seen in found if cost is not None)
        return tuple(sorted(views, key=lambda view: view.cost))

    def unproven_viewpoints(
        self, obj: ObjectState, start: Pose, action_key: ActionKey
    ) -> Iterable[Viewpoint]:
        """Yield where boxes are guessed the poses that look at the middle of an object from near.

        A guessed box that seems to hide it may be wrong.  Those come first from which it is seen
        from about the side from which it was seen last.  No cell in which it was not to be seen
        before is tried again.
        """
        oracle = self._oracle
        if not isinstance(oracle, SemanticMap) or not oracle.is_guessed or obj.isPickedUp:
            return ()
        tried = {cell_of(p.x, p.z) for key, p in self.memory.refused_poses if key == action_key}
        x, _, z = obj.box.center
        seen_from = oracle.seen_from.get(obj.objectId, start)
        side = atan2(seen_from.x - x, seen_from.z - z)

        def order(view: Viewpoint) -> tuple[int, int]:
            turned = abs(atan2(view.pose.x - x, view.pose.z - z) - side)
            return int(min(turned, 2 * pi - turned) / SAME_SIDE_RADIANS), view.cost

        poses = self.standing_poses(obj, start)
        found = viewpoints_facing(obj.box.center, poses, self.snapshot.follower)
        return sorted((v for v in found if cell_of(v.pose.x, v.pose.z) not in tried), key=order)

    @property
    def guesses_boxes(self) -> bool:
        """Whether boxes are guessed from depth, so that what was seen comes before them."""
        return isinstance(self._oracle, SemanticMap) and self._oracle.is_guessed

    def _build_geometry(self) -> None:
        """Build the shapes of closed things as closed, then open those that are open."""
        oracle = self._oracle
        closed = oracle.closed_states() if isinstance(oracle, SemanticMap) else _NOTHING_CLOSED
        objects = self.snapshot.objects
        held = self.snapshot.held_object()
        self.geometry = Geometry([closed.get(obj.objectId, obj) for obj in objects])
        for i, obj in enumerate(objects):
            if is_invisible_to_rays(obj, held):
                self.geometry.hide(i)
            elif closed.get(obj.objectId, obj) is not obj:
                self.geometry.update(i, obj)
        self._shown_objects = list(objects)


class InternalPlanner(RuleCommander):
    """A rule Commander that tells only its own Follower what to do."""

    knowledge_class = SeenKnowledge
    task: Task
    _is_thorough = False

    def __init__(self) -> None:
        """Make a planner that words its stretches as goals, for those who look on."""
        super().__init__(Wording.GOALS)
        self._put_downs_left = MAX_PUT_DOWNS

    @property
    def spoken_words(self) -> str:
        """What the last stretch is for."""
        return self._decisions[-1].utterance

    def start(self, belief: SemanticMap, task: Task, memory: RefusalMemory | None = None) -> None:
        """Begin with a task; `memory` is what the session has taught so far."""
        self.task = task
        self.begin(belief, task)
        if memory is not None:
            self.knowledge.memory = memory

    @property
    def knowledge(self) -> Knowledge:
        """What it knows of the home; `start` must have been called."""
        assert self._known is not None
        return self._known

    def next_stretch(
        self, failure: FailureReport | None, *, thorough: bool
    ) -> tuple[PlannedStep, ...]:
        """Return the steps to do next; empty where there are none.

        Where it is not thorough it asks the policies alone, without recovery and PDDL, which take
        long and are in vain while something has not been found.
        """
        self._is_thorough = self.uses_fallback = thorough
        self._has_ended = False
        said = say(failure if failure is not None else InstructionRequest())
        heard = (Utterance(Role.FOLLOWER, said, 0.0),)
        self.act(CommanderView(heard, None))
        progress = self.task.check(self.knowledge.snapshot)
        self.act(CommanderView((), progress))
        return () if self.has_ended else self.spoken_steps

    def _speak_recovery(
        self,
        keys: tuple[ProblemKey, ...],
        known: Knowledge,
        rejected: RejectedPlans,
        reasons: Collection[FailureReason] = tuple(FailureReason),
    ) -> Meaning | None:
        if not self._is_thorough:
            return None
        return super()._speak_recovery(keys, known, rejected, reasons)

    def _speak_optimistic(
        self, keys: tuple[ProblemKey, ...], known: Knowledge, rejected: RejectedPlans
    ) -> Meaning | None:
        return super()._speak_optimistic(keys, known, rejected) if self._is_thorough else None

    def _forget_and_replan(
        self, keys: tuple[ProblemKey, ...], known: Knowledge, rejected: RejectedPlans
    ) -> Meaning | None:
        return super()._forget_and_replan(keys, known, rejected) if self._is_thorough else None

    def plan_stretch(self, plan: SkillPlan) -> tuple[PlannedStep, ...]:
        """Return the steps of skills chosen by the Follower itself; empty where there are none."""
        self.knowledge.refresh()
        builder = PlanBuilder(self.knowledge)
        failure = builder.add_plan(plan)
        if failure is not None and not failure.is_temporary:
            return ()
        self._spoken_steps = spoken_steps_of(builder)
        return self._spoken_steps

    def steps_to_put_down(self, failure: FailureReport | None) -> tuple[PlannedStep, ...]:
        """Return how to put down what is held; empty where nothing is, or after a few tries.

        What the task wants to be held is kept.

        `failure` is why the last try failed, None if there was none.
        """
        if failure is not None:
            self.learn(failure)
        self.knowledge.refresh()
        now = self.knowledge.snapshot
        held = now.held_object()
        if held is None or not self._put_downs_left or self._must_hold(held, now):
            return ()
        self._put_downs_left -= 1
        return self.plan_stretch((PutDown(),))

    def _must_hold(self, held: ObjectState, now: Snapshot) -> bool:
        """Return whether the task is done, and would not be if what is held were not."""
        let_go = [replace(obj, isPickedUp=False) if obj is held else obj for obj in now.objects]
        without = Snapshot.from_objects(let_go, now.commander, now.follower)
        return self.task.check(now).success and not self.task.check(without).success

    def learn(self, failure: FailureReport) -> None:
        """Learn from a failed step of a stretch that the Follower chose itself."""
        self.knowledge.refresh()
        learn_from_failure(failure, self._spoken_steps, self.knowledge)
