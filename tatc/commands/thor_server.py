"""`tatc thor-server`: code for AI2-THOR runs in tatc's world in place of Unity's."""

import sys
from dataclasses import dataclass
from os.path import isdir  # unlike Path's, it bears a name that is too long
from pathlib import Path
from typing import Annotated

import typer

from tatc.base.errors import BadInput
from tatc.commands.options.shared_options import ForceOption, plain_field, with_option_groups
from tatc.commands.text.output import print_line, print_lines, remark

PROGRAM = """\
from ai2thor.controller import Controller

controller = Controller(
    local_executable_path={executable!r},
    x_display=":0",
    scene="FloorPlan1",
)"""
PROGRAM_NOTES = (
    "x_display is never opened: with neither it nor DISPLAY, ai2thor 5 cannot start any executable",
    "scenes are rooms of yours (--rooms DIR, or captured), else AI2-THOR's own as they ship; the "
    "field tatcRoom of event.metadata says which",
)


@dataclass(frozen=True, slots=True)
class ThorServerOptions:
    """What is served, where, and which script runs against it."""

    script: Annotated[list[str] | None, typer.Argument()] = None
    print_executable: bool = plain_field(False, "--print-executable")
    executable_file: Path | None = plain_field(None, "--write-executable")
    python: Annotated[str, typer.Option(show_default=False)] = sys.executable
    rooms: Path | None = plain_field(None)
    force: ForceOption = False


@with_option_groups
def thor_server(chosen: ThorServerOptions) -> None:
    """Show how to run code for AI2-THOR in tatc's world, or run it."""
    from tatc.apps.thorserver import executable, run_script, write_executable

    if chosen.rooms is not None and not isdir(chosen.rooms):
        fix = "name a folder with rooms, as `tatc rooms import` writes it"
        raise BadInput("there is no such folder", where=f"--rooms {chosen.rooms}", fix=fix)
    if chosen.script:
        word, *script = chosen.script
        if word != "run" or not script:
            why = "no script is named" if word == "run" else f"unknown word {word!r}"
            raise BadInput(why, fix="tatc thor-server run SCRIPT")
        raise typer.Exit(run_script(script, chosen.python, chosen.rooms))
    if chosen.executable_file is not None:
        write_executable(chosen.executable_file.expanduser(), chosen.rooms, force=chosen.force)
        print_line(chosen.executable_file)
        return
    if chosen.print_executable:
        print_line(executable(chosen.rooms))
        return
    print_lines(PROGRAM.format(executable=executable(chosen.rooms)).splitlines())
    for line in PROGRAM_NOTES:
        remark(line)
