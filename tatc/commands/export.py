"""`tatc export`: a session as a film or a transcript, or many as demonstrations for models."""

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os.path import exists, samefile  # unlike Path's, these bear any name
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.base import errors, files, folder_lock, plain_text
from tatc.commands.options import shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.apps.export import ExportFormat
    from tatc.session.timeline import Timeline


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The format, its frames, and which steps are exported."""

    named: str | None = shared_options.plain_field(None, "--format")
    fps: float = shared_options.plain_field(4.0, min=0.5, max=50)
    size: int = shared_options.plain_field(320, min=96, max=1080)
    first: int = shared_options.plain_field(0, "--from", min=0)
    last: int | None = shared_options.plain_field(None, "--to", min=0)
    floor_map: str = shared_options.map_field(
        "The recorded map that the session was run with, if it is none that tatc ships.", "Options"
    )
    tasks: shared_options.TaskFoldersOption = None
    force: shared_options.ForceOption = False


_chat_field = shared_options.OptionField("Demonstrations (--format chat)")


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """Which sessions are demonstrated, by whom, and which are kept."""

    split: str | None = _chat_field(None)
    count: int = _chat_field(100, min=1)
    role: str = _chat_field("both")
    commander: str = _chat_field("rule")
    follower: str = _chat_field("rule")
    wording: str | None = _chat_field(None)
    with_refusals: bool = _chat_field(False, "--with-refusals")
    workers: int = _chat_field(1, min=1)
    as_json: bool = _chat_field(False, "--json")


@shared_options.with_option_groups
def export(
    out: Annotated[Path, typer.Option()],
    given: ExportOptions,
    chat: ChatOptions,
    sessions: Annotated[list[str] | None, typer.Argument()] = None,
) -> None:
    """Write sessions as films, transcripts or demonstrations."""
    from tatc.apps.export import ExportFormat, export_format_of

    wanted = export_format_of(out, given.named)
    if wanted is ExportFormat.CHAT:
        _export_chat(sessions or (), out, chat, force=given.force)
        return
    if chat != ChatOptions():
        why = "options of demonstrations are for --format chat"
        raise errors.BadInput(why, fix="add --format chat, or leave them out")
    if sessions is None or len(sessions) != 1:
        raise errors.BadInput("one session is exported at a time", fix="name one")
    _export_session(Path(sessions[0]), out, given, wanted)


def _export_session(session: Path, out: Path, given: ExportOptions, wanted: "ExportFormat") -> None:
    from tatc.session.timeline import Timeline
    from tatc.tdl import load_library

    files.check_writable(out, force=given.force)
    if exists(session) and exists(out) and samefile(session, out):
        raise errors.OutputError("is the session itself", where=str(out), fix="name another file")
    encode = _encoder(wanted, given.fps, given.size)  # a missing extra shows before any work
    timeline = Timeline.of(session, load_library(given.tasks or ()), floor_map=given.floor_map)
    steps = _step_range(timeline, session, given.first, given.last)
    files.write_atomically(encode(timeline, steps), out, force=given.force)
    diverged = sum(timeline.moments[step].divergence != "" for step in steps)
    if diverged:
        output.remark(f"steps with another result here than in the record: {diverged}")
    output.print_line(out)


def _step_range(timeline: "Timeline", path: Path, first: int, last: int | None) -> range:
    end = len(timeline.moments) - 1
    to = end if last is None else last
    if not first <= to <= end:
        what = f"there are no steps {first} to {to}"
        raise errors.BadInput(what, where=str(path), fix=f"name steps from 0 to {end}")
    return range(first, to + 1)


def _encoder(wanted: "ExportFormat", fps: float, size: int) -> "Callable[[Timeline, range], bytes]":
    from tatc.apps.export import ExportFormat, film
    from tatc.apps.export.text_transcript import transcript

    match wanted:
        case ExportFormat.GIF:
            return lambda timeline, steps: film.encode_gif(
                film.Film(timeline, size), output.progress_bar(steps, "frames"), steps, fps
            )
        case ExportFormat.MP4:
            errors.MissingExtra.module("video", "av")
            return lambda timeline, steps: film.encode_mp4(
                film.Film(timeline, size), output.progress_bar(steps, "frames"), fps
            )
        case _:
            return lambda timeline, steps: transcript(timeline, steps[0], steps[-1]).encode()


def _export_chat(sessions: Sequence[str], out: Path, chat: ChatOptions, *, force: bool) -> None:
    from tatc.apps.export import chat_demonstration
    from tatc.session.records import find_games

    if bool(sessions) is (chat.split is not None):
        fix = "name sessions, folders or runs, or else --split"
        raise errors.BadInput("nothing, or two things, are to be demonstrated", fix=fix)
    roles = tuple(chat_demonstration.ROLES) if chat.role == "both" else (chat.role,)
    names = chat.commander, chat.follower, chat.wording
    pairs = [chat_demonstration.checked_pair(each, *names) for each in roles]
    if chat.split is None:
        jobs = chat_demonstration.jobs_of_records(find_games(sessions), roles, chat.wording)
    else:
        jobs = chat_demonstration.jobs_of_split(chat.split, chat.count, pairs)
    if chat.with_refusals:
        jobs = {f"{source} with refusals": job for source, job in jobs.items()}
    made = chat_demonstration.ChatFile(out)
    files.check_writable(out, force=True)  # `begin` says whether it may be replaced
    with folder_lock.held(out):
        rest = made.begin(jobs, force=force)
        if made.lines:
            output.remark(f"continues: {plain_text.counted(made.lines, 'line')} are there")
        with output.progress_counter(len(rest), "demonstrating") as advance:
            for _ in made.add(rest, chat.workers, with_refusals=chat.with_refusals):
                advance("")
        made.write_card(" ".join(map(shlex.quote, ("tatc", *sys.argv[1:]))))
    if chat.as_json:
        counts = dict(sorted(made.counts.items()))
        output.print_json({"file": str(out), "card": str(made.card_path), **counts})
    else:
        made_here = plain_text.counted(made.lines, "demonstration")
        output.print_line(f"{made_here} in {out}; card: {made.card_path}")
        for name in sorted(each for each in made.counts if each.startswith("left out")):
            output.print_line(f"{made.counts[name]} {name}")
    if not made.lines:
        raise typer.Exit(output.EXIT_TOO_FEW_MADE)
