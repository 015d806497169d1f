"""The rule planner: progress in, plan out.

`RulePlanner.next_stretch` takes the problem keys in order and asks the policy of each for plans.
The first plan whose steps can be built is the next stretch.  Where none can, the planner makes room
if room was lacking; then the PDDL fallback plans the rest of the task as long as it can; after
that, obstacles are set aside.  Every stretch is planned anew, so that a surprise costs one stretch
and not the session.  Nothing is said or heard here: `rule_commander` words the stretches for a
Follower, and the listener plans its own.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf

from tatc.commander import knowledge, oracle, pddl_fallback, plan_builder, policies, recovery
from tatc.commander.skills.cut import Cut
from tatc.home import actions, state, type_facts
from tatc.language.skill_wording import explain
from tatc.planners import properties, snapshot_view
from tatc.planners.pddl.problem import SearchEngine
from tatc.tdl import ProblemKey, Progress, Task

UNNAMED_KEY = ProblemKey("", "", "a", "unnamed", None)
"""The problem key where a progress check names no object."""
CROWDED_SHARE = 0.1
"""If objects are to cover more of a receptacle's box than this, the largest are put there first."""
_TIMES = {1: "once", 2: "twice"}


@dataclass(frozen=True, slots=True)
class PlannedStretch:
    """The next steps in the home of `view`, their skills, and why: a decision still unworded."""

    steps: plan_builder.PlannedSteps
    plan: plan_builder.SkillPlan
    view: snapshot_view.SnapshotView
    decision: oracle.Decision


@dataclass(frozen=True, slots=True)
class NoStretch:
    """Why nothing more is planned, in English unless the task is complete; not yet said."""

    is_complete: bool
    explanation: str  # "" if it is complete
    decision: oracle.Decision


