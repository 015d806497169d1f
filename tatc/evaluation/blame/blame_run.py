"""Blame for a run: how often each agent, and each kind of step, lost a session."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum
from pathlib import Path
from typing import Any

from tatc.base import errors, files, json_fields, process_pool
from tatc.evaluation.blame.blame_session import Blame, Verdict, blame_session
from tatc.evaluation.runs import eval_options, run_folder, run_report
from tatc.evaluation.scoring.scores import wilson_interval
from tatc.home.actions import Role
from tatc.session import worlds
from tatc.tdl import load_library

BLAME_FILE = "blame.json"
"""The file of a run's folder in which `tatc blame RUN` saves what it found."""
_THE_START = "neither: the able pair fails from the start"
_GROUPS = ("by_agent", "by_kind")


@dataclass(frozen=True, slots=True)
class BlameShare:
    """In how many sessions an agent or a kind of step is to blame, of all with a culprit.

    `interval` is the 95 % interval of that rate.  `share` is the mean of an agent's share by
    Shapley value, None for a kind.
    """

    name: str
    sessions: int
    rate: float
    interval: tuple[float, float]
    share: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the share as JSON."""
        found = {"name": self.name, "sessions": self.sessions, "rate": self.rate}
        return found | {"interval_95": list(self.interval), "share": self.share}


@dataclass(frozen=True, slots=True)
class RunBlame:
    """The blame for each session of a run that was lost or slow; a line for each left out."""

    blames: tuple[Blame, ...]
    left_out: tuple[str, ...] = ()

    def by_agent(self) -> tuple[BlameShare, ...]:
        """Return the share of each agent, and of the start."""
        names = {role: role.name.lower() for role in Role}
        found = [
            _THE_START if each.culprit is None else names[each.culprit.role] for each in self.judged
        ]
        tables = [each for each in self.judged if each.table is not None]
        means = {
            name: fsum(each.share_of(role) or 0.0 for each in tables) / len(tables)
            for role, name in names.items()
            if tables
        }
        return _shares(found, (*names.values(), _THE_START), means)

    def by_kind(self) -> tuple[BlameShare, ...]:
        """Return the share of each kind of step, the most frequent first."""
        kinds = [each.culprit.kind.value for each in self.judged if each.culprit is not None]
        return _shares(kinds, [kind for kind, _ in Counter(sorted(kinds)).most_common()])

    @property
    def judged(self) -> tuple[Blame, ...]:
        """The sessions of which the search ended."""
        return tuple(each for each in self.blames if each.is_exact)

    def to_json(self) -> dict[str, Any]:
        """Return the blame as JSON; `read_saved_shares` reads it."""
        return {
            "sessions": len(self.judged),
            "budget_spent": len(self.blames) - len(self.judged),
            "by_agent": [each.to_json() for each in self.by_agent()],
            "by_kind": [each.to_json() for each in self.by_kind()],
            "left_out": list(self.left_out),
            "blames": [each.to_json() for each in self.blames],
        }


def _shares(
    found: Sequence[str], names: Iterable[str], means: dict[str, float] | None = None
) -> tuple[BlameShare, ...]:
    counts, total = Counter(found), len(found)
    return tuple(
        BlameShare(
            name,
            counts[name],
            counts[name] / total if total else 0.0,
            wilson_interval(counts[name], total),
            (means or {}).get(name),
        )
        for name in names
    )


def blame_run(
    runs: Sequence[run_folder.RunFolder],
    *,
    workers: int = 1,
    on_session: Callable[[str], None] = lambda name: None,
    **options: Any,
) -> RunBlame:
    """Return the blame for a run's sessions that have a record; `options` as `blame_session`."""
    report = run_report.read_report(runs)
    run, left_out = report.identity, list(report.faults)
    if report.kind != eval_options.TATC or report.is_of_subgoals:
        raise errors.BadInput(
            "is a run of parts of sessions", where=str(runs[0].path), fix="give another"
        )
    if run["world"] != worlds.EMBEDDED_WORLD:
        why = f"is a run in {run['world']!r}, which cannot be put back to a moment"
        raise errors.BadInput(why, where=str(runs[0].path), fix="name a run in tatc's own world")
    paths = [
        str(report.folders[row.key] / row.record)
        for row in report.executed_rows
        if row.record is not None
    ]
    lost = sum(not row.success and row.record is None for row in report.executed_rows)
    left_out += [f"{lost} lost sessions have no record"] if lost else []
    floor_map = run["options"]["setup"].get("floor_map")
    blame = partial(_blame_file, tuple(run["options"]["definitions"]), floor_map, options)
    blames: list[Blame] = []
    found = process_pool.map_in_processes(blame, paths, workers, lambda path, why: f"{path}: {why}")
    for path, each in zip(paths, found, strict=True):
        if isinstance(each, str):
            left_out.append(each)
        elif each.verdict is not Verdict.WELL:
            blames.append(each)
        on_session(Path(path).name)
    return RunBlame(tuple(blames), tuple(left_out))


def _blame_file(
    definitions: tuple[str, ...], floor_map: str | None, options: dict[str, Any], path: str
) -> Blame | str:
    library = load_library([Path(each) for each in definitions])
    try:
        return blame_session(path, library, floor_map=floor_map, **options)
    except errors.BadInput as fault:
        return fault.one_line


def save_blame(found: RunBlame, run: run_folder.RunFolder) -> Path:
    """Save the blame in the folder of a run, where `tatc report` finds it."""
    data = json.dumps(found.to_json(), indent=1).encode() + b"\n"
    files.write_atomically(data, run.path / BLAME_FILE, force=True)
    return run.path / BLAME_FILE


def read_saved_shares(run: run_folder.RunFolder) -> tuple[tuple[BlameShare, ...], ...]:
    """Return the shares by agent and by kind that were saved in a run's folder; () for none."""
    path = run.path / BLAME_FILE
    if not path.exists():
        return ()
    raw: Any = files.read_json(path, files.RUN, files.FINITE_NUMBERS)
    try:
        saved = json_fields.as_mapping(raw, "")
        return tuple(
            tuple(map(_read_share, json_fields.as_list(saved.get(name), name))) for name in _GROUPS
        )
    except json_fields.FieldError as fault:
        fix = "make it again with: tatc blame RUN"
        raise errors.BadInput(str(fault), where=str(path), fix=fix) from fault


def _read_share(raw: object) -> BlameShare:
    entry = json_fields.as_mapping(raw, "")
    low, high = json_fields.as_list(entry.get("interval_95"), "interval_95", 2)
    share = entry.get("share")
    return BlameShare(
        json_fields.get_text(entry, "name"),
        json_fields.as_integer(entry.get("sessions"), "sessions"),
        json_fields.as_number(entry.get("rate"), "rate"),
        (json_fields.as_number(low, "interval_95"), json_fields.as_number(high, "interval_95")),
        None if share is None else json_fields.as_number(share, "share"),
    )
