"""`tatc thor-server`: how code for AI2-THOR runs in tatc's world in place of Unity's."""

from typing import Annotated

import typer

from tatc.commands.output import examples_epilog, remark

EXAMPLES = examples_epilog("tatc thor-server", "tatc thor-server --print-executable")

PROGRAM = """\
from ai2thor.controller import Controller

controller = Controller(
    local_executable_path={executable!r},
    x_display=":0",
    scene="FloorPlan1",
)"""
NOTES = (
    "x_display is never opened: with neither it nor DISPLAY, ai2thor 5 cannot start any executable",
    "scenes are rooms of yours (`tatc rooms capture`), else shipped rooms; the field "
    "tatcRoom of event.metadata says which",
)


def thor_server(
    print_executable: Annotated[
        bool,
        typer.Option(
            "--print-executable", help="Print only the value for `local_executable_path`."
        ),
    ] = False,
) -> None:
    """Show how to run code for AI2-THOR in tatc's world.

    This needs neither Unity nor a display nor a network.
    """
    from tatc.thorserver import executable

    if print_executable:
        typer.echo(executable())
        return
    typer.echo(PROGRAM.format(executable=executable()))
    for line in NOTES:
        remark(line)
