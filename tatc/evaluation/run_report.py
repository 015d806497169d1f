"""A run as a report shows it: figures by group, what failed, and the controls."""

import json
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tatc.agent_names import CONTROL_COMMANDERS
from tatc.errors import BadInput
from tatc.evaluation.eval_options import TATC
from tatc.evaluation.rows import SessionFailure, SessionRow
from tatc.evaluation.run_folder import RunFolder
from tatc.evaluation.summary import executed_rows
from tatc.scoring import AggregateScore, aggregate_score
from tatc.scoring.group_scores import GroupScore, scores_by_group
from tatc.scoring.published_results import INSTANCE_NOTES, PUBLISHED_NOTE, TEACH_TASKS, WORLD_NOTES
from tatc.scoring.teach_metrics import teach_metrics_json
from tatc.session import TATC_LIMITS
from tatc.session.runner import MAP_FROM_BOXES

FIDELITY_FILE = "fidelity.json"
"""How far the world agrees with recordings, where that was measured beside a run."""

_SHARD_KEYS = ("sessions", "sessions_hash")


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Sessions that failed of the same: what, how many, and how to see one of them."""

    task: str
    failure: SessionFailure
    count: int
    command: str


@dataclass(frozen=True, slots=True)
class ControlScore:
    """What a negative control did with the same sessions.

    `relevant_where` says in which of them its fault matters at all, `relevant_score` is the score
    there; in the others there is nothing to forgive.
    """

    name: str
    overall: AggregateScore
    relevant_where: str
    relevant_score: AggregateScore


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run, its shards joined.

    `expected_sessions` counts the sessions that the run will hold when it is done; `seconds`
    are those of the sessions by key, `wall_seconds` those that passed, as far as the
    shards ran one after the other.
    """

    identity: Mapping[str, Any]
    expected_sessions: int
    rows: tuple[SessionRow, ...]
    folders: Mapping[str, Path]
    seconds: Mapping[str, float]
    wall_seconds: float
    controls: tuple[ControlScore, ...]
    fidelity: Mapping[str, Any] | None

    @property
    def executed_rows(self) -> tuple[SessionRow, ...]:
        """The sessions that were run."""
        return executed_rows(self.rows)

    @property
    def kind(self) -> str:
        """What the run holds: "tatc" sessions, or "edh" or "tfd" instances."""
        return self.identity["options"].get("kind", TATC)

    def note(self) -> str:
        """Return what has to stand beside the figures."""
        if self.kind != TATC:
            return f"{INSTANCE_NOTES[self.kind]} {self._fulfilled_note()}"
        return f"{PUBLISHED_NOTE} {WORLD_NOTES[self.identity['world']]}"

    def score_of_initially_unfulfilled(self) -> AggregateScore:
        """Return the score of instances that were not fulfilled before they began.

        TEACh's check counts types, not things (spec section 5.3): where another mug was
        washed already, whoever stops at once has washed one.
        """
        return aggregate_score(
            row.scoring_outcome() for row in self.executed_rows if not row.fulfilled_at_start
        )

    def _fulfilled_note(self) -> str:
        left, total = self.score_of_initially_unfulfilled(), len(self.executed_rows)
        return (
            f"{total - left.sessions} of {total} instances are fulfilled as they "
            f"begin, by TEACh's check; of the others {left.successes} were solved."
        )

    def official_scores(self) -> dict[str, Any] | None:
        """Return TEACh's own account of instances, None of whole sessions."""
        if self.kind == TATC:
            return None
        return teach_metrics_json(
            (row.scoring_outcome() for row in self.executed_rows),
            stops=sum(row.stopped for row in self.executed_rows),
            failure_limit_ends=sum(
                row.failed_actions >= TATC_LIMITS.failures for row in self.executed_rows
            ),
            step_limit_ends=sum(row.steps >= TATC_LIMITS.steps for row in self.executed_rows),
        )

    def overall(self) -> AggregateScore:
        """Return the score of all sessions."""
        return aggregate_score(row.scoring_outcome() for row in self.executed_rows)

    def per_task(self) -> tuple[GroupScore, ...]:
        """Return the score of each task in the order of the paper's table."""
        outcomes = [row.scoring_outcome() for row in self.executed_rows]
        return scores_by_group(outcomes, lambda each: each.task, TEACH_TASKS)

    def per_kind(self) -> tuple[GroupScore, ...]:
        """Return the score of each room kind."""
        return scores_by_group(
            [row.scoring_outcome() for row in self.executed_rows], lambda each: each.room_kind
        )

    def per_split(self) -> tuple[GroupScore, ...]:
        """Return the score of each split."""
        return scores_by_group(
            [row.scoring_outcome() for row in self.executed_rows], lambda each: each.split
        )

    def scores_by_places(self, places: Collection[str]) -> tuple[GroupScore, ...]:
        """Return the score in these places, and in all others."""
        inside = [row.scoring_outcome() for row in self.executed_rows if row.place in places]
        others = [row.scoring_outcome() for row in self.executed_rows if row.place not in places]
        return ("set apart", aggregate_score(inside)), ("the others", aggregate_score(others))

    def troubles(self) -> tuple[FailureGroup, ...]:
        """Return the failures, most frequent first, each with a command that opens one.

        Sessions failed alike where task, problem and skill are the same, and the refusal
        or, where none was quoted, the reason.
        """
        groups: defaultdict[tuple[str, str, str, str], list[SessionRow]] = defaultdict(list)
        for row in self.executed_rows:
            if not row.success:
                failure = row.failure or SessionFailure("", "", row.end, None)
                why = failure.refusal or failure.reason
                key = (row.task, failure.problem, failure.skill, why)
                groups[key].append(row)
        found = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
        return tuple(
            FailureGroup(
                task,
                rows[0].failure or SessionFailure("", "", rows[0].end, None),
                len(rows),
                self.command_to_open(rows[0]),
            )
            for (task, *_), rows in found
        )

    def command_to_open(self, row: SessionRow) -> str:
        """Return the command that shows a session: its record, or all of it again."""
        if row.record is not None:
            words = ["tatc", "replay", str(self.folders[row.key] / row.record)]
            step = failure_step(row)
            return shlex.join(words + (["--from", str(step)] if step else []))
        if self.kind != TATC:
            return shlex.join(_instance_command(row, self.identity["options"]))
        words = ["tatc", "run"]
        if row.game is not None:
            words += ["--game", row.source or row.game]
        else:
            words += ["--room", row.source or row.place, "--task", row.task]
        words += ["--seed", str(row.seed), *_setup_arguments(self.identity)]
        return shlex.join(words)


