"""`tatc export`: a session as a film or a transcript."""

from collections.abc import Callable
from dataclasses import dataclass
from os.path import exists, samefile  # unlike Path's, these bear any name
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.base import errors, files
from tatc.commands.options import shared_options
from tatc.commands.text.output import print_line, progress_bar, remark

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


@shared_options.with_option_groups
def export(
    session: Path,
    out: Annotated[Path, typer.Option()],
    given: ExportOptions,
) -> None:
    """Write a session as a film or a transcript."""
    from tatc.apps.export import export_format_of
    from tatc.session.timeline import Timeline
    from tatc.tdl import load_library

    wanted = export_format_of(out, given.named)
    files.check_writable(out, force=given.force)
    if exists(session) and exists(out) and samefile(session, out):
        raise errors.OutputError("is the session itself", where=str(out), fix="name another file")
    encode = _encoder(wanted, given.fps, given.size)  # a missing extra shows before any work
    timeline = Timeline.of(session, load_library(given.tasks or ()), floor_map=given.floor_map)
    steps = _step_range(timeline, session, given.first, given.last)
    files.write_atomically(encode(timeline, steps), out, force=given.force)
    diverged = sum(timeline.moments[step].divergence != "" for step in steps)
    if diverged:
        remark(f"steps with another result here than in the record: {diverged}")
    print_line(out)


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
                film.Film(timeline, size), progress_bar(steps, "frames"), steps, fps
            )
        case ExportFormat.MP4:
            errors.MissingExtra.module("video", "av")
            return lambda timeline, steps: film.encode_mp4(
                film.Film(timeline, size), progress_bar(steps, "frames"), fps
            )
        case ExportFormat.TXT:
            return lambda timeline, steps: transcript(timeline, steps[0], steps[-1]).encode()
