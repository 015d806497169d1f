"""Lessons for the pointing Follower: sessions in generated rooms, every state of them labelled.

The rule Commander speaks.  The teacher or the student carries out each utterance.  The teacher does
what was meant; the student goes astray, and from wherever it is, the Commander's same plan is built
again: its next step is the right action there.  This is example aggregation, as in DAgger.  Where a
goal needs a thing that was not seen yet, the right action is to look around, then to walk to where
the Follower's own map ends, then to open what is closed, the nearest first: words name only types.
"""

from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from random import Random
from typing import Any

import numpy as np

from tatc.apps.training.samples import LabelledDecision, LessonUtterance
from tatc.base.errors import BadInput
from tatc.commander import Oracle, RuleCommander, rule_commander, rule_planner
from tatc.commander.plan_builder import PlanBuilder, PlannedStep, SkillPlan
from tatc.commander.skills.hold import Open
from tatc.evaluation.scoring.published_results import TEACH_TASKS
from tatc.follower.learned import InputMode
from tatc.follower.learned.pointing import decision, network, network_inputs, policy, way_ahead
from tatc.follower.learned.pointing.instance_memory import Instance
from tatc.follower.learned.pointing.pointing_follower import MAX_BUMPS, PointingFollower
from tatc.home import percepts, state
from tatc.home.actions import Action, FailureReport, Verb
from tatc.home.camera import views
from tatc.language import Meaning, Wording, say
from tatc.session import loop, session_types
from tatc.session.start import SessionStart, start_from_room
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.rooms import generate_room
from tatc.tdl import Task, TaskLibrary, properties

LESSON_LIMITS = session_types.SessionLimits(steps=250, failures=30, utterances=80)
"""The limits of one lesson."""
MAX_MISTAKES = 10
"""Wrong actions after one utterance, after which the student is taken to have asked."""
LESSONS_PER_ROOM = 5  # how many lessons with consecutive seeds share a room
_KITCHEN_SHARE = 0.75
_MAX_TASKS_TRIED = 4
_FIRST_ROOM = 700_000
_state_of = attrgetter("objectType", "isFilledWithLiquid", "isDirty", "isUsedUp", "isCooked")


def draw_lesson_start(seed: int, library: TaskLibrary) -> SessionStart | None:
    """Return a start drawn by a seed, None where the room can hold none of the tasks drawn."""
    group = seed // LESSONS_PER_ROOM
    rng = Random(f"lesson room {group}")
    kitchen, others = state.RoomKind.KITCHEN, tuple(state.RoomKind)
    kind = kitchen if rng.random() < _KITCHEN_SHARE else rng.choice(others)
    try:
        room = generate_room(kind, _FIRST_ROOM + group)
    except BadInput:
        return None
    rng = Random(f"lesson {seed}")
    for _ in range(_MAX_TASKS_TRIED):
        try:
            return start_from_room(room, library, library.find(rng.choice(TEACH_TASKS)), (), seed)
        except BadInput:
            continue
    return None


def run_lesson(
    start: SessionStart, student: policy.PointingModel, student_share: float, goals_share: float
) -> tuple[LessonUtterance, ...]:
    """Run a lesson and return its utterances with labelled decisions.

    The `student` carries out a share of the utterances; `goals_share` of them are told in goals.
    """
    rng = Random(f"{start.place} {start.task.name} {start.seed}")
    sim = _OneTraceSimulator()
    commander = _LessonCommander(sim, rng, goals_share)
    follower = _LessonFollower(student, sim, commander, student_share)
    level = percepts.PerceptionLevel.MASKS
    loop.run_session(
        sim, start.scene, start.task, commander, follower, limits=LESSON_LIMITS, perception=level
    )
    follower.close()
    return tuple(follower.utterances)


