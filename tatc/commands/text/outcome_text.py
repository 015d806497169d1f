"""How a session ended, as `tatc run` and `tatc replay` print it."""

from collections.abc import Iterable, Iterator
from typing import Any

from tatc.home.actions import Role
from tatc.session.records import Record
from tatc.session.transcript import PlannerSummary, format_action_counts, format_ending


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
        **_model_calls_json(record),
    }


def outcome_lines(record: Record, unmet_steps: Iterable[str] = ()) -> Iterator[str]:
    """Yield how a session ended, what its task still lacks, and who planned it."""
    yield format_ending(record.success, record.end, record.gc_satisfied, record.gc_total)
    yield from unmet_steps
    commander, follower = (record.count_actions(role) for role in (Role.COMMANDER, Role.FOLLOWER))
    yield format_action_counts(commander, follower, record.failed_action_count)
    options = dict(record.options)
    if "understanding" in options:
        yield f"Dialogue read by: {options['understanding'] or 'nobody'} (model {options['model']})"
    yield from _model_call_lines(record)
    summary = PlannerSummary.of(record.decisions)
    if summary.policy_stretches or summary.pddl_stretches:
        yield str(summary)


def _model_calls_json(record: Record) -> dict[str, Any]:
    """Return how many calls of language models there were, and their tokens; {} if none."""
    calls = record.model_calls
    if not calls:
        return {}
    last = calls[-1].why
    counts = {
        "model_calls": sum(each.was_sent for each in calls),
        "model_tokens": sum(each.tokens for each in calls),
    }
    return counts | ({"model_fault": last} if last else {})


def _model_call_lines(record: Record) -> Iterator[str]:
    """Yield which models played, how often they were asked, and what went wrong at the end."""
    for role in Role:
        calls = [each for each in record.model_calls if each.role is role]
        if calls:
            tokens = sum(each.tokens for each in calls)
            sent = sum(each.was_sent for each in calls)
            who = f"{role.name.title()} played by {calls[-1].model}"
            yield f"{who}: {sent:,} calls, {tokens:,} tokens"
            if calls[-1].why:
                yield f"Last call: {calls[-1].why}"
