"""Blame for a run: how often each agent, and each kind of step, lost a session."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum
from os.path import exists, isdir
from pathlib import Path
from typing import Any

from tatc.base import arguments, errors, files, json_fields, notebook, plain_text, process_pool
from tatc.evaluation.blame import blame_session as of_session
from tatc.evaluation.blame.blame_session import Blame, Verdict
from tatc.evaluation.runs import eval_options, run_folder, run_report
from tatc.evaluation.scoring.scores import wilson_interval
from tatc.session import records, worlds
from tatc.tdl import load_library

Share = Mapping[str, Any]
"""A `name`, in how many `sessions` it is to blame, their `rate`, its 95 % interval (`low`, `high`),
and the mean `share` by Shapley value, None for a kind."""
_THE_START = "neither: the able pair fails from the start"
_NUMBERS = ("sessions", "rate", "low", "high")


@dataclass(frozen=True, slots=True)
class RunBlame:
    """The blame for each session of a run that was lost or slow; a line for each left out."""

    blames: tuple[Blame, ...]
    left_out: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return one line: how many sessions there are, and who lost how many."""
        shares = (each for each in self.by_agent() if each["sessions"])
        lost = ", ".join(f"{each['name']} {each['sessions']}" for each in shares)
        return f"<RunBlame of {plain_text.counted(len(self.blames), 'session')}: {lost}>"

    def _repr_html_(self) -> str:
        names = ("name", *_NUMBERS)
        rows = (tuple(each[name] for name in names) for each in (*self.by_agent(), *self.by_kind()))
        return notebook.html_table(repr(self)[1:-1], [names, *rows])

    def to_dataframe(self) -> Any:
        """Return the blames as a table of pandas, which has to be installed."""
        return notebook.dataframe(each.to_json() for each in self.blames)

    def by_agent(self) -> list[Share]:
        """Return the share of each agent, and of the start."""
        shares = [each.commander_share for each in self.blames if each.commander_share is not None]
        mean = fsum(shares) / len(shares) if shares else None
        means = {"commander": mean, "follower": None if mean is None else 1 - mean}
        judged = [each for each in self.blames if each.verdict is not Verdict.UNKNOWN]
        return _shares((each.agent or _THE_START for each in judged), [*means, _THE_START], means)

    def by_kind(self) -> list[Share]:
        """Return the share of each kind of step, the most frequent first."""
        kinds = sorted(each.kind for each in self.blames if each.kind)
        return _shares(kinds, [name for name, _ in Counter(kinds).most_common()], {})

    def to_json(self) -> dict[str, Any]:
        """Return the blame as JSON."""
        return {
            "by_agent": self.by_agent(),
            "by_kind": self.by_kind(),
            "left_out": self.left_out,
            "blames": [each.to_json() for each in self.blames],
        }


def _shares(
    found: Iterable[str], names: Sequence[str], means: Mapping[str, float | None]
) -> list[Share]:
    counts = Counter(found)
    total = counts.total()
    rows: list[Share] = []
    for name in names:
        low, high = wilson_interval(counts[name], total)
        rate = counts[name] / total if total else 0.0
        values = dict(zip(_NUMBERS, (counts[name], rate, low, high), strict=True))
        rows.append({"name": name, **values, "share": means.get(name)})
    return rows


