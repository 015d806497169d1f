"""The `tatc` command: one typer application; parses, prints and exits.

Each command lives in `tatc/commands/<name>.py` as a function of typed options that
imports what it needs when it is called, so that `tatc --help` stays quick.

Exit status: 0 the command did its work, 1 a task was not solved or some inputs were
skipped, 2 bad input, 3 an agent crashed, 130 Ctrl-C.
"""

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tatc import __version__
from tatc.commands import (
    bench,
    check,
    compare,
    debug,
    eval,
    export,
    fidelity,
    follower,
    games,
    instances,
    look,
    replay,
    report,
    rooms,
    rooms_capture,
    rooms_import,
    run,
    tasks,
    thor_server,
    train,
    train_et,
    view,
)
from tatc.commands.exit_status import EXIT_AGENT_CRASHED, EXIT_BAD_INPUT, EXIT_INTERRUPTED
from tatc.commands.output import examples_epilog
from tatc.errors import AgentCrash, TatcError


class ErrorBoundary(TyperGroup):
    """The one place where an expected error becomes a line and an exit status."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; turn bad input into 2, a crashed agent into 3, Ctrl-C into 130."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()  # a full disk is an error to report too
        except AgentCrash as error:
            raise _exit_with(f"error: {error}", EXIT_AGENT_CRASHED) from error
        except TatcError as error:
            raise _exit_with(f"error: {error}", EXIT_BAD_INPUT) from error
        except typer.BadParameter as error:
            command = (error.ctx or ctx).command_path
            line = f"error: {error.format_message()} ({command} --help)"
            raise _exit_with(line, EXIT_BAD_INPUT) from error
        except BrokenPipeError:
            raise  # main() ends quietly when the reader of a pipe has gone
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            reason = error.strerror or str(error)
            raise _exit_with(f"error: {place}{reason}", EXIT_BAD_INPUT) from error
        except KeyboardInterrupt:
            raise _exit_with("interrupted", EXIT_INTERRUPTED) from None


def _exit_with(line: str, status: int) -> typer.Exit:
    """Print one line to stderr, whatever the message holds; return the exit."""
    typer.echo(" ".join(line.splitlines()), err=True)
    return typer.Exit(status)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tatc {__version__}")
        raise typer.Exit


app = typer.Typer(
    name="tatc",
    cls=ErrorBoundary,
    help="TEACh's Two-Agent Task Completion: a Commander tells a Follower, in words, "
    "what to do in a simulated home.",
    epilog=examples_epilog("tatc run --task coffee", "tatc tasks"),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback()
def global_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Take the options that stand before any command."""


app.command(epilog=run.EXAMPLES)(run.run)
app.command(epilog=tasks.EXAMPLES)(tasks.tasks)
rooms.app.command("import", epilog=rooms_import.EXAMPLES)(rooms_import.import_games)
rooms.app.command("capture", epilog=rooms_capture.EXAMPLES)(rooms_capture.capture)
app.add_typer(rooms.app, epilog=rooms.LIST_EXAMPLES)
app.add_typer(games.app, epilog=games.LIST_EXAMPLES)
app.command("eval", epilog=eval.EXAMPLES)(eval.evaluate)
app.command(epilog=report.EXAMPLES)(report.report)
app.command(epilog=compare.EXAMPLES)(compare.compare)
app.command(epilog=replay.EXAMPLES)(replay.replay)
app.command(epilog=look.EXAMPLES)(look.look)
app.command(epilog=export.EXAMPLES)(export.export)
app.command(epilog=debug.EXAMPLES)(debug.debug)
app.command(epilog=check.EXAMPLES)(check.check)
app.command(epilog=fidelity.EXAMPLES)(fidelity.fidelity)
app.command(epilog=instances.EXAMPLES)(instances.instances)
app.command(epilog=train.EXAMPLES)(train.train)
app.command("train-et", epilog=train_et.EXAMPLES)(train_et.train_et)
app.add_typer(follower.app, epilog=follower.INSPECT_EXAMPLES)
app.command(epilog=bench.EXAMPLES)(bench.bench)
app.command(epilog=view.EXAMPLES)(view.view)
app.command("thor-server", epilog=thor_server.EXAMPLES)(thor_server.thor_server)


def main() -> None:
    """Run the command line; the entry point of the `tatc` script."""
    try:
        app(prog_name="tatc")
    finally:
        _flush_stdout()


def _flush_stdout() -> None:
    """Drop what stdout could not take; that has been reported, or its reader left."""
    try:
        sys.stdout.flush()
    except OSError:
        # The interpreter flushes once more at its end and would complain there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
