"""A run as a report shows it: scores by group, groups of failures, and the controls."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import fsum
from os.path import exists
from pathlib import Path
from typing import Any

from tatc.base import errors, notebook, plain_text
from tatc.commander.oracle import PDDL_POLICY
from tatc.evaluation.fidelity.fidelity_report import read_saved_report
from tatc.evaluation.page_templates import render_template
from tatc.evaluation.runs import debug_commands, eval_options, run_conditions
from tatc.evaluation.runs.rows import ALFRED_BENCHMARK, SessionFailure, SessionRow
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.scoring import published_results, scores
from tatc.language.skill_wording import describe_skills
from tatc.session.agents.agent_names import CONTROL_COMMANDERS
from tatc.session.records.trajectory_plan import SUBGOALS
from tatc.session.session_types import TATC_LIMITS


@dataclass(frozen=True, slots=True)
class ControlScore:
    """A negative control's scores: of all sessions, and of those in which its fault can matter."""

    name: str
    overall: scores.AggregateScore
    relevant_where: str
    relevant_score: scores.AggregateScore


def control_scores(runs: Sequence[RunFolder]) -> tuple[tuple[ControlScore, ...], tuple[str, ...]]:
    """Return the scores of the controls of these shards, and a line for each unreadable result."""
    rows: defaultdict[str, list[SessionRow]] = defaultdict(list)
    faults: list[str] = []
    for run in runs:
        for name, folder in run.control_folders().items():
            found = folder.results()
            rows[name] += executed_rows(found.rows)
            faults += found.faults
    names = [name for name in CONTROL_COMMANDERS if name in rows]
    return tuple(_control_score(name, rows[name]) for name in names), tuple(faults)


def score_of(rows: Iterable[SessionRow]) -> scores.AggregateScore:
    """Return the score of sessions that ran."""
    return scores.aggregate_score(row.scoring_outcome() for row in rows)


def _control_score(name: str, rows: Iterable[SessionRow]) -> ControlScore:
    kept = tuple(rows)
    where, relevant = "everywhere", kept
    if name == "never-opens":
        where = "something needed is in a closed receptacle"
        relevant = tuple(row for row in kept if row.shut)
    elif name == "straight":
        where = "it walked into something"
        relevant = tuple(row for row in kept if row.bumped)
    return ControlScore(name, score_of(kept), where, score_of(relevant))


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Sessions that failed alike; failure and key are the first one's, which the command opens."""

    task: str
    failure: SessionFailure
    count: int
    command: str
    key: str


