"""The fidelity of many games as one report, saved as JSON and read again."""

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np
from platformdirs import user_data_path

from tatc.base import errors, files, json_fields, plain_text
from tatc.evaluation.fidelity import agreement_counts
from tatc.evaluation.fidelity.game_fidelity import PRECONDITION_CAUSES, GameFidelity, RefusalCause
from tatc.evaluation.page_templates import format_share
from tatc.session.worlds import SHIPPED_MAP

INTERVAL_LEVEL = 0.95
RESAMPLE_COUNT = 2000
BOOTSTRAP_SEED = 0
_DIGITS = 6
MAX_KINDS_PER_MEASURE = 60  # how many kinds of disagreement a report lists for each measure
MAX_CAUSES = 10  # how many causes of disagreement a report lists
_REFUSAL_GROUPS = {
    "failed where a precondition decides": PRECONDITION_CAUSES,
    "failed Place, for want of room": (RefusalCause.NO_SPACE,),
}

Interval = tuple[float, float]  # the lower and the upper end, 0 to 1


@dataclass(frozen=True, slots=True)
class RateEstimate:
    """A rate over `n` actions or sessions, None for none; an interval takes two floor plans."""

    n: int
    rate: float | None
    interval: Interval | None

    def to_json(self) -> dict[str, Any]:
        """Return number and rate, without the interval."""
        return {"n": self.n, "rate": self.rate}


@dataclass(frozen=True, slots=True)
class MeasureRates:
    """The two rates of one measure."""

    measure: str
    per_action: RateEstimate
    per_session: RateEstimate


@dataclass(slots=True)
class FidelityReport:
    """The results of games, added up."""

    measured: list[GameFidelity] = field(default_factory=list[GameFidelity])
    total: agreement_counts.AgreementCounts = field(
        default_factory=agreement_counts.AgreementCounts
    )

    def add(self, measured: GameFidelity) -> None:
        """Add the result of one game; the order of games makes no difference."""
        self.measured.append(measured)
        self.total.add(measured.counts)

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.measured)

    def by_plan(self) -> dict[str, agreement_counts.AgreementCounts]:
        """Return the counts of each floor plan, in AI2-THOR's order."""
        found: dict[str, agreement_counts.AgreementCounts] = {}

        def order(game: GameFidelity) -> tuple[int, str]:
            digits = "".join(filter(str.isdecimal, game.plan))
            return (plain_text.whole_number(digits) or 0, game.plan)

        for game in sorted(self.measured, key=order):
            found.setdefault(game.plan, agreement_counts.AgreementCounts()).add(game.counts)
        return found

    def measures(self) -> list[MeasureRates]:
        """Return the rates of each of `FIDELITY_MEASURES`, per action and per session."""
        return [measure_rates(name, self.measured) for name in agreement_counts.FIDELITY_MEASURES]

    def refusal_measures(self) -> list[MeasureRates]:
        """Return how many recorded refusals of the two large groups the embedded world refuses."""
        return [
            measure_rates(name, self.measured, [f"causes.{cause}" for cause in causes])
            for name, causes in _REFUSAL_GROUPS.items()
        ]

    def summary(self) -> dict[str, Any]:
        """Return the rates of all games, and of each floor plan under `by_plan`.

        `per_session` and `interval` have the keys of the rates, `causes` the most frequent
        causes of disagreement.
        """
        measures = self.measures()
        per_session = {each.measure: each.per_session.to_json() for each in measures}
        kinds = ("per_action", "per_session")
        intervals = {m.measure: {k: getattr(m, k).interval for k in kinds} for m in measures}
        return {
            **self.total.rates(),
            "by_plan": {plan: counts.rates() for plan, counts in self.by_plan().items()},
            "per_session": agreement_counts.nest_by_group(per_session),
            "interval": agreement_counts.nest_by_group(intervals),
            "causes": [
                {"count": count, "measure": each.measure, "verb": each.verb, "reason": each.reason}
                for each, count in self.most_frequent_causes()
            ],
        }

    def full_json(self, floor_map: str, map_label: str) -> dict[str, Any]:
        """Return the summary with all details; commands name the map as `floor_map`."""
        total = self.total
        return {
            "games": self.games,
            "map": map_label,
            **self.summary(),
            "succeeded": total.rates_with_prefix("succeeded."),
            "failed": total.rates_with_prefix("failed."),
            "refusal_causes": total.rates_with_prefix("causes."),
            **{each.measure: each.per_action.to_json() for each in self.refusal_measures()},
            "objects": {
                name: total.rates_with_prefix(f"objects.{name}.") for name in ("clicks", "helped")
            },
            "disagreements": [
                {
                    "measure": each.measure,
                    "count": count,
                    "verb": each.verb,
                    "held": each.held,
                    "target": each.target,
                    "reason": each.reason,
                    "open": disagreement_command(each, floor_map),
                }
                for each, count in self.commonest_disagreements(MAX_KINDS_PER_MEASURE)
            ],
        }

    def commonest_disagreements(self, most: int) -> list[tuple[agreement_counts.Disagreement, int]]:
        """Return the commonest kinds of disagreement, at most this many for each measure."""
        found: list[tuple[agreement_counts.Disagreement, int]] = []
        for measure in sorted({each.measure for each in self.total.disagreements}):
            apart = (each for each in self.total.disagreements if each.measure == measure)
            found += agreement_counts.group_disagreements(apart)[:most]
        return found

    def most_frequent_causes(self) -> list[tuple[agreement_counts.Disagreement, int]]:
        """Return the first disagreement of each of the most frequent causes, and their counts."""
        found = self.total.disagreements
        return agreement_counts.group_disagreements(found, lambda each: each.cause)[:MAX_CAUSES]


