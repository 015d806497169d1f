"""Several Followers in the same sessions: a run each, and each against the first."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tatc.evaluation.choice import Chosen
from tatc.evaluation.folder import RunFolder
from tatc.evaluation.options import Options
from tatc.evaluation.report import Report, read_report
from tatc.evaluation.rows import Row
from tatc.evaluation.run import evaluate
from tatc.evaluation.runners import runner_for
from tatc.scoring.paired import Paired, paired

Watch = Callable[["Contender", Row], None]
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
    def folder(self) -> str:
        """The name of its run's folder."""
        return re.sub(r"[^\w.-]+", "-", f"{self.follower}-{self.wording}").strip("-")


@dataclass(frozen=True, slots=True)
class Match:
    """Two Followers in the sessions that both did; `difference` is first less second.

    `won` and `lost` are the keys of sessions that only the first or only the second
    brought to success.
    """

    first: str
    second: str
    paired: Paired
    won: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of each Follower by its label, and of each pair with the first."""

    reports: Mapping[str, Report]
    matches: tuple[Match, ...]

    def command(self, label: str, key: str) -> str:
        """Return the command that opens a session of a Follower's."""
        report = self.reports[label]
        return report.command(next(row for row in report.rows if row.key == key))


def compare(
    folder: Path,
    options: Options,
    chosen: Chosen,
    contenders: Sequence[Contender],
    *,
    workers: int = 1,
    force: bool = False,
    watch: Watch = lambda contender, row: None,
) -> Comparison:
    """Run the same sessions with each Follower, and compare them with the first.

    Each has a run's folder of its own within `folder`; whatever breaks it off, the same
    call goes on from there.

    Raises:
        BadInput: a folder holds another run, or a Follower cannot be had.

    """
    for each in contenders:  # before hours are spent on the first of them
        runner_for(_with(options, each)).close()
    reports: dict[str, Report] = {}
    for each in contenders:
        run = RunFolder(folder / each.folder)
        evaluate(
            run,
            _with(options, each),
            chosen,
            workers=workers,
            force=force,
            watch=lambda row, each=each: watch(each, row),
        )
        reports[each.label] = read_report([run])
    first, *others = reports
    return Comparison(reports, tuple(match(reports, first, each) for each in others))


def match(reports: Mapping[str, Report], first: str, second: str) -> Match:
    """Compare two Followers session by session."""
    one, two = (
        {row.key: row.success for row in reports[label].ran}
        for label in (first, second)
    )
    both = [key for key in one if key in two]
    return Match(
        first,
        second,
        paired((one[key], two[key]) for key in both),
        tuple(key for key in both if one[key] and not two[key]),
        tuple(key for key in both if two[key] and not one[key]),
    )


def _with(options: Options, each: Contender) -> Options:
    setup = replace(options.setup, follower=each.follower, wording=each.wording)
    return replace(options, setup=setup)
