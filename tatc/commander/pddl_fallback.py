"""The fallback: plan the whole task in PDDL, and turn the plan into skills.

It plans where a policy is missing or has no plan left, and plans whole tasks with
`--planner pddl`.  A plan that is valid in the domain may still be refused: by the world, as the
Commander's memory knows, or by a skill that finds no viewpoint.  Both become facts of the
next problem, and the rest of the task is planned anew.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass

from tatc.commander import knowledge, oracle, plan_builder
from tatc.commander.skills import appliances, cut, hold
from tatc.home import actions, state, type_facts
from tatc.planners.pddl.goal_selection import GoalSelection, select_goals
from tatc.planners.pddl.problem import Atom, PlanStep, SearchEngine, SearchVerdict
from tatc.planners.pddl.problem_writer import write_problem
from tatc.planners.properties import goals_by_predicate
from tatc.planners.snapshot_view import PlanningView, RefusedInteraction
from tatc.tdl import ProblemKey, Task
from tatc.tdl.properties import parent_receptacles_of

PDDL_KEY = ProblemKey("", "", "a", oracle.PDDL_POLICY, None)
"""The problem key of the fallback, which plans the whole task."""
MAX_REPLANS = 12  # PDDL problems written for one utterance, at most
MAX_SKILLS_AHEAD = 8  # skills of a plan that one stretch takes, at most
MAX_PDDL_PLAN_REPEATS = 8  # times that the same PDDL plan may come again in a session, at most
MAX_MISSED_PLACEMENTS = 2
"""Times that an object may land beside a receptacle before that counts as refused."""
_CREATES_SECOND_ARGUMENT = ("crack", "crack-in")
GuardedSkill = tuple[plan_builder.Skill, RefusedInteraction | None]
"""A skill, and the fact for the next problem if the skill is refused (None for none)."""


@dataclass(frozen=True, slots=True)
class PlanPrefix:
    """A skill that plans the first of these skills, and as many more as can be predicted."""

    guarded_skills: tuple[GuardedSkill, ...]

    def plan(self, builder: plan_builder.PlanBuilder) -> plan_builder.PlanFailure | None:
        """Plan the skills one by one; after the first step, a failure only ends the stretch."""
        before = len(builder.steps)
        for skill, _ in self.guarded_skills:
            failure = builder.add_plan((skill,))
            if failure is not None:
                if len(builder.steps) > before:
                    return plan_builder.PlanFailure(plan_builder.FailureReason.UNCERTAIN)
                return failure
        return None

    def first_refusal(self, known: knowledge.Knowledge) -> RefusedInteraction | None:
        """Return the fact to assume because of the first skill that cannot be planned, or None."""
        builder = plan_builder.PlanBuilder(known)
        guarded = self.guarded_skills
        return next((fact for skill, fact in guarded if builder.add_plan((skill,))), None)

    def __repr__(self) -> str:
        """Return its skills as text."""
        return plan_builder.describe_plan(tuple(skill for skill, _ in self.guarded_skills))


@dataclass(frozen=True, slots=True)
class FallbackPlan:
    """The fallback's answer: the builder of a stretch and its plan, or None and () without one.

    `rejected` describes the plans that were valid in PDDL but could not be built, and `failures`
    holds why.
    """

    builder: plan_builder.PlanBuilder | None
    plan: plan_builder.SkillPlan
    rejected: tuple[str, ...]
    failures: tuple[plan_builder.PlanFailure, ...]


class PddlFallback:
    """Plans one task over a session, and keeps its choices and its last plan."""

    def __init__(self, task: Task, engine: SearchEngine = SearchEngine.HFF) -> None:
        """Plan for this task, with this engine."""
        self._engine = engine
        self._definition = task.definition
        self._choices: dict[str, str] = {}
        self._last_plan: tuple[PlanStep, ...] = ()
        self._last_skills: tuple[GuardedSkill, ...] = ()
        self._last_snapshot: state.Snapshot | None = None
        self._missed_placements: Counter[RefusedInteraction] = Counter()
        self._plan_counts: Counter[tuple[PlanStep, ...]] = Counter()
        self._full_receptacles: dict[RefusedInteraction, tuple[str, ...]] = {}
        self._states: set[Hashable] = set()
        self.reason = ""

    def next_plan(
        self, known: knowledge.Knowledge, refusals: Collection[RefusedInteraction] = ()
    ) -> PlanPrefix | None:
        """Return the first skills of a plan for the rest of the task; None where there is none.

        `reason` then says why.  Interactions that the memory of `known` has ruled out count as
        refused, and so do `refusals`, such as those of a plan that found no viewpoint.
        """
        self._count_missed_placements(known)
        self.reason = ""
        for fact in refusals:
            if fact.verb is actions.Verb.PLACE:
                self._full_receptacles[fact] = _content_ids(fact.target_id, known)
        facts = {*refusals, *current_refusals(known), *self._learned_refusals(known)}
        for _ in range(MAX_REPLANS):
            view = PlanningView(known.snapshot, facts)
            selection = select_goals(self._definition, view, self._choices)
            if selection.unavailable:
                self.reason = self.reason or selection.unavailable[0]
                return None
            blame = self._replan(view, selection)
            if not blame:
                break
            if blame <= facts:
                return None
            facts |= blame
        self._last_skills = tuple(skills_of_plan(self._last_plan, known))[: self._max_skills()]
        return PlanPrefix(self._last_skills) if self._last_skills else None

    def build_stretch(self, known: knowledge.Knowledge) -> FallbackPlan:
        """Return the next stretch; where a plan cannot be built, assume a refusal and replan."""
        facts: set[RefusedInteraction] = set()
        rejected: list[str] = []
        failures: list[plan_builder.PlanFailure] = []
        for _ in range(MAX_REPLANS):
            prefix = self.next_plan(known, facts)
            if prefix is None:
                break
            builder = plan_builder.PlanBuilder(known)
            failure = builder.add_plan((prefix,))
            if builder.steps and (failure is None or failure.is_temporary):
                self._states.add(_state_of_things(known))
                return FallbackPlan(builder, (prefix,), tuple(rejected), tuple(failures))
            rejected.append(f"{prefix!r}: {failure or 'nothing to add'}")
            if failure is not None:
                failures.append(failure)
            fact = prefix.first_refusal(known)
            if fact is None or fact in facts:
                break
            facts.add(fact)
        return FallbackPlan(None, (), tuple(rejected), tuple(failures))

    def goes_round(self, known: knowledge.Knowledge) -> bool:
        """Return whether all things are as they were when an earlier stretch was planned."""
        return _state_of_things(known) in self._states

    def take_back(self, known: knowledge.Knowledge) -> None:
        """Forget how all things were at the last stretch, which was not carried out."""
        self._states.discard(_state_of_things(known))

    def _max_skills(self) -> int:
        """Return how many skills to say: fewer each time the same plan comes again.

        A wrong prediction (an object put down that hides the next one) is noticed sooner
        when fewer skills are said at once.
        """
        repeats = self._plan_counts[self._last_plan]
        if repeats > MAX_PDDL_PLAN_REPEATS:
            self.reason = "the same plan comes again and again"
            return 0
        return max(1, MAX_SKILLS_AHEAD >> repeats)

    def _count_missed_placements(self, known: knowledge.Knowledge) -> None:
        """Count the objects that were placed and came to lie elsewhere."""
        before, self._last_snapshot = self._last_snapshot, known.snapshot
        moves, self._last_skills = self._last_skills, ()
        if before is None or before is known.snapshot:
            return
        self._plan_counts[self._last_plan] += 1
        for skill, fact in moves:
            if not isinstance(skill, hold.PlaceIn) or fact is None:
                continue
            was, now = before.get(fact.held_id), known.snapshot.get(fact.held_id)
            if was is None or now is None or now.isPickedUp:
                continue
            moved = now.simbotLastParentReceptacle == fact.target_id or now.position != was.position
            if moved and fact.target_id not in parent_receptacles_of(now, known.snapshot):
                self._missed_placements[fact] += 1

    def _learned_refusals(self, known: knowledge.Knowledge) -> Iterator[RefusedInteraction]:
        """Yield placements that keep missing, and those refused with the same contents as now."""
        for fact, count in self._missed_placements.items():
            if count >= MAX_MISSED_PLACEMENTS:
                yield fact
        for fact, inside in self._full_receptacles.items():
            if _content_ids(fact.target_id, known) == inside:
                yield fact

    def _replan(self, view: PlanningView, selection: GoalSelection) -> set[RefusedInteraction]:
        """Plan for the selected goals; where that fails, return refusals that explain it."""
        from tatc.planners.pddl.planner import solve_problem  # pddlpy takes 0.1 s to import

        problem = write_problem(view, selection)
        before = problem.steps_with_names(self._last_plan)
        solution = solve_problem(problem, engine=self._engine, previous_steps=before)
        self._last_plan = problem.steps_with_ids(solution.steps)
        if solution.verdict is SearchVerdict.PLAN_FOUND:
            self._choices = dict(selection.choices)
            return set()
        self.reason, self._choices = self.reason or solution.reason, {}
        ids = dict(problem.ids)
        unreachable = [(a[0], *(ids[n] for n in a[1:])) for a in solution.unreachable_goals]
        return {_refusal_explaining(atom, view) for atom in unreachable}


def current_refusals(known: knowledge.Knowledge) -> Iterator[RefusedInteraction]:
    """Yield refusals that still hold: a full place is tried again once something is taken away."""
    for verb, target, held, inside in sorted(known.memory.ruled_out):
        if verb is actions.Verb.PLACE and _content_ids(target, known) != inside:
            continue
        yield RefusedInteraction.of(verb, target, held)


def _state_of_things(known: knowledge.Knowledge) -> Hashable:
    """Return where every portable object is, and what state it is in."""
    return frozenset(
        (t.objectId, t.parentReceptacles, t.isPickedUp, t.isSliced, t.isDirty, t.isCooked)
        for t in known.snapshot.objects
        if t.affordances.pickupable
    )


def _content_ids(object_id: str, known: knowledge.Knowledge) -> tuple[str, ...]:
    obj = known.snapshot.get(object_id)
    inside = known.view.contents_of(obj) if obj is not None else ()
    return tuple(t.objectId for t in inside)


def _refusal_explaining(atom: Atom, view: PlanningView) -> RefusedInteraction:
    """Return the refusal that is assumed to make a fact unreachable."""
    if atom[0] == "in" and view.is_allowed(actions.Verb.PLACE, atom[2], atom[1]):
        return RefusedInteraction(actions.Verb.PLACE, atom[2], atom[1])
    goal = goals_by_predicate().get(atom[0])
    verb = None if goal is None else goal.verb
    return RefusedInteraction(verb or actions.Verb.PICKUP, atom[1])


def skills_of_plan(steps: Sequence[PlanStep], known: knowledge.Knowledge) -> Iterator[GuardedSkill]:
    """Yield a plan's guarded skills, up to a step on an object that does not exist yet."""
    last: GuardedSkill | None = None
    for step in steps:
        created = step.args[1:2] if step.action in _CREATES_SECOND_ARGUMENT else ()
        if any(known.snapshot.get(n) is None for n in step.args if n not in created):
            return
        for skill in skills_of_step(step, known):
            if skill != last:
                yield skill
            last = skill