class _OneTraceSimulator(EmbeddedSimulator):
    """A simulator that traces a view once; the Follower's percepts and its labels are of one."""

    _traced: tuple[state.Snapshot, views.TracedView | None] | None = None

    def trace_view(self, size: int) -> views.TracedView | None:
        """Return what is in view; all views of a lesson are of one size."""
        if self._traced is None or self._traced[0] is not self.snapshot():
            self._traced = self.snapshot(), super().trace_view(size)
        return self._traced[1]


class _LessonCommander(RuleCommander):
    """The rule Commander: it says each stretch in one wording, and can plan it anew at any time."""

    def __init__(self, sim: Oracle, rng: Random, goals_share: float) -> None:
        super().__init__()
        self._sim, self.rng, self._goals_share = sim, rng, goals_share

    def begin(self, oracle: Oracle, task: Task) -> None:
        super().begin(self._sim, task)  # which shows the home as it is, in the Follower's turn too

    def choose_words(self, stretch: rule_planner.PlannedStretch) -> Meaning:
        # A student finds the thing in its own view: directions would do that for it.
        learned = [each for each in Wording if each is not Wording.BEARINGS]
        meant = {each: rule_commander.word_stretch(each, stretch) for each in learned}
        self.texts = {wording: say(words) for wording, words in meant.items()}
        self.said = Wording.GOALS if self.rng.random() < self._goals_share else Wording.STEPS
        self.plan, self.steps = stretch.plan, list(stretch.steps)
        self.meant = {each for skill in self.plan for each in _ids_in(skill).values()}
        return meant[self.said]

    def replanned_steps(self, plan: SkillPlan) -> list[PlannedStep] | None:
        """Return the steps of a plan from here, None where there are none."""
        assert self._planner is not None
        known = self._planner.known
        known.refresh()
        builder = PlanBuilder(known)
        failure = builder.add_plan(plan)
        known.show_actual_objects()
        return builder.steps if failure is None or failure.is_temporary else None


def _ids_in(skill: Any) -> dict[str, str]:
    values = {each.name: getattr(skill, each.name) for each in fields(skill)}
    return {name: value for name, value in values.items() if isinstance(value, str)}


@dataclass(slots=True)
class _Utterance:
    """An utterance that is carried out; `queue` is what is left of it, None if that is unknown."""

    texts: dict[Wording, str]
    said: Wording
    is_student: bool
    queue: list[PlannedStep] | None
    decisions: list[LabelledDecision] = field(default_factory=list[LabelledDecision])
    is_astray: bool = False
    has_explored: bool = False
    is_searching: bool = False  # what may be in the nearest thing that is closed
    searched: str = ""  # the id of that, which is kept until it is open
    mistakes: int = 0


