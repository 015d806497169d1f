"""The fallback: plan the whole task in PDDL, and turn the plan into skills.

It serves where a policy is missing or its alternatives are spent, and plans whole tasks
by itself (`--planner pddl`).  A plan that the domain calls valid may yet be refused: by
the world, which the Commander's memory knows, or by a skill that finds no place to
stand.  Both become facts of the next problem, and what is left is planned anew.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from tatc.actions import Verb
from tatc.commander.draft import Draft, Plan, Skill
from tatc.commander.knowledge import Knowledge
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.heat import HeatIn, HeatOn
from tatc.commander.skills.hold import Hold, Open, PutDown
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.switch import Swing, Switch
from tatc.commander.skills.water import PourOn
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
MISSES = 2
"""How often a thing may land beside a place before the place counts as refused."""


Move = tuple[Skill, Refusal | None]
"""A skill, and the fact that it would be if the skill were refused."""


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
        for fact in refused:
            if fact.verb is Verb.PLACE:
                self._full[fact] = _contents(fact.target, known)
        facts = {*refused, *ruled_out(known), *self._taught(known)}
        for _ in range(REPLANS):
            home = Home(known.snapshot, facts)
            aims = aims_of(self._definition, home, self._chosen)
            if aims.lacking:
                self.why = aims.lacking[0]
                return ()
            blame = self._replan(home, aims)
            if not blame:
                break
            if blame <= facts:
                return ()
            facts |= blame
        self._asked = tuple(_moves(self._last, known))[:AHEAD]
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
            refused.append(f"{_names(plans[0])}: {trouble or 'nothing to add'}")
            if trouble is not None:
                troubles.append(trouble)
            fact = refusal_of(plans[0], known)
            if fact is None or fact in facts:
                break
            facts.add(fact)
        why = refused[0] if refused else self.why
        return Drafted(None, (), tuple(refused), tuple(troubles), why)

    def _notice(self, known: Knowledge) -> None:
        """Count what was placed and came to lie elsewhere."""
        before, self._before = self._before, known.snapshot
        moves, self._asked = self._asked, ()
        if before is None or before is known.snapshot:
            return
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
        self._last, self.why = problem.by_id(solution.steps), solution.reason
        if solution.verdict is Verdict.FOUND:
            self._chosen = dict(aims.chosen)
            return set()
        self._chosen = {}
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


def _names(plan: Plan) -> str:
    return ", ".join(repr(skill) for skill in plan)


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


def _moves(steps: Sequence[Step], known: Knowledge) -> Iterator[Move]:
    """Yield the skills of a plan, as far as its objects exist."""
    last: Move | None = None
    for step in steps:
        made = step.args[1:2] if step.action in _MAKES_ITS_SECOND else ()
        if any(known.snapshot.get(n) is None for n in step.args if n not in made):
            return
        for move in _MOVES[step.action](step.args, known):
            if move != last:
                yield move
            last = move


_MAKES_ITS_SECOND = ("crack", "crack-in")

Convert = Callable[[tuple[str, ...], Knowledge], tuple[Move, ...]]


def _take(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    return ((Hold(args[0]), Refusal(Verb.PICKUP, args[0])),)


def _put(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    item, place = args
    return ((PlaceIn(item, place), Refusal(Verb.PLACE, place, item)),)


def _put_down(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    return ((PutDown(), None),)


def _open(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    thing = known.snapshot.get(args[0])
    holds = thing is not None and thing.affordances.receptacle
    skill = Open(args[0]) if holds else Swing(args[0], is_open=True)
    return ((skill, Refusal(Verb.OPEN, args[0])),)


def _close(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    return ((Swing(args[0], is_open=False), Refusal(Verb.CLOSE, args[0])),)


def _switch(device: str, *, on: bool) -> Move:
    verb = Verb.TOGGLE_ON if on else Verb.TOGGLE_OFF
    return Switch(device, on=on), Refusal(verb, device)


def _rinse(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    """Let the water run; anew if it runs already over what lies in it."""
    item, sink, faucet = args
    thing, tap = known.snapshot.get(item), known.snapshot.get(faucet)
    inside = thing is not None and sink in (p.objectId for p in known.parents(thing))
    run = _switch(faucet, on=True)
    if inside and tap is not None and tap.isToggled:
        return _switch(faucet, on=False), run
    return (run,)


def _pour(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    vessel, target = args
    return ((PourOn(vessel, target), Refusal(Verb.POUR, target, vessel)),)


def _cut(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    knife = next(name for name in args if name != args[0] and _is_knife(name, known))
    return ((Cut(args[0]), Refusal(Verb.SLICE, args[0], knife)),)


def _heat_in(item: str, appliance: str) -> tuple[Move, ...]:
    return ((HeatIn(item, appliance), Refusal(Verb.TOGGLE_ON, appliance)),)


def _heat_on(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    _, vessel, burner, knob = args
    return ((HeatOn(vessel, burner), Refusal(Verb.TOGGLE_ON, knob)),)


def _is_knife(name: str, known: Knowledge) -> bool:
    thing = known.snapshot.get(name)
    return thing is not None and "Knife" in thing.objectType


_MOVES: dict[str, Convert] = {
    "pick-up": _take,
    "take": _take,
    "take-out": _take,
    "take-piece": _take,
    "put": _put,
    "put-in": _put,
    "put-in-water": _put,
    "put-down": _put_down,
    "open": _open,
    "close": _close,
    "switch-on": lambda args, known: (_switch(args[0], on=True),),
    "switch-off": lambda args, known: (_switch(args[0], on=False),),
    "rinse": _rinse,
    "fill": _rinse,
    "pour-out": _pour,
    "pour-into": _pour,
    "slice": _cut,
    "crack": _cut,
    "crack-in": _cut,
    "brew": lambda args, known: _heat_in(*args),
    "toast": lambda args, known: _heat_in(*args),
    "cook-in-microwave": lambda args, known: _heat_in(*args),
    "cook-on-burner": _heat_on,
    "boil": _heat_on,
    "boil-in-microwave": lambda args, known: _heat_in(args[1], args[2]),
}
"""The skills that an action of the domain becomes."""
