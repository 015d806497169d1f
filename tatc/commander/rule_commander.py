"""The rule Commander: progress check, problem key, policy, skills, stretch, words.

Whenever the Follower has spoken, the Commander checks the progress, takes the problem keys
in order, and asks the policy of each for plans.  It says the first plan whose steps can
be built.  Where none can, room is made if there was none, and then the PDDL fallback plans the
rest of the task until it has no more to say; after that, obstacles are set aside.  Every stretch
is planned anew, so that a surprise costs one stretch and not the session.  `stretch_wording`
chooses the words; a Follower that cannot see its target is told the primitives.
"""

from collections.abc import Collection

from tatc.base.errors import UsageError
from tatc.commander.decision import Decision
from tatc.commander.knowledge import Knowledge, kinds_named_in
from tatc.commander.oracle import Oracle
from tatc.commander.pddl_fallback import PDDL_KEY, PddlFallback
from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlanFailure, SkillPlan
from tatc.commander.policies import plans_for_key
from tatc.commander.problem_key_order import order_problem_keys
from tatc.commander.protocol import CommanderView
from tatc.commander.recovery import (
    ROOM_FAILURES,
    PlannedStep,
    failed_object_type,
    learn_from_failure,
    recovery_plans,
    spoken_steps_of,
)
from tatc.commander.refusal_memory import MAX_PLAN_REPEATS, MAX_PLANS_TRIED, MAX_RECOVERY_REPEATS
from tatc.commander.rejected_plans import RejectedPlans, describe_plan
from tatc.commander.stretch_wording import steps_answering, word_stretch
from tatc.commander.unnamed_problems import UNNAMED_KEY, plans_without_problem_key
from tatc.home.actions import Action, FailureReport, PrimitiveStep, Role, Utterance, Verb
from tatc.home.short_names import ShortNames
from tatc.language import CannotSee, GiveUp, Meaning, Stretch, TaskDone, Wording, hear, say
from tatc.planners.pddl.problem import SearchEngine
from tatc.tdl import ProblemKey, Progress, Task


