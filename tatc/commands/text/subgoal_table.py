"""The table of single subgoals, beside ALFRED's own Table 4."""

from collections.abc import Sequence

from tatc.commands.text.output import print_table
from tatc.evaluation.alfred.published_subgoals import MEAN, PUBLISHED_SUBGOALS, mean_over_kinds
from tatc.evaluation.page_templates import (
    format_interval,
    format_percent,
    format_ratio,
    format_whole,
)
from tatc.evaluation.scoring.group_scores import GroupScore

_COLUMNS = (
    *("subgoal", "sessions", "success %", "95 %", "path-weighted %"),
    *("SEQ2SEQ+PM seen", "unseen", "actions", "/ recorded", "crashed"),
)


def print_subgoals(scores: Sequence[GroupScore]) -> None:
    """Print the score of each kind of subgoal, and the mean over kinds, as Table 4 has them."""
    rows: list[tuple[object, ...]] = [
        (
            kind,
            score.sessions,
            format_percent(score.success_rate),
            format_interval(score),
            format_percent(score.plw_success_rate),
            *_published(kind),
            format_whole(score.actions),
            format_ratio(score.actions_ratio),
            score.crashes,
        )
        for kind, score in scores
    ]
    found = [score for _, score in scores]
    mean = (
        MEAN,
        sum(score.sessions for score in found),
        format_percent(mean_over_kinds(score.success_rate for score in found)),
        "",
        format_percent(mean_over_kinds(score.plw_success_rate for score in found)),
        *_published(MEAN),
        "",
        "",
        sum(score.crashes for score in found),
    )
    print_table(_COLUMNS, (*rows, mean))


def _published(kind: str) -> tuple[object, object]:
    published = PUBLISHED_SUBGOALS.get(kind)
    return ("", "") if published is None else (published.seen, published.unseen)
