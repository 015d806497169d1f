"""The figures of a run as JSON: the answer of `--json` in eval and report."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tatc.evaluation.rows import Row
from tatc.scoring import Score, score
from tatc.scoring.published import BENCHMARK


def ran(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return the rows of sessions that were run."""
    return tuple(row for row in rows if not row.skipped)


def tasks_in(rows: Iterable[Row]) -> tuple[str, ...]:
    """Return the tasks of these rows: the paper's order, then names."""
    found = {row.task for row in rows if row.task}
    order = [task for task in BENCHMARK if task in found]
    return (*order, *sorted(found.difference(order)))


def summary(rows: Sequence[Row], seconds: Mapping[str, float]) -> dict[str, Any]:
    """Return the figures of a run, with the same ones for each task.

    `seconds` are those of the sessions by key, summed over workers.
    """
    kept = ran(rows)
    return figures(kept, seconds) | {
        "skipped": len(rows) - len(kept),
        "per_task": {
            task: figures([row for row in kept if row.task == task], seconds)
            for task in tasks_in(kept)
        },
    }


def figures(rows: Sequence[Row], seconds: Mapping[str, float]) -> dict[str, Any]:
    """Return the figures of these sessions; rates are fractions, null without a basis.

    `success_rate`, `goal_condition_rate` and `plw_success_rate` are pooled as TEACh's
    code does; those that start with `macro_` are means over sessions as in its paper.
    """
    got = score(row.outcome() for row in rows)
    return score_json(got) | {
        "seconds": round(sum(seconds.get(row.key, 0.0) for row in rows), 3)
    }


def score_json(got: Score) -> dict[str, Any]:
    """Return a score as JSON."""
    return {
        "sessions": got.sessions,
        "successes": got.successes,
        "success_rate": got.success_rate,
        "success_interval_95": list(got.interval),
        "goal_condition_rate": got.goal_condition_rate,
        "macro_goal_condition_rate": got.macro_goal_condition_rate,
        "plw_success_rate": got.plw_success_rate,
        "macro_plw_success_rate": got.macro_plw_success_rate,
        "plw_goal_condition_rate": got.plw_goal_condition_rate,
        "macro_plw_goal_condition_rate": got.macro_plw_goal_condition_rate,
        "actions": got.actions,
        "human_actions": got.human_actions,
        "actions_ratio": got.actions_ratio,
        "bound_ratio": got.bound_ratio,
        "crashed": got.crashed,
    }
