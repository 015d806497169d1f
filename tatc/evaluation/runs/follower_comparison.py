"""Several agents in the same sessions: one run for each side, compared pair by pair."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import chain
from os.path import exists, isdir  # unlike Path's, it bears any name
from pathlib import Path
from textwrap import shorten
from typing import Any

from tatc.base import errors, file_names, plain_text
from tatc.evaluation.page_templates import render_template
from tatc.evaluation.runs.eval_options import TATC, EvalOptions, SaveRecords
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_conditions import check_one_uses, for_follower
from tatc.evaluation.runs.run_evaluation import locate_run_folder, run_evaluation, runner_for
from tatc.evaluation.runs.run_folder import RunFolder, find_runs
from tatc.evaluation.runs.run_identity import RUN_FILE
from tatc.evaluation.runs.run_report import RunReport, read_report
from tatc.evaluation.runs.session_selection import SessionSelection
from tatc.evaluation.scoring import paired_tests, scores
from tatc.evaluation.scoring.paired_tests import PairedMeasure
from tatc.language import Wording
from tatc.session.agents import agent_names, agents, session_setup

OnContenderRow = Callable[["Contender", SessionRow], None]
"""Called with each session when it is done."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One side of a comparison: two agents by name with the Commander's wording, or a kept run.

    `policies` are folders of the user's own; `ablation_of` is the label of the full Follower of
    which this one is a lesser form, or "".  A kept `run` has a label alone.
    """

    follower: str = "rule"
    wording: str = Wording.ACTIONS
    ablation_of: str = ""
    commander: str = "rule"
    policies: tuple[str, ...] = ()
    run: str = ""

    @property
    def name(self) -> str:
        """What differs from the shipped pair: "et", "speaker + listener", "rule + my-policies"."""
        pair = self.follower if self.commander == "rule" else f"{self.commander} + {self.follower}"
        return self.run or " + ".join((pair, *self.policies))

    @property
    def label(self) -> str:
        """Name and wording, as tables say them: "et (steps)"."""
        return self.run or f"{self.name} ({self.wording})"

    def wording_warning(self, other: "Contender") -> str:
        """Return a warning where another one hears another wording, "" where it does not."""
        if self.wording == other.wording:
            return ""
        return (
            f"{self.name} hears {self.wording} and {other.name} hears {other.wording}: the "
            "difference between them is partly one of wording (--wording, given once, is for all)"
        )


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two sides in the sessions that both ran, by key; differences are first minus second.

    `goal_conditions` are the shares met; `actions` are those of sessions that both solved.
    """

    first: Contender
    second: Contender
    paired: scores.PairedOutcomes
    only_first_succeeded: tuple[str, ...]
    only_second_succeeded: tuple[str, ...]
    goal_conditions: PairedMeasure = field(default_factory=PairedMeasure)
    actions: PairedMeasure = field(default_factory=PairedMeasure)
    only_in_first: tuple[str, ...] = ()
    only_in_second: tuple[str, ...] = ()

    def verdict(self) -> str:
        """Return the comparison of success in one sentence."""
        paired, sessions = self.paired, self.paired.sessions
        if not sessions:
            return f"{self.first.label} and {self.second.label} ran no session in common"
        difference = plain_text.counted(round(100 * paired.difference), "point")
        low, high = (round(100 * end) for end in paired.interval)
        negation = "" if paired.p_value < paired_tests.SIGNIFICANCE_LEVEL else "not "
        return (
            f"{self.first.label} solved {paired.first_successes} of {sessions}, "
            f"{self.second.label} {paired.second_successes} of {sessions}: "
            f"a difference of {difference} ({low} to {high}), "
            f"{negation}significant: p = {paired.p_value:.2g}"
        )

    def findings(self) -> list[str]:
        """Return what else can be said: the other measures, what cannot, and who lacks what."""
        parts = (
            ("goal conditions met, in %", self.goal_conditions.in_words(100)),
            ("actions in the sessions that both solved", self.actions.in_words()),
            ("success", paired_tests.conclusion(self.paired)),
            (f"left out, as only {self.first.label} ran them", ", ".join(self.only_in_first)),
            (f"left out, as only {self.second.label} ran them", ", ".join(self.only_in_second)),
        )
        return [f"{what}: {shorten(words, 300)}" for what, words in parts if words]


