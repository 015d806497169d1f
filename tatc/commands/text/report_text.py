"""A run's report in a terminal: tables of scores, notes, and groups of failures."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from tatc.base.plain_text import counted
from tatc.commands.text.output import print_line, print_lines, print_table, remark
from tatc.evaluation.fidelity.fidelity_report import format_rates
from tatc.evaluation.page_templates import (
    format_interval,
    format_percent,
    format_ratio,
    format_whole,
)
from tatc.evaluation.runs import eval_options, run_report
from tatc.evaluation.runs.follower_comparison import FollowerComparison, PairComparison
from tatc.evaluation.scoring import published_results
from tatc.evaluation.scoring.scores import AggregateScore, GroupScore
from tatc.session.session_types import TATC_LIMITS

_MAX_LISTED = 25
_TEACH_MEANS = " (TEACh's code)", " (TEACh's paper)"  # who reports which of the two means


def print_report(found: run_report.RunReport, places: frozenset[str] = frozenset()) -> None:
    """Print a report as text; `places` get a line of their own."""
    print_lines((found.header(), ""))
    if found.is_of_subgoals:
        print_subgoals(found.per_task())
    elif found.kind == eval_options.TATC:
        _print_tasks(found)
    else:
        print_scores("task", (*found.per_task(), ("overall", found.overall())), INSTANCE_COLUMNS)
        print_line("")
        _print_published_instances(found)
    print_lines(("", *_cascade_lines(found), *_score_lines(found), *found.cost_lines(), ""))
    groups = [*found.per_kind(), *found.per_split()]
    groups += found.scores_by_places(places) if places else ()
    print_scores("where", groups, PLACE_COLUMNS)
    agreement = "was not measured for this run (`tatc fidelity --out RUN` does)"
    if found.fidelity is not None:
        agreement = f"is {format_rates(found.fidelity)}"
    print_lines(("", found.note(), f"The embedded world's agreement with recordings {agreement}."))
    _print_controls(found)
    _print_failures(found)
    _print_skipped(found)


def _print_published_instances(found: run_report.RunReport) -> None:
    here = (
        *("this run", ""),
        *_cells(found.overall(), (_SUCCESS, _INTERVAL, _PLW_SUCCESS)),
        "tatc's own",
        found.identity["options"].get("setup", {}).get("perception") or "no percepts",
        TATC_LIMITS.failures,
    )
    published = [
        (
            each.system,
            each.split,
            f"{each.success:.2f}",
            "",
            "" if each.path_weighted is None else f"{each.path_weighted:.2f}",
            published_results.THOR_WORLD,
            each.perception,
            "" if each.failure_limit is None else each.failure_limit,
        )
        for each in published_results.published_instances(found.kind)
    ]
    columns = ("system", "split", "success %", "95 %", "path-weighted %", "world", "perception")
    print_table((*columns, "failures allowed"), (here, *published))


def _print_skipped(found: run_report.RunReport) -> None:
    for name, why in (("skipped", "could not start"), ("unanswered", "not answered")):
        reasons = Counter(getattr(row, name) for row in found.rows if getattr(row, name))
        if rows := [(count, reason) for reason, count in reasons.most_common(_MAX_LISTED)]:
            print_line()
            print_table(("n", f"{why} because"), rows)
    if found.faults:
        print_line()
        print_table(("left out of all figures",), [(why,) for why in found.faults[:_MAX_LISTED]])


def _print_tasks(found: run_report.RunReport) -> None:
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
        ratios = (format_ratio(got.actions_ratio), format_ratio(got.bound_ratio))
        rows.append((each.name, got.sessions, *success, *actions, *ratios, got.crashes))
    columns = ("task", "sessions", "success %", "95 %")
    columns += ("TEACh %", "actions", "TEACh", "people") if has_published else ("actions",)
    print_table((*columns, "/ recorded", "/ bound", "crashed"), rows)


def _cascade_lines(found: run_report.RunReport) -> Iterable[str]:
    starts, finished = found.cascade_counts()
    if starts:
        reached = format_percent(found.overall().goal_condition_rate)
        yield (
            f"Cascaded, from {counted(starts, 'instruction')}: the Follower reached {reached} % of "
            f"the goal conditions that were left, and all of them {counted(finished, 'time')}"
        )


def _score_lines(found: run_report.RunReport) -> Iterable[str]:
    got = found.overall()
    pooled, mean = (" (ALFRED's code)", "") if found.is_of_alfred else _TEACH_MEANS
    yield (
        f"Goal conditions: {format_percent(got.goal_condition_rate)} % "
        f"pooled{pooled}, "
        f"{format_percent(got.macro_goal_condition_rate)} % mean{mean}"
    )
    if got.plw_success_rate is None:
        return
    yield (
        f"Path-length-weighted success: {format_percent(got.plw_success_rate)} % "
        f"pooled, {format_percent(got.macro_plw_success_rate)} % mean; "
        f"goal conditions: "
        f"{format_percent(got.plw_goal_condition_rate)} % pooled, "
        f"{format_percent(got.macro_plw_goal_condition_rate)} % mean"
    )


def _print_controls(found: run_report.RunReport) -> None:
    if not found.controls:
        return
    print_lines(("", "Negative controls, in the same sessions"))
    rows = [
        (
            each.name,
            *_cells(each.overall, PLACE_COLUMNS),
            each.relevant_where,
            *_cells(each.relevant_score, PLACE_COLUMNS[:2]),
        )
        for each in found.controls
    ]
    columns = ("control", "sessions", "success %", "95 %", "where it matters")
    print_table((*columns, "sessions", "success %"), rows)


def _print_failures(found: run_report.RunReport) -> None:
    groups = found.failure_groups()
    if not groups:
        return
    failed = sum(each.count for each in groups)
    counts = f"{counted(failed, 'session')}, {counted(len(groups), 'kind')}"
    print_lines(("", f"Failures: {counts}; each command opens one"))
    for each in groups[:_MAX_LISTED]:
        about = (each.failure.problem, each.failure.skill, each.failure.reason)
        print_line(f"{each.count:>4}  {each.task}: {'; '.join(filter(None, about))}")
        print_line(f"      {each.command}")
    if len(groups) > _MAX_LISTED:
        remark(f"{len(groups) - _MAX_LISTED} more kinds: see --json or --html")


# Tables of scores: one row for each group of sessions, and which columns each table has.

ScoreColumn = tuple[str, Callable[[AggregateScore], object]]
"""A heading, and the cell of a score below it."""

_SUCCESS: ScoreColumn = ("success %", lambda score: format_percent(score.success_rate))
_INTERVAL: ScoreColumn = ("95 %", format_interval)
_PLW_SUCCESS: ScoreColumn = ("path-weighted %", lambda got: format_percent(got.plw_success_rate))
_GOAL_CONDITIONS: ScoreColumn = (
    "goal conditions %",
    lambda score: format_percent(score.goal_condition_rate),
)
_CRASHES: ScoreColumn = ("crashed", lambda score: score.crashes)

PLACE_COLUMNS: Sequence[ScoreColumn] = (
    ("sessions", lambda score: score.sessions),
    _SUCCESS,
    _INTERVAL,
)
_ACTION_COLUMNS: Sequence[ScoreColumn] = (
    ("actions", lambda score: format_whole(score.actions)),
    ("/ recorded", lambda score: format_ratio(score.actions_ratio)),
    _CRASHES,
)
FOLLOWER_COLUMNS = (*PLACE_COLUMNS, _GOAL_CONDITIONS, _PLW_SUCCESS, *_ACTION_COLUMNS)
INSTANCE_COLUMNS: Sequence[ScoreColumn] = (
    ("instances", lambda score: score.sessions),
    _SUCCESS,
    _INTERVAL,
    _PLW_SUCCESS,
    _GOAL_CONDITIONS,
    ("path-weighted %", lambda score: format_percent(score.plw_goal_condition_rate)),
    _CRASHES,
)


def print_scores(
    group: str, scores: Iterable[tuple[str, AggregateScore]], columns: Sequence[ScoreColumn]
) -> None:
    """Print the scores of groups by name; `group` is the heading of the names."""
    rows = [(name, *_cells(score, columns)) for name, score in scores]
    print_table((group, *(heading for heading, _ in columns)), rows)


def _cells(score: AggregateScore, columns: Sequence[ScoreColumn]) -> list[object]:
    return [cell(score) for _, cell in columns]


# The table of single subgoals, beside ALFRED's own Table 4.

_COLUMNS = (
    *("subgoal", "sessions", "success %", "95 %", "path-weighted %"),
    *("SEQ2SEQ+PM seen", "unseen", "actions", "/ recorded", "crashed"),
)


def print_subgoals(scores: Sequence[GroupScore]) -> None:
    """Print the score of each kind of subgoal, and the mean over kinds, as Table 4 has them."""
    published = published_results.PUBLISHED_SUBGOALS
    before, after = (*PLACE_COLUMNS, _PLW_SUCCESS), _ACTION_COLUMNS
    rows = [
        (kind, *_cells(got, before), *published.get(kind, ("", "")), *_cells(got, after))
        for kind, got in scores
    ]
    found = [score for _, score in scores]
    success = published_results.mean_over_kinds(score.success_rate for score in found)
    plw_success = published_results.mean_over_kinds(score.plw_success_rate for score in found)
    mean = (
        published_results.MEAN_OVER_KINDS,
        sum(score.sessions for score in found),
        format_percent(success),
        "",
        format_percent(plw_success),
        *published[published_results.MEAN_OVER_KINDS],
        "",
        "",
        sum(score.crashes for score in found),
    )
    print_table(_COLUMNS, (*rows, mean))


_MAX_ONE_SIDED = 5


def print_comparison(found: FollowerComparison) -> None:
    """Print a comparison as text."""
    for pair in found.pairs:
        print_line(f"{pair.verdict()}.")
        if warning := pair.first.wording_warning(pair.second):
            print_line(f"Warning: {warning}.")
        for finding in pair.findings():
            print_line(f"{finding[0].upper()}{finding[1:]}.")
    print_line("")
    scores = ((label, report.overall()) for label, report in found.reports.items())
    print_scores("side", scores, FOLLOWER_COLUMNS)
    _print_skipped(next(iter(found.reports.values())))
    print_lines(("", found.note(), ""))
    for pair in found.pairs:
        _print_pair(found, pair)
    for label, report in found.reports.items():
        for group in report.failure_groups()[:_MAX_ONE_SIDED]:
            about = filter(None, (group.failure.problem, group.failure.reason))
            print_line(f"{label}: {group.count} x {group.task}: {'; '.join(about)}")
            print_line(f"  {group.command}")


def _print_pair(found: FollowerComparison, pair: PairComparison) -> None:
    paired, first, second = pair.paired, pair.first.label, pair.second.label
    print_line(
        f"{first} minus {second}: {100 * paired.difference:+.1f} points; solved by "
        f"both {paired.both_succeeded}, only the first {paired.only_first_succeeded}, "
        f"only the second {paired.only_second_succeeded}, neither {paired.neither_succeeded}"
    )
    for label, keys in ((second, pair.only_first_succeeded), (first, pair.only_second_succeeded)):
        for key in keys[:_MAX_ONE_SIDED]:
            print_line(f"  {label} fails: {found.command_to_open(label, key)}")
