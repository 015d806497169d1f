"""A PDDL problem as a value, and its text; names are plain, as PDDL readers break on object ids."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from re import fullmatch

from tatc.base.errors import UsageError

Atom = tuple[str, ...]  # a fact: the predicate's name, then the names of its arguments


def domain_text() -> str:
    """Return the household domain in PDDL."""
    return files("tatc.planners.pddl").joinpath("domain.pddl").read_text("utf-8")


class SearchEngine(StrEnum):
    """What searches for plans: our own search, or Fast Downward where it is installed."""

    HFF = "hff"
    FAST_DOWNWARD = "fast-downward"


class SearchVerdict(StrEnum):
    """How a search ended."""

    PLAN_FOUND = "plan found"
    UNSOLVABLE = "proven unsolvable"
    BUDGET_SPENT = "budget spent"


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan: an action and the names of its arguments."""

    action: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        """Return the step as PDDL plans write it."""
        return f"({' '.join((self.action, *self.args))})"


@dataclass(frozen=True, slots=True)
class PddlProblem:
    """Objects with their types, the facts that hold, and the goal.

    `agenda` holds groups of facts in the order to achieve them; it may name facts that are no part
    of the goal.  It advises our own search and is no part of the PDDL text.  `ids` pairs a name
    with an object's id, or with a token for what does not exist yet (a slice of a whole loaf).
    """

    objects: tuple[tuple[str, str], ...]
    init: tuple[Atom, ...]
    goal: tuple[Atom, ...]
    agenda: tuple[tuple[Atom, ...], ...] = ()
    ids: tuple[tuple[str, str], ...] = ()

    def steps_with_ids(self, steps: Iterable[PlanStep]) -> tuple[PlanStep, ...]:
        """Return steps with ids in place of names."""
        ids = dict(self.ids)
        return tuple(PlanStep(s.action, tuple(ids[n] for n in s.args)) for s in steps)

    def steps_with_names(self, steps: Iterable[PlanStep]) -> tuple[PlanStep, ...]:
        """Return steps with names in place of ids; steps with unknown ids are left out."""
        names = {object_id: name for name, object_id in self.ids}
        known = (s for s in steps if names.keys() >= set(s.args))
        return tuple(PlanStep(s.action, tuple(names[i] for i in s.args)) for s in known)

    def pddl_text(self) -> str:
        """Return the problem as PDDL text for the household domain."""
        objects = "\n    ".join(f"{name} - {kind}" for name, kind in self.objects)
        init = "\n    ".join(map(format_atom, self.init))
        goal = "\n    ".join(map(format_atom, self.goal))
        return (
            "(define (problem household-task)\n  (:domain household)\n"
            f"  (:objects\n    {objects})\n"
            f"  (:init\n    {init})\n"
            f"  (:goal (and\n    {goal})))\n"
        )


def format_atom(atom: Atom) -> str:
    """Return a fact as PDDL writes it."""
    return f"({' '.join(atom)})"


@dataclass(slots=True)
class PddlNames:
    """Gives each object a plain name, and keeps the pairs."""

    _by_id: dict[str, str] = field(default_factory=dict[str, str])
    _counts: dict[str, int] = field(default_factory=dict[str, int])

    def name_of(self, object_id: str, kind: str) -> str:
        """Return the name of an object of an AI2-THOR type; the first call makes it."""
        name = self._by_id.get(object_id)
        if name is None:
            if not fullmatch(r"[A-Za-z][A-Za-z0-9]*", kind):
                raise UsageError(f"{kind!r} cannot be part of a PDDL name")
            word = kind.lower()
            self._counts[word] = self._counts.get(word, 0) + 1
            name = self._by_id[object_id] = f"{word}-{self._counts[word]}"
        return name

    def name_id_pairs(self) -> tuple[tuple[str, str], ...]:
        """Return each name with its object's id, in the order of naming."""
        return tuple((name, object_id) for object_id, name in self._by_id.items())