class RuleCommander:
    """A Commander that plans with handcrafted policies and falls back on PDDL."""

    knowledge_class = Knowledge
    """The class of its knowledge of the home; a subclass may set another."""
    uses_policies = True
    """Whether policies plan; if not, PDDL plans everything (`PddlCommander`)."""
    uses_fallback = True
    """Whether PDDL plans where the policies cannot (`PoliciesOnlyCommander` does without)."""
    search_engine = SearchEngine.HFF
    """What searches for plans in PDDL (`FastDownwardCommander` has another)."""

    _names: ShortNames
    _fallback: PddlFallback

    def __init__(self, wording: Wording = Wording.ACTIONS) -> None:
        """Make a Commander that speaks in this wording, once `begin` is called."""
        self._wording = wording
        self._known: Knowledge | None = None
        self._spoken_steps: tuple[PlannedStep, ...] = ()
        self._has_ended = False
        self._decisions: list[Decision] = []

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The reasons for this session's utterances, in order."""
        return tuple(self._decisions)

    @property
    def has_ended(self) -> bool:
        """Whether it has said that the task is done or that it gives up."""
        return self._has_ended

    @property
    def stretch(self) -> tuple[PrimitiveStep, ...]:
        """The primitives that the last utterance stands for, in any wording."""
        return tuple(said.step for said in self._spoken_steps)

    @property
    def spoken_steps(self) -> tuple[PlannedStep, ...]:
        """The steps of the last utterance, each with the pose and object that it is meant for."""
        return self._spoken_steps

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a new session of a task in the oracle's home, and forget the last one."""
        self._known = self.knowledge_class(oracle)
        self._known.task_kinds = kinds_named_in(task.definition)
        self._fallback = PddlFallback(task, self.search_engine)
        self._fallback_active = not self.uses_policies
        self._fallback_reason = ""
        self._names = ShortNames(self._known.snapshot)
        self._spoken_steps = ()
        self._learned_reason = ""
        self._unseen_question: CannotSee | None = None
        self._has_ended = False
        self._decisions.clear()

    def act(self, view: CommanderView) -> Action:
        """Return a progress check, or after it the next utterance; Stop at the end."""
        if self._known is None:
            raise UsageError("the Commander acts before it begins", fix="call begin")
        if self._has_ended:
            return Action(Verb.STOP)
        if view.progress is None:
            self._listen(view.utterances, self._known)
            return Action(Verb.OPEN_PROGRESS_CHECK)
        return Action(Verb.TEXT, text=say(self._decide(view.progress, self._known)))

    def _listen(self, utterances: tuple[Utterance, ...], known: Knowledge) -> None:
        known.refresh()
        self._learned_reason, self._unseen_question = "", None
        for utterance in utterances:
            meaning = hear(utterance.text) if utterance.speaker is Role.FOLLOWER else None
            if isinstance(meaning, FailureReport):
                self._learned_reason = learn_from_failure(meaning, self._spoken_steps, known)
            elif isinstance(meaning, CannotSee):
                self._unseen_question = meaning

    def _decide(self, progress: Progress, known: Knowledge) -> Meaning:
        if progress.success:
            return self._end_session(TaskDone(), "the task is complete")
        known.refresh()
        rejected = RejectedPlans()
        known.open_keys = progress.problem_keys()
        keys = order_problem_keys(known.open_keys, known)
        for planning_step in (
            self._speak_planned,
            self._speak_recovery,
            self._speak_optimistic,
            self._forget_and_replan,
        ):
            spoken = planning_step(keys, known, rejected)
            if spoken is not None:
                return spoken
        why, alternatives = rejected.explain(keys, self._names, known.memory), rejected.describe()
        why = f"I could not {why}" if alternatives else why
        return self._end_session(GiveUp(why), rejected.reason(), alternatives)

    def _speak_planned(
        self, keys: tuple[ProblemKey, ...], known: Knowledge, rejected: RejectedPlans
    ) -> Meaning | None:
        """Say what policies or fallback plan; the last speaker first, unless it goes round."""
        goes_round = self.uses_policies and self._fallback.goes_round(known)
        is_first = self._fallback_active and not goes_round
        if is_first and (spoken := self._speak_from_fallback(known, rejected)):
            return spoken
        if self.uses_policies and (spoken := self._speak_from_policies(keys, known, rejected)):
            self._fallback_active = False
            return spoken
        if is_first or not self.uses_fallback:
            return None
        if spoken := self._speak_recovery(keys, known, rejected, ROOM_FAILURES):
            return spoken
        self._fallback_reason = rejected.explain(keys, self._names, known.memory)
        self._fallback_active = bool(spoken := self._speak_from_fallback(known, rejected))
        return spoken

    def _speak_from_policies(
        self,
        keys: tuple[ProblemKey, ...],
        known: Knowledge,
        rejected: RejectedPlans,
        *,
        optimistic: bool = False,
    ) -> Meaning | None:
        for key in keys:
            plans = plans_for_key(key, known)
            if plans is None:
                rejected.add(key, (), PlanFailure(FailureReason.UNACHIEVABLE, key.object_id))
            elif spoken := self._speak_first_possible(
                key, plans, known, rejected, optimistic=optimistic
            ):
                return spoken
        if keys:
            return None
        plans = plans_without_problem_key(known)
        return self._speak_first_possible(UNNAMED_KEY, plans, known, rejected)

    def _speak_from_fallback(self, known: Knowledge, rejected: RejectedPlans) -> Meaning | None:
        found = self._fallback.build_stretch(known)
        for failure in found.failures:
            rejected.add(PDDL_KEY, (), failure)
        if found.builder is None:
            return None
        known.memory.last_plan = ()
        return self._speak(found.builder, PDDL_KEY, found.plan, found.rejected)

    def _speak_recovery(
        self,
        keys: tuple[ProblemKey, ...],
        known: Knowledge,
        rejected: RejectedPlans,
        reasons: Collection[FailureReason] = tuple(FailureReason),
    ) -> Meaning | None:
        """Remove an obstacle that made plans fail for some reasons, for the first keys first."""
        for key, failure in rejected.failures():
            if failure.reason not in reasons:
                continue
            plans = recovery_plans(failure, key, known)
            if spoken := self._speak_first_possible(
                key, plans, known, rejected, repeats=MAX_RECOVERY_REPEATS
            ):
                known.memory.recovery_counts[failed_object_type(failure, known)] += 1
                known.memory.prioritize(key.object_type)
                return spoken
        return None

    def _speak_optimistic(
        self, keys: tuple[ProblemKey, ...], known: Knowledge, rejected: RejectedPlans
    ) -> Meaning | None:
        """Try plans that are predicted to fail, since predictions may be wrong."""
        if not self.uses_policies:
            return None
        return self._speak_from_policies(keys, known, rejected, optimistic=True)

    def _forget_and_replan(
        self, keys: tuple[ProblemKey, ...], known: Knowledge, rejected: RejectedPlans
    ) -> Meaning | None:
        """Forget all refusals, since some may have been chance, and plan again."""
        if not known.memory.forget_refusals():
            return None
        known.failed_searches.clear()
        known.refresh()
        return self._speak_planned(keys, known, rejected)

    def _speak_first_possible(
        self,
        key: ProblemKey,
        plans: tuple[SkillPlan, ...],
        known: Knowledge,
        rejected: RejectedPlans,
        *,
        optimistic: bool = False,
        repeats: int = MAX_PLAN_REPEATS,
    ) -> Meaning | None:
        """Say the first plan whose steps can be built; return None where there is none."""
        for plan in plans[:MAX_PLANS_TRIED]:
            if known.memory.plan_counts[plan] >= repeats:
                rejected.add(key, plan, PlanFailure(FailureReason.REPEATED_TOO_OFTEN))
                continue
            builder = PlanBuilder(known, optimistic=optimistic)
            failure = builder.add_plan(plan)
            if builder.steps and (failure is None or failure.is_temporary):
                known.memory.count_plan(plan)
                return self._speak(builder, key, plan, rejected.describe())
            rejected.add(key, plan, failure)
        return None

    def _speak(
        self, builder: PlanBuilder, key: ProblemKey, plan: SkillPlan, rejected: tuple[str, ...]
    ) -> Meaning:
        if self._unseen_question is None:
            steps = tuple(builder.steps)
            meaning = self.choose_words(steps, builder, plan, key)
        else:
            steps = tuple(steps_answering(self._unseen_question, builder.steps))
            meaning = Stretch(steps)
        self._spoken_steps = spoken_steps_of(builder)[: len(steps)]
        named = key if key.object_id else None
        fallback_reason = self._fallback_reason if key is PDDL_KEY else ""
        self._decisions.append(Decision(
            say(meaning), named, policy=key.property_name, skill=describe_plan(plan),
            reason=self._learned_reason, alternatives=rejected, cost=len(steps),
            fallback_reason=fallback_reason,
        ))  # fmt: skip
        return meaning

    def choose_words(
        self,
        steps: tuple[PrimitiveStep, ...],
        builder: PlanBuilder,
        plan: SkillPlan,
        key: ProblemKey,
    ) -> Meaning:
        """Return what to say for a builder's steps; a subclass may word them otherwise."""
        return word_stretch(self._wording, steps, builder, plan, key)

    def _end_session(self, meaning: Meaning, why: str, rejected: tuple[str, ...] = ()) -> Meaning:
        self._has_ended = True
        self._spoken_steps = ()
        self._decisions.append(Decision(say(meaning), None, "", "", why, rejected, 0))
        return meaning


# Rule Commanders that plan with PDDL alone, in one of two engines, or with policies alone.


class PddlCommander(RuleCommander):
    """A Commander that plans whole tasks in PDDL, without any policy."""

    uses_policies = False


class FastDownwardCommander(PddlCommander):
    """A Commander that plans whole tasks in PDDL, with Fast Downward as the engine."""

    search_engine = SearchEngine.FAST_DOWNWARD


class PoliciesOnlyCommander(RuleCommander):
    """A Commander without the PDDL fallback: where its policies have no plan, it gives up."""

    uses_fallback = False