@dataclass(frozen=True, slots=True)
class TaskScore:
    """The score of one task, or of all, and TEACh's published result; None where it has none."""

    name: str
    score: scores.AggregateScore
    published: published_results.PublishedResult | None


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run, its shards joined; it is finished when it has `expected_sessions` rows.

    `folders` and `seconds` have each session's folder and duration by its key.  `wall_seconds` is
    how long the run took if its shards ran one after the other.  `faults` has a line for each part
    of the folders that cannot be read, and is left out.
    """

    identity: Mapping[str, Any]
    expected_sessions: int
    rows: tuple[SessionRow, ...]
    folders: Mapping[str, Path]
    seconds: Mapping[str, float]
    wall_seconds: float
    controls: tuple[ControlScore, ...]
    fidelity: Mapping[str, Any] | None
    faults: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return one line: the program, the world, and how many sessions were solved."""
        return f"<RunReport {self.header()}, {self.overall().successes} solved>"

    def _repr_html_(self) -> str:
        return render_template("scores.html", reports={"all": self}, pairs=())

    def to_dataframe(self) -> Any:
        """Return the sessions as a table of pandas, which has to be installed."""
        rows = [{**row.to_json(), "success": row.success} for row in self.rows]
        return notebook.dataframe(rows).set_index("key")

    @property
    def executed_rows(self) -> tuple[SessionRow, ...]:
        """The rows of the sessions that ran."""
        return executed_rows(self.rows)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The folders of the run and its shards, each once."""
        return tuple(dict.fromkeys(self.folders.values()))

    @property
    def outcomes(self) -> list[scores.SessionOutcome]:
        """What the scores need of the sessions that ran."""
        return [row.scoring_outcome() for row in self.executed_rows]

    @property
    def kind(self) -> str:
        """What the run holds: "tatc" sessions, or "edh" or "tfd" instances."""
        return self.identity["options"].get("kind", eval_options.TATC)

    def header(self) -> str:
        """Return one line: the program, the world, and how many sessions there are."""
        run = self.identity
        commit = f", commit {run['commit']}" if run.get("commit") else ""
        world = f"{run['world']} world, map {run['map']} {run['map_hash']}".rstrip()
        world += run_conditions.conditions_of_run(run["options"])
        unanswered = sum(bool(row.unanswered) for row in self.rows)
        skipped = len(self.rows) - len(self.executed_rows) - unanswered
        missing = self.expected_sessions - len(self.rows)
        counts = [plain_text.counted(len(self.executed_rows), "session")]
        counts += [f"{skipped} that could not start"] if skipped else []
        counts += [f"{unanswered} not answered"] if unanswered else []
        counts += [f"{missing} still to come"] if missing > 0 else []
        counts += [f"{len(self.faults)} left out (see below)"] if self.faults else []
        return f"tatc {run['tatc']}{commit}; {world}; {', '.join(counts)}"

    def note(self) -> str:
        """Return the sources of the published figures, and the world of tatc's own."""
        if self.kind != eval_options.TATC:
            return f"{published_results.NOTES[self.kind]} {self.fulfilled_note()}"
        if self.is_of_subgoals:
            return f"{published_results.NOTES['subgoals']} {self.world_note()}"
        if self.is_of_alfred:
            return f"{published_results.NOTES['alfred']} {self.world_note()}"
        *tasks, overall = self.scores_beside_published()
        notes = [published_results.NOTES["teach"]] if any(task.published for task in tasks) else []
        if overall.published not in (None, published_results.PUBLISHED_OVERALL):
            notes.append(published_results.NOTES["overall"])
        return " ".join((*notes, self.world_note()))

    def world_note(self) -> str:
        """Return which world tatc's figures are from."""
        return published_results.WORLD_NOTES[self.identity["world"]]

    def fulfilled_note(self) -> str:
        """Return how many instances are fulfilled as they begin."""
        left, total = self.score_of_initially_unfulfilled(), len(self.executed_rows)
        return (
            f"{total - left.sessions} of {total} instances are fulfilled as they "
            f"begin, by TEACh's check; of the others {left.successes} were solved."
        )

    def score_of_initially_unfulfilled(self) -> scores.AggregateScore:
        """Return the score of the instances that are not fulfilled as they begin."""
        return score_of(row for row in self.executed_rows if not row.fulfilled_at_start)

    def official_scores(self) -> dict[str, Any] | None:
        """Return instances as TEACh's own script scores them, None for whole sessions."""
        if self.kind == eval_options.TATC:
            return None
        rows, limits = self.executed_rows, TATC_LIMITS
        return scores.teach_metrics_json(
            self.outcomes,
            stops=sum(row.stopped for row in rows),
            failure_limit_ends=sum(row.failed_actions >= limits.failures for row in rows),
            step_limit_ends=sum(row.steps >= limits.steps for row in rows),
        )

    def cascade_counts(self) -> tuple[int, int]:
        """Return how often a cascaded run started, and how often it finished; 0 for other runs."""
        rows = self.executed_rows
        return sum(row.starts for row in rows), sum(row.finished for row in rows)

    def cost_lines(self) -> list[str]:
        """Return who planned, own policies that never did, the scores of probes, the seconds."""
        lines, counts = list[str](), _sums(row.stretches for row in self.executed_rows)
        if counts:
            by_pddl = counts[PDDL_POLICY]
            unused = ", ".join(sorted(name for name, count in counts.items() if not count))
            line = f"Stretches planned by policies: {counts.total() - by_pddl}, by PDDL: {by_pddl}"
            lines.append(line + (f"; never taken: your plans for {unused}" if unused else ""))
        if probes := _sums(row.probes for row in self.executed_rows):
            lines.append(f"Probes: {', '.join(f'{name} {n}' for name, n in probes.items())}")
        if self.seconds:
            mean = fsum(self.seconds.values()) / len(self.seconds)
            lines.append(f"Seconds: {mean:.2f} a session, {max(self.seconds.values()):.2f} at most")
        return lines

    def overall(self) -> scores.AggregateScore:
        """Return the score of all sessions."""
        return scores.aggregate_score(self.outcomes)

    def per_task(self) -> tuple[scores.GroupScore, ...]:
        """Return the score of each task, or kind of subgoal, in the order of the paper's table."""
        order = SUBGOALS if self.is_of_subgoals else published_results.TEACH_TASKS
        return scores.scores_by_group(self.outcomes, lambda each: each.task, order)

    @property
    def is_of_alfred(self) -> bool:
        """Whether the sessions are set in ALFRED's trajectories."""
        return any(row.benchmark == ALFRED_BENCHMARK for row in self.rows)

    @property
    def is_of_subgoals(self) -> bool:
        """Whether each session is a single subgoal of one of ALFRED's trajectories."""
        return bool(self.identity["options"].get("subgoals"))

    def scores_beside_published(self) -> tuple[TaskScore, ...]:
        """Return each task's score and the overall one, each with TEACh's result, if it has one."""
        tasks = self.per_task()
        by_task = published_results.PUBLISHED_BY_TASK
        overall = published_results.published_overall([name for name, _ in tasks])
        return (
            *(TaskScore(name, score, by_task.get(name)) for name, score in tasks),
            TaskScore("overall", self.overall(), overall),
        )

    def per_kind(self) -> tuple[scores.GroupScore, ...]:
        """Return the score of each room kind."""
        return scores.scores_by_group(self.outcomes, lambda each: each.room_kind)

    def per_split(self) -> tuple[scores.GroupScore, ...]:
        """Return the score of each split."""
        return scores.scores_by_group(self.outcomes, lambda each: each.split)

    def scores_by_places(self, places: Collection[str]) -> tuple[scores.GroupScore, ...]:
        """Return the score in these places, and in all others."""
        inside = score_of(row for row in self.executed_rows if row.place in places)
        others = score_of(row for row in self.executed_rows if row.place not in places)
        return ("set apart", inside), ("the others", others)

    def failure_groups(self) -> tuple[FailureGroup, ...]:
        """Return failures by task, problem, skill, and refusal or reason; largest group first."""
        groups: defaultdict[tuple[str, str, str, str], list[SessionRow]] = defaultdict(list)
        for row in self.executed_rows:
            if not row.success:
                failure = _failure_of_row(row)
                why = failure.refusal or failure.reason
                groups[row.task, failure.problem, failure.skill, why].append(row)
        ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
        return tuple(
            FailureGroup(
                task,
                _in_words(_failure_of_row(rows[0])),
                len(rows),
                self.command_to_open(rows[0]),
                rows[0].key,
            )
            for (task, *_), rows in ordered
        )

    def command_to_open(self, row: SessionRow) -> str:
        """Return the command that opens a session at its failure."""
        return debug_commands.debug_command(row, self.identity, self.folders[row.key])