def skills_of_step(step: PlanStep, known: knowledge.Knowledge) -> tuple[GuardedSkill, ...]:
    """Return the skills that a step of a PDDL plan becomes."""
    item, *others = step.args
    match step.action:
        case "rinse" | "fill" | "wash":
            return _rinse(step.args, known)
        case "open-door":
            obj = known.snapshot.get(item)
            holds = obj is not None and obj.affordances.receptacle
            skill = hold.Open(item) if holds else appliances.OpenClose(item, is_open=True)
            return ((skill, RefusedInteraction(actions.Verb.OPEN, item)),)
        case "slice" | "crack" | "crack-in":
            knives = {knife.objectId for knife in known.snapshot.of_type(*type_facts.KNIFE_TYPES)}
            knife = next(name for name in others if name in knives)
            return ((cut.Cut(item), RefusedInteraction(actions.Verb.SLICE, item, knife)),)
        case _:
            return (_skill_of_step(step.action, *step.args),)


def _skill_of_step(action: str, *args: str) -> GuardedSkill:
    """Return the skill of an action that needs nothing but its arguments."""
    refused = RefusedInteraction
    match action, args:
        case "pick-up" | "take" | "take-out" | "take-piece", (item, *_):
            return hold.Hold(item), refused(actions.Verb.PICKUP, item)
        case "put" | "put-in" | "put-in-water", (item, place):
            return hold.PlaceIn(item, place), refused(actions.Verb.PLACE, place, item)
        case "close-door", (obj,):
            return appliances.OpenClose(obj, is_open=False), refused(actions.Verb.CLOSE, obj)
        case "switch-on" | "switch-off", (device,):
            return _switch(device, on=action == "switch-on")
        case "pour-out" | "pour-into", (vessel, target):
            return appliances.PourOn(vessel, target), refused(actions.Verb.POUR, target, vessel)
        case "brew" | "toast" | "cook-in-microwave" | "boil-in-microwave", (*_, item, appliance):
            # To boil, the bowl with the food is heated.
            return appliances.HeatIn(item, appliance), refused(actions.Verb.TOGGLE_ON, appliance)
        case "cook-on-burner" | "boil", (_, vessel, burner, knob):
            return appliances.HeatOn(vessel, burner), refused(actions.Verb.TOGGLE_ON, knob)
        case "cool-in-fridge", (item, fridge):
            return appliances.CoolIn(item, fridge), refused(actions.Verb.CLOSE, fridge)
        case _:
            assert action == "put-down", action
            return hold.PutDown(), None


def _switch(device: str, *, on: bool) -> GuardedSkill:
    verb = actions.Verb.TOGGLE_ON if on else actions.Verb.TOGGLE_OFF
    return appliances.Switch(device, on=on), RefusedInteraction(verb, device)


def _rinse(args: tuple[str, ...], known: knowledge.Knowledge) -> tuple[GuardedSkill, ...]:
    """Turn on the faucet; off and on again if it already runs over the item."""
    item, sink, faucet = args
    obj, tap = known.snapshot.get(item), known.snapshot.get(faucet)
    inside = obj is not None and sink in (p.objectId for p in known.view.receptacles_of(obj))
    run = _switch(faucet, on=True)
    if inside and tap is not None and tap.isToggled:
        return _switch(faucet, on=False), run
    return (run,)
