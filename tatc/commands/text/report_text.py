"""A run's report in a terminal: tables of scores, notes, and groups of failures."""

from collections import Counter
from collections.abc import Iterable

from tatc.commands.text.output import print_line, print_table, remark
from tatc.commands.text.score_table import INSTANCE_COLUMNS, PLACE_COLUMNS, print_scores
from tatc.commands.text.subgoal_table import print_subgoals
from tatc.evaluation.fidelity.fidelity_report import format_rates
from tatc.evaluation.page_templates import (
    format_interval,
    format_percent,
    format_ratio,
    format_whole,
)
from tatc.evaluation.runs.eval_options import TATC
from tatc.evaluation.runs.run_conditions import perception_of_run
from tatc.evaluation.runs.run_report import RunReport
from tatc.evaluation.scoring.published_instances import THOR_WORLD, published_instances
from tatc.session import TATC_LIMITS

_MAX_LISTED = 25
_TEACH_MEANS = " (TEACh's code)", " (TEACh's paper)"  # who reports which of the two means


def print_report(found: RunReport, places: frozenset[str] = frozenset()) -> None:
    """Print a report as text; `places` get a line of their own."""
    print_line(found.header())
    print_line("")
    if found.is_of_subgoals:
        print_subgoals(found.per_task())
    elif found.kind == TATC:
        _print_tasks(found)
    else:
        scores = (*found.per_task(), ("overall", found.overall()))
        print_scores("task", scores, INSTANCE_COLUMNS)
        print_line("")
        _print_published_instances(found)
    print_line("")
    for line in (*_cascade_lines(found), *_score_lines(found)):
        print_line(line)
    print_line("")
    groups = [*found.per_kind(), *found.per_split()]
    groups += found.scores_by_places(places) if places else ()
    print_scores("where", groups, PLACE_COLUMNS)
    print_line("")
    print_line(found.note())
    print_line(_fidelity_line(found))
    _print_controls(found)
    _print_failures(found)
    _print_skipped(found)


def _print_published_instances(found: RunReport) -> None:
    """Print this run's overall score above what was published, each with its conditions."""
    got = found.overall()
    here = (
        "this run",
        "",
        format_percent(got.success_rate),
        format_interval(got),
        format_percent(got.plw_success_rate),
        "tatc's own",
        perception_of_run(found.identity["options"]) or "no percepts",
        TATC_LIMITS.failures,
    )
    published = [
        (
            each.system,
            each.split,
            f"{each.success:.2f}",
            "",
            "" if each.path_weighted is None else f"{each.path_weighted:.2f}",
            THOR_WORLD,
            each.perception,
            "" if each.failure_limit is None else each.failure_limit,
        )
        for each in published_instances(found.kind)
    ]
    columns = ("system", "split", "success %", "95 %", "path-weighted %", "world", "perception")
    print_table((*columns, "failures allowed"), (here, *published))


def _print_skipped(found: RunReport) -> None:
    """Say why sessions could not start, most frequent first."""
    reasons = Counter(row.skipped for row in found.rows if row.skipped)
    if reasons:
        print_line()
        print_table(
            ("n", "could not start because"),
            [(count, why) for why, count in reasons.most_common(_MAX_LISTED)],
        )


def _print_tasks(found: RunReport) -> None:
    """Print each task's score, beside TEACh's figures if there are any for these tasks."""
    scores = found.scores_beside_published()
    has_published = any(each.published for each in scores)
    rows: list[tuple[object, ...]] = []
    for each in scores:
        got, published = each.score, each.published
        success: tuple[object, ...] = (format_percent(got.success_rate), format_interval(got))
        actions: tuple[object, ...] = (format_whole(got.actions),)
        if has_published:
            success += (f"{published.success_percent:.2f}" if published else "",)
            actions += (
                format_whole(published.actions if published else None),
                format_whole(published.human_actions if published else None),
            )
        ratios = format_ratio(got.actions_ratio), format_ratio(got.bound_ratio)
        rows.append((each.name, got.sessions, *success, *actions, *ratios, got.crashes))
    columns = ("task", "sessions", "success %", "95 %")
    columns += ("TEACh %", "actions", "TEACh", "people") if has_published else ("actions",)
    print_table((*columns, "/ recorded", "/ bound", "crashed"), rows)


def _cascade_lines(found: RunReport) -> Iterable[str]:
    starts, finished = found.cascade_counts()
    if starts:
        reached = format_percent(found.overall().goal_condition_rate)
        yield (
            f"Cascaded: started at {starts} instructions, the Follower reached {reached} % of "
            f"the goal conditions that were left there, and all of them {finished} times"
        )


def _score_lines(found: RunReport) -> Iterable[str]:
    got = found.overall()
    pooled, mean = (" (ALFRED's code)", "") if found.is_of_alfred else _TEACH_MEANS
    yield (
        f"Goal conditions: {format_percent(got.goal_condition_rate)} % pooled{pooled}, "
        f"{format_percent(got.macro_goal_condition_rate)} % mean{mean}"
    )
    if got.plw_success_rate is None:
        return
    yield (
        f"Path-length-weighted success: {format_percent(got.plw_success_rate)} % pooled, "
        f"{format_percent(got.macro_plw_success_rate)} % mean; goal conditions: "
        f"{format_percent(got.plw_goal_condition_rate)} % pooled, "
        f"{format_percent(got.macro_plw_goal_condition_rate)} % mean"
    )


def _fidelity_line(found: RunReport) -> str:
    if found.fidelity is None:
        return (
            "The embedded world's agreement with recordings was not measured for this run "
            "(`tatc fidelity --out RUN` does)."
        )
    figures = format_rates(found.fidelity)
    return f"Agreement of the embedded world with recordings: {figures}"


def _print_controls(found: RunReport) -> None:
    if not found.controls:
        return
    print_line("\nNegative controls, in the same sessions")
    rows = [
        (
            each.name,
            each.overall.sessions,
            format_percent(each.overall.success_rate),
            format_interval(each.overall),
            each.relevant_where,
            each.relevant_score.sessions,
            format_percent(each.relevant_score.success_rate),
        )
        for each in found.controls
    ]
    columns = ("control", "sessions", "success %", "95 %", "where it matters")
    print_table((*columns, "sessions", "success %"), rows)


def _print_failures(found: RunReport) -> None:
    groups = found.failure_groups()
    if not groups:
        return
    failed = sum(each.count for each in groups)
    print_line(f"\nFailures: {failed} sessions, {len(groups)} kinds; each command opens one")
    for each in groups[:_MAX_LISTED]:
        about = (each.failure.problem, each.failure.skill, each.failure.reason)
        print_line(f"{each.count:>4}  {each.task}: {'; '.join(filter(None, about))}")
        print_line(f"      {each.command}")
    if len(groups) > _MAX_LISTED:
        remark(f"{len(groups) - _MAX_LISTED} more kinds: see --json or --html")