def _failure_of_row(row: SessionRow) -> SessionFailure:
    failure = row.failure or SessionFailure("", "", "", None)
    return replace(failure, reason=failure.reason or f"the end was: {row.end.replace('_', ' ')}")


def _in_words(failure: SessionFailure) -> SessionFailure:
    skill, reason = map(describe_skills, (failure.skill, failure.reason))
    return replace(failure, skill=skill, reason=reason)


# The scores of a run as JSON: what `--json` prints in `tatc eval` and `tatc report`.


def executed_rows(rows: Iterable[SessionRow]) -> tuple[SessionRow, ...]:
    """Return the rows of the sessions that ran, without those that an outage ended."""
    return tuple(row for row in rows if not row.skipped and not row.unanswered)


def ordered_tasks(rows: Iterable[SessionRow]) -> tuple[str, ...]:
    """Return the tasks or subgoals of these rows: in the published table's order, then by name."""
    found = {row.task for row in rows if row.task}
    order = [task for task in (*published_results.TEACH_TASKS, *SUBGOALS) if task in found]
    return (*order, *sorted(found.difference(order)))


def run_summary(rows: Sequence[SessionRow], seconds: Mapping[str, float]) -> dict[str, Any]:
    """Return the scores of a run, overall and by task; `seconds` has each session's by its key."""
    kept = executed_rows(rows)
    return score_figures(kept, seconds) | {
        "skipped": sum(bool(row.skipped) for row in rows),
        "unanswered": sum(bool(row.unanswered) for row in rows),
        "per_task": {
            task: score_figures([row for row in kept if row.task == task], seconds)
            for task in ordered_tasks(kept)
        },
    }


