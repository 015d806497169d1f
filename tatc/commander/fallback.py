"""The fallback: plan the whole task in PDDL, and turn the plan into skills.

It serves where a policy is missing or its alternatives are spent, and plans whole tasks
by itself (`--planner pddl`).  A plan that the domain calls valid may yet be refused: by
the world, which the Commander's memory knows, or by a skill that finds no place to
stand.  Both become facts of the next problem, and what is left is planned anew.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from tatc.actions import Verb
from tatc.commander.draft import Draft, Plan, Skill
from tatc.commander.knowledge import Knowledge
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.heat import HeatIn, HeatOn
from tatc.commander.skills.hold import Hold, PutDown, Reveal
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.switch import Switch
from tatc.commander.skills.water import PourOn
from tatc.commander.trouble import Reason, Trouble
from tatc.planners.pddl.aims import Aims, aims_of
from tatc.planners.pddl.home import Home, Refusal
from tatc.planners.pddl.problem import Problem, Step
from tatc.planners.pddl.writing import write_problem
from tatc.tdl import Task

REPLANS = 12
"""Problems written for one utterance at most."""
AHEAD = 8
"""Skills of a plan that one stretch tries to hold."""


@dataclass(frozen=True, slots=True)
class Do:
    """This verb has been done on the object, once nothing hides it."""

    verb: Verb
    object_id: str

    def plan(self, draft: Draft) -> Trouble | None:
        """Reveal the object and act on it."""
        if trouble := Reveal(self.object_id).plan(draft):
            return trouble
        return draft.do(self.verb, self.object_id)


@dataclass(frozen=True, slots=True)
class AsFarAs:
    """The first of these skills, and as many more as can be foreseen."""

    skills: tuple[Skill, ...]

    def plan(self, draft: Draft) -> Trouble | None:
        """Plan the skills one by one; only the first that has a step must succeed."""
        before = len(draft.steps)
        for skill in self.skills:
            trouble = draft.run((skill,))
            if trouble is not None:
                begun = len(draft.steps) > before
                return Trouble(Reason.UNCERTAIN) if begun else trouble
        return None


@dataclass(frozen=True, slots=True)
class Drafted:
    """What the fallback came to: a draft to be said, or why there is none.

    `refused` are the plans that were valid and could not be carried out, in words.
    """

    draft: Draft | None
    plan: Plan
    refused: tuple[str, ...]
    why: str = ""


class Fallback:
    """Plans one task over a session; it remembers its choices and its last plan."""

    def __init__(self, task: Task) -> None:
        """Plan for this task."""
        self._definition = task.definition
        self._chosen: dict[str, str] = {}
        self._last: tuple[Problem, tuple[Step, ...]] | None = None
        self.why = ""

    def plans(
        self, known: Knowledge, refused: Collection[Refusal] = ()
    ) -> tuple[Plan, ...]:
        """Return the first skills of a plan for the task as it stands.

        Args:
            known: the home; what its memory has ruled out counts as refused.
            refused: further facts, such as `refusal_of` a plan that found no place.

        Returns:
            One plan, or none; `why` then says why.

        """
        facts = {*refused, *ruled_out(known)}
        for _ in range(REPLANS):
            home = Home(known.snapshot, facts)
            aims = aims_of(self._definition, home, self._chosen)
            if aims.lacking:
                self.why = aims.lacking[0]
                return ()
            self._chosen = dict(aims.chosen)
            steps, blame = self._solve(home, aims)
            if steps:
                skills = tuple(_skills(steps, known))
                return ((AsFarAs(skills[:AHEAD]),),) if skills else ()
            if not blame or blame <= facts:
                return ()
            facts |= blame
        return ()

    def draft(self, known: Knowledge) -> Drafted:
        """Return the next stretch; plans that find no place are refused in turn."""
        refused: set[Refusal] = set()
        words: list[str] = []
        for _ in range(REPLANS):
            plans = self.plans(known, refused)
            if not plans:
                break
            draft = Draft(known)
            trouble = draft.run(plans[0])
            if draft.steps and (trouble is None or trouble.passes):
                return Drafted(draft, plans[0], tuple(words))
            words.append(f"{plans[0]!r}: {trouble or 'nothing to add'}")
            fact = refusal_of(plans[0], known)
            if fact is None or fact in refused:
                break
            refused.add(fact)
        return Drafted(None, (), tuple(words), words[0] if words else self.why)

    def _solve(
        self, home: Home, aims: Aims
    ) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], set[Refusal]]:
        """Return the plan about object ids, or what to hold against the choices."""
        raise NotImplementedError


def ruled_out(known: Knowledge) -> Iterator[Refusal]:
    """Yield the refusals that the session has taught and that still hold.

    A place that was full is tried again once something has been taken away.
    """
    for verb, target, held, inside in sorted(known.memory.ruled_out):
        thing = known.snapshot.get(target)
        if verb is Verb.PLACE and thing is not None:
            if tuple(t.objectId for t in known.contents(thing)) != inside:
                continue
        yield Refusal.of(verb, target, held)
