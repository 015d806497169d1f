"""The fidelity of many games as one report: rates, by floor plan, and the disagreements."""

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from tatc.atomic_files import make_folder, write_atomically
from tatc.evaluation.fidelity.agreement_counts import (
    FIDELITY_MEASURES,
    AgreementCounts,
    Disagreement,
    group_disagreements,
)
from tatc.evaluation.fidelity.game_fidelity import GameFidelity
from tatc.evaluation.fidelity.refusal_causes import PRECONDITION_CAUSES, RefusalCause

MAX_KINDS_PER_MEASURE = 60
"""How many kinds of disagreement a report lists for each measure."""
_PRECONDITION_FAILURES = "failed where a precondition decides"
_NO_SPACE_FAILURES = "failed Place, for want of room"


@dataclass(slots=True)
class FidelityReport:
    """Adds up the results of games."""

    total: AgreementCounts = field(default_factory=AgreementCounts)
    by_plan: dict[str, AgreementCounts] = field(default_factory=dict[str, AgreementCounts])
    games: int = 0

    def add(self, measured: GameFidelity) -> None:
        """Add the result of one game."""
        self.games += 1
        self.total.add(measured.counts)
        self.by_plan.setdefault(measured.plan, AgreementCounts()).add(measured.counts)

    def summary(self) -> dict[str, Any]:
        """Return the rates of all games, and of each floor plan under `by_plan`."""
        plans = sorted(self.by_plan.items(), key=lambda pair: _plan_order(pair[0]))
        return self.total.rates() | {"by_plan": {plan: tally.rates() for plan, tally in plans}}

    def full_json(self, floor_map: str, map_label: str) -> dict[str, Any]:
        """Return the summary with all details, as it is saved.

        `floor_map` is the map as a command names it, `map_label` its name and hash.
        """
        total = self.total
        return {
            "games": self.games,
            "map": map_label,
            **self.summary(),
            "succeeded": total.rates_with_prefix("succeeded."),
            "failed": total.rates_with_prefix("failed."),
            "causes": total.rates_with_prefix("causes."),
            **self.refusal_rates(),
            "objects": {
                name: total.rates_with_prefix(f"objects.{name}.") for name in ("clicks", "helped")
            },
            "disagreements": [
                _disagreement_json(each, count, floor_map)
                for each, count in self.commonest_disagreements(MAX_KINDS_PER_MEASURE)
            ],
        }

    def refusal_rates(self) -> dict[str, Any]:
        """Return how many recorded refusals of the two large groups the embedded world refuses."""
        groups = {
            _PRECONDITION_FAILURES: PRECONDITION_CAUSES,
            _NO_SPACE_FAILURES: (RefusalCause.NO_SPACE,),
        }
        return {name: self._rate_of_causes(causes) for name, causes in groups.items()}

    def commonest_disagreements(self, most: int) -> list[tuple[Disagreement, int]]:
        """Return the commonest kinds of disagreement, at most this many for each measure."""
        found: list[tuple[Disagreement, int]] = []
        for measure in sorted({each.measure for each in self.total.disagreements}):
            apart = (each for each in self.total.disagreements if each.measure == measure)
            found += group_disagreements(apart)[:most]
        return found

    def _rate_of_causes(self, causes: Iterable[RefusalCause]) -> dict[str, Any]:
        group = AgreementCounts()
        for cause in causes:
            group.compared["all"] += self.total.compared[f"causes.{cause}"]
            group.agreed["all"] += self.total.agreed[f"causes.{cause}"]
        return group.rate("all")


def save_report(report_json: Mapping[str, Any], out: Path | None) -> Path:
    """Save a report to a path, or to the user's data folder if it is None; return the path.

    In the data folder the file's name holds a hash of its content.

    Raises:
        OutputError: the file cannot be written.

    """
    data = json.dumps(report_json, indent=1).encode() + b"\n"
    if out is None:
        name = f"{sha256(data).hexdigest()[:12]}.json"
        out = user_data_path("tatc") / "fidelity" / name
        make_folder(out.parent)
    write_atomically(data, out, force=True)
    return out


def disagreement_command(each: Disagreement, floor_map: str) -> str:
    """Return the command that explains a disagreement."""
    words = ["tatc", "fidelity", each.game, "--at", str(each.index)]
    if each.measure.startswith("ends."):
        words = ["tatc", "fidelity", each.game]
    if floor_map != "boxes":
        words += ["--map", floor_map]
    return shlex.join(words)


def rate_lines(rates: Mapping[str, Any], names: Sequence[str]) -> list[tuple[str, int, str]]:
    """Return name, number and rate in percent for each row of a table."""
    rows: list[tuple[str, int, str]] = []
    for name in names:
        found: Any = rates
        for part in name.split("."):
            found = found[part]
        rows.append((name, found["n"], format_rate(found["rate"])))
    return rows


def format_rates(saved: Mapping[str, Any]) -> str:
    """Return the rates of a saved report in one line; other content is returned as it is."""
    try:
        lines = rate_lines(saved, FIDELITY_MEASURES)
        games = f"{saved['games']} games, map {saved['map']}"
    except (KeyError, TypeError):
        return ", ".join(f"{name} {value}" for name, value in saved.items())
    return f"{', '.join(f'{name} {rate}' for name, _, rate in lines)} ({games})"


def format_rate(rate: float | None) -> str:
    """Return a rate in percent, as text."""
    return "-" if rate is None else f"{100 * rate:.1f} %"


def _disagreement_json(each: Disagreement, count: int, floor_map: str) -> dict[str, Any]:
    return {
        "measure": each.measure,
        "count": count,
        "verb": each.verb,
        "held": each.held,
        "target": each.target,
        "reason": each.reason,
        "open": disagreement_command(each, floor_map),
    }


def _plan_order(plan: str) -> tuple[int, str]:
    digits = "".join(filter(str.isdigit, plan))
    return (int(digits) if digits else 0, plan)
