"""The fallback: plan the whole task in PDDL, and turn the plan into skills.

It serves where a policy is missing or its alternatives are spent, and plans whole tasks
by itself (`--planner pddl`).  A plan that the domain calls valid may yet be refused: by
the world, which the Commander's memory knows, or by a skill that finds no place to
stand.  Both become facts of the next problem, and what is left is planned anew.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tatc.actions import Verb
from tatc.commander.draft import Draft, Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.moves import Move, moves_of
from tatc.commander.refused import names
from tatc.commander.skills.place import PlaceIn
from tatc.commander.trouble import Reason, Trouble
from tatc.planners.pddl.aims import Aims, aims_of
from tatc.planners.pddl.home import Home, Refusal
from tatc.planners.pddl.problem import Atom, Step, Verdict
from tatc.planners.pddl.writing import write_problem
from tatc.state import Snapshot
from tatc.tdl import Task
from tatc.tdl.properties import parents_of

REPLANS = 12
"""Problems written for one utterance at most."""
AHEAD = 8
"""Skills of a plan that one stretch tries to hold."""
ROUNDS = 8
"""How often one and the same plan may come again."""
MISSES = 2
"""How often a thing may land beside a place before the place counts as refused."""


@dataclass(frozen=True, slots=True)
class AsFarAs:
    """The first of these moves, and as many more as can be foreseen."""

    moves: tuple[Move, ...]

    def plan(self, draft: Draft) -> Trouble | None:
        """Plan the skills one by one; only the first that has a step must succeed."""
        before = len(draft.steps)
        for skill, _ in self.moves:
            trouble = draft.run((skill,))
            if trouble is not None:
                begun = len(draft.steps) > before
                return Trouble(Reason.UNCERTAIN) if begun else trouble
        return None

    def __repr__(self) -> str:
        """Read as its skills."""
        return ", ".join(repr(skill) for skill, _ in self.moves)


@dataclass(frozen=True, slots=True)
class Drafted:
    """What the fallback came to: a draft to be said, or why there is none.

    `refused` are the plans that were valid and could not be carried out, in words, and
    `troubles` what stood in their way.
    """

    draft: Draft | None
    plan: Plan
    refused: tuple[str, ...]
    troubles: tuple[Trouble, ...] = ()
    why: str = ""


class Fallback:
    """Plans one task over a session; it remembers its choices and its last plan."""

    def __init__(self, task: Task) -> None:
        """Plan for this task."""
        self._definition = task.definition
        self._chosen: dict[str, str] = {}
        self._last: tuple[Step, ...] = ()
        self._asked: tuple[Move, ...] = ()
        self._before: Snapshot | None = None
        self._missed: Counter[Refusal] = Counter()
        self._seen: Counter[tuple[Step, ...]] = Counter()
        self._full: dict[Refusal, tuple[str, ...]] = {}
        self.why = ""

    def plans(
        self, known: Knowledge, refused: Collection[Refusal] = ()
    ) -> tuple[Plan, ...]:
        """Return the first skills of a plan for the task as it stands.

        Args:
            known: the home; what its memory has ruled out counts as refused.
            refused: further facts, such as those of a plan that found no place.

        Returns:
            One plan, or none; `why` then says why.

        """
        self._notice(known)
        self.why = ""
        for fact in refused:
            if fact.verb is Verb.PLACE:
                self._full[fact] = _contents(fact.target, known)
        facts = {*refused, *ruled_out(known), *self._taught(known)}
        for _ in range(REPLANS):
            home = Home(known.snapshot, facts)
            aims = aims_of(self._definition, home, self._chosen)
            if aims.lacking:
                self.why = self.why or aims.lacking[0]
                return ()
            blame = self._replan(home, aims)
            if not blame:
                break
            if blame <= facts:
                return ()
            facts |= blame
        self._asked = tuple(moves_of(self._last, known))[: self._ahead()]
        return ((AsFarAs(self._asked),),) if self._asked else ()

    def draft(self, known: Knowledge) -> Drafted:
        """Return the next stretch; plans that find no place are refused in turn."""
        facts: set[Refusal] = set()
        refused: list[str] = []
        troubles: list[Trouble] = []
        for _ in range(REPLANS):
            plans = self.plans(known, facts)
            if not plans:
                break
            draft = Draft(known)
            trouble = draft.run(plans[0])
            if draft.steps and (trouble is None or trouble.passes):
                return Drafted(draft, plans[0], tuple(refused), tuple(troubles))
            refused.append(f"{names(plans[0])}: {trouble or 'nothing to add'}")
            if trouble is not None:
                troubles.append(trouble)
            fact = refusal_of(plans[0], known)
            if fact is None or fact in facts:
                break
            facts.add(fact)
        why = refused[0] if refused else self.why
        return Drafted(None, (), tuple(refused), tuple(troubles), why)

    def _ahead(self) -> int:
        """Return how many skills to say: fewer each time the same plan comes again.

        What was foreseen wrongly (a thing put down that hides the next one) is seen
        when less is done at once.
        """
        again = self._seen[self._last]
        if again > ROUNDS:
            self.why = "the same plan comes again and again"
            return 0
        return max(1, AHEAD >> again)

    def _notice(self, known: Knowledge) -> None:
        """Count what was placed and came to lie elsewhere."""
        before, self._before = self._before, known.snapshot
        moves, self._asked = self._asked, ()
        if before is None or before is known.snapshot:
            return
        self._seen[self._last] += 1
        for skill, fact in moves:
            if not isinstance(skill, PlaceIn) or fact is None:
                continue
            was, now = before.get(fact.held), known.snapshot.get(fact.held)
            if was is None or now is None or now.isPickedUp:
                continue
            meant = now.simbotLastParentReceptacle == fact.target
            moved = meant or now.position != was.position
            if moved and fact.target not in parents_of(now, known.snapshot):
                self._missed[fact] += 1

    def _taught(self, known: Knowledge) -> Iterator[Refusal]:
        """Yield places that things miss, and those that are as full as when refused."""
        for fact, count in self._missed.items():
            if count >= MISSES:
                yield fact
        for fact, inside in self._full.items():
            if _contents(fact.target, known) == inside:
                yield fact

    def _replan(self, home: Home, aims: Aims) -> set[Refusal]:
        """Plan for the aims; return what to hold against the choices, if it fails."""
        from tatc.planners.pddl.planner import solve  # pddlpy takes 0.1 s to import

        problem = write_problem(home, aims)
        solution = solve(problem, before=problem.by_name(self._last))
        self._last = problem.by_id(solution.steps)
        if solution.verdict is Verdict.FOUND:
            self._chosen = dict(aims.chosen)
            return set()
        self.why, self._chosen = self.why or solution.reason, {}
        ids = dict(problem.ids)
        lost = [(a[0], *(ids[n] for n in a[1:])) for a in solution.out_of_reach]
        return {_blame(atom, home) for atom in lost}


def refusal_of(plan: Plan, known: Knowledge) -> Refusal | None:
    """Return the fact that a plan's first skill in trouble teaches, None for none."""
    draft = Draft(known)
    for part in plan:
        for skill, fact in part.moves if isinstance(part, AsFarAs) else ():
            if draft.run((skill,)) is not None:
                return fact
    return None


def ruled_out(known: Knowledge) -> Iterator[Refusal]:
    """Yield the refusals that the session has taught and that still hold.

    A place that was full is tried again once something has been taken away.
    """
    for verb, target, held, inside in sorted(known.memory.ruled_out):
        if verb is Verb.PLACE and _contents(target, known) != inside:
            continue
        yield Refusal.of(verb, target, held)


def _contents(object_id: str, known: Knowledge) -> tuple[str, ...]:
    thing = known.snapshot.get(object_id)
    inside = known.contents(thing) if thing is not None else ()
    return tuple(t.objectId for t in inside)


def _blame(atom: Atom, home: Home) -> Refusal:
    """Return what to hold against the objects of a fact that is out of reach."""
    if atom[0] == "in" and home.allows(Verb.PLACE, atom[2], atom[1]):
        return Refusal(Verb.PLACE, atom[2], atom[1])
    verbs = {"on": Verb.TOGGLE_ON, "off": Verb.TOGGLE_OFF}
    verbs |= {"open": Verb.OPEN, "shut": Verb.CLOSE}
    return Refusal(verbs.get(atom[0], Verb.PICKUP), atom[1])
