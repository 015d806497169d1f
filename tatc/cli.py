"""The `tatc` command: one typer application; parses, prints and exits.

Each command of `tatc/commands` is a function of typed options that imports what it needs when it
is called, so that `tatc --help` stays quick.

Exit status: 0 the command did its work, 1 a task was not solved or some inputs were
skipped, 2 bad input, 3 an agent crashed, 130 Ctrl-C.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from tatc.base.errors import AgentCrash, TatcError
from tatc.base.interrupts import EXIT_INTERRUPTED, raise_on_interrupt
from tatc.base.plain_text import PLAIN_SIGNS
from tatc.base.version import __version__
from tatc.commands import (
    alfred,
    benchmark,
    blame,
    check,
    compare,
    debug,
    eval,
    export,
    fidelity,
    instances,
    look,
    maps,
    play,
    replay,
    report,
    rooms,
    run,
    serve,
    tasks,
    thor_server,
    train,
    understand,
    view,
)
from tatc.commands.text import help_panels, output

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


_UsageError: Any = typer.BadParameter.__base__
"""The class of all errors in the words of a command line, which typer does not export."""


class ErrorBoundary(help_panels.PanelGroup):
    """The top of the command line, where an expected error becomes a line and an exit status."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command; turn a wrong one into 2."""
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            raise _exit_for_usage(error, ctx) from error

    def invoke(self, ctx: Any) -> Any:
        """Run the command; turn bad input into 2, a crashed agent into 3, Ctrl-C into 130."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                if cast("TextIO | None", sys.stdout) is None or sys.stdout.closed:
                    raise AgentCrash("an agent closed stdout", fix="let it leave stdout open")
                sys.stdout.flush()  # a full disk is an error to report too
        except AgentCrash as error:
            raise _exit_with(f"error: {error}", output.EXIT_AGENT_CRASHED) from error
        except TatcError as error:
            raise _exit_with(f"error: {error}", output.EXIT_BAD_INPUT) from error
        except _UsageError as error:
            raise _exit_for_usage(error, ctx) from error
        except BrokenPipeError:
            raise  # main() ends quietly when the reader of a pipe has gone
        except OSError as error:
            raise _exit_with(_describe_os_error(error), output.EXIT_BAD_INPUT) from error
        except KeyboardInterrupt:
            raise _exit_with("interrupted", EXIT_INTERRUPTED) from None


def _exit_for_usage(error: Any, ctx: Any) -> Exception:
    message: str = error.format_message()
    if type(error).__name__ == "NoArgsIsHelpError":  # of a group that was called without a command
        return error
    inner = f"{ctx.command_path} {ctx.invoked_subcommand or ''}".rstrip()
    command = inner if error.ctx is None else error.ctx.command_path
    return _exit_with(f"error: {message} ({command} --help)", output.EXIT_BAD_INPUT)


def _exit_with(line: str, status: int) -> typer.Exit:
    try:
        os.getcwd()
    except FileNotFoundError:  # whatever else is wrong comes of it
        line = "error: the current folder is gone (change to another: cd FOLDER)"
    output.remark(" ".join(line.splitlines()))
    return typer.Exit(status)


def _describe_os_error(error: OSError) -> str:
    place = f"{error.filename}: " if error.filename else ""
    return f"error: {place}{error.strerror or error}"


def _print_version(wanted: bool) -> None:
    if wanted:
        output.print_line(f"tatc {__version__}")
        raise typer.Exit


app = typer.Typer(
    name="tatc",
    cls=ErrorBoundary,
    help="TEACh's Two-Agent Task Completion: a Commander who knows the task instructs a "
    "Follower, who acts in a simulated home.",
    epilog=output.examples_epilog(
        "tatc run coffee", "tatc run coffee --wording steps", "tatc tasks"
    ),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
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


_COMMANDS: Mapping[str, Sequence[Callable[..., None]]] = {
    "Run": (run.run, play.play, debug.debug, replay.replay),
    "Evaluate": (
        *(eval.evaluate, compare.compare, benchmark.benchmark, blame.blame, report.report),
        *(fidelity.fidelity, check.check),
    ),
    "Look": (view.view, look.look, understand.understand, export.export),
    "Data": (tasks.tasks, instances.instances),
    "Train": (train.train, train.train_et),
    "Tools": (thor_server.thor_server,),
}
"""The commands by the panel of `tatc --help` that lists them."""


def _register() -> None:
    for panel, commands in _COMMANDS.items():
        for command in commands:
            is_script = command is thor_server.thor_server
            cls = help_panels.ScriptCommand if is_script else help_panels.PanelCommand
            name = "eval" if command is eval.evaluate else command.__name__.replace("_", "-")
            examples = output.examples_of(name)
            app.command(name, cls=cls, epilog=examples, rich_help_panel=panel)(command)
    for panel, group, command in (
        ("Data", rooms.app, "rooms list"),
        ("Data", maps.app, "maps"),
        ("Data", alfred.app, "alfred generate"),
        ("Train", train.app, "follower inspect"),
        ("Tools", serve.app, "serve mcp"),
    ):
        examples = output.examples_of(command)
        app.add_typer(group, cls=help_panels.PanelGroup, epilog=examples, rich_help_panel=panel)


_register()


def main() -> None:
    """Run the command line of this process, and exit; `tatc.__main__` starts with this."""
    stdout = _open_closed_streams()
    try:
        with raise_on_interrupt():
            app(prog_name="tatc")
    except KeyboardInterrupt:  # outside of the commands, where nothing is at stake
        sys.exit(EXIT_INTERRUPTED)
    except OSError as error:  # of `--help` and `--version`, which come before the commands
        status = _exit_with(_describe_os_error(error), output.EXIT_BAD_INPUT).exit_code
        raise SystemExit(status) from error
    finally:
        _flush(stdout)


def _open_closed_streams() -> TextIO:
    """Replace the standard streams that are closed, let stdout take any character; return it.

    A file that is opened while the number of a standard stream is free gets this number, and
    with it whatever is printed.  A closed stdout ends the process: results would be lost.
    """
    stdin, stdout, stderr = sys.stdin, sys.stdout, sys.stderr  # None where closed
    sys.stdin = stdin or open(os.devnull)
    sys.stdout = stdout or open(os.devnull, "w")
    sys.stderr = stderr or open(os.devnull, "w")
    if not stdout:
        line = "error: stdout is closed (send it to a file, or to /dev/null)"
        raise SystemExit(_exit_with(line, output.EXIT_BAD_INPUT).exit_code)
    if isinstance(stdout, TextIOWrapper):
        stdout.reconfigure(errors=PLAIN_SIGNS)
        if not stdout.isatty():
            sys.stdout = _named(cast("TextIOWrapper[Any]", stdout))
    return sys.stdout


class _NamedOutput(FileIO):
    """A file whose errors name it, as errors of files do that are opened by a path."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = "stdout"
            raise


def _named(stdout: "TextIOWrapper[Any]") -> TextIOWrapper:
    return TextIOWrapper(
        BufferedWriter(_NamedOutput(stdout.fileno(), "w", closefd=False)),
        stdout.encoding,
        stdout.errors,
        line_buffering=stdout.line_buffering,
        write_through=stdout.write_through,
    )


def _flush(stdout: TextIO) -> None:
    """Drop what stdout could not take; that has been reported, or its reader left."""
    try:
        if not stdout.closed:  # by an agent
            stdout.flush()
    except OSError:
        # The interpreter flushes once more at its end and would complain there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