@dataclass(frozen=True, slots=True)
class FollowerComparison:
    """The report of each Follower by its label, and the pairs that are compared."""

    reports: Mapping[str, RunReport]
    pairs: tuple[PairComparison, ...]

    def __repr__(self) -> str:
        """Return one line: the verdict of each pair."""
        return f"<FollowerComparison {'; '.join(pair.verdict() for pair in self.pairs)}>"

    def _repr_html_(self) -> str:
        return render_template("scores.html", reports=self.reports, pairs=self.pairs)

    def to_dataframe(self) -> Any:
        """Return the sessions of all sides as a table of pandas, which has to be installed."""
        tables = {label: report.to_dataframe() for label, report in self.reports.items()}
        return import_module("pandas").concat(tables, names=["side"])

    def note(self) -> str:
        """Return what to print below the scores, which stand beside no published ones."""
        report = next(iter(self.reports.values()))
        return report.world_note() if report.kind == TATC else report.fulfilled_note()

    def keys_to_show(self, most: int = 60) -> set[str]:
        """Return sessions worth a look: those that one side alone solved, then other failures."""
        alone = (pair.only_first_succeeded + pair.only_second_succeeded for pair in self.pairs)
        rows = (row for report in self.reports.values() for row in report.executed_rows)
        failed = [row.key for row in rows if not row.success]
        return set([*dict.fromkeys([*chain.from_iterable(alone), *failed])][:most])

    def command_to_open(self, label: str, key: str) -> str:
        """Return the command that opens a session of the Follower with this label."""
        report = self.reports[label]
        return report.command_to_open(next(row for row in report.rows if row.key == key))


def compare_followers(
    folder: Path | None,
    options: EvalOptions,
    selection: SessionSelection,
    contenders: Sequence[Contender],
    *,
    workers: int = 1,
    force: bool = False,
    on_row: OnContenderRow = lambda contender, row: None,
    on_remark: Callable[[str], None] = lambda text: None,
) -> FollowerComparison:
    """Run the same sessions with each side, and compare them in pairs (`pairs_to_compare`).

    Each run has a folder of its own in `folder`, or that of `evaluate` if that is None, in which
    the same call continues after an interruption; the rest is as in `run_evaluation`.
    """
    if folder is not None and exists(folder / RUN_FILE):
        fix = "name another folder with --out"
        raise errors.OutputError("holds a run of `tatc eval`", where=str(folder), fix=fix)
    check_one_uses(options.setup, [each.follower for each in contenders])
    of_each = {each: options_of(options, each) for each in contenders}
    for own in of_each.values():  # before hours are spent on the first of them
        runner_for(own).close()
    reports: dict[str, RunReport] = {}
    for each, own in of_each.items():
        inside = folder and folder / file_names.file_name(f"{each.name}-{each.wording}")
        run = locate_run_folder(inside, own, on_remark)
        run_evaluation(
            run,
            own,
            selection,
            workers=workers,
            force=force,
            on_row=lambda row, each=each: on_row(each, row),
            on_remark=on_remark,
        )
        reports[each.label] = read_report([run])
    return _compare_in_pairs(reports, contenders)


def compare_kept_runs(paths: Sequence[Path]) -> FollowerComparison:
    """Compare runs that were kept, with the first; a folder may hold shards, or several runs."""
    sides: dict[Path, list[RunFolder]] = {}
    for path in paths:
        runs = find_runs([path])
        shards = all(run.path.name.startswith("shard-") for run in runs) or runs[0].path == path
        for run in runs:
            sides.setdefault(path if shards else run.path, []).append(run)
    if len(sides) < 2:
        raise errors.BadInput("a comparison takes two runs", fix="name another")
    reports = {str(path): read_report(runs) for path, runs in sides.items()}
    return _compare_in_pairs(reports, [Contender(run=name) for name in reports])


def _compare_in_pairs(
    reports: Mapping[str, RunReport], contenders: Sequence[Contender]
) -> FollowerComparison:
    pairs = pairs_to_compare(contenders)
    return FollowerComparison(reports, tuple(compare_pair(reports, *pair) for pair in pairs))


def pairs_to_compare(contenders: Sequence[Contender]) -> list[tuple[Contender, Contender]]:
    """Return the first side with each other one that was named, then the ablations."""
    by_label = {each.label: each for each in contenders}
    first, *others = contenders
    named = [(first, each) for each in others if not each.ablation_of]
    return named + [(by_label[each.ablation_of], each) for each in others if each.ablation_of]


