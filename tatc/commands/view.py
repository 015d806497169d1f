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

EXAMPLES = output.examples_epilog(
    "tatc view runs/train",
    "tatc view runs/rule runs/learned games/",
    "tatc view coffee.game.json",
    "tatc view",
    "tatc view runs/train --export site",
)


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """What is shown or exported, and who can be played with."""

    named: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RUN|RECORD|GAME",
            help="Run folders, records, recorded games, or folders with them. Default: the "
            "records that you saved by `tatc run` and by playing.",
        ),
    ] = None
    tasks: shared_options.TaskFoldersOption = None
    commander: list[str] | None = shared_options.plain_field(
        None,
        metavar="NAME|MODULE:CLASS",
        help="Offer another Commander to play with, and run sessions of a RUN again that name "
        "it. A file alone never brings in an agent that does not come with tatc.",
    )
    follower: list[str] | None = shared_options.plain_field(
        None, metavar="NAME|MODULE:CLASS", help="The same for a Follower, with its checkpoint."
    )
    floor_map: str = shared_options.map_field(
        "The recorded map that a RUN was made with, if it is none that tatc ships.", "Options"
    )
    export: Path | None = shared_options.plain_field(
        None, metavar="DIR", help="Write a site that opens from disk, in place of serving one."
    )
    no_pictures: bool = shared_options.plain_field(
        False, "--no-pictures", help="Export without the pictures of what the agents see."
    )
    force: bool = shared_options.plain_field(
        False, "--force", help="Export into a folder that is not empty."
    )
    pace: float = shared_options.plain_field(
        0.35, min=0, help="Seconds that the agent you play with pauses before each action."
    )
    save: Path | None = shared_options.plain_field(
        None, metavar="DIR", help="Save played games in this folder. Default: as `tatc run` does."
    )


@shared_options.with_option_groups
def view(given: ViewOptions, address: address_options.AddressOptions) -> None:
    """Show sessions in the browser, step by step, and play.

    Prints the address to open, which holds a secret token.  Ctrl-C ends the server.  Files
    that cannot be read are named; with --export the exit status is then 1.
    """
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
    game_host = GameHost(
        library,
        session_index,
        commanders=given.commander or (),
        followers=given.follower or (),
        folder=given.save,
        pace_seconds=given.pace,
    )
    for entry in session_index.entries:
        if entry.error:
            output.remark(f"left out: {entry.error}")
    app = web_application(session_cache, game_host)
    admission = PathToken(draw_token())
    serve(
        app,
        admission,
        address.host,
        address.port,
        _announce,
        game_host.close,
        allowed_hosts=names,
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
    for fault in faults:
        output.remark(f"left out: {fault}")
    if faults:
        raise typer.Exit(output.EXIT_INPUTS_SKIPPED)
