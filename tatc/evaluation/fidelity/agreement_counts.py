"""Counts of agreement, by name, which add up over games and floor plans."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

FIDELITY_MEASURES = (
    "moves.accepted",
    "moves.refused",
    "clicks",
    "interactions.succeeded",
    "interactions.failed",
    "ends.clicks",
    "ends.helped",
)
"""What is reported of all games and of each floor plan."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One action that is answered otherwise: `reason` is this world's reason.

    `index` is that of the interaction in its game; `held` and `target` are types,
    and `target` of an end is the task.
    """

    measure: str
    verb: str
    held: str
    target: str
    reason: str
    game: str = ""
    index: int = 0

    @property
    def kind(self) -> tuple[str, str, str, str, str]:
        """What makes disagreements alike."""
        return (self.measure, self.verb, self.held, self.target, self.reason)


@dataclass(slots=True)
class AgreementCounts:
    """How many answers were compared and how many agreed, by name."""

    compared: Counter[str] = field(default_factory=Counter[str])
    agreed: Counter[str] = field(default_factory=Counter[str])
    disagreements: list[Disagreement] = field(default_factory=list[Disagreement])

    def count(self, name: str, agrees: bool) -> None:
        """Count one answer."""
        self.compared[name] += 1
        self.agreed[name] += agrees

    def add(self, other: "AgreementCounts") -> None:
        """Add another's counts to these."""
        self.compared.update(other.compared)
        self.agreed.update(other.agreed)
        self.disagreements.extend(other.disagreements)

    def rate(self, name: str) -> dict[str, Any]:
        """Return n and the share that agreed, None where nothing was asked."""
        n = self.compared[name]
        return {"n": n, "rate": round(self.agreed[name] / n, 6) if n else None}

    def rates(self, names: Iterable[str] = FIDELITY_MEASURES) -> dict[str, Any]:
        """Return n and rate by name; "moves.refused" is `refused` within `moves`."""
        found: dict[str, Any] = {}
        for name in names:
            group, _, part = name.partition(".")
            if part:
                found.setdefault(group, {})[part] = self.rate(name)
            else:
                found[group] = self.rate(name)
        return found

    def rates_with_prefix(self, prefix: str) -> Mapping[str, dict[str, Any]]:
        """Return the rates of all names that begin so, the prefix left out."""
        names = sorted(name for name in self.compared if name.startswith(prefix))
        return {name.removeprefix(prefix): self.rate(name) for name in names}


def group_disagreements(disagreements: Iterable[Disagreement]) -> list[tuple[Disagreement, int]]:
    """Return one disagreement of each kind with how many there are, most first.

    The one is the first in order of games and actions.
    """
    first: dict[tuple[str, ...], Disagreement] = {}
    counts: Counter[tuple[str, ...]] = Counter()
    for each in disagreements:
        known = first.setdefault(each.kind, each)
        if (each.game, each.index) < (known.game, known.index):
            first[each.kind] = each
        counts[each.kind] += 1
    order = sorted(counts, key=lambda kind: (-counts[kind], kind))
    return [(first[kind], counts[kind]) for kind in order]
