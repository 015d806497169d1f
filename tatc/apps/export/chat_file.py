"""Files of demonstrations: JSON lines that are added one by one, and the card beside them.

A file that was cut short is continued by the same command: what is there is kept, and so is what
was left out (`NAME.left-out.jsonl`).  The lines are in the order of their sessions, so that a file
made in pieces has the same bytes.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from os.path import exists
from pathlib import Path
from string import Template
from typing import Any

from tatc.apps.export import chat_demonstration
from tatc.apps.export.chat_demonstration import LeftOut, SessionPlan
from tatc.base import errors, files, json_fields, json_lines, process_pool
from tatc.base.version import __version__
from tatc.session.start import SessionStart, load_split
from tatc.session.text_world import TEXT_WORLD_VERSION, wording_hash
from tatc.session.timeline.timeline import read_finished_session
from tatc.session.worlds import EMBEDDED_WORLD

_FIX = "name another file with --out, or give --force"


@dataclass(frozen=True, slots=True)
class Job:
    """One session to demonstrate in one role: a record's, or that of a number of a split."""

    source: str
    role: str
    record: Path | None = None
    number: int = 0
    commander: str = "rule"
    follower: str = "rule"
    wording: str | None = None
    with_refusals: bool = False

    @property
    def key(self) -> str:
        """What the job is called; those of one file have different keys."""
        return f"{self.source} {self.role}"

    def plan(self) -> SessionPlan:
        """Return the plan of the session, or raise LeftOut or a BadInput."""
        if self.record is not None:
            return _plan_of_record(self, self.record)
        start = load_split(self.source.rpartition(" ")[0]).draw(self.number)
        return _plan(self, start)


def _plan(job: Job, start: SessionStart) -> SessionPlan:
    return chat_demonstration.plan_for(start, job.role, job.commander, job.follower, job.wording)


def _plan_of_record(job: Job, path: Path) -> SessionPlan:
    """Return the plan of a saved session: its own start, agents and wording."""
    session = read_finished_session(path)
    setup, start = session.setup, session.start
    if session.played_by_people:
        raise LeftOut("people played, not tatc's agents")
    if start.room is None or setup.sim != EMBEDDED_WORLD or setup.noise:
        raise LeftOut("it was not played in a room of tatc's own world, without noise")
    if session.end != "success":
        raise LeftOut("the task was not done")
    wording = setup.wording if job.role == "follower" else job.wording
    job = replace(job, commander=setup.commander, follower=setup.follower, wording=wording)
    plan = _plan(job, start)
    if plan.start().scene.initial != start.scene.initial:
        raise LeftOut("its start is another one than its room and seed have now")
    return plan


@dataclass(frozen=True, slots=True)
class Outcome:
    """A job that was done: its line, or why there is none."""

    job: Job
    line: Mapping[str, Any] | None = None
    why: str = ""


def do_job(job: Job) -> Outcome:
    """Demonstrate a session, and play its line again before it counts."""
    try:
        made = chat_demonstration.demonstrate(job.plan(), with_refusals=job.with_refusals)
        line = {**made, "tatc": {"source": job.source, **made["tatc"]}}
        why = chat_demonstration.replay(json.loads(json.dumps(line)))
    except LeftOut as fault:
        return Outcome(job, why=str(fault))
    except errors.BadInput as fault:
        if job.record is None:
            raise
        return Outcome(job, why=fault.what)
    return Outcome(job, why=f"played again, {why}") if why else Outcome(job, line)