def score_figures(rows: Sequence[SessionRow], seconds: Mapping[str, float]) -> dict[str, Any]:
    """Return the scores of these sessions; rates are fractions, null without a basis."""
    probes = _sums(row.probes for row in rows)
    probed = {"probes": probes} if probes else {}
    took = round(fsum(seconds.get(row.key, 0.0) for row in rows), 3)
    return score_json(score_of(rows)) | {"seconds": took, **probed}


def _sums(counts: Iterable[Iterable[tuple[str, int]]]) -> Counter[str]:
    found = Counter[str]()
    for each in counts:
        found.update(dict(each))
    return found


_JSON_NAMES = {"success_interval": "success_interval_95", "crashes": "crashed"}


def score_json(got: scores.AggregateScore) -> dict[str, Any]:
    """Return a score as JSON."""
    values = asdict(got) | {"success_interval": list(got.success_interval)}
    return {_JSON_NAMES.get(name, name): value for name, value in values.items()}


FIDELITY_FILE = "fidelity.json"
"""The file of a run's folder in which `tatc fidelity --out` saves its rates."""


def read_report(runs: Sequence[RunFolder]) -> RunReport:
    """Join the shards of one run."""
    identities = [run.identity() for run in runs]
    for run, each in zip(runs, identities, strict=True):
        differing = _differing_keys(identities[0], each)
        if differing:
            why = f"is another run than {runs[0].path}: its {', '.join(differing)} differ"
            raise errors.BadInput(why, where=str(run.path), fix="report on them one by one")
    results = [run.results() for run in runs]
    rows = {row.key: row for each in results for row in each.rows}
    pairs = zip(runs, results, strict=True)
    folders = {row.key: run.path for run, each in pairs for row in each.rows}
    controls, control_faults = control_scores(runs)
    fidelity, fidelity_fault = _read_fidelity(runs[0].path)
    faults = [fault for each in results for fault in each.faults]
    ordered = tuple(rows[key] for key in sorted(rows))
    unreadable = sum(not row.task for row in ordered)
    return RunReport(
        identity=identities[0],
        expected_sessions=sum(each["sessions"] for each in identities) + unreadable,
        rows=ordered,
        folders=folders,
        seconds={k: v for run in runs for k, v in run.session_seconds().items()},
        wall_seconds=fsum(run.wall_seconds() for run in runs),
        controls=controls,
        fidelity=fidelity,
        faults=(*faults, *control_faults, *fidelity_fault),
    )


def _differing_keys(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    def without_shard(identity: Mapping[str, Any], name: str) -> Any:
        value: Any = identity.get(name)
        return value | {"shard": None} if name == "options" else value

    names = [name for name in one if name not in ("sessions", "sessions_hash", "inputs_hash")]
    return [name for name in names if without_shard(one, name) != without_shard(other, name)]


def _read_fidelity(folder: Path) -> tuple[Mapping[str, Any] | None, tuple[str, ...]]:
    path = folder / FIDELITY_FILE
    if not exists(path):
        return None, ()
    try:
        return read_saved_report(path), ()
    except errors.BadInput as fault:
        return None, (fault.one_line,)