class RulePlanner:
    """Plans one session of a task with handcrafted policies, and falls back on PDDL."""

    def __init__(
        self,
        known: knowledge.Knowledge,
        task: Task,
        *,
        uses_policies: bool = True,
        uses_fallback: bool = True,
        engine: SearchEngine = SearchEngine.HFF,
    ) -> None:
        """Plan with policies, and PDDL (this engine) where they cannot, or with PDDL alone."""
        self.known = known
        known.task_kinds = frozenset(knowledge.kinds_named_in(task.definition))
        self.last_steps: plan_builder.PlannedSteps = ()
        """The steps that are being carried out, of which a failure may be reported."""
        self._uses_policies, self._uses_fallback = uses_policies, uses_fallback
        self._fallback = pddl_fallback.PddlFallback(task, engine)
        self._fallback_active = not uses_policies
        self._fallback_reason, self._policies_rejected = "", tuple[str, ...]()
        self._names = state.ShortNames(known.snapshot)
        self._lesson = ""
        self._is_thorough = True
        self._keys: tuple[ProblemKey, ...] = ()
        self._rejected = RejectedPlans()
        self._said: _Planned | None = None
        self._begun: tuple[_Planned, int] | None = None
        """A plan that was asked about, and how many clicks it may have if it goes on."""
        self._goes_on = False  # a plan that does is counted where its end is told

    def learn(self, failure: actions.FailureReport) -> None:
        """Learn from a failed step of the last stretch; the next decision names the lesson."""
        self.known.refresh()
        self._begun = None
        self._lesson = recovery.learn_from_failure(failure, self.last_steps, self.known)

    def take_back(self) -> None:
        """Count the last stretch as not said: it was asked about before anything was done."""
        if not self._goes_on:
            self.known.memory.uncount_plan()
        self._fallback.take_back(self.known)
        self._begin(0)

    def tell_part(self, steps: plan_builder.PlannedSteps) -> None:
        """Take these first steps of the last stretch as all that is said of it now."""
        is_part = len(steps) < len(self.last_steps)
        self.last_steps = steps
        if is_part:
            self._begin(_count_clicks(steps))
        elif self._goes_on and self._said is not None:
            self.known.memory.count_plan(self._said[2])

    def _begin(self, done: int) -> None:
        """Let the policies' plan that was said go on next, once so many of its clicks are done."""
        said = self._said
        if said is not None and said[1] is not pddl_fallback.PDDL_KEY:
            self._begun = said, _count_clicks(said[0].steps) - done

    def next_stretch(
        self, progress: Progress, *, thorough: bool = True
    ) -> PlannedStretch | NoStretch:
        """Return the next stretch with its decision, or why there is none.

        If it is not `thorough`, only policies are asked, and the fallback if it planned the last
        stretch: no recovery, no hopeless try, nothing forgotten.
        """
        lesson, self._lesson = self._lesson, ""
        if progress.success:
            self.last_steps, why = (), "the task is complete"
            return NoStretch(True, "", oracle.Decision("", None, "", "", why, (), 0))
        self.known.refresh()
        self._is_thorough, self._rejected = thorough, RejectedPlans()
        self.known.open_keys = progress.problem_keys()
        self._keys = order_problem_keys(self.known.open_keys, self.known)
        planned = self._go_on()
        self._goes_on = planned is not None
        planned = planned or self._plan()
        if planned is None and thorough:
            planned = self._recover()
            if planned is None and self._uses_policies:  # predictions of failure may be wrong
                planned = self._plan_with_policies(optimistic=True)
            planned = planned or self._forget_and_replan()
        if planned is None:
            return self._give_up()
        self._said = builder, key, plan, alternatives = planned
        self.last_steps, is_pddl = tuple(builder.steps), key is pddl_fallback.PDDL_KEY
        decision = oracle.Decision(
            "", key if key.object_id else None, policy=key.property_name,
            skill=plan_builder.describe_plan(plan), reason=lesson, cost=len(builder.steps),
            alternatives=(*(self._policies_rejected if is_pddl else ()), *alternatives),
            fallback_reason=self._fallback_reason if is_pddl else "",
        )  # fmt: skip
        return PlannedStretch(self.last_steps, plan, self.known.view, decision)

    def _go_on(self) -> "_Planned | None":
        """Build the plan that was asked about anew, if what is left of it is no more than it was.

        What made it possible may be gone on the way: a plan may be one that only hope allows.
        """
        begun, self._begun = self._begun, None
        if begun is None or begun[0][1] not in self._keys:
            return None
        (before, key, plan, alternatives), most = begun
        builder = plan_builder.PlanBuilder(self.known, optimistic=before.optimistic)
        failure = builder.add_plan(plan)
        is_possible = builder.steps and (failure is None or failure.is_temporary)
        if not is_possible or _count_clicks(builder.steps) > most:
            return None
        return builder, key, plan, alternatives

    def _give_up(self) -> NoStretch:
        self.last_steps = ()
        why, alternatives = self._explain_rejected(), self._rejected.describe()
        why = f"I could not {why}" if alternatives else why
        reason = alternatives[0] if alternatives else "no policy knows what to change"
        decision = oracle.Decision("", None, "", "", reason, alternatives, 0)
        return NoStretch(False, why, decision)

    def _explain_rejected(self) -> str:
        return self._rejected.explain(self._keys, self._names, self.known.memory)

    def _plan(self) -> "_Planned | None":
        """Plan with policies or fallback; what planned last comes first, unless it goes round."""
        goes_round = self._uses_policies and self._fallback.goes_round(self.known)
        is_first = self._fallback_active and not goes_round
        if is_first and (planned := self._plan_with_fallback()):
            return planned
        if self._uses_policies and (planned := self._plan_with_policies()):
            self._fallback_active = False
            return planned
        if is_first or not (self._uses_fallback and self._is_thorough):
            return None
        if planned := self._recover(recovery.ROOM_FAILURES):
            return planned
        self._fallback_reason = self._explain_rejected()
        self._policies_rejected = self._rejected.describe_by_key(self._keys)
        planned = self._plan_with_fallback()
        self._fallback_active = planned is not None
        return planned

    def _plan_with_policies(self, *, optimistic: bool = False) -> "_Planned | None":
        for key in self._keys:
            plans = policies.plans_for_key(key, self.known)
            if plans is None:
                self._rejected.add(
                    key,
                    (),
                    plan_builder.PlanFailure(
                        plan_builder.FailureReason.UNACHIEVABLE, key.object_id
                    ),
                )
            elif planned := self._build_first_possible(key, plans, optimistic=optimistic):
                return planned
        if self._keys:
            return None
        plans = plans_without_problem_key(self.known)
        return self._build_first_possible(UNNAMED_KEY, plans)

    def _plan_with_fallback(self) -> "_Planned | None":
        found = self._fallback.build_stretch(self.known)
        for failure in found.failures:
            self._rejected.add(pddl_fallback.PDDL_KEY, (), failure)
        if found.builder is None:
            return None
        self.known.memory.last_plan = ()
        return found.builder, pddl_fallback.PDDL_KEY, found.plan, found.rejected

    def _recover(
        self, reasons: Collection[plan_builder.FailureReason] = tuple(plan_builder.FailureReason)
    ) -> "_Planned | None":
        """Remove an obstacle that made plans fail for some reasons, for the first keys first."""
        known = self.known
        for key, failure in self._rejected.failures():
            if failure.reason not in reasons:
                continue
            plans = recovery.recovery_plans(failure, key, known)
            most = knowledge.MAX_RECOVERY_REPEATS
            if planned := self._build_first_possible(key, plans, repeats=most):
                known.memory.recovery_counts[recovery.failed_object_type(failure, known)] += 1
                known.memory.prioritize(key.object_type)
                return planned
        return None

    def _forget_and_replan(self) -> "_Planned | None":
        """Forget all refusals, since some may have been chance, and plan again."""
        if not self.known.memory.forget_refusals():
            return None
        self.known.failed_searches.clear()
        self.known.refresh()
        return self._plan()

    def _build_first_possible(
        self,
        key: ProblemKey,
        plans: plan_builder.Plans,
        *,
        optimistic: bool = False,
        repeats: int = knowledge.MAX_PLAN_REPEATS,
    ) -> "_Planned | None":
        """Build the first plan whose steps can be; return None where there is none."""
        known, rejected = self.known, self._rejected
        for plan in plans[: knowledge.MAX_PLANS_TRIED]:
            if known.memory.plan_counts[plan] >= repeats:
                why = plan_builder.FailureReason.REPEATED_TOO_OFTEN
                rejected.add(key, plan, plan_builder.PlanFailure(why))
                continue
            builder = plan_builder.PlanBuilder(known, optimistic=optimistic)
            failure = builder.add_plan(plan)
            if builder.steps and (failure is None or failure.is_temporary):
                known.memory.count_plan(plan)
                return builder, key, plan, rejected.describe()
            rejected.add(key, plan, failure)
        return None