def _instance_command(row: SessionRow, options: Mapping[str, Any]) -> list[str]:
    """Return the command that plays one instance again."""
    words = ["tatc", "eval", row.source or row.key, "--kind", options["kind"]]
    for folder in options["recorded"]:
        words += ["--games", folder]
    return [*words, "--follower", options["setup"]["follower"]]


def failure_step(row: SessionRow) -> int | None:
    """Return the interaction at which a session failed, None where none is known."""
    return row.failure.step if row.failure else None


def read_report(runs: Sequence[RunFolder]) -> RunReport:
    """Join the shards of one run.

    Raises:
        BadInput: they are not of one run.

    """
    identities = [run.identity() for run in runs]
    for run, each in zip(runs, identities, strict=True):
        other = _differing_keys(identities[0], each)
        if other:
            why = f"is another run than {runs[0].path}: its {', '.join(other)} differ"
            fix = "report on them one by one"
            raise BadInput(why, where=str(run.path), fix=fix)
    rows = {row.key: row for run in runs for row in run.rows()}
    folders = {row.key: run.path for run in runs for row in run.rows()}
    ordered = tuple(rows[key] for key in sorted(rows))
    refused = sum(not row.task for row in ordered)
    return RunReport(
        identity=identities[0],
        expected_sessions=sum(each["sessions"] for each in identities) + refused,
        rows=ordered,
        folders=folders,
        seconds={k: v for run in runs for k, v in run.session_seconds().items()},
        wall_seconds=sum(run.wall_seconds() for run in runs),
        controls=_control_scores(runs),
        fidelity=_read_fidelity(runs[0].path),
    )


def _differing_keys(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    def plain(identity: Mapping[str, Any], name: str) -> Any:
        value: Any = identity.get(name)
        return value | {"shard": None} if name == "options" else value

    names = [name for name in one if name not in _SHARD_KEYS]
    return [name for name in names if plain(one, name) != plain(other, name)]


def _control_scores(runs: Sequence[RunFolder]) -> tuple[ControlScore, ...]:
    rows: defaultdict[str, list[SessionRow]] = defaultdict(list)
    for run in runs:
        for name, folder in run.control_folders().items():
            rows[name] += executed_rows(folder.rows())
    names = [name for name in CONTROL_COMMANDERS if name in rows]
    return tuple(_control_score(name, rows[name]) for name in names)


def _control_score(name: str, rows: Iterable[SessionRow]) -> ControlScore:
    kept = tuple(rows)
    where, matters = "everywhere", kept
    if name == "never-opens":
        where = "something needed is shut in"
        matters = tuple(row for row in kept if row.shut)
    elif name == "straight":
        where = "it walked into something"
        matters = tuple(row for row in kept if row.bumped)
    return ControlScore(
        name,
        aggregate_score(row.scoring_outcome() for row in kept),
        where,
        aggregate_score(row.scoring_outcome() for row in matters),
    )


def _read_fidelity(folder: Path) -> Mapping[str, Any] | None:
    try:
        return json.loads((folder / FIDELITY_FILE).read_bytes())
    except (OSError, ValueError):
        return None


def _setup_arguments(identity: Mapping[str, Any]) -> list[str]:
    """Return the options of a run's sessions that are not the usual ones."""
    setup = identity["options"]["setup"]
    words: list[str] = []
    if setup["floor_map"] != MAP_FROM_BOXES:
        words += ["--map", setup["floor_map"]]
    for name in ("commander", "follower"):
        if setup[name] != "rule":
            words += [f"--{name}", setup[name]]
    if setup["noise"]:
        words += ["--noise", f"{setup['noise']:g}"]
    for folder in identity["options"]["definitions"]:
        words += ["--tasks", folder]
    for folder in identity["options"]["policies"]:
        words += ["--policies", folder]
    return words
