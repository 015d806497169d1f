"""Files of demonstrations: JSON lines that are added one by one, and the card beside them.

A file that was cut short is continued by the same command.  The lines are in the order of their
sessions, so that a file made in pieces has the same bytes.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from os.path import exists
from pathlib import Path
from string import Template
from typing import Any

from tatc.apps.export import chat_demonstration
from tatc.apps.export.chat_demonstration import TEXT_WORLD, LeftOut, Pair, SessionPlan
from tatc.base import errors, files, json_fields, process_pool, version
from tatc.session.records import SessionEnd
from tatc.session.start import load_split
from tatc.session.timeline.timeline import read_finished_session
from tatc.session.worlds import EMBEDDED_WORLD


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of sessions: those with `refusals` too, and arguments as `objects`."""

    refusals: bool = False
    objects: bool = False

    def __str__(self) -> str:
        """Return the words that tell them apart in a key."""
        return " with refusals" * self.refusals + " with objects" * self.objects


@dataclass(frozen=True, slots=True)
class Job:
    """One session to demonstrate; jobs of one file have different keys."""

    key: str
    make_plan: Callable[[], SessionPlan]
    kept: Kept


def jobs_of_split(name: str, count: int, pairs: Sequence[Pair], *, kept: Kept) -> list[Job]:
    """Return the jobs of the first sessions of a split."""
    load_split(name)
    return [
        Job(f"{name} {number} {pair}{kept}", partial(_plan_in_split, name, number, pair), kept)
        for number in range(count)
        for pair in pairs
    ]


def _plan_in_split(name: str, number: int, pair: Pair) -> SessionPlan:
    return SessionPlan.of(load_split(name).draw(number), pair)


def jobs_of_records(
    paths: Sequence[Path], roles: Sequence[str], wording: str | None, *, kept: Kept
) -> list[Job]:
    """Return the jobs of saved sessions, whose agents play again; in `wording`, if any."""
    count = Counter(path.name for path in paths)
    names = [path.name if count[path.name] == 1 else str(path) for path in paths]
    return [
        Job(f"{name} {role} {wording}{kept}", partial(_plan_of_record, path, role, wording), kept)
        for name, path in zip(names, paths, strict=True)
        for role in roles
    ]


def _plan_of_record(path: Path, role: str, wording: str | None) -> SessionPlan:
    session = read_finished_session(path)
    setup, start = session.setup, session.start
    if session.played_by_people:
        raise LeftOut("people played, not tatc's agents")
    if start.room is None or setup.sim != EMBEDDED_WORLD or setup.noise:
        raise LeftOut("it was not played in a room of tatc's own world, without noise")
    if session.end is not SessionEnd.SUCCESS:
        raise LeftOut("the task was not done")
    spoken = wording if role == "commander" else wording or setup.wording
    plan = SessionPlan.of(start, Pair.checked(role, setup.commander, setup.follower, spoken))
    if plan.start().scene.initial != start.scene.initial:
        raise LeftOut("its start is another one than its room and seed have now")
    return plan


Outcome = tuple[dict[str, Any] | None, str]
"""A line, or None and why there is none."""


def do_jobs(jobs: Sequence[Job], workers: int) -> Iterator[Outcome]:
    """Yield the outcome of each job, in order; each line was played again."""
    yield from process_pool.map_in_processes(_do_job, jobs, workers, lambda job, why: (None, why))


def _do_job(job: Job) -> Outcome:
    try:
        plan = job.make_plan()
        found = chat_demonstration.demonstrate(plan, job.key, with_refusals=job.kept.refusals)
        found = chat_demonstration.with_arguments(found, as_objects=job.kept.objects)
    except (LeftOut, errors.BadInput) as fault:
        return None, fault.what if isinstance(fault, errors.BadInput) else str(fault)
    return found, ""


