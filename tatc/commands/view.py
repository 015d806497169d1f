"""`tatc view`: runs, records and recorded games in the browser, and games to play."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.options import address_options, shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.apps.viewer.session_index import SessionEntry, SessionIndex
    from tatc.apps.viewer.web_app import SessionCache


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """What is shown or exported, and who can be played with."""

    named: Annotated[list[Path] | None, typer.Argument()] = None
    tasks: shared_options.TaskFoldersOption = None
    commander: list[str] | None = shared_options.plain_field(None)
    follower: list[str] | None = shared_options.plain_field(None)
    floor_map: str = shared_options.map_field(
        "The recorded map that a RUN was made with, if it is none that tatc ships.", "Options"
    )
    export: Path | None = shared_options.plain_field(None)
    no_pictures: bool = shared_options.plain_field(False, "--no-pictures")
    force: bool = shared_options.plain_field(False, "--force")
    pace: float = shared_options.plain_field(0.35, min=0)
    save: Path | None = shared_options.plain_field(None)


@shared_options.with_option_groups
def view(given: ViewOptions, address: address_options.AddressOptions) -> None:
    """Show sessions in the browser, step by step, and play."""
    from tatc.apps.viewer.play.game_host import GameHost
    from tatc.apps.viewer.regenerate_record import UserChoices
    from tatc.apps.viewer.session_index import open_session_index
    from tatc.apps.viewer.web_app import SessionCache, web_application
    from tatc.base.web_server import PathToken, draw_token, serve
    from tatc.tdl import load_library

    names = address.host_names()
    library = load_library(given.tasks or ())
    choices = UserChoices((*(given.commander or ()), *(given.follower or ())), given.floor_map)
    session_index = open_session_index(given.named or _saved_records(), choices)
    session_cache = SessionCache(library)
    if given.export is not None:
        _export_site(session_index, session_cache, given.export, given)
        return
    faults = [entry.error for entry in session_index.entries if entry.error]
    for fault in faults:
        output.remark(f"left out: {fault}")
    if faults and len(faults) == len(session_index.entries):
        raise typer.Exit(output.EXIT_INPUTS_SKIPPED)
    game_host = GameHost(
        library,
        session_index,
        commanders=given.commander or (),
        followers=given.follower or (),
        folder=given.save,
        pace_seconds=given.pace,
    )
    app = web_application(session_cache, game_host)
    admission = PathToken(draw_token())
    serve(
        app, admission, address.host, address.port, _announce, game_host.close, allowed_hosts=names
    )


def _announce(address: str) -> None:
    output.remark("Open this address; Ctrl-C ends the server.")
    output.print_line(address)


def _saved_records() -> list[Path]:
    from platformdirs import user_data_path

    folder = user_data_path("tatc") / "records"
    return [folder] if any(folder.rglob("*.game.json*")) else []


def _export_site(
    session_index: "SessionIndex", session_cache: "SessionCache", folder: Path, given: ViewOptions
) -> None:
    from tatc.apps.viewer.static_site import write_site

    faults: list[str] = []

    def add_fault(entry: "SessionEntry", fault: str) -> None:
        if entry.error or entry.path is not None:  # not one whose record was never kept
            faults.append(fault)

    with output.progress_counter(len(session_index.entries), "sessions") as count:
        write_site(
            session_index.entries,
            session_cache,
            folder,
            with_pictures=not given.no_pictures,
            force=given.force,
            on_session_written=lambda entry: count(entry.task),
            on_fault=add_fault,
        )
    output.print_line(folder / "index.html")
    output.exit_for_left_out(faults)
