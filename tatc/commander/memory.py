"""What a session teaches the Commander: where steps were refused, and how often."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from tatc.actions import Verb
from tatc.planners.grid import Cell
from tatc.state import Pose, Vec3

Try = tuple[Verb, str, str, tuple[str, ...]]
"""A verb, the object it was clicked on, what was held (or ""), and what the object
held: a place that was full is tried again once something has been taken away."""

Kind = tuple[Verb, str, str, tuple[str, ...]]
"""A try, but with the type of what was held."""

RECOVERIES = 6
"""Things set aside for the sake of one type in a session at most."""

MISSES = 2
"""Clicks of the Follower's own that may fail at one place before another is tried."""


REPEATS = 8
"""Times one and the same plan is said in a session at most."""

AGAIN = 2
"""Times that one and the same thing is put out of the way of another."""

WEARY = 4
"""Refusals of one kind after which it is ruled out, whichever thing was held."""

WINDS = 2
"""Times that a session's refusals are forgotten, for some may have been chance."""


@dataclass(slots=True)
class Memory:
    """Refusals of one session.

    `walls` are steps from cell to cell that were refused, each with the id of what
    stood in the way, or ""; `views` are poses and `stands` cells from which a try was
    refused, `spots` the points clicked on then; `ruled_out` are tries that are given
    up whatever the pose; `kinds` counts refusals whichever thing was held, `recovered`
    what was set aside for the sake of a type, `missed` failures of clicks that were the
    Follower's own, `spoken` how often a plan was said;
    `first` are the types that room was made for: they go there first.
    """

    walls: dict[tuple[Cell, Cell], str] = field(
        default_factory=dict[tuple[Cell, Cell], str]
    )
    views: set[tuple[Try, Pose]] = field(default_factory=set[tuple[Try, Pose]])
    stands: set[tuple[Try, Cell]] = field(default_factory=set[tuple[Try, Cell]])
    spots: dict[Try, list[Vec3]] = field(default_factory=dict[Try, list[Vec3]])
    tries: Counter[Try] = field(default_factory=Counter[Try])
    kinds: Counter[Kind] = field(default_factory=Counter[Kind])
    ruled_out: set[Try] = field(default_factory=set[Try])
    first: set[str] = field(default_factory=set[str])
    recovered: Counter[str] = field(default_factory=Counter[str])
    missed: Counter[tuple[Try, Pose]] = field(default_factory=Counter[tuple[Try, Pose]])
    spoken: Counter[tuple[Hashable, ...]] = field(
        default_factory=Counter[tuple[Hashable, ...]]
    )
    winds: int = 0

    def refuse(
        self, attempt: Try, pose: Pose, point: Vec3 | None = None, *, budget: int
    ) -> None:
        """Note that a try failed from a pose; after `budget` times rule it out."""
        self.views.add((attempt, pose))
        if point is not None:
            self.spots.setdefault(attempt, []).append(point)
        self.tries[attempt] += 1
        if self.tries[attempt] >= budget:
            self.ruled_out.add(attempt)

    def miss(self, attempt: Try, pose: Pose) -> None:
        """Note that a Follower clicked amiss; after some, a try is made elsewhere."""
        self.missed[attempt, pose] += 1
        if self.missed[attempt, pose] >= MISSES:
            self.views.add((attempt, pose))

    def may_recover(self, object_type: str) -> bool:
        """Whether more may be set aside for the sake of a type."""
        return self.recovered[object_type] < RECOVERIES

    def forget(self) -> bool:
        """Forget what was refused, as far as that was not done too often already."""
        if self.winds >= WINDS or not (self.tries or self.walls):
            return False
        self.winds += 1
        for learnt in (self.walls, self.views, self.stands, self.spots):
            learnt.clear()
        for learnt in (self.tries, self.kinds, self.ruled_out):
            learnt.clear()
        return True
