"""Fidelity of many games as one report: rates, by plan, and where answers differ."""

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from tatc.atomic import make_folder, write_whole
from tatc.evaluation.fidelity.causes import PRECONDITIONS, Cause
from tatc.evaluation.fidelity.measure import Measured
from tatc.evaluation.fidelity.tally import MEASURES, Disagreement, Tally, kinds_of

LISTED = 60
"""How many kinds of disagreement a report lists for each measure."""
_DETERMINED = "failed where a precondition decides"
_ROOM = "failed Place, for want of room"


@dataclass(slots=True)
class Report:
    """Adds up games as they are measured."""

    total: Tally = field(default_factory=Tally)
    plans: dict[str, Tally] = field(default_factory=dict[str, Tally])
    games: int = 0

    def add(self, measured: Measured) -> None:
        """Take in one game."""
        self.games += 1
        self.total.add(measured.tally)
        self.plans.setdefault(measured.plan, Tally()).add(measured.tally)

    def summary(self) -> dict[str, Any]:
        """Return the rates of all games, and of each floor plan under `by_plan`."""
        plans = sorted(self.plans.items(), key=lambda pair: _number(pair[0]))
        return self.total.rates() | {
            "by_plan": {plan: tally.rates() for plan, tally in plans}
        }

    def whole(self, floor_map: str, name: str) -> dict[str, Any]:
        """Return the summary with all details, as it is saved.

        `floor_map` is the map as a command names it, `name` what it is called.
        """
        total = self.total
        return {
            "games": self.games,
            "map": name,
            **self.summary(),
            "succeeded": total.below("succeeded."),
            "failed": total.below("failed."),
            "causes": total.below("causes."),
            **self.failures(),
            "objects": {
                name: total.below(f"objects.{name}.") for name in ("clicks", "helped")
            },
            "disagreements": [
                _json(each, count, floor_map) for each, count in self.kinds(LISTED)
            ],
        }

    def failures(self) -> dict[str, Any]:
        """Return how many recorded refusals of the two large groups are refused."""
        groups = {_DETERMINED: PRECONDITIONS, _ROOM: (Cause.ROOM,)}
        return {name: self._group(causes) for name, causes in groups.items()}

    def kinds(self, most: int) -> list[tuple[Disagreement, int]]:
        """Return the commonest kinds of disagreement, at most so many a measure."""
        found: list[tuple[Disagreement, int]] = []
        for measure in sorted({each.measure for each in self.total.apart}):
            apart = (each for each in self.total.apart if each.measure == measure)
            found += kinds_of(apart)[:most]
        return found

    def _group(self, causes: Iterable[Cause]) -> dict[str, Any]:
        group = Tally()
        for cause in causes:
            group.asked["all"] += self.total.asked[f"causes.{cause}"]
            group.agreed["all"] += self.total.agreed[f"causes.{cause}"]
        return group.rate("all")


def saved_at(whole: Mapping[str, Any], out: Path | None) -> Path:
    """Save a report where the user says, or in the user's data folder; return where.

    In the data folder its name holds a hash of its content.

    Raises:
        OutputError: it cannot be written.

    """
    data = json.dumps(whole, indent=1).encode() + b"\n"
    if out is None:
        name = f"{sha256(data).hexdigest()[:12]}.json"
        out = user_data_path("tatc") / "fidelity" / name
        make_folder(out.parent)
    write_whole(data, out, force=True)
    return out


def command_for(each: Disagreement, floor_map: str) -> str:
    """Return the command that opens a disagreement."""
    words = ["tatc", "fidelity", each.game, "--at", str(each.index)]
    if each.measure.startswith("ends."):
        words = ["tatc", "fidelity", each.game]
    if floor_map != "boxes":
        words += ["--map", floor_map]
    return shlex.join(words)


def lines_of(
    rates: Mapping[str, Any], names: Sequence[str]
) -> list[tuple[str, int, str]]:
    """Return name, n and rate in per cent for a table."""
    rows: list[tuple[str, int, str]] = []
    for name in names:
        found: Any = rates
        for part in name.split("."):
            found = found[part]
        rows.append((name, found["n"], percent(found["rate"])))
    return rows


def in_words(saved: Mapping[str, Any]) -> str:
    """Return the rates of a saved report in one line; of other content, all of it."""
    try:
        lines = lines_of(saved, MEASURES)
        games = f"{saved['games']} games, map {saved['map']}"
    except (KeyError, TypeError):
        return ", ".join(f"{name} {value}" for name, value in saved.items())
    return f"{', '.join(f'{name} {rate}' for name, _, rate in lines)} ({games})"


def percent(rate: float | None) -> str:
    """Return a rate as a person reads it."""
    return "-" if rate is None else f"{100 * rate:.1f} %"


def _json(each: Disagreement, count: int, floor_map: str) -> dict[str, Any]:
    return {
        "measure": each.measure,
        "count": count,
        "verb": each.verb,
        "held": each.held,
        "target": each.target,
        "reason": each.why,
        "open": command_for(each, floor_map),
    }


def _number(plan: str) -> tuple[int, str]:
    digits = "".join(filter(str.isdigit, plan))
    return (int(digits) if digits else 0, plan)
