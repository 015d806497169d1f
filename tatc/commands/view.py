"""`tatc view`: runs, records and recorded games on a page, and games to play."""

from pathlib import Path
from typing import Annotated

import typer

from tatc.commands.options import Definitions
from tatc.commands.output import examples, remark

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
    shelf = open_shelf(named or [])
    looking = Looking(shelf, Opener(library))
    tables = Tables(
        library,
        shelf,
        commanders=commander or (),
        followers=follower or (),
        folder=save,
        pace=pace,
    )
    remark("Open this address; Ctrl-C ends it.")
    serve(application(looking, tables), host, port, typer.echo, tables.close)
