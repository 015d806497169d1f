"""Writes the viewer's pages as a folder of files that opens from disk."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tatc.apps.viewer.page_data import IMAGE_SUFFIX, data_script, heading_json
from tatc.apps.viewer.session_index import SessionEntry, session_list_json
from tatc.apps.viewer.web_app import CachedSession, SessionCache, page_files
from tatc.base import errors, files, plain_text
from tatc.evaluation.runs.run_identity import RUN_FILE
from tatc.home.actions import ROLES_BY_NAME

_PLAY_PAGES = (
    "game.js game_actions.js lobby.js play.css play.html play.js game_connection.js".split()
)


def write_site(
    entries: Sequence[SessionEntry],
    session_cache: SessionCache,
    folder: Path,
    *,
    with_pictures: bool = True,
    force: bool = False,
    on_session_written: Callable[[SessionEntry], None] = lambda entry: None,
    on_fault: Callable[[SessionEntry, str], None] = lambda entry, fault: None,
) -> None:
    """Write a site of these sessions into a folder; with `force`, it need not be empty.

    `with_pictures` draws what the agents see, about 8 kB per image.  `on_fault` gets each session
    that cannot be opened, and why; its page says so too.
    """
    _prepare_folder(folder, force)
    shown = portable_entries(entries)
    for name, content in page_files().items():
        if name not in _PLAY_PAGES:
            files.write_atomically(content, folder / name, force=True)
    for entry in entries:
        if fault := _write_session(entry, shown[entry.id], session_cache, folder, with_pictures):
            on_fault(entry, fault)
        on_session_written(entry)
    data = data_script("sessions", session_list_json(tuple(shown.values()), live=False))
    files.write_atomically(data, folder / "data" / "sessions.js", force=True)


def portable_entries(entries: Iterable[SessionEntry]) -> dict[str, SessionEntry]:
    """Return the entries by id, with paths that are those of no machine."""
    paths = plain_text.PathShortener.of(text for each in entries for text in _paths_of(each))
    return {
        each.id: replace(
            each,
            source=paths.shorten(each.source),
            key=paths.shorten(each.key),
            agents=(paths.shorten(each.agents[0]), paths.shorten(each.agents[1])),
            why=paths.shorten_in(each.why),
            error=paths.shorten_in(each.error),
        )
        for each in entries
    }


def _paths_of(entry: SessionEntry) -> Iterator[str]:
    yield from (entry.source, entry.key, *entry.agents)
    # What a message about its file or its run begins with.
    for path in (entry.path, Path(entry.source)):
        if path is not None:
            yield from (str(path.absolute()), str(path.resolve()), str(path.absolute() / RUN_FILE))


def _write_session(
    entry: SessionEntry, shown: SessionEntry, cache: SessionCache, folder: Path, with_pictures: bool
) -> str:
    """Write a page's data under the entry `shown`; return why it cannot be opened, or ""."""
    fault = ""
    try:
        session = cache.open(entry)
        page_data = session.page_data | heading_json(shown)
    except errors.TatcError as error:
        fault = error.one_line
        told = portable_entries((replace(entry, error=str(error)),))[entry.id].error
        session, page_data = None, heading_json(shown) | {"error": told}
    page_data = page_data | {"pictures": with_pictures}
    data = data_script(f"session/{entry.id}", page_data)
    files.write_atomically(data, folder / "data" / "session" / f"{entry.id}.js", force=True)
    if session is not None and with_pictures:
        _write_images(session, folder / "pictures" / entry.id)
    return fault


def _write_images(session: CachedSession, folder: Path) -> None:
    """Write the images that moments refer to; moments that look alike share one."""
    folder.mkdir(parents=True, exist_ok=True)
    for step in sorted({moment["picture"] for moment in session.page_data["moments"]}):
        for name, role in ROLES_BY_NAME.items():
            data = session.agent_image(step, role)
            assert data is not None  # the step is one of the session's
            files.write_atomically(data, folder / f"{step}-{name}{IMAGE_SUFFIX}", force=True)


def _prepare_folder(folder: Path, force: bool) -> None:
    fix = "name another folder"
    files.make_folder(folder, fix=fix)
    with errors.os_errors_as(errors.OutputError, "cannot be read", folder, fix=fix):
        if any(folder.iterdir()) and not force:
            fix = f"{fix}, or give --force"
            raise errors.OutputError("is not empty", where=str(folder), fix=fix)
    files.make_folder(folder / "data" / "session", fix=fix)
