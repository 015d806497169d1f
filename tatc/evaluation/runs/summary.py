"""The scores of a run as JSON: what `--json` prints in `tatc eval` and `tatc report`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.scoring import AggregateScore, aggregate_score
from tatc.evaluation.scoring.published_results import TEACH_TASKS
from tatc.session.records.trajectory_plan import SUBGOALS


def executed_rows(rows: Iterable[SessionRow]) -> tuple[SessionRow, ...]:
    """Return the rows of the sessions that ran."""
    return tuple(row for row in rows if not row.skipped)


def ordered_tasks(rows: Iterable[SessionRow]) -> tuple[str, ...]:
    """Return the tasks of these rows: TEACh's in its table's order, then others by name.

    Kinds of ALFRED's subgoals, which take the places of tasks, are in the order of its own table.
    """
    found = {row.task for row in rows if row.task}
    order = [task for task in (*TEACH_TASKS, *SUBGOALS) if task in found]
    return (*order, *sorted(found.difference(order)))


def run_summary(rows: Sequence[SessionRow], seconds: Mapping[str, float]) -> dict[str, Any]:
    """Return the scores of a run, overall and for each task.

    `seconds` has the time of each session by key; the sums are over all workers.
    """
    kept = executed_rows(rows)
    return score_figures(kept, seconds) | {
        "skipped": len(rows) - len(kept),
        "per_task": {
            task: score_figures([row for row in kept if row.task == task], seconds)
            for task in ordered_tasks(kept)
        },
    }


def score_figures(rows: Sequence[SessionRow], seconds: Mapping[str, float]) -> dict[str, Any]:
    """Return the scores of these sessions; rates are fractions, null without a basis.

    `success_rate`, `goal_condition_rate` and `plw_success_rate` are pooled, as in TEACh's code;
    those that start with `macro_` are means over sessions, as in its paper.
    """
    got = aggregate_score(row.scoring_outcome() for row in rows)
    return score_json(got) | {"seconds": round(sum(seconds.get(row.key, 0.0) for row in rows), 3)}


def score_json(scores: AggregateScore) -> dict[str, Any]:
    """Return a score as JSON."""
    return {
        "sessions": scores.sessions,
        "successes": scores.successes,
        "success_rate": scores.success_rate,
        "success_interval_95": list(scores.success_interval),
        "goal_condition_rate": scores.goal_condition_rate,
        "macro_goal_condition_rate": scores.macro_goal_condition_rate,
        "plw_success_rate": scores.plw_success_rate,
        "macro_plw_success_rate": scores.macro_plw_success_rate,
        "plw_goal_condition_rate": scores.plw_goal_condition_rate,
        "macro_plw_goal_condition_rate": scores.macro_plw_goal_condition_rate,
        "actions": scores.actions,
        "human_actions": scores.human_actions,
        "actions_ratio": scores.actions_ratio,
        "bound_ratio": scores.bound_ratio,
        "crashed": scores.crashes,
    }
