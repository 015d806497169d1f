"""The same pages as files, which open from disk: a site of sessions to hand around."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tatc.atomic import write_whole
from tatc.errors import OutputError, TatcError
from tatc.viewer import pictures, scripts
from tatc.viewer.app import ROLES, pages
from tatc.viewer.listing import listing
from tatc.viewer.opened import Opened, Opener
from tatc.viewer.shelf import Entry
from tatc.viewer.story import heading

_PLAYING = ("game.js", "lobby.js", "play.css", "play.html", "play.js", "table.js")


def export(
    entries: Sequence[Entry],
    opener: Opener,
    folder: Path,
    *,
    with_pictures: bool = True,
    force: bool = False,
    watch: Callable[[Entry], None] = lambda entry: None,
) -> None:
    """Write a site of these sessions.

    Args:
        entries: the sessions.
        opener: opens them.
        folder: where to write; made if need be.
        with_pictures: whether to draw what the agents see, some 8 kB a picture.
        force: whether to write into a folder that holds other things.
        watch: told of each session when it is written.

    Raises:
        OutputError: the folder cannot be made, or holds other things.

    """
    _prepare(folder, force)
    for name, content in pages().items():
        if name not in _PLAYING:
            write_whole(content, folder / name, force=True)
    for entry in entries:
        _write_session(entry, opener, folder, with_pictures)
        watch(entry)
    told = scripts.script("sessions", listing(entries, live=False))
    write_whole(told, folder / "data" / "sessions.js", force=True)


def _write_session(
    entry: Entry, opener: Opener, folder: Path, with_pictures: bool
) -> None:
    try:
        opened = opener.open(entry)
        told = opened.story
    except TatcError as error:
        opened, told = None, heading(entry) | {"error": str(error)}
    told = told | {"pictures": with_pictures}
    data = scripts.script(f"session/{entry.id}", told)
    write_whole(data, folder / "data" / "session" / f"{entry.id}.js", force=True)
    if opened is not None and with_pictures:
        _write_pictures(opened, folder / "pictures" / entry.id)


def _write_pictures(opened: Opened, folder: Path) -> None:
    """Write the pictures that the moments name; many moments look like the last."""
    folder.mkdir(parents=True, exist_ok=True)
    for step in sorted({moment["picture"] for moment in opened.story["moments"]}):
        for who, role in ROLES.items():
            data = opened.picture(step, role)
            assert data is not None  # the step is one of the session's
            path = folder / f"{step}-{who}{pictures.SUFFIX}"
            write_whole(data, path, force=True)


def _prepare(folder: Path, force: bool) -> None:
    try:
        if folder.is_dir() and any(folder.iterdir()) and not force:
            fix = "name another folder, or give --force"
            raise OutputError("holds other things", where=str(folder), fix=fix)
        (folder / "data" / "session").mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        why = f"cannot be made: {fault.strerror or fault}"
        raise OutputError(why, where=str(folder), fix="name another folder") from fault
