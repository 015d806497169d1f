"""A comparison of Followers in a terminal: the verdict first, then scores and failures."""

from tatc.commands.text.output import print_line
from tatc.commands.text.score_table import FOLLOWER_COLUMNS, print_scores
from tatc.evaluation.runs.follower_comparison import FollowerComparison, PairComparison

_MAX_LISTED = 5


def print_comparison(found: FollowerComparison) -> None:
    """Print a comparison as text."""
    for pair in found.pairs:
        print_line(f"{pair.verdict()}.")
        if pair.wording_warning():
            print_line(f"Warning: {pair.wording_warning()}.")
    print_line("")
    scores = ((label, report.overall()) for label, report in found.reports.items())
    print_scores("Follower", scores, FOLLOWER_COLUMNS)
    print_line(f"\n{found.note()}\n")
    for pair in found.pairs:
        _print_pair(found, pair)
    for label, report in found.reports.items():
        for group in report.failure_groups()[:_MAX_LISTED]:
            about = filter(None, (group.failure.problem, group.failure.reason))
            print_line(f"{label}: {group.count} x {group.task}: {'; '.join(about)}")
            print_line(f"  {group.command}")


def _print_pair(found: FollowerComparison, pair: PairComparison) -> None:
    paired, (low, high) = pair.paired, pair.paired.interval
    first, second = pair.first.label, pair.second.label
    print_line(
        f"{first} minus {second}: {100 * paired.difference:+.1f} points "
        f"({100 * low:+.1f} to {100 * high:+.1f}, 95 %), p = {paired.p_value:.2g}; solved by "
        f"both {paired.both_succeeded}, only the first {paired.only_first_succeeded}, "
        f"only the second {paired.only_second_succeeded}, neither {paired.neither_succeeded}"
    )
    for label, keys in ((second, pair.only_first_succeeded), (first, pair.only_second_succeeded)):
        for key in keys[:_MAX_LISTED]:
            print_line(f"  {label} fails: {found.command_to_open(label, key)}")
