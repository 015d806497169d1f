"""Counts of agreement, by name; they add up over games and floor plans."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

FIDELITY_MEASURES = tuple(
    "moves.accepted moves.refused clicks interactions.succeeded interactions.failed "
    "ends.clicks ends.helped".split()
)
"""The measures that are reported over all games and for each floor plan."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One action, by its index in a game, that the embedded world answers differently.

    `held` and `target` are object types; for a final state `target` is the task.
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
        """What makes two disagreements alike."""
        return (self.measure, self.verb, self.held, self.target, self.reason)

    @property
    def cause(self) -> tuple[str, str, str]:
        """The cause: the same reason for the same verb, whatever the objects."""
        return (self.measure, self.verb, self.reason)


@dataclass(slots=True)
class AgreementCounts:
    """The number of answers that were compared, and how many agreed, by measure."""

    compared: Counter[str] = field(default_factory=Counter[str])
    agreed: Counter[str] = field(default_factory=Counter[str])
    disagreements: list[Disagreement] = field(default_factory=list[Disagreement])

    def count(self, name: str, agrees: bool) -> None:
        """Count one answer."""
        self.compared[name] += 1
        self.agreed[name] += agrees

    def add(self, other: "AgreementCounts") -> None:
        """Add the counts of another."""
        self.compared.update(other.compared)
        self.agreed.update(other.agreed)
        self.disagreements.extend(other.disagreements)

    def rate(self, name: str) -> dict[str, Any]:
        """Return the number of answers and the share that agreed, None without answers."""
        n = self.compared[name]
        return {"n": n, "rate": round(self.agreed[name] / n, 6) if n else None}

    def rates(self, names: Iterable[str] = FIDELITY_MEASURES) -> dict[str, Any]:
        """Return number and rate by name; "moves.refused" stands as `refused` within `moves`."""
        return nest_by_group({name: self.rate(name) for name in names})

    def rates_with_prefix(self, prefix: str) -> Mapping[str, dict[str, Any]]:
        """Return the rates of the names that begin with a prefix, without the prefix."""
        names = sorted(name for name in self.compared if name.startswith(prefix))
        return {name.removeprefix(prefix): self.rate(name) for name in names}


def nest_by_group(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by name, in which "moves.refused" stands as `refused` within `moves`."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        group, _, part = name.partition(".")
        if part:
            found.setdefault(group, {})[part] = value
        else:
            found[group] = value
    return found


def group_disagreements(
    disagreements: Iterable[Disagreement],
    key: Callable[[Disagreement], tuple[str, ...]] = lambda each: each.kind,
) -> list[tuple[Disagreement, int]]:
    """Return the first disagreement of each kind and their numbers, the most frequent first."""
    first: dict[tuple[str, ...], Disagreement] = {}
    counts: Counter[tuple[str, ...]] = Counter()
    for each in disagreements:
        kind = key(each)
        known = first.setdefault(kind, each)
        if (each.game, each.index) < (known.game, known.index):
            first[kind] = each
        counts[kind] += 1
    order = sorted(counts, key=lambda kind: (-counts[kind], kind))
    return [(first[kind], counts[kind]) for kind in order]