_Planned = tuple[plan_builder.PlanBuilder, ProblemKey, plan_builder.SkillPlan, tuple[str, ...]]
"""A plan that was built, its key, and descriptions of the plans that were rejected before it."""


def _count_clicks(steps: Sequence[plan_builder.PlannedStep]) -> int:
    return sum(each.step.click is not None for each in steps)


def order_problem_keys(
    keys: tuple[ProblemKey, ...], known: knowledge.Knowledge
) -> tuple[ProblemKey, ...]:
    """Return the keys in the order to try them: by the property's rank, then the nearest object.

    Within a rank, types that room was made for come first, the latest before the others: what was
    set aside for it would else take its room again.  Where one receptacle is to hold so much that
    it will be crowded, the largest objects come first.  All other keys of an object
    that is to be cut are left out: its slices will be cooked or put in place.
    """
    to_cut = {key.object_id for key in keys if key.property_name == "objectType"}
    kept = (key for key in keys if key.property_name == "objectType" or key.object_id not in to_cut)
    crowded = _crowded_receptacles(keys, known)

    def order(key: ProblemKey) -> tuple[int, int, float, float]:
        obj = known.view.get(key.object_id)
        distance = inf if obj is None else known.view.distance_to(obj)
        priority = known.memory.priority_of(key.object_type)
        area = 0.0 if obj is None or key.targets not in crowded else obj.box.area
        return properties.facts_of(key.property_name).rank, -priority, -area, distance

    return tuple(sorted(kept, key=order))


def _crowded_receptacles(
    keys: tuple[ProblemKey, ...], known: knowledge.Knowledge
) -> frozenset[tuple[str, ...]]:
    """Return the targets, each of one receptacle, that the objects wanted there will crowd."""
    wanted: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for key in keys:
        obj = known.view.get(key.object_id)
        if len(key.targets) == 1 and key.determiner == "all" and obj is not None:
            wanted[key.targets] += obj.box.area
    places = {targets: known.view.get(targets[0]) for targets in wanted}
    room = {targets: place.box.area for targets, place in places.items() if place is not None}
    return frozenset(each for each in room if wanted[each] > CROWDED_SHARE * room[each])


