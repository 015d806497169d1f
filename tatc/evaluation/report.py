"""A run as a report shows it: figures by group, what failed, and the controls."""

import json
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tatc.agents import CONTROLS
from tatc.errors import BadInput
from tatc.evaluation.folder import RunFolder
from tatc.evaluation.options import TATC
from tatc.evaluation.rows import Failure, Row
from tatc.evaluation.summary import ran
from tatc.runner import BOXES
from tatc.scoring import Score, score
from tatc.scoring.official import official_json
from tatc.scoring.published import BENCHMARK, INSTANCE_NOTES, NOTE, WORLDS
from tatc.scoring.tables import Group, scores_by
from tatc.session import TATC_LIMITS

FIDELITY = "fidelity.json"
"""How far the world agrees with recordings, where that was measured beside a run."""

_OF_SHARDS = ("sessions", "sessions_hash")


@dataclass(frozen=True, slots=True)
class Trouble:
    """Sessions that failed of the same: what, how many, and how to see one of them."""

    task: str
    failure: Failure
    count: int
    command: str


@dataclass(frozen=True, slots=True)
class Control:
    """What a negative control did with the same sessions.

    `where` says in which of them its fault matters at all, `matters` is the score
    there; in the others there is nothing to forgive.
    """

    name: str
    overall: Score
    where: str
    matters: Score


@dataclass(frozen=True, slots=True)
class Report:
    """One run, its shards joined.

    `expected` counts the sessions that the run will hold when it is done; `seconds`
    are those of the sessions by key, `wall_seconds` those that passed, as far as the
    shards ran one after the other.
    """

    identity: Mapping[str, Any]
    expected: int
    rows: tuple[Row, ...]
    folders: Mapping[str, Path]
    seconds: Mapping[str, float]
    wall_seconds: float
    controls: tuple[Control, ...]
    fidelity: Mapping[str, Any] | None

    @property
    def ran(self) -> tuple[Row, ...]:
        """The sessions that were run."""
        return ran(self.rows)

    @property
    def kind(self) -> str:
        """What the run holds: "tatc" sessions, or "edh" or "tfd" instances."""
        return self.identity["options"].get("kind", TATC)

    def note(self) -> str:
        """Return what has to stand beside the figures."""
        if self.kind != TATC:
            return f"{INSTANCE_NOTES[self.kind]} {self._at_start()}"
        return f"{NOTE} {WORLDS[self.identity['world']]}"

    def begun(self) -> Score:
        """Return the score of instances that were not fulfilled before they began.

        TEACh's check counts types, not things (spec section 5.3): where another mug was
        washed already, whoever stops at once has washed one.
        """
        return score(row.outcome() for row in self.ran if not row.fulfilled)

    def _at_start(self) -> str:
        left, total = self.begun(), len(self.ran)
        return (
            f"{total - left.sessions} of {total} instances are fulfilled as they "
            f"begin, by TEACh's check; of the others {left.successes} were solved."
        )

    def official(self) -> dict[str, Any] | None:
        """Return TEACh's own account of instances, None of whole sessions."""
        if self.kind == TATC:
            return None
        return official_json(
            (row.outcome() for row in self.ran),
            stops=sum(row.stopped for row in self.ran),
            by_failures=sum(
                row.failed_actions >= TATC_LIMITS.failures for row in self.ran
            ),
            by_steps=sum(row.steps >= TATC_LIMITS.steps for row in self.ran),
        )

    def overall(self) -> Score:
        """Return the score of all sessions."""
        return score(row.outcome() for row in self.ran)

    def per_task(self) -> tuple[Group, ...]:
        """Return the score of each task in the order of the paper's table."""
        outcomes = [row.outcome() for row in self.ran]
        return scores_by(outcomes, lambda each: each.task, BENCHMARK)

    def per_kind(self) -> tuple[Group, ...]:
        """Return the score of each room kind."""
        return scores_by([row.outcome() for row in self.ran], lambda each: each.kind)

    def per_split(self) -> tuple[Group, ...]:
        """Return the score of each split."""
        return scores_by([row.outcome() for row in self.ran], lambda each: each.split)

    def apart(self, places: Collection[str]) -> tuple[Group, ...]:
        """Return the score in these places, and in all others."""
        inside = [row.outcome() for row in self.ran if row.place in places]
        others = [row.outcome() for row in self.ran if row.place not in places]
        return ("set apart", score(inside)), ("the others", score(others))

    def troubles(self) -> tuple[Trouble, ...]:
        """Return what failed, most frequent first, with a command that opens one."""
        groups: defaultdict[tuple[str, str, str, str], list[Row]] = defaultdict(list)
        for row in self.ran:
            if not row.success:
                failure = row.failure or Failure("", "", row.end, None)
                key = (row.task, failure.problem, failure.skill, failure.reason)
                groups[key].append(row)
        found = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
        return tuple(
            Trouble(
                task,
                Failure(problem, skill, reason, step_of(rows[0])),
                len(rows),
                self.command(rows[0]),
            )
            for (task, problem, skill, reason), rows in found
        )

    def command(self, row: Row) -> str:
        """Return the command that shows a session: its record, or all of it again."""
        if row.record is not None:
            words = ["tatc", "replay", str(self.folders[row.key] / row.record)]
            step = step_of(row)
            return shlex.join(words + (["--from", str(step)] if step else []))
        if self.kind != TATC:
            return shlex.join(_again(row, self.identity["options"]))
        words = ["tatc", "run"]
        if row.game is not None:
            words += ["--game", row.source or row.game]
        else:
            words += ["--room", row.source or row.place, "--task", row.task]
        words += ["--seed", str(row.seed), *_setup_words(self.identity)]
        return shlex.join(words)


