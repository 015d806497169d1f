"""What a session teaches the Commander: where steps were refused, and how often."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from tatc.actions import Cell, Verb
from tatc.state import Pose, Vec3

ActionKey = tuple[Verb, str, str, tuple[str, ...]]
"""A verb, the object it was clicked on, what was held (or ""), and what the object
held: a place that was full is tried again once something has been taken away."""

ActionTypeKey = tuple[Verb, str, str, tuple[str, ...]]
"""A try, but with the type of what was held."""

MAX_RECOVERIES_PER_TYPE = 6
"""Things set aside for the sake of one type in a session at most."""

MAX_MISSED_CLICKS = 2
"""Clicks of the Follower's own that may fail at one place before another is tried."""


MAX_PLAN_REPEATS = 8
"""Times one and the same plan is said in a session at most."""

MAX_RECOVERY_REPEATS = 2
"""Times that one and the same thing is put out of the way of another."""

MAX_REFUSALS_PER_TYPE = 4
"""Refusals of one kind after which it is ruled out, whichever thing was held."""

MAX_FORGETTINGS = 2
"""Times that a session's refusals are forgotten, for some may have been chance."""


@dataclass(slots=True)
class RefusalMemory:
    """Refusals of one session.

    `blocked_edges` are steps from cell to cell that were refused, each with the id of what
    stood in the way, or ""; `refused_poses` are poses and `refused_cells` cells from which a try
    was
    refused, `refused_points` the points clicked on then; `ruled_out` are tries that are given
    up whatever the pose; `refusal_counts_by_type` counts refusals whichever thing was held,
    `recovery_counts`
    what was set aside for the sake of a type, `miss_counts` failures of clicks that were the
    Follower's own, `plan_counts` how often a plan was said;
    `prioritized_types` are the types that room was made for: they go there first.
    """

    blocked_edges: dict[tuple[Cell, Cell], str] = field(
        default_factory=dict[tuple[Cell, Cell], str]
    )
    refused_poses: set[tuple[ActionKey, Pose]] = field(default_factory=set[tuple[ActionKey, Pose]])
    refused_cells: set[tuple[ActionKey, Cell]] = field(default_factory=set[tuple[ActionKey, Cell]])
    refused_points: dict[ActionKey, list[Vec3]] = field(default_factory=dict[ActionKey, list[Vec3]])
    refusal_counts: Counter[ActionKey] = field(default_factory=Counter[ActionKey])
    refusal_counts_by_type: Counter[ActionTypeKey] = field(default_factory=Counter[ActionTypeKey])
    ruled_out: set[ActionKey] = field(default_factory=set[ActionKey])
    prioritized_types: set[str] = field(default_factory=set[str])
    recovery_counts: Counter[str] = field(default_factory=Counter[str])
    miss_counts: Counter[tuple[ActionKey, Pose]] = field(
        default_factory=Counter[tuple[ActionKey, Pose]]
    )
    plan_counts: Counter[tuple[Hashable, ...]] = field(
        default_factory=Counter[tuple[Hashable, ...]]
    )
    forget_count: int = 0

    def record_refusal(
        self, action_key: ActionKey, pose: Pose, point: Vec3 | None = None, *, budget: int
    ) -> None:
        """Note that a try failed from a pose; after `budget` times rule it out."""
        self.refused_poses.add((action_key, pose))
        if point is not None:
            self.refused_points.setdefault(action_key, []).append(point)
        self.refusal_counts[action_key] += 1
        if self.refusal_counts[action_key] >= budget:
            self.ruled_out.add(action_key)

    def count_refusals_on(self, object_id: str) -> int:
        """Return how many clicks on an object were refused."""
        return sum(n for (_, target, *_), n in self.refusal_counts.items() if target == object_id)

    def record_miss(self, action_key: ActionKey, pose: Pose) -> None:
        """Note that a Follower clicked amiss; after some, a try is made elsewhere."""
        self.miss_counts[action_key, pose] += 1
        if self.miss_counts[action_key, pose] >= MAX_MISSED_CLICKS:
            self.refused_poses.add((action_key, pose))

    def can_recover(self, object_type: str) -> bool:
        """Whether more may be set aside for the sake of a type."""
        return self.recovery_counts[object_type] < MAX_RECOVERIES_PER_TYPE

    def forget_refusals(self) -> bool:
        """Forget what was refused, as far as that was not done too often already."""
        if self.forget_count >= MAX_FORGETTINGS or not (self.refusal_counts or self.blocked_edges):
            return False
        self.forget_count += 1
        for collection in (
            self.blocked_edges,
            self.refused_poses,
            self.refused_cells,
            self.refused_points,
        ):
            collection.clear()
        for collection in (self.refusal_counts, self.refusal_counts_by_type, self.ruled_out):
            collection.clear()
        return True