class ChatFile:
    """A file of demonstrations and its card; `lines` are the facts of each, `left_out` counts."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is made or read yet."""
        self.path, self.card_path = path, path.with_suffix(".md")
        self.lines: list[Mapping[str, Any]] = []
        self.left_out = Counter[str]()

    def begin(self, jobs: Sequence[Job], *, force: bool) -> list[Job]:
        """Start the file, or continue one that the same command began; return what is to do."""
        if force or not exists(self.path) or not is_chat_file(self.path):
            files.check_writable(self.path, force=force)
            files.check_writable(self.card_path, force=force)
            files.write_atomically(b"", self.path, force=force)
            return list(jobs)
        rest = {job.key: job for job in jobs}
        for line in read_lines(self.path):
            facts = line["tatc"]
            job = rest.pop(facts.get("source"), None)
            if job is None or facts["text_world"] != TEXT_WORLD:
                fix = "name another file with --out, or give --force"
                why = "holds demonstrations that this command would not make"
                raise errors.OutputError(why, where=str(self.path), fix=fix)
            self.lines.append(facts)
        with self.path.open("rb+") as file:  # a last line that is torn goes
            file.seek(max(0, file.seek(0, os.SEEK_END) - files.DEMONSTRATION.max_bytes))
            start, tail = file.tell(), file.read()
            file.truncate(start + tail.rfind(b"\n") + 1)
        return list(rest.values())

    def add(self, done: Outcome) -> None:
        """Add a line, or count why there is none."""
        line, why = done
        if line is None:
            self.left_out[why] += 1
        else:
            self.lines.append(line["tatc"])
            files.append_text(json.dumps(line) + "\n", self.path, fix=files.FIX_MAKE_ROOM)

    def counts(self) -> dict[str, int]:
        """Return what a card counts, in order."""
        found = Counter({f"left out: {why}": count for why, count in self.left_out.items()})
        for facts in self.lines:
            found[f"demonstrations of the {facts['role'].capitalize()}"] += 1
            found[f"demonstrations of {facts['task']}"] += 1
            found["calls"] += facts["calls"]
            found["calls that failed"] += facts["mistakes"]
        return dict(sorted(found.items()))

    def write_card(self, command: str) -> None:
        """Write the card of the file as it is now."""
        text = resources.files("tatc.apps.export").joinpath("chat_card.md").read_text("utf-8")
        filled = Template(text).substitute(
            file=self.path.name,
            lines=f"{len(self.lines):,}",
            version=version.__version__,
            command=command,
            counts="\n".join(f"| {name} | {count:,} |" for name, count in self.counts().items()),
            text_world=TEXT_WORLD,
        )
        files.write_atomically(filled.encode(), self.card_path, force=True)


def is_chat_file(path: Path) -> bool:
    """Return whether a file is one of demonstrations, by its beginning; one may be empty."""
    head = files.read_head(path, files.LINES_FILE, 16) if path.suffix == ".jsonl" else b"?"
    return b'{"messages": ['.startswith(head[:14])


def read_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of a file of demonstrations; a BadInput for one that is none."""
    for number, text in enumerate(files.read_lines(path, files.DEMONSTRATION), 1):
        where = f"{path}: line {number}"
        line: Any = files.parse_json(text, where, files.DEMONSTRATION, files.FINITE_NUMBERS)
        try:
            SessionPlan.read(json_fields.as_mapping(line, ""))
        except json_fields.FieldError as fault:
            fix = files.DEMONSTRATION.fix
            raise errors.BadInput(f"is no demonstration: {fault}", where=where, fix=fix) from fault
        yield line


def check_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield for each line its session and how it differs when it is played again, "" if not."""
    for number, line in enumerate(read_lines(path), 1):
        try:
            why = chat_demonstration.replay(line)
        except (errors.BadInput, LookupError, TypeError, ValueError, AttributeError) as fault:
            why = f"cannot be played: {fault}"
        yield f"line {number}, {SessionPlan.read(line).session_id}", why
