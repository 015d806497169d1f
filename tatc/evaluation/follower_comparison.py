"""Several Followers in the same sessions: a run each, and each against the first."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tatc.evaluation.eval_options import EvalOptions
from tatc.evaluation.rows import SessionRow
from tatc.evaluation.run_evaluation import run_evaluation
from tatc.evaluation.run_folder import RunFolder
from tatc.evaluation.run_report import RunReport, read_report
from tatc.evaluation.runner_factory import runner_for
from tatc.evaluation.session_selection import SessionSelection
from tatc.scoring.paired_comparison import PairedOutcomes, count_paired_outcomes

OnContenderRow = Callable[["Contender", SessionRow], None]
"""Told of each session when it is done."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A Follower by its name, and the grain at which its Commander speaks."""

    follower: str
    wording: str

    @property
    def label(self) -> str:
        """Both, as tables and folders name it."""
        return f"{self.follower} ({self.wording})"

    @property
    def folder_name(self) -> str:
        """The name of its run's folder."""
        return re.sub(r"[^\w.-]+", "-", f"{self.follower}-{self.wording}").strip("-")


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two Followers in the sessions that both did; `difference` is first less second.

    `only_first_succeeded` and `only_second_succeeded` are the keys of sessions that only the first
    or only the second
    brought to success.
    """

    first: str
    second: str
    paired: PairedOutcomes
    only_first_succeeded: tuple[str, ...]
    only_second_succeeded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FollowerComparison:
    """What came of each Follower by its label, and of each pair with the first."""

    reports: Mapping[str, RunReport]
    pairs: tuple[PairComparison, ...]

    def command_to_open(self, label: str, key: str) -> str:
        """Return the command that opens a session of a Follower's."""
        report = self.reports[label]
        return report.command_to_open(next(row for row in report.rows if row.key == key))


def compare_followers(
    folder: Path,
    options: EvalOptions,
    chosen: SessionSelection,
    contenders: Sequence[Contender],
    *,
    workers: int = 1,
    force: bool = False,
    watch: OnContenderRow = lambda contender, row: None,
) -> FollowerComparison:
    """Run the same sessions with each Follower, and compare them with the first.

    Each has a run's folder of its own within `folder_name`; whatever breaks it off, the same
    call goes on from there.

    Raises:
        BadInput: a folder holds another run, or a Follower cannot be had.

    """
    for each in contenders:  # before hours are spent on the first of them
        runner_for(_options_for(options, each)).close()
    reports: dict[str, RunReport] = {}
    for each in contenders:
        run = RunFolder(folder / each.folder_name)
        run_evaluation(
            run,
            _options_for(options, each),
            chosen,
            workers=workers,
            force=force,
            on_row=lambda row, each=each: watch(each, row),
        )
        reports[each.label] = read_report([run])
    first, *others = reports
    return FollowerComparison(reports, tuple(compare_pair(reports, first, each) for each in others))


def compare_pair(reports: Mapping[str, RunReport], first: str, second: str) -> PairComparison:
    """Compare two Followers session by session."""
    one, two = (
        {row.key: row.success for row in reports[label].executed_rows} for label in (first, second)
    )
    both = [key for key in one if key in two]
    return PairComparison(
        first,
        second,
        count_paired_outcomes((one[key], two[key]) for key in both),
        tuple(key for key in both if one[key] and not two[key]),
        tuple(key for key in both if two[key] and not one[key]),
    )


def _options_for(options: EvalOptions, contender: Contender) -> EvalOptions:
    setup = replace(options.setup, follower=contender.follower, wording=contender.wording)
    return replace(options, setup=setup)
