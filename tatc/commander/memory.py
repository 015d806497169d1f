"""What a session teaches the Commander: where steps were refused, and how often."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from tatc.actions import Verb
from tatc.state import Pose, Vec3

Try = tuple[Verb, str, str, tuple[str, ...]]
"""A verb, the object it was clicked on, what was held (or ""), and what the object
held: a place that was full is tried again once something has been taken away."""


RECOVERIES = 6
"""Things set aside for the sake of one type in a session at most."""


REPEATS = 8
"""Times one and the same plan is said in a session at most."""


@dataclass(slots=True)
class Memory:
    """Refusals of one session.

    `blocked` are cells that the body could not enter; `views` are poses from which a
    try was refused, `spots` the points clicked on then; `ruled_out` are tries that are
    given up whatever the pose;
    `recovered` counts what was set aside for the sake of a type, `spoken` how often a
    plan was said.
    """

    blocked: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    views: set[tuple[Try, Pose]] = field(default_factory=set[tuple[Try, Pose]])
    spots: dict[Try, list[Vec3]] = field(default_factory=dict[Try, list[Vec3]])
    tries: Counter[Try] = field(default_factory=Counter[Try])
    ruled_out: set[Try] = field(default_factory=set[Try])
    recovered: Counter[str] = field(default_factory=Counter[str])
    spoken: Counter[tuple[Hashable, ...]] = field(
        default_factory=Counter[tuple[Hashable, ...]]
    )

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

    def may_recover(self, object_type: str) -> bool:
        """Whether more may be set aside for the sake of a type."""
        return self.recovered[object_type] < RECOVERIES
