"""The index of sessions that the viewer shows: of runs, records and recorded games.

A file that cannot be read has an entry too, which says what is wrong.  Requests name a session by
its id and never by a path: the viewer opens only files that the index found in the folders that the
user named.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from os.path import isdir  # unlike Path's, it bears a name that is too long
from pathlib import Path
from typing import Any

from tatc.apps.viewer import regenerate_record
from tatc.base.errors import TatcError
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_folder import RunFolder, RunResults, find_runs, holds_runs
from tatc.session.records import SessionEnd, find_games, read_game_header, read_record


class EntryKind(StrEnum):
    """Where a session was found."""

    RUN = "run"
    RECORD = "record"
    GAME = "game"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEntry:
    """One session in the index.

    `source` is the run or folder where it was found, as the user named it.  `end` is how
    it ended, "" if that is not known before the session is opened.  `path` is the file to
    open, None if no record was kept; `regeneration` then tells how to run the session
    again, if that is possible.  `error` says what is wrong with the file.
    """

    id: str
    kind: EntryKind
    source: str
    key: str
    task: str = ""
    params: tuple[str, ...] = ()
    place: str = ""
    room_kind: str = ""
    game: str | None = None
    seed: int | None = None
    agents: tuple[str, str] = ("", "")
    end: str = ""
    met: int | None = None
    total: int | None = None
    actions: int | None = None
    failed: int | None = None
    why: str = ""
    path: Path | None = None
    regeneration: regenerate_record.RegenerationRecipe | None = None
    error: str = ""

    @property
    def pair_key(self) -> str:
        """A key that sessions of one task from one start share: they can be compared."""
        start = self.game or f"{self.place}_{self.seed}"
        return "|".join((start, self.task, *self.params)) if self.task else ""


class SessionIndex:
    """The sessions in order, by id; the viewer adds records of games played in it."""

    def __init__(self, entries: Sequence[SessionEntry]) -> None:
        """Index these sessions."""
        self._entries = {each.id: each for each in entries}

    @property
    def entries(self) -> tuple[SessionEntry, ...]:
        """All sessions, in the order in which they were named and found."""
        return tuple(self._entries.values())

    def get(self, session_id: str) -> SessionEntry | None:
        """Return the session with this id, or None."""
        return self._entries.get(session_id)

    def add(self, path: Path, source: str) -> SessionEntry:
        """Add a record's file; return its entry."""
        entry = _entry_of_file(path, source)
        self._entries[entry.id] = entry
        return entry


def open_session_index(
    named: Sequence[Path], choices: regenerate_record.UserChoices = regenerate_record.NOTHING_CHOSEN
) -> SessionIndex:
    """Return the index of runs, folders and files; sessions run again as the user chose."""
    runs: list[tuple[RunFolder, Path]] = []
    files: list[SessionEntry] = []
    for path in named:
        if isdir(path) and holds_runs(path):
            runs += ((run, path) for run in find_runs([path]))
        else:
            files += (_entry_of_file(each, str(path)) for each in find_games([path]))
    games = {each.game: each.path for each in files if each.game and each.path}
    of_runs = (entry for run, path in runs for entry in _entries_of_run(run, path, games, choices))
    return SessionIndex((*of_runs, *files))


def _entries_of_run(
    run: RunFolder, named: Path, games: Mapping[str, Path], choices: regenerate_record.UserChoices
) -> Iterator[SessionEntry]:
    source = str(named / run.path.resolve().relative_to(named.resolve()))
    identity: Mapping[str, Any] = {}
    results, faults = RunResults(), list[str]()
    try:
        results = run.results()
        identity = run.identity()
    except TatcError as error:
        faults.append(str(error))
    for fault in (*faults, *results.faults):
        name = _session_id(source, fault)
        yield SessionEntry(id=name, kind=EntryKind.RUN, source=source, key=source, error=fault)
    inside = run.path.resolve()
    options = identity.get("options", {})
    for row in results.rows:
        entry = _with_record_file(_entry_of_row(row, source, options), inside, row.record)
        if entry.path is None and not entry.error:
            recipe = regenerate_record.regeneration_recipe(row, run.path, identity, games, choices)
            entry = replace(entry, regeneration=recipe)
        yield entry


