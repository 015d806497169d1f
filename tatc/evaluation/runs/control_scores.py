"""Scores of the negative controls of a run."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.runs.summary import executed_rows
from tatc.evaluation.scoring import AggregateScore, aggregate_score
from tatc.session.agents.agent_names import CONTROL_COMMANDERS


@dataclass(frozen=True, slots=True)
class ControlScore:
    """The scores of a negative control in the run's sessions.

    `relevant_score` is the score in the sessions in which the control's fault can matter,
    and `relevant_where` says which these are.
    """

    name: str
    overall: AggregateScore
    relevant_where: str
    relevant_score: AggregateScore


def control_scores(runs: Sequence[RunFolder]) -> tuple[tuple[ControlScore, ...], tuple[str, ...]]:
    """Return the scores of the negative controls that ran beside these shards of one run.

    The second value has a line for each of their results that cannot be read.
    """
    rows: defaultdict[str, list[SessionRow]] = defaultdict(list)
    faults: list[str] = []
    for run in runs:
        for name, folder in run.control_folders().items():
            found = folder.results()
            rows[name] += executed_rows(found.rows)
            faults += found.faults
    names = [name for name in CONTROL_COMMANDERS if name in rows]
    return tuple(_control_score(name, rows[name]) for name in names), tuple(faults)


def _control_score(name: str, rows: Iterable[SessionRow]) -> ControlScore:
    kept = tuple(rows)
    where, relevant = "everywhere", kept
    if name == "never-opens":
        where = "something needed is in a closed receptacle"
        relevant = tuple(row for row in kept if row.shut)
    elif name == "straight":
        where = "it walked into something"
        relevant = tuple(row for row in kept if row.bumped)
    return ControlScore(
        name,
        aggregate_score(row.scoring_outcome() for row in kept),
        where,
        aggregate_score(row.scoring_outcome() for row in relevant),
    )