def _again(row: Row, options: Mapping[str, Any]) -> list[str]:
    """Return the command that plays one instance again."""
    words = ["tatc", "eval", row.source or row.key, "--kind", options["kind"]]
    for folder in options["recorded"]:
        words += ["--games", folder]
    return [*words, "--follower", options["setup"]["follower"]]


def step_of(row: Row) -> int | None:
    """Return the interaction at which a session failed, None where none is known."""
    return row.failure.step if row.failure else None


def read_report(runs: Sequence[RunFolder]) -> Report:
    """Join the shards of one run.

    Raises:
        BadInput: they are not of one run.

    """
    identities = [run.identity() for run in runs]
    for run, each in zip(runs, identities, strict=True):
        other = _differing(identities[0], each)
        if other:
            why = f"is another run than {runs[0].path}: its {', '.join(other)} differ"
            fix = "report on them one by one"
            raise BadInput(why, where=str(run.path), fix=fix)
    rows = {row.key: row for run in runs for row in run.rows()}
    folders = {row.key: run.path for run in runs for row in run.rows()}
    ordered = tuple(rows[key] for key in sorted(rows))
    refused = sum(not row.task for row in ordered)
    return Report(
        identity=identities[0],
        expected=sum(each["sessions"] for each in identities) + refused,
        rows=ordered,
        folders=folders,
        seconds={k: v for run in runs for k, v in run.seconds().items()},
        wall_seconds=sum(run.wall_seconds() for run in runs),
        controls=_controls(runs),
        fidelity=_fidelity(runs[0].path),
    )


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    def plain(identity: Mapping[str, Any], name: str) -> Any:
        value: Any = identity.get(name)
        return value | {"shard": None} if name == "options" else value

    names = [name for name in one if name not in _OF_SHARDS]
    return [name for name in names if plain(one, name) != plain(other, name)]


def _controls(runs: Sequence[RunFolder]) -> tuple[Control, ...]:
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    for run in runs:
        for name, folder in run.controls().items():
            rows[name] += ran(folder.rows())
    names = [name for name in CONTROLS if name in rows]
    return tuple(_control(name, rows[name]) for name in names)


def _control(name: str, rows: Iterable[Row]) -> Control:
    kept = tuple(rows)
    where, matters = "everywhere", kept
    if name == "never-opens":
        where = "something needed is shut in"
        matters = tuple(row for row in kept if row.shut)
    elif name == "straight":
        where = "it walked into something"
        matters = tuple(row for row in kept if row.bumped)
    return Control(
        name,
        score(row.outcome() for row in kept),
        where,
        score(row.outcome() for row in matters),
    )


def _fidelity(folder: Path) -> Mapping[str, Any] | None:
    try:
        return json.loads((folder / FIDELITY).read_bytes())
    except (OSError, ValueError):
        return None


def _setup_words(identity: Mapping[str, Any]) -> list[str]:
    """Return the options of a run's sessions that are not the usual ones."""
    setup = identity["options"]["setup"]
    words: list[str] = []
    if setup["floor_map"] != BOXES:
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