def compare_pair(
    reports: Mapping[str, RunReport], first: Contender, second: Contender
) -> PairComparison:
    """Compare two sides session by session; a session is the same by its key, task and params."""
    one, two = (
        {(row.key, row.task, row.params): row for row in reports[each.label].executed_rows}
        for each in (first, second)
    )
    both = [(one[key], two[key]) for key in one if key in two]
    solved = [pair for pair in both if pair[0].success and pair[1].success]
    return PairComparison(
        first,
        second,
        scores.count_paired_outcomes((a.success, b.success) for a, b in both),
        tuple(a.key for a, b in both if a.success and not b.success),
        tuple(a.key for a, b in both if b.success and not a.success),
        _measure(both, lambda row: row.scoring_outcome().completed_share),
        _measure(solved, lambda row: row.scoring_outcome().actions),
        tuple(row.key for key, row in one.items() if key not in two),
        tuple(row.key for key, row in two.items() if key not in one),
    )


def _measure(
    pairs: Sequence[tuple[SessionRow, SessionRow]], of: Callable[[SessionRow], float]
) -> PairedMeasure:
    return PairedMeasure(tuple(of(a) for a, _ in pairs), tuple(of(b) for _, b in pairs))


def options_of(options: EvalOptions, side: Contender) -> EvalOptions:
    """Return the options with which a side runs, without settings that are not its Follower's."""
    names = {"follower": side.follower, "commander": side.commander}
    setup = replace(options.setup, wording=side.wording, **names)
    setup = session_setup.with_model_for_players(setup)
    options = replace(options, setup=setup, policies=side.policies, keep=SaveRecords.ALL)
    return for_follower(options)


def choose_contenders(
    followers: Sequence[str] = (),
    wordings: Sequence[str] = (),
    *,
    commanders: Sequence[str] = (),
    policies: Sequence[str] = (),
    ablation_kind: str = "",
) -> list[Contender]:
    """Return the sides that are compared, each once, then the ablations of their Followers.

    Each list has one for all, one for each, or nothing: the shipped ones, and for each Follower its
    own wording.  Folders of `policies` alone each stand beside the shipped ones, which "" names.
    `ablation_kind` is TATC, "edh" or "tfd", "" for none; fewer than two are refused.
    """
    if policies and max(map(len, (followers, commanders, wordings))) < 2:
        policies = ["", *policies]
    given = {
        "--follower": followers or ["rule"],
        "--commander": commanders or ["rule"],
        "--policies": policies or [""],
        "--wording": wordings or [""],
    }
    count = max(map(len, given.values()))
    for option, values in given.items():
        if len(values) not in (1, count):
            why = f"{len(values)} values of {option} for {count} sides"
            raise errors.BadInput(why, fix=f"give {option} once, or once for each")
    named: list[Contender] = []
    for i in range(count):
        follower, commander, own, wording = (values[i % len(values)] for values in given.values())
        if not wording and commander in agent_names.COMMANDERS_WITH_WORDING:
            wording = agents.wording_for_follower(follower)
        folders = (own,) if own else ()
        named.append(Contender(follower, wording or Wording.ACTIONS, "", commander, folders))
    forms = agents.SESSION_ABLATIONS if ablation_kind == TATC else agents.INSTANCE_ABLATIONS
    lesser = [
        replace(each, follower=name, ablation_of=each.label)
        for each in (named if ablation_kind else ())
        for name in agents.ablation_names(each.follower, forms)
    ]
    kept: dict[str, Contender] = {}
    for each in (*named, *lesser):
        kept.setdefault(each.label, each)
    if len(kept) < 2:
        fix = "name another --follower, --commander, --policies or --wording, or add --ablations"
        raise errors.BadInput("a comparison takes two", fix=fix)
    return list(kept.values())


def options_in_words(words: Sequence[str], commander: str = "rule") -> dict[str, list[str]]:
    """Return what `choose_contenders` takes of words like "rule", "my-policies", "speaker+et"."""
    usual = {"followers": "rule", "commanders": commander, "policies": ""}
    sides = [usual | {_axis_of(part): part for part in word.split("+")} for word in words]
    return {axis: [side[axis] for side in sides] for axis in usual if words}


def _axis_of(word: str) -> str:
    if isdir(word):
        return "policies"
    if ":" in word or word in agent_names.follower_names():
        return "followers"
    if word not in (commanders := agent_names.commander_names()):
        known = (*agent_names.follower_names(), *commanders)
        fix = "name an agent of tatc's, module:Class or a folder of policies"
        raise errors.UnknownName("Follower or Commander", word, dict.fromkeys(known), fix=fix)
    return "commanders"