def measure_rates(
    measure: str, games: Iterable[GameFidelity], counted: Sequence[str] = ()
) -> MeasureRates:
    """Return the rates of a measure over games, whose order makes no difference.

    `counted` has the names under which the answers are counted; by default the measure's own.
    """
    by_plan: dict[str, list[tuple[int, int]]] = {}
    for game in games:
        answers = sum(game.counts.compared[name] for name in counted or (measure,))
        if answers:
            ours = sum(game.counts.agreed[name] for name in counted or (measure,))
            by_plan.setdefault(game.plan, []).append((ours, answers))
    plans = [by_plan[plan] for plan in sorted(by_plan)]
    agreed = [sum(ours for ours, _ in sessions) for sessions in plans]
    compared = [sum(all_ for _, all_ in sessions) for sessions in plans]
    own_rates = [fsum(ours / all_ for ours, all_ in sessions) for sessions in plans]
    per_session = _estimate(own_rates, [len(sessions) for sessions in plans])
    return MeasureRates(measure, _estimate(agreed, compared), per_session)


def _estimate(agreed: Sequence[float], compared: Sequence[int]) -> RateEstimate:
    """Return the rate of sums over floor plans; both have one number for each plan."""
    n = sum(compared)
    rate = round(fsum(agreed) / n, _DIGITS) if n else None
    return RateEstimate(n, rate, _bootstrap_interval(agreed, compared))


def _bootstrap_interval(agreed: Sequence[float], compared: Sequence[int]) -> Interval | None:
    """Return the percentile interval of a bootstrap (Efron and Tibshirani 1993, section 13.3).

    Games of one floor plan share its furniture, so whole plans are drawn, with replacement.
    """
    plans = len(compared)
    if plans < 2:
        return None
    random = np.random.default_rng(BOOTSTRAP_SEED)
    times_drawn = random.multinomial(plans, np.full(plans, 1 / plans), size=RESAMPLE_COUNT)
    rates = (times_drawn @ np.array(agreed)) / (times_drawn @ np.array(compared))
    outside = (1 - INTERVAL_LEVEL) / 2
    low, high = np.quantile(rates, (outside, 1 - outside)).tolist()
    return round(low, _DIGITS), round(high, _DIGITS)


def save_report(report_json: Mapping[str, Any], out: Path | None) -> Path:
    """Save a report to a path, or under its hash to the user's data folder; return the path."""
    data = json.dumps(report_json, indent=1).encode() + b"\n"
    if out is None:
        out = user_data_path("tatc") / "fidelity" / f"{sha256(data).hexdigest()[:12]}.json"
        files.make_folder(out.parent)
    files.write_atomically(data, out, force=True)
    return out


def read_saved_report(path: Path) -> Mapping[str, Any]:
    """Return a saved report; what no report of a run shows is not checked."""
    raw: Any = files.read_json(path, files.FIDELITY_REPORT, files.FINITE_NUMBERS)
    with json_fields.errors_in(path, errors.BadInput, files.FIDELITY_REPORT.fix):
        saved = json_fields.as_mapping(raw, "")
        json_fields.as_integer(saved.get("games"), "games")
        json_fields.get_text(saved, "map")
        for name in agreement_counts.FIDELITY_MEASURES:
            found = saved
            for part in name.split("."):
                found = json_fields.as_mapping(found.get(part), name)
            json_fields.as_integer(found.get("n"), f"{name}.n")
            if "rate" not in found:
                raise json_fields.FieldError(f"{name}.rate", "is missing")
            if found["rate"] is not None:
                json_fields.as_number(found["rate"], f"{name}.rate")
    return saved


def disagreement_command(each: agreement_counts.Disagreement, floor_map: str) -> str:
    """Return the command that explains a disagreement."""
    words = ["tatc", "fidelity", each.game, "--at", str(each.index)]
    if each.measure.startswith("ends."):
        words = ["tatc", "fidelity", each.game]
    if floor_map != SHIPPED_MAP:
        words += ["--map", floor_map]
    return shlex.join(words)


def format_rates(saved: Mapping[str, Any]) -> str:
    """Return the rates of a saved report in one line."""
    rates: list[str] = []
    for name in agreement_counts.FIDELITY_MEASURES:
        found: Any = saved
        for part in name.split("."):
            found = found[part]
        rates.append(f"{name} {format_share(found['rate'])}")
    return f"{', '.join(rates)} ({plain_text.counted(saved['games'], 'game')}, map {saved['map']})"


def format_rate_interval(interval: Interval | None) -> str:
    """Return an interval in percent, as text."""
    return "-" if interval is None else "{:.1f} to {:.1f}".format(*(100 * end for end in interval))
