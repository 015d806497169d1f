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
from tatc.evaluation.folder import RUN, RunFolder, find_runs
from tatc.evaluation.rows import Row
from tatc.records import (
    Decision,
    End,
    Heading,
    find_games,
    read_heading,
    read_record,
)
from tatc.viewer.again import Again, again


class Kind(StrEnum):
    """What a session was found as."""

    RUN = "run"
    RECORD = "record"
    GAME = "game"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One session on the shelf.

    `source` is the run or folder it was found in, as the user named it.  `end` is how
    it ended, "" where that is not known before it is opened.  `pair` is equal for
    sessions of one task from one start, which can stand side by side.  `path` is the
    file to open, None where none was kept; `again` is then how to run the session once
    more, where that can be.  `error` says what is wrong with the file.
    """

    id: str
    kind: Kind
    source: str
    key: str
    task: str = ""
    params: tuple[str, ...] = ()
    place: str = ""
    room: str = ""
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
    again: Again | None = None
    error: str = ""

    @property
    def opens(self) -> bool:
        """Whether there is a session to look at, or one that can be run again."""
        return self.path is not None or self.again is not None

    @property
    def pair(self) -> str:
        """What sessions of one task from one start have in common."""
        start = self.game or f"{self.place}_{self.seed}"
        return "|".join((start, self.task, *self.params)) if self.task else ""


class Shelf:
    """The sessions in order, by id; records of games just played are added."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """Put these sessions on the shelf."""
        self._entries = {each.id: each for each in entries}

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All sessions, in the order in which they were named and found."""
        return tuple(self._entries.values())

    def get(self, name: str) -> Entry | None:
        """Return the session with this id, or None."""
        return self._entries.get(name)

    def add(self, path: Path, source: str) -> Entry:
        """Put one more record on the shelf; return its entry."""
        entry = _of_file(path, source)
        self._entries[entry.id] = entry
        return entry


def open_shelf(named: Sequence[Path]) -> Shelf:
    """Find the sessions of runs, folders and files.

    Raises:
        BadInput: a name leads to nothing.

    """
    runs: list[tuple[RunFolder, Path]] = []
    files: list[Entry] = []
    for path in named:
        if _holds_runs(path):
            runs += ((run, path) for run in find_runs([path]))
        else:
            files += (_of_file(each, str(path)) for each in find_games([path]))
    games = {each.game: each.path for each in files if each.game and each.path}
    of_runs = (entry for run, path in runs for entry in _of_run(run, path, games))
    return Shelf((*of_runs, *files))


def _holds_runs(path: Path) -> bool:
    return path.is_dir() and (
        (path / RUN).exists() or any(True for _ in path.glob(f"*/{RUN}"))
    )


def _of_run(run: RunFolder, named: Path, games: Mapping[str, Path]) -> Iterator[Entry]:
    source = _shown(run.path, named)
    try:
        options = _part(run.identity(), "options")
        rows = run.rows()
    except TatcError as error:
        fault, name = str(error), _id(source, "")
        yield Entry(id=name, kind=Kind.RUN, source=source, key=source, error=fault)
        return
    inside = run.path.resolve()
    for row in rows:
        entry = _with_file(_of_row(row, source, options), inside, row.record)
        if entry.path is None and not entry.error:
            entry = replace(entry, again=again(row, options, games))
        yield entry


def _shown(run: Path, named: Path) -> str:
    """Return a run's folder as the user would name it."""
    resolved = named.resolve()
    inner = run.resolve().relative_to(resolved)
    return str(named / inner)


def _of_row(row: Row, source: str, options: Mapping[str, Any]) -> Entry:
    failure = row.failure
    parts = (failure.problem, failure.skill, failure.reason) if failure else ()
    return Entry(
        id=_id(source, row.key),
        kind=Kind.RUN,
        source=source,
        key=row.key,
        task=row.task,
        params=row.params,
        place=row.place,
        room=row.kind,
        game=row.game,
        seed=row.seed,
        agents=_agents(options),
        end="skipped" if row.skipped else row.end,
        met=min(row.after.met, row.after.total),
        total=row.after.total,
        actions=row.commander_actions + row.follower_actions,
        failed=row.failed_actions,
        why=row.skipped or "; ".join(filter(None, parts)),
    )


def _with_file(entry: Entry, inside: Path, record: str | None) -> Entry:
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


def _of_file(path: Path, source: str) -> Entry:
    """Return the entry of a record or a recorded game, or of what is wrong with it."""
    blank = Entry(
        id=_id(str(path.resolve()), ""),
        kind=Kind.GAME,
        source=source,
        key=path.name.split(".")[0],
        path=path,
    )
    try:
        head = read_heading(path)
        return _of_record(path, blank) if head.ours else _of_game(head, blank)
    except TatcError as error:
        return replace(blank, error=str(error))


def _of_game(head: Heading, blank: Entry) -> Entry:
    return replace(
        blank,
        key=head.game_id,
        task=head.task_name,
        params=head.task_params,
        place=head.place,
        room=head.kind.value,
        game=head.game_id,
        agents=("people", "people"),
    )


def _of_record(path: Path, blank: Entry) -> Entry:
    record = read_record(path)
    options = dict(record.options)
    return replace(
        blank,
        kind=Kind.RECORD,
        key=record.session_id,
        task=record.task_name,
        params=record.task_params,
        place=record.scene.place,
        room=record.scene.kind.value,
        game=record.game_id,
        seed=record.seed,
        agents=(
            str(options.get("commander", "")),
            str(options.get("follower", "")),
        ),
        end=record.end.value,
        met=min(record.gc_satisfied, record.gc_total),
        total=record.gc_total,
        actions=len(record.interactions),
        failed=record.failed_actions,
        why=_last_reason(record.decisions) if record.end is not End.SUCCESS else "",
    )


def _last_reason(decisions: Sequence[Decision]) -> str:
    return decisions[-1].reason if decisions else ""


def _agents(options: Mapping[str, Any]) -> tuple[str, str]:
    setup = _part(options, "setup")
    return str(setup.get("commander", "")), str(setup.get("follower", ""))


def _part(raw: object, name: str) -> Mapping[str, Any]:
    """Return an object inside an object, an empty one where there is none."""
    found = cast(dict[str, Any], raw).get(name) if isinstance(raw, dict) else None
    return cast(dict[str, Any], found) if isinstance(found, dict) else {}


def _id(source: str, key: str) -> str:
    """Return the id of a session: the same whenever the same folder is opened."""
    return sha256(f"{source}\0{key}".encode()).hexdigest()[:10]