class _LessonFollower(PointingFollower):
    """Draws teacher or student anew for each utterance, and labels what either sees."""

    def __init__(
        self,
        student: policy.PointingModel,
        sim: EmbeddedSimulator,
        commander: _LessonCommander,
        student_share: float,
    ) -> None:
        self._sim, self._commander, self._student_share = sim, commander, student_share
        self.utterances: list[LessonUtterance] = []
        self._now: _Utterance | None = None
        super().__init__(student, InputMode.NO_QUESTIONS)  # it learns to look by itself

    def begin(self) -> None:
        super().begin()
        self._object_ids: dict[Instance, str] = {}

    def read(self, text: str) -> None:
        self.close()
        super().read(text)
        told, share = self._commander, self._student_share
        is_student = share > 0.0 and told.rng.random() < share
        self.max_bumps = MAX_BUMPS if is_student else 0
        self._now = _Utterance(told.texts, told.said, is_student, told.steps)
        self._now.is_astray = is_student and told.said is Wording.GOALS

    def choose(self, view: percepts.View) -> policy.Choice:
        assert self._now is not None
        seen, now = self.memory.look(view), self._now
        now.is_astray |= self.memory.failed
        self._note_objects(view)
        step, label = self._label(now, seen)
        now.decisions.append(label)
        verb = network_inputs.NETWORK_VERBS[label.verb] if label.verb >= 0 else Verb.TEXT
        if now.is_student:
            return self._student_choice(now, seen, step, verb)
        if step is None or verb is Verb.TEXT:
            return policy.Choice(verb)
        if now.queue:
            now.queue.pop(0)
        if step.step.click is None:
            return policy.Choice(verb)
        instance = self.memory.ordered[label.target - network.FIRST_INSTANCE]
        return policy.Choice(verb, instance, step.step.click)

    def say(self, meaning: Meaning) -> Action:
        is_report, now = isinstance(meaning, FailureReport), self._now
        if is_report and now is not None and not now.is_student and now.decisions:
            now.decisions.pop()  # what the teacher did was not right
        self.close()
        return super().say(meaning)

    def close(self) -> None:
        """End the utterance that is carried out."""
        now, self._now = self._now, None
        if now is not None and now.decisions:
            only = {now.said: now.texts[now.said]}
            texts = only if now.is_student or now.has_explored else now.texts
            self.utterances.append(LessonUtterance(texts, tuple(now.decisions)))

    def _note_objects(self, view: percepts.View) -> None:
        """Note which object each instance in view is."""
        traced = self._sim.trace_view(len(view.pixels))
        assert traced is not None
        numbers, ids = view.pixels.ravel(), np.asarray(traced.ids).ravel()
        first = np.zeros(len(view.percepts) + 1, np.int64)
        first[numbers[::-1]] = np.arange(len(numbers))[::-1]
        objects = self._sim.snapshot().objects
        for each in self.memory.instances.instances:
            if each.seen is not None:
                self._object_ids[each] = objects[ids[first[each.seen.percept]]].objectId

    def _label(
        self, now: _Utterance, seen: decision.Decision
    ) -> tuple[PlannedStep | None, LabelledDecision]:
        """Return the right step (None if there is none, or none of the plan's) and the label."""
        is_goal = now.said is Wording.GOALS
        if (now.is_astray and now.queue) or (now.is_searching and not now.queue):
            now.queue = self._steps_to_goal(seen) if is_goal else []
            now.is_searching = False
        now.is_astray = False
        if now.queue is None:
            return None, LabelledDecision(seen)
        if not now.queue:
            return None, LabelledDecision(seen, 0, network.NOTHING)
        step = now.queue[0]
        if is_goal and self._searches_where_it_is_hidden(now, seen):
            return self._label(now, seen)
        wanted = next((s.action_key[1] for s in now.queue if s.action_key is not None), None)
        names = map(self._object_ids.get, self.memory.ordered)
        place = next((i for i, name in enumerate(names) if name == wanted), -1)
        target = network.NOTHING if wanted is None else network.NOT_SEEN
        target = network.FIRST_INSTANCE + place if place >= 0 else target
        verb = decision.VERB_IDS[step.step.verb]
        if step.step.click is not None:
            if not 0 <= place < seen.in_view:
                return step, LabelledDecision(seen)
            memory, instance = self.memory.instances, self.memory.ordered[place]
            cell = memory.cell_of(instance, step.step.click)
            return step, LabelledDecision(seen, verb, target, cell, memory.crop(instance))
        if is_goal and target == network.NOT_SEEN:
            found = way_ahead.exploring_verb(seen)
            if found is not None:
                now.has_explored = now.is_astray = True
                return None, LabelledDecision(seen, decision.VERB_IDS[found], target)
            if self._opens_nearest(now, seen, wanted or ""):
                return self._label(now, seen)
        return step, LabelledDecision(seen, verb, target)

    def _things_by_path(self, seen: decision.Decision) -> list[tuple[Instance, state.ObjectState]]:
        """Return the instances and what they are, those with the shortest paths first."""
        snapshot = self._sim.snapshot()
        order: list[int] = np.argsort(seen.features[:, 15], kind="stable").tolist()
        things = (self.memory.ordered[i] for i in order)
        pairs = ((each, snapshot.get(self._object_ids.get(each, ""))) for each in things)
        return [(each, obj) for each, obj in pairs if obj is not None]

    def _steps_to_goal(self, seen: decision.Decision) -> list[PlannedStep] | None:
        """Return the plan's steps, with what is as good in the place of what was meant.

        That is what is held, whatever its state, for nothing else can be known to be meant; else
        what was meant if it was used before, else the nearest.
        """
        snapshot, instead = self._sim.snapshot(), dict[str, str]()
        plan: Any = self._commander.plan
        meant = [own for each in self._commander.meant if (own := snapshot.get(each)) is not None]
        kinds = {own.objectType for own in meant}
        things = self._things_by_path(seen)
        used = {obj.objectId for each, obj in things if each.last_verb is not None}
        for own in meant:
            first = snapshot.held_object(), own if own.objectId in used else None
            for other in (*first, *(obj for _, obj in things)):
                as_good = attrgetter("objectType") if other is first[0] else _state_of
                if other is None or as_good(other) != as_good(own):
                    continue
                places = map(snapshot.get, properties.parent_receptacles_of(other, snapshot))
                if other is own or not any(each and each.objectType in kinds for each in places):
                    instead[own.objectId] = other.objectId
                    break
        ids = ({k: instead.get(v, v) for k, v in _ids_in(skill).items()} for skill in plan)
        swapped = tuple(replace(skill, **own) for skill, own in zip(plan, ids, strict=True))
        is_clear = len(set(instead.values())) == len(instead)
        steps = self._commander.replanned_steps(swapped) if is_clear else None
        return self._commander.replanned_steps(plan) if steps is None else steps

    def _searches_where_it_is_hidden(self, now: _Utterance, seen: decision.Decision) -> bool:
        """Begin to search where the plan opens what holds a thing; it can know that one's type."""
        key = next((each.action_key for each in now.queue or () if each.action_key), None)
        if key is None or key[0] is not Verb.OPEN or key[1] in self._commander.meant:
            return False
        return self._opens_nearest(now, seen, key[1], of_its_kind=True)

    def _opens_nearest(
        self, now: _Utterance, seen: decision.Decision, wanted_id: str, *, of_its_kind: bool = False
    ) -> bool:
        """Begin to open the nearest closed thing that was seen, where something may be in one.

        Or the nearest `of_its_kind`; the one that was chosen before as long as it is closed.
        """
        wanted = self._sim.snapshot().get(wanted_id)
        if now.is_searching or not wanted or not (of_its_kind or wanted.affordances.pickupable):
            return False
        things = self._things_by_path(seen)
        for each, obj in sorted(things, key=lambda thing: thing[1].objectId != now.searched):
            can_hold = obj.affordances.openable and obj.affordances.receptacle
            is_other = of_its_kind and obj.objectType != wanted.objectType
            if not can_hold or is_other or obj.isOpen or each.last_verb is Verb.CLOSE:
                continue
            if steps := self._commander.replanned_steps((Open(obj.objectId),)):
                now.has_explored |= obj is not wanted
                now.queue, now.is_searching, now.searched = steps, True, obj.objectId
                return True
        return False

    def _student_choice(
        self, now: _Utterance, seen: decision.Decision, step: PlannedStep | None, right: Verb
    ) -> policy.Choice:
        """Return what the student does, and note whether that is right."""
        choice = self._policy.decide(self.memory, seen)
        is_right = choice.verb is right
        if is_right and step is not None and choice.instance is not None:
            own = self._object_ids.get(choice.instance)
            is_right = step.action_key is not None and own == step.action_key[1]
        if is_right and step is not None and now.queue:
            now.queue.pop(0)
        elif not is_right:
            now.is_astray = True
            now.mistakes += 1
        return choice if now.mistakes <= MAX_MISTAKES else policy.Choice(Verb.TEXT)
