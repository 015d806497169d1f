"""Tables of scores: one row for each group of sessions, and which columns each table has."""

from collections.abc import Callable, Iterable, Sequence

from tatc.commands.text.output import print_table
from tatc.evaluation.page_templates import (
    format_interval,
    format_percent,
    format_ratio,
    format_whole,
)
from tatc.evaluation.scoring import AggregateScore

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
FOLLOWER_COLUMNS: Sequence[ScoreColumn] = (
    *PLACE_COLUMNS,
    _GOAL_CONDITIONS,
    _PLW_SUCCESS,
    ("actions", lambda score: format_whole(score.actions)),
    ("/ recorded", lambda score: format_ratio(score.actions_ratio)),
    _CRASHES,
)
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
    rows = [(name, *(cell(score) for _, cell in columns)) for name, score in scores]
    print_table((group, *(heading for heading, _ in columns)), rows)
