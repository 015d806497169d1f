"""Several Followers in the same sessions: one run for each, compared pair by pair."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tatc.base import errors, file_names
from tatc.evaluation.runs.eval_options import TATC, EvalOptions
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_conditions import check_one_uses, for_follower
from tatc.evaluation.runs.run_evaluation import run_evaluation, runner_for
from tatc.evaluation.runs.run_folder import RunFolder, check_is_no_run
from tatc.evaluation.runs.run_report import RunReport, read_report
from tatc.evaluation.runs.session_selection import SessionSelection
from tatc.evaluation.scoring.scores import PairedOutcomes, count_paired_outcomes
from tatc.session.agents import agents, session_setup

OnContenderRow = Callable[["Contender", SessionRow], None]
"""Called with each session when it is done."""

SIGNIFICANCE_LEVEL = 0.05
"""A difference counts as significant where its p-value is below this."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A Follower by its name, and the wording in which the Commander speaks to it.

    `ablation_of` is the label of the full Follower of which this one is a lesser form, or "".
    """

    follower: str
    wording: str
    ablation_of: str = ""

    @property
    def label(self) -> str:
        """Follower and wording, as tables name them: "et (steps)"."""
        return f"{self.follower} ({self.wording})"

    def wording_warning(self, other: "Contender") -> str:
        """Return a warning where another one hears another wording, "" where it does not."""
        if self.wording == other.wording:
            return ""
        return (
            f"{self.follower} hears {self.wording} and {other.follower} hears {other.wording}: the "
            "difference between them is partly one of wording (--wording, given once, is for all)"
        )


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two Followers in the sessions that both ran, by key; differences are first minus second."""

    first: Contender
    second: Contender
    paired: PairedOutcomes
    only_first_succeeded: tuple[str, ...]
    only_second_succeeded: tuple[str, ...]

    def verdict(self) -> str:
        """Return the comparison in one sentence."""
        paired, sessions = self.paired, self.paired.sessions
        if not sessions:
            return f"{self.first.label} and {self.second.label} ran no session in common"
        low, high = (round(100 * end) for end in paired.interval)
        negation = "" if paired.p_value < SIGNIFICANCE_LEVEL else "not "
        return (
            f"{self.first.label} solved {paired.first_successes} of {sessions}, "
            f"{self.second.label} {paired.second_successes} of {sessions}: "
            f"a difference of {round(100 * paired.difference)} points ({low} to {high}), "
            f"{negation}significant: p = {paired.p_value:.2g}"
        )


@dataclass(frozen=True, slots=True)
class FollowerComparison:
    """The report of each Follower by its label, and the pairs that are compared."""

    reports: Mapping[str, RunReport]
    pairs: tuple[PairComparison, ...]

    def note(self) -> str:
        """Return what to print below the scores, which stand beside no published ones."""
        report = next(iter(self.reports.values()))
        return report.world_note() if report.kind == TATC else report.fulfilled_note()

    def command_to_open(self, label: str, key: str) -> str:
        """Return the command that opens a session of the Follower with this label."""
        report = self.reports[label]
        return report.command_to_open(next(row for row in report.rows if row.key == key))


def compare_followers(
    folder: Path,
    options: EvalOptions,
    selection: SessionSelection,
    contenders: Sequence[Contender],
    *,
    workers: int = 1,
    force: bool = False,
    on_row: OnContenderRow = lambda contender, row: None,
    on_bad_line: Callable[[str], None] = lambda fault: None,
) -> FollowerComparison:
    """Run the same sessions with each Follower, and compare them in pairs (`pairs_to_compare`).

    Each run has a folder of its own in `folder`, in which the same call continues after an
    interruption; the rest is as in `run_evaluation`.
    """
    names = [each.follower for each in contenders]
    check_is_no_run(folder)
    check_one_uses(options.setup, names)
    for each in contenders:  # before hours are spent on the first of them
        runner_for(_options_for(options, each)).close()
    reports: dict[str, RunReport] = {}
    for each in contenders:
        run = RunFolder(folder / file_names.file_name(f"{each.follower}-{each.wording}"))
        run_evaluation(
            run,
            _options_for(options, each),
            selection,
            workers=workers,
            force=force,
            on_row=lambda row, each=each: on_row(each, row),
            on_bad_line=on_bad_line,
        )
        reports[each.label] = read_report([run])
    pairs = pairs_to_compare(contenders)
    return FollowerComparison(reports, tuple(compare_pair(reports, *pair) for pair in pairs))


def pairs_to_compare(contenders: Sequence[Contender]) -> list[tuple[Contender, Contender]]:
    """Return the first Follower with each other one that was named, then the ablations."""
    by_label = {each.label: each for each in contenders}
    first, *others = contenders
    named = [(first, each) for each in others if not each.ablation_of]
    ablations = [(by_label[each.ablation_of], each) for each in others if each.ablation_of]
    return [*named, *ablations]


def compare_pair(
    reports: Mapping[str, RunReport], first: Contender, second: Contender
) -> PairComparison:
    """Compare two Followers session by session."""
    one, two = (
        {row.key: row.success for row in reports[each.label].executed_rows}
        for each in (first, second)
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
    return for_follower(replace(options, setup=session_setup.with_model_for_players(setup)))


def choose_contenders(
    followers: Sequence[str], wordings: Sequence[str] = (), *, kind: str = TATC, ablations: bool
) -> list[Contender]:
    """Return the Followers (names or `module:Class`) that are compared, then their ablations.

    `wordings` has one for all, one for each, or nothing, which gives each Follower its own.
    """
    if len(wordings) not in (0, 1, len(followers)):
        why = f"{len(wordings)} wordings for {len(followers)} Followers"
        raise errors.BadInput(why, fix="give --wording once, or once for each")
    given = tuple(wordings) * len(followers) if len(wordings) == 1 else tuple(wordings)
    given = given or tuple(agents.wording_for_follower(name) for name in followers)
    named = [Contender(*pair) for pair in zip(followers, given, strict=True)]
    forms = agents.SESSION_ABLATIONS if kind == TATC else agents.INSTANCE_ABLATIONS
    lesser = [
        Contender(name, each.wording, ablation_of=each.label)
        for each in (named if ablations else ())
        for name in agents.ablation_names(each.follower, forms)
    ]
    kept: dict[str, Contender] = {}
    for each in (*named, *lesser):
        kept.setdefault(each.label, each)
    if len(kept) < 2:
        fix = "name another --follower, or add --ablations to a learned one"
        raise errors.BadInput("a comparison takes two", fix=fix)
    return list(kept.values())