def blame(
    what: str | Path | records.Record,
    *,
    able: tuple[str, ...] = of_session.ABLE_PAIR,
    every_step: bool = False,
    budget: int = of_session.DEFAULT_BUDGET,
    definitions: Sequence[str | Path] = (),
    floor_map: str = worlds.SHIPPED_MAP,
    workers: int = 1,
    on_session: Callable[[str], None] = lambda name: None,
) -> Blame | RunBlame:
    """Say which agent's which step lost a session, or of a run how often it was whose.

    That of a run is kept in its folder, for `tatc report --html`.

    Args:
        what: a record or its file, or the folder of a run, whose own definitions and map count.
        able: the Commander and the Follower that go on from the session's moments.
        every_step: try every moment from the end on, instead of bisecting.
        budget: how often the able pair goes on at most, for each session.
        definitions: folders of task definitions to add.
        floor_map: the session's map, if it is none that tatc ships.
        workers: how many processes look at a run's sessions.
        on_session: called when one of a run's sessions is done.

    Raises:
        BadInput: it is no record and no run of whole sessions, or an agent is not known.
    """
    if len(able) != 2:
        why = f"should be a Commander and a Follower, is {','.join(able)}"
        raise errors.BadInput(why, where="--with", fix="name two, as in rule,rule")
    budget = arguments.check_number_from(1, None, budget, "budget")
    workers = arguments.check_number_from(1, None, workers, "workers")
    options: dict[str, Any] = {"able": able, "budget": budget, "every_step": every_step}
    if isinstance(what, records.Record) or not isdir(what):
        library = load_library(definitions)
        return of_session.blame_session(what, library, floor_map=floor_map, **options)
    return _blame_run(run_folder.find_runs([Path(what)]), options, workers, on_session)


def _blame_run(
    runs: Sequence[run_folder.RunFolder],
    options: dict[str, Any],
    workers: int,
    on_session: Callable[[str], None],
) -> RunBlame:
    report = run_report.read_report(runs)
    asked, folder = report.identity["options"], runs[0].path
    is_whole = report.kind == eval_options.TATC and not report.is_of_subgoals
    if not is_whole or report.identity["world"] != worlds.EMBEDDED_WORLD:
        why = "is no run of whole sessions in tatc's own world"
        raise errors.BadInput(why, where=str(folder), fix="name another run")
    rows = report.executed_rows
    paths = [str(report.folders[row.key] / row.record) for row in rows if row.record is not None]
    lost = sum(not row.success and row.record is None for row in rows)
    left_out = [f"{plain_text.counted(lost, 'lost session')} without a record"] if lost else []
    options["floor_map"] = asked["setup"].get("floor_map", worlds.SHIPPED_MAP)
    work = partial(_blame_file, tuple(asked["definitions"]), options)
    found: list[Blame] = []
    for each in process_pool.map_in_processes(work, paths, workers, lambda path, why: why):
        if isinstance(each, str):
            left_out.append(each)
        elif each.verdict is not Verdict.WELL:
            found.append(each)
        on_session("")
    made = RunBlame(tuple(found), (*report.faults, *left_out))
    data = json.dumps(made.to_json(), indent=1).encode() + b"\n"
    files.write_atomically(data, folder / run_folder.BLAME_FILE, force=True)
    return made


def _blame_file(definitions: Sequence[str], options: Mapping[str, Any], path: str) -> Blame | str:
    try:
        return of_session.blame_session(path, load_library(definitions), **options)
    except errors.TatcError as fault:
        return fault.one_line


def read_saved_shares(run: run_folder.RunFolder) -> list[list[Share]]:
    """Return the shares by agent and by kind that were saved in a run's folder, [] for none."""
    path = run.path / run_folder.BLAME_FILE
    if not exists(path):
        return []
    raw: Any = files.read_json(path, files.BLAME, files.FINITE_NUMBERS)
    with json_fields.errors_in(path, errors.BadInput, files.BLAME.fix):
        saved = json_fields.as_mapping(raw, "")
        groups = [json_fields.as_list(saved.get(name), name) for name in ("by_agent", "by_kind")]
        return [[_read_share(json_fields.as_mapping(each, "")) for each in rows] for rows in groups]


def _read_share(raw: Mapping[str, Any]) -> Share:
    numbers = {name: json_fields.as_number(raw.get(name), name) for name in _NUMBERS}
    share = None if raw.get("share") is None else json_fields.as_number(raw["share"], "share")
    return {"name": json_fields.get_text(raw, "name"), **numbers, "share": share}