def plans_without_problem_key(known: knowledge.Knowledge) -> plan_builder.Plans:
    """Return plans for a task that is not done though its progress check names no object.

    Where several slices are wanted, TEACh's check is content with one whole food, because one
    whole gives many slices (spec section 3.5).  With one slice there already, and a whole that is
    as the slices should be, it names no object.  Then a whole food of which there are slices is
    cut, cooked ones first.
    """

    def has_slices(obj: state.ObjectState) -> bool:
        if not obj.affordances.sliceable or obj.isSliced:
            return False
        slice_type = type_facts.SLICE_TYPE_BY_WHOLE.get(obj.objectType)
        return slice_type is not None and bool(known.snapshot.of_type(slice_type))

    ranked = sorted(known.view.find_objects(where=has_slices), key=lambda t: not t.simbotIsCooked)
    return tuple((Cut(obj.objectId),) for obj in ranked)


class RejectedPlans:
    """The plans that could not be built for one utterance, and why."""

    def __init__(self) -> None:
        """Start without rejected plans."""
        self._rejected: list[
            tuple[ProblemKey, plan_builder.SkillPlan, plan_builder.PlanFailure | None]
        ] = []

    def add(
        self, key: ProblemKey, plan: plan_builder.SkillPlan, why: plan_builder.PlanFailure | None
    ) -> None:
        """Add a plan for a key and why it failed (None: it has no step left to do)."""
        self._rejected.append((key, plan, why))

    def failures(self) -> tuple[tuple[ProblemKey, plan_builder.PlanFailure], ...]:
        """Return each distinct failure with the first key that met it."""
        first: dict[plan_builder.PlanFailure, ProblemKey] = {}
        for key, _, failure in self._rejected:
            if failure is not None:
                first.setdefault(failure, key)
        return tuple((key, failure) for failure, key in first.items())

    def describe(self) -> tuple[str, ...]:
        """Return a line for each plan, in the order of trying."""
        described = plan_builder.describe_plan
        return tuple(
            f"{described(plan) or key.property_name}: {failure or 'nothing to add'}"
            for key, plan, failure in self._rejected
        )

    def describe_by_key(self, keys: tuple[ProblemKey, ...]) -> tuple[str, ...]:
        """Return a line for each plan of each key, with why not, and for each key without one."""
        lines: list[str] = []
        for key in keys:
            head = f"{key.property_name} of {key.object_id or 'an object'}"
            tried = [(p, failure) for other, p, failure in self._rejected if other == key]
            for plan, failure in tried:
                parts = head, plan_builder.describe_plan(plan), str(failure or "nothing to add")
                lines.append(": ".join(filter(None, parts)))
            if not tried:
                lines.append(f"{head}: its policy has no plan")
        return tuple(lines)

    def explain(
        self, keys: tuple[ProblemKey, ...], names: state.ShortNames, memory: knowledge.RefusalMemory
    ) -> str:
        """Return in plain English why none of the problem keys could be planned for."""
        if not self._rejected:
            if not keys:
                return "nothing is named that policies could change"
            name = names.name_of(keys[0].object_id)
            return f"the policy of {keys[0].property_name} has no plan for {name}"
        key, plan, failure = self._rejected[0]
        change = f"change {key.property_name} of {key.object_id or 'an object'}"
        is_rest = key.property_name == oracle.PDDL_POLICY
        what = plan_builder.describe_plan(plan) or ("plan the rest" if is_rest else change)
        return explain(names, f"{what}: {_describe_failure(failure, memory)}")


def _describe_failure(
    failure: plan_builder.PlanFailure | None, memory: knowledge.RefusalMemory
) -> str:
    if failure is None:
        return "nothing is left to do for it"
    why = str(failure.reason)
    if failure.reason is plan_builder.FailureReason.REFUSED:
        count = memory.count_refusals_on(failure.object_id)
        why = f"refused {_TIMES.get(count, f'{count} times')}" if count else why
    return f"{why} ({failure.object_id})" if failure.object_id else why
