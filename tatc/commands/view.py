"""`tatc view`: runs, records and recorded games on a page, and games to play."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.options import Definitions
from tatc.commands.output import examples, remark, tally

if TYPE_CHECKING:
    from tatc.viewer.opened import Opener
    from tatc.viewer.shelf import Shelf

EXAMPLES = examples(
    "tatc view runs/train",
    "tatc view runs/rule runs/learned games/",
    "tatc view coffee.game.json",
    "tatc view",
    "tatc view runs/train --export site",
)


def view(
    named: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[RUN | RECORD | GAME]...",
            help="Runs' folders, records, recorded games, folders with them; "
            "without any, the records that `tatc run` and playing have saved.",
        ),
    ] = None,
    tasks: Definitions = None,
    commander: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|MODULE:CLASS",
            help="One more Commander to play with.",
        ),
    ] = None,
    follower: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|MODULE:CLASS", help="One more Follower to play with."
        ),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Write a site that opens from disk, and serve nothing."
        ),
    ] = None,
    no_pictures: Annotated[
        bool, typer.Option("--no-pictures", help="Export without what agents see.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Export into a folder with other things.")
    ] = False,
    host: Annotated[
        str,
        typer.Option(help="Where to listen; others can reach what is not loopback."),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="0 takes any that is free.")
    ] = 0,
    pace: Annotated[
        float,
        typer.Option(
            min=0, help="Seconds that an agent one plays with rests an action."
        ),
    ] = 0.35,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where games go that are played; default: as tatc run."
        ),
    ] = None,
) -> None:
    """Show sessions in the browser, step by step, and play.

    Prints the address to open, with a token that nobody else knows; Ctrl-C ends it.
    """
    from tatc.tdl import load_library
    from tatc.viewer.app import Looking, application
    from tatc.viewer.opened import Opener
    from tatc.viewer.play.tables import Tables
    from tatc.viewer.serving import serve
    from tatc.viewer.shelf import open_shelf

    library = load_library(tasks or ())
    shelf = open_shelf(named or _saved())
    opener = Opener(library)
    if export is not None:
        _export(shelf, opener, export, not no_pictures, force)
        return
    tables = Tables(
        library,
        shelf,
        commanders=commander or (),
        followers=follower or (),
        folder=save,
        pace=pace,
    )
    remark("Open this address; Ctrl-C ends it.")
    app = application(Looking(shelf, opener), tables)
    serve(app, host, port, typer.echo, tables.close)


def _saved() -> list[Path]:
    """Return the folder of the records that `tatc run` has saved, if there is any."""
    from platformdirs import user_data_path

    folder = user_data_path("tatc") / "records"
    return [folder] if any(folder.rglob("*.game.json*")) else []


def _export(
    shelf: "Shelf", opener: "Opener", folder: Path, with_pictures: bool, force: bool
) -> None:
    from tatc.viewer.export import export as write

    with tally(len(shelf.entries), "sessions") as count:
        write(
            shelf.entries,
            opener,
            folder,
            with_pictures=with_pictures,
            force=force,
            watch=lambda entry: count(entry.task),
        )
    typer.echo(folder / "index.html")