def _entry_of_row(row: SessionRow, source: str, options: Mapping[str, Any]) -> SessionEntry:
    failure = row.failure
    parts = (failure.problem, failure.skill, failure.reason) if failure else ()
    setup = options.get("setup", {})
    return SessionEntry(
        id=_session_id(source, row.key),
        kind=EntryKind.RUN,
        source=source,
        key=row.key,
        task=row.task,
        params=row.params,
        place=row.place,
        room_kind=row.kind,
        game=row.game,
        seed=row.seed,
        agents=(str(setup.get("commander", "")), str(setup.get("follower", ""))),
        end="skipped" if row.skipped else row.end,
        met=min(row.after.met, row.after.total),
        total=row.after.total,
        actions=row.commander_actions + row.follower_actions,
        failed=row.failed_actions,
        why=row.skipped or "; ".join(filter(None, parts)),
    )


def _with_record_file(entry: SessionEntry, inside: Path, record: str | None) -> SessionEntry:
    """Return an entry with its record's file, which must lie in the run's folder."""
    if record is None:
        return entry
    try:
        path = (inside / record).resolve()
    except (OSError, TypeError, ValueError) as fault:
        return replace(entry, error=f"{record!r} is not a usable path: {fault}")
    if not path.is_relative_to(inside):
        return replace(entry, error=f"{record}: outside the run's folder")
    return replace(entry, path=path)


def _entry_of_file(path: Path, source: str) -> SessionEntry:
    blank = SessionEntry(
        id=_session_id(str(path.resolve()), ""),
        kind=EntryKind.GAME,
        source=source,
        key=path.name.split(".")[0],
        path=path,
    )
    try:
        header = read_game_header(path)
        entry = replace(
            blank,
            key=header.game_id,
            task=header.task_name,
            params=header.task_params,
            place=header.place,
            room_kind=header.kind.value,
            game=header.game_id,
            agents=("people", "people"),
        )
        return _with_record(entry, path) if header.written_by_tatc else entry
    except TatcError as error:
        return replace(blank, error=str(error))


def _with_record(entry: SessionEntry, path: Path) -> SessionEntry:
    """Return the entry of a game of tatc's with what only the record says."""
    record = read_record(path)
    options = dict(record.options)
    failed = record.end is not SessionEnd.SUCCESS
    return replace(
        entry,
        kind=EntryKind.RECORD,
        key=record.session_id,
        game=record.game_id,
        seed=record.seed,
        agents=(str(options.get("commander", "")), str(options.get("follower", ""))),
        end=record.end.value,
        met=min(record.gc_satisfied, record.gc_total),
        total=record.gc_total,
        actions=len(record.interactions),
        failed=record.failed_action_count,
        why=record.decisions[-1].reason if failed and record.decisions else "",
    )


def _session_id(source: str, key: str) -> str:
    """Return the id of a session, the same each time the same folder is opened."""
    return sha256(f"{source}\0{key}".encode(errors="surrogatepass")).hexdigest()[:10]


_COLUMNS = (
    "id kind source key task params place room game seed commander follower end met total "
    "actions failed why pair opens error"
).split()


def session_list_json(entries: Sequence[SessionEntry], *, live: bool) -> dict[str, Any]:
    """Return the sessions as columns and rows, to keep it small; if `live`, one can play here."""
    rows: list[list[Any]] = []
    for entry in entries:
        renamed = {
            "params": ", ".join(entry.params),
            "room": entry.room_kind,
            "commander": entry.agents[0],
            "follower": entry.agents[1],
            "pair": entry.pair_key,
            "opens": entry.path is not None or entry.regeneration is not None,
        }
        rows.append([renamed[k] if k in renamed else getattr(entry, k) for k in _COLUMNS])
    return {"live": live, "columns": _COLUMNS, "rows": rows}