class ChatFile:
    """A file of demonstrations, what was left out of it, and its card."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is made or read yet."""
        self.path = path
        self.left_out_path = path.with_name(f"{path.stem}.left-out.jsonl")
        self.card_path = path.with_suffix(".md")
        self.lines: list[Mapping[str, Any]] = []
        self.left_out: dict[str, str] = {}

    def begin(self, jobs: Sequence[Job], *, force: bool) -> list[Job]:
        """Start the file, or continue one that the same command began; return what is to do."""
        is_ours = exists(self.path) and not force and is_chat_file(self.path)
        if not is_ours:
            files.check_writable(self.path, force=force)
            files.check_writable(self.card_path, force=force)
            files.write_atomically(b"", self.path, force=force)
            self.left_out_path.unlink(missing_ok=True)
            return list(jobs)
        wanted = {job.key: job for job in jobs}
        for line in read_chat_lines(self.path):
            facts = line["tatc"]
            job = wanted.get(f"{facts.get('source')} {facts['role']}")
            if job is None or not _is_of(facts, job):
                why = "holds other demonstrations, or those of another tatc"
                raise errors.OutputError(why, where=str(self.path), fix=_FIX)
            self.lines.append(facts)
            del wanted[job.key]
        for key, why in json_lines.read_entries(self.left_out_path, files.RESULT_LINE, _left_out):
            if key in wanted:
                self.left_out[key] = why
                del wanted[key]
        self._drop_torn_line()
        return list(wanted.values())

    def add(self, done: Outcome) -> None:
        """Add a line, or note why there is none."""
        if done.line is None:
            self.left_out[done.job.key] = done.why
            json_lines.add_entry({"key": done.job.key, "why": done.why}, self.left_out_path)
        else:
            self.lines.append(done.line["tatc"])
            files.append_text(json.dumps(done.line) + "\n", self.path, fix=files.FIX_MAKE_ROOM)

    def counts(self) -> dict[str, int]:
        """Return what a card counts, in order."""
        found: Counter[str] = Counter()
        for facts in self.lines:
            found[f"demonstrations of the {facts['role'].capitalize()}"] += 1
            found[f"demonstrations of {facts['task']}"] += 1
            found["calls"] += facts["calls"]
            found["calls that failed"] += facts["mistakes"]
        found.update(f"left out: {why}" for why in self.left_out.values())
        return dict(sorted(found.items()))

    def write_card(self, command: str) -> None:
        """Write the card of the file as it is now."""
        text = resources.files("tatc.apps.export").joinpath("chat_card.md").read_text("utf-8")
        filled = Template(text).substitute(
            file=self.path.name,
            lines=f"{len(self.lines):,}",
            version=__version__,
            command=command,
            counts="\n".join(f"| {name} | {count:,} |" for name, count in self.counts().items()),
            text_world=f"{TEXT_WORLD_VERSION} {wording_hash()}",
        )
        files.write_atomically(filled.encode(), self.card_path, force=True)

    def _drop_torn_line(self) -> None:
        files.check_file(self.path, files.LINES_FILE)
        with self.path.open("rb+") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - files.DEMONSTRATION.max_bytes))
            start, tail = file.tell(), file.read()
            file.truncate(start + tail.rfind(b"\n") + 1)


def _is_of(facts: Mapping[str, Any], job: Job) -> bool:
    same = facts.get("text_world") == f"{TEXT_WORLD_VERSION} {wording_hash()}"
    same &= facts.get("mistakes") == 0 or job.with_refusals
    if job.record is None:
        same &= (job.commander, job.follower) == (facts["commander"], facts["follower"])
    return same and job.wording in (None, facts["wording"])


def _left_out(entry: Mapping[str, Any]) -> tuple[str, str]:
    return json_fields.get_text(entry, "key"), json_fields.get_text(entry, "why")


def do_jobs(jobs: Sequence[Job], workers: int) -> Iterator[Outcome]:
    """Yield the outcome of each job, in order."""
    yield from process_pool.map_in_processes(
        do_job, jobs, workers, lambda job, why: Outcome(job, why=why)
    )


# Files that are read again.


def is_chat_file(path: Path) -> bool:
    """Return whether a file is one of demonstrations, by its name and beginning."""
    if path.suffix != ".jsonl":
        return False
    return files.read_head(path, files.LINES_FILE, 16).startswith(b'{"messages"')


def read_chat_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of a file of demonstrations; a BadInput for one that is none."""
    for number, text in enumerate(files.read_lines(path, files.DEMONSTRATION), 1):
        where = f"{path}: line {number}"
        line: Any = files.parse_json(text, where, files.DEMONSTRATION, files.FINITE_NUMBERS)
        try:
            chat_demonstration.plan_of_line(json_fields.as_mapping(line, ""))
        except json_fields.FieldError as fault:
            fix = files.DEMONSTRATION.fix
            raise errors.BadInput(f"is no demonstration: {fault}", where=where, fix=fix) from fault
        yield line


def check_chat_file(path: Path) -> Iterator[tuple[str, str]]:
    """Yield for each line its session and how it differs when it is played again, "" if not."""
    for line in read_chat_lines(path):
        try:
            found = chat_demonstration.replay(line)
        except (errors.BadInput, KeyError, TypeError, ValueError, AttributeError) as fault:
            found = f"cannot be played: {fault}"
        yield chat_demonstration.plan_of_line(line).key, found


def jobs_of_split(
    name: str, count: int, roles: Iterable[str], options: Mapping[str, Any]
) -> list[Job]:
    """Return the jobs of the first sessions of a split."""
    load_split(name)
    return [Job(f"{name} {n}", role, number=n, **options) for n in range(count) for role in roles]


def jobs_of_records(
    paths: Sequence[Path], roles: Iterable[str], options: Mapping[str, Any]
) -> list[Job]:
    """Return the jobs of saved sessions, which are called by their files' names."""
    names = Counter(path.name for path in paths)
    named = [path.name if names[path.name] == 1 else str(path) for path in paths]
    return [
        Job(name, role, record=path, **options)
        for name, path in zip(named, paths, strict=True)
        for role in roles
    ]
