"""What there is to look at: the sessions of runs, records, and recorded games.

A file that cannot be read stands among the others with what is wrong with it.  A
request names a session by its id and never a path: every file that is ever opened was
found here, inside the folders that the user named.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from tatc.errors import TatcError
from tatc.evaluation.rows import SessionRow
from tatc.evaluation.run_folder import RUN_FILE, RunFolder, find_runs
from tatc.records import (
    GameHeader,
    RecordedDecision,
    SessionEnd,
    find_games,
    read_game_header,
    read_record,
)
from tatc.viewer.regenerate_record import RegenerationRecipe, regeneration_recipe


class EntryKind(StrEnum):
    """What a session was found as."""

    RUN = "run"
    RECORD = "record"
    GAME = "game"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEntry:
    """One session on the shelf.

    `source` is the run or folder it was found in, as the user named it.  `end` is how
    it ended, "" where that is not known before it is opened.  `pair_key` is equal for
    sessions of one task from one start, which can stand side by side.  `path` is the
    file to open, None where none was kept; `regeneration_recipe` is then how to run the session
    once
    more, where that can be.  `error` says what is wrong with the file.
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
    regeneration: RegenerationRecipe | None = None
    error: str = ""

    @property
    def can_open(self) -> bool:
        """Whether there is a session to look at, or one that can be run again."""
        return self.path is not None or self.regeneration is not None

    @property
    def pair_key(self) -> str:
        """What sessions of one task from one start have in common."""
        start = self.game or f"{self.place}_{self.seed}"
        return "|".join((start, self.task, *self.params)) if self.task else ""


class SessionIndex:
    """The sessions in order, by id; records of games just played are added."""

    def __init__(self, entries: Sequence[SessionEntry]) -> None:
        """Put these sessions on the shelf."""
        self._entries = {each.id: each for each in entries}

    @property
    def entries(self) -> tuple[SessionEntry, ...]:
        """All sessions, in the order in which they were named and found."""
        return tuple(self._entries.values())

    def get(self, session_id: str) -> SessionEntry | None:
        """Return the session with this id, or None."""
        return self._entries.get(session_id)

    def add(self, path: Path, source: str) -> SessionEntry:
        """Put one more record on the shelf; return its entry."""
        entry = _entry_of_file(path, source)
        self._entries[entry.id] = entry
        return entry


def open_session_index(named: Sequence[Path]) -> SessionIndex:
    """Find the sessions of runs, folders and files.

    Raises:
        BadInput: a name leads to nothing.

    """
    runs: list[tuple[RunFolder, Path]] = []
    files: list[SessionEntry] = []
    for path in named:
        if _has_runs(path):
            runs += ((run, path) for run in find_runs([path]))
        else:
            files += (_entry_of_file(each, str(path)) for each in find_games([path]))
    games = {each.game: each.path for each in files if each.game and each.path}
    of_runs = (entry for run, path in runs for entry in _entries_of_run(run, path, games))
    return SessionIndex((*of_runs, *files))


def _has_runs(path: Path) -> bool:
    return path.is_dir() and (
        (path / RUN_FILE).exists() or any(True for _ in path.glob(f"*/{RUN_FILE}"))
    )


def _entries_of_run(
    run: RunFolder, named: Path, games: Mapping[str, Path]
) -> Iterator[SessionEntry]:
    source = _display_path(run.path, named)
    try:
        options = _nested_object(run.identity(), "options")
        rows = run.rows()
    except TatcError as error:
        fault, name = str(error), _session_id(source, "")
        yield SessionEntry(id=name, kind=EntryKind.RUN, source=source, key=source, error=fault)
        return
    inside = run.path.resolve()
    for row in rows:
        entry = _with_record_file(_entry_of_row(row, source, options), inside, row.record)
        if entry.path is None and not entry.error:
            entry = replace(entry, regeneration=regeneration_recipe(row, options, games))
        yield entry


def _display_path(run: Path, named: Path) -> str:
    """Return a run's folder as the user would name it."""
    resolved = named.resolve()
    inner = run.resolve().relative_to(resolved)
    return str(named / inner)


def _entry_of_row(row: SessionRow, source: str, options: Mapping[str, Any]) -> SessionEntry:
    failure = row.failure
    parts = (failure.problem, failure.skill, failure.reason) if failure else ()
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
        agents=_agent_names(options),
        end="skipped" if row.skipped else row.end,
        met=min(row.after.met, row.after.total),
        total=row.after.total,
        actions=row.commander_actions + row.follower_actions,
        failed=row.failed_actions,
        why=row.skipped or "; ".join(filter(None, parts)),
    )


def _with_record_file(entry: SessionEntry, inside: Path, record: str | None) -> SessionEntry:
    """Return an entry of a run with its record's file, which lies in its folder."""
    if record is None:
        return entry
    try:
        path = (inside / record).resolve()
    except (OSError, TypeError, ValueError) as fault:
        return replace(entry, error=f"{record!r} is no usable path: {fault}")
    if not path.is_relative_to(inside):
        return replace(entry, error=f"{record}: leads out of the run's folder")
    return replace(entry, path=path)


def _entry_of_file(path: Path, source: str) -> SessionEntry:
    """Return the entry of a record or a recorded game, or of what is wrong with it."""
    blank = SessionEntry(
        id=_session_id(str(path.resolve()), ""),
        kind=EntryKind.GAME,
        source=source,
        key=path.name.split(".")[0],
        path=path,
    )
    try:
        heading = read_game_header(path)
        return (
            _entry_of_record(path, blank)
            if heading.written_by_tatc
            else _entry_of_game(heading, blank)
        )
    except TatcError as error:
        return replace(blank, error=str(error))


def _entry_of_game(heading: GameHeader, blank: SessionEntry) -> SessionEntry:
    return replace(
        blank,
        key=heading.game_id,
        task=heading.task_name,
        params=heading.task_params,
        place=heading.place,
        room_kind=heading.kind.value,
        game=heading.game_id,
        agents=("people", "people"),
    )


def _entry_of_record(path: Path, blank: SessionEntry) -> SessionEntry:
    record = read_record(path)
    options = dict(record.options)
    return replace(
        blank,
        kind=EntryKind.RECORD,
        key=record.session_id,
        task=record.task_name,
        params=record.task_params,
        place=record.scene.place,
        room_kind=record.scene.kind.value,
        game=record.game_id,
        seed=record.seed,
        agents=(str(options.get("commander", "")), str(options.get("follower", ""))),
        end=record.end.value,
        met=min(record.gc_satisfied, record.gc_total),
        total=record.gc_total,
        actions=len(record.interactions),
        failed=record.failed_action_count,
        why=_last_reason(record.decisions) if record.end is not SessionEnd.SUCCESS else "",
    )


def _last_reason(decisions: Sequence[RecordedDecision]) -> str:
    return decisions[-1].reason if decisions else ""


def _agent_names(options: Mapping[str, Any]) -> tuple[str, str]:
    setup = _nested_object(options, "setup")
    return str(setup.get("commander", "")), str(setup.get("follower", ""))


def _nested_object(raw: object, name: str) -> Mapping[str, Any]:
    """Return an object inside an object, an empty one where there is none."""
    found = cast(dict[str, Any], raw).get(name) if isinstance(raw, dict) else None
    return cast(dict[str, Any], found) if isinstance(found, dict) else {}


def _session_id(source: str, key: str) -> str:
    """Return the id of a session: the same whenever the same folder is opened."""
    return sha256(f"{source}\0{key}".encode()).hexdigest()[:10]
