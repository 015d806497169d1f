"""What a session teaches the Commander: which interactions were refused, and where."""

from collections import Counter
from collections.abc import Container, Hashable

from tatc.home.actions import Cell, Verb
from tatc.home.state import Pose, Vec3

ActionKey = tuple[Verb, str, str, tuple[str, ...]]
"""A verb, the id of the clicked object, the id of the held one (or ""), and the ids of the
clicked object's contents: a full receptacle is tried again once something is taken out."""
ActionTypeKey = tuple[Verb, str, str, tuple[str, ...]]
"""An action key with the type of the held object in place of its id."""
MAX_RECOVERIES_PER_TYPE = 6
"""Objects set aside in a session for the sake of one type, at most."""
MAX_MISSED_CLICKS = 2
"""Clicks found by the Follower itself that may fail at one pose before another is tried."""
MAX_PLANS_TRIED = 40
"""Plans tried for one problem key or one failure, at most."""
MAX_PLAN_REPEATS = 8
"""Times that the same plan is said in a session, at most."""
MAX_RECOVERY_REPEATS = 2
"""Times that the same recovery plan is said in a session, at most."""
MAX_REFUSALS_PER_TYPE = 4
"""Refusals after which an action type key is ruled out."""
MAX_FORGETTINGS = 2
"""Times that a session's refusals are forgotten, since some may have been chance."""


class RefusalMemory:
    """The refusals and counts of one session.

    `blocked_edges` are refused steps from cell to cell, each with the id of the open door in the
    way, or "".  Interactions were refused from `refused_poses`, from `refused_cells` because the
    body was in the way, and at `refused_points` (world metres).  Those `ruled_out` are given up
    from any pose.  Room was made for `prioritized_types`, the latest last: their keys are taken up
    first.  `recovery_counts` are objects set aside for the sake of a type, and `miss_counts` failed
    clicks that the Follower had found itself.
    """

    def __init__(self) -> None:
        """Start with nothing learned."""
        self.prioritized_types: list[str] = []
        self.recovery_counts: Counter[str] = Counter()
        self.miss_counts: Counter[tuple[ActionKey, Pose]] = Counter()
        self.plan_counts: Counter[tuple[Hashable, ...]] = Counter()
        self.last_plan: tuple[Hashable, ...] = ()
        self._forget_count = 0
        self._clear_refusals()

    def _clear_refusals(self) -> None:
        self.blocked_edges: dict[tuple[Cell, Cell], str] = {}
        self.refused_poses: set[tuple[ActionKey, Pose]] = set()
        self.refused_cells: set[tuple[ActionKey, Cell]] = set()
        self.refused_points: dict[ActionKey, list[Vec3]] = {}
        self.refusal_counts: Counter[ActionKey] = Counter()
        self.refusal_counts_by_type: Counter[ActionTypeKey] = Counter()
        self.ruled_out: set[ActionKey] = set()

    def count_plan(self, plan: tuple[Hashable, ...]) -> None:
        """Count that a plan is said."""
        self.plan_counts[plan] += 1
        self.last_plan = plan

    def record_blocked_step(self, step: tuple[Cell, Cell], door: str) -> None:
        """Record a refused step, and the open door in the way, if any (or "").

        Where that is new, the plan said last does not count: it is said again by another way.
        """
        if step not in self.blocked_edges:
            self._uncount_plan()
        self.blocked_edges[step] = door

    def _uncount_plan(self) -> None:
        """Take back that the plan said last was said: it will be said in another way."""
        if self.plan_counts[self.last_plan]:
            self.plan_counts[self.last_plan] -= 1

    def record_refusal(
        self, action_key: ActionKey, pose: Pose, point: Vec3 | None = None, *, budget: int
    ) -> None:
        """Record a refusal from a pose; after `budget` refusals rule the interaction out.

        Where that is new, the plan said last does not count.
        """
        if (action_key, pose) not in self.refused_poses:
            self._uncount_plan()
        self.refused_poses.add((action_key, pose))
        if point is not None:
            self.refused_points.setdefault(action_key, []).append(point)
        self.refusal_counts[action_key] += 1
        if self.refusal_counts[action_key] >= budget:
            self.ruled_out.add(action_key)

    def was_full_with_less(self, kind: ActionTypeKey) -> bool:
        """Return whether an interaction was refused with no more in the receptacle than now."""
        refused = (each for each, count in self.refusal_counts_by_type.items() if count > 0)
        return any(each[:3] == kind[:3] and set(each[3]) <= set(kind[3]) for each in refused)

    def count_refusals_on(self, object_id: str) -> int:
        """Return how many clicks on an object were refused."""
        return sum(n for (_, target, *_), n in self.refusal_counts.items() if target == object_id)

    def prioritize(self, object_type: str) -> None:
        """Take up the keys of a type before all others, since room was made for it."""
        if object_type in self.prioritized_types:
            self.prioritized_types.remove(object_type)
        self.prioritized_types.append(object_type)

    def priority_of(self, object_type: str) -> int:
        """Return how early the keys of a type are taken up; 0 if no room was made for it."""
        types = self.prioritized_types
        return types.index(object_type) + 1 if object_type in types else 0

    def refused_stands(self, action_keys: Container[ActionKey]) -> list[tuple[float, float]]:
        """Return from where (x, z) any of some interactions was refused, in order."""
        found = {(pose.x, pose.z) for key, pose in self.refused_poses if key in action_keys}
        return sorted(found)

    def record_miss(self, action_key: ActionKey, pose: Pose) -> None:
        """Record a failed click of the Follower's own; after some, the pose counts as refused."""
        self.miss_counts[action_key, pose] += 1
        if self.miss_counts[action_key, pose] >= MAX_MISSED_CLICKS:
            self.refused_poses.add((action_key, pose))

    def can_recover(self, object_type: str) -> bool:
        """Return whether more objects may be set aside for the sake of a type."""
        return self.recovery_counts[object_type] < MAX_RECOVERIES_PER_TYPE

    def forget_refusals(self) -> bool:
        """Forget all refusals; return False where there are none or it was done too often."""
        if self._forget_count >= MAX_FORGETTINGS or not (self.refusal_counts or self.blocked_edges):
            return False
        self._forget_count += 1
        self._clear_refusals()
        return True
