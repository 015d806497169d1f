"""The measures of many sessions under one condition, as one row."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import comb
from typing import Any

from tatc.evaluation.dialogue_worth.conditions import DialogueCondition
from tatc.evaluation.dialogue_worth.measured_session import ErrorType, SessionMeasures

_LONG_NAMES = {name: f"{name}_per_goal_condition" for name in ("words", "tokens")}


@dataclass(frozen=True, slots=True)
class WorthRow:
    """One pair of agents under one condition.

    Rates are None where there is nothing to divide by.  `steps` and `conflicts` are means of a
    session; words and tokens are per goal condition that was met.  `pass_k` is pass^k for k = 1, 2,
    4, ... up to the seeds of each group.
    """

    pair: str
    condition: DialogueCondition
    sessions: int
    crashes: int
    skipped: int
    success: float | None
    steps: float | None
    words: float | None
    tokens: float | None
    conflicts: float | None
    novelty: float | None
    belief_sensitive: float | None
    pass_k: tuple[tuple[int, float], ...]
    errors: tuple[tuple[str, int], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON."""
        row: dict[str, Any] = {
            _LONG_NAMES.get(name, name): each for name, each in asdict(self).items()
        }
        pass_k = {str(k): value for k, value in self.pass_k}
        return row | {"pass_k": pass_k, "errors": dict(self.errors)}


def worth_row(
    pair: str, condition: DialogueCondition, measured: Sequence[SessionMeasures]
) -> WorthRow:
    """Return the row of these sessions; a crashed session counts as one without success."""
    kept = [each for each in measured if not each.skipped]
    n, met = len(kept), sum(each.goal_conditions_met for each in kept)
    errors: Counter[str] = Counter(dict.fromkeys((each.value for each in ErrorType), 0))
    for each in kept:
        errors.update(dict(each.errors))
    return WorthRow(
        pair,
        condition,
        sessions=n,
        crashes=sum(bool(each.crash) for each in kept),
        skipped=len(measured) - n,
        success=_ratio(sum(each.success for each in kept), n),
        steps=_ratio(sum(each.steps for each in kept), n),
        words=_ratio(sum(each.words for each in kept), met),
        tokens=_ratio(sum(each.tokens for each in kept), met),
        conflicts=_ratio(sum(each.conflicts for each in kept), n),
        novelty=_ratio(sum(each.novel_facts for each in kept), sum(each.facts for each in kept)),
        belief_sensitive=_ratio(
            sum(each.belief_messages for each in kept), sum(each.messages for each in kept)
        ),
        pass_k=pass_power_k(kept),
        errors=tuple(errors.items()),
    )


def pass_power_k(measured: Sequence[SessionMeasures]) -> tuple[tuple[int, float], ...]:
    """Return pass^k for k = 1, 2, 4, ...: the chance that k sessions of a group all succeed.

    It is the mean of C(c, k) / C(n, k) over the groups, of n sessions with c successes each; a
    group with fewer than k sessions does not count for k.
    """
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for each in measured:
        groups[each.group].append(each.success)
    largest = max(map(len, groups.values()), default=0)
    found: list[tuple[int, float]] = []
    k = 1
    while k <= largest:
        shares = [comb(sum(g), k) / comb(len(g), k) for g in groups.values() if len(g) >= k]
        found.append((k, sum(shares) / len(shares)))
        k *= 2
    return tuple(found)


def _ratio(count: float, total: int) -> float | None:
    return count / total if total else None
