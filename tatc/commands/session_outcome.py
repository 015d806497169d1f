"""How a session ended, as `tatc run` and `tatc replay` print it."""

from collections.abc import Iterable, Iterator
from typing import Any

from tatc.actions import Role
from tatc.records import Record
from tatc.session.planner_summary import PlannerSummary
from tatc.session.transcript import format_action_counts, format_ending


def outcome_json(record: Record) -> dict[str, Any]:
    """Return a session's task, place, end and counts as JSON."""
    return {
        "task": record.task_name,
        "params": list(record.task_params),
        **({"game": record.game_id} if record.game_id else {"room": record.scene.place}),
        "seed": record.seed,
        "success": record.success,
        "end": record.end.value,
        "gc_total": record.gc_total,
        "gc_sat": record.gc_satisfied,
        "commander_actions": record.count_actions(Role.COMMANDER),
        "follower_actions": record.count_actions(Role.FOLLOWER),
        "failed_actions": record.failed_action_count,
    }


def outcome_lines(record: Record, unmet_steps: Iterable[str] = ()) -> Iterator[str]:
    """Yield how a session ended, what its task still lacks, and who planned it."""
    yield format_ending(record.success, record.end, record.gc_satisfied, record.gc_total)
    yield from unmet_steps
    ours, theirs = record.count_actions(Role.COMMANDER), record.count_actions(Role.FOLLOWER)
    yield format_action_counts(ours, theirs, record.failed_action_count)
    options = dict(record.options)
    if "understanding" in options:
        yield f"Dialogue read by: {options['understanding'] or 'nobody'} (model {options['model']})"
    summary = PlannerSummary.of(record.decisions)
    if summary.policy_stretches or summary.pddl_stretches:
        yield str(summary)
