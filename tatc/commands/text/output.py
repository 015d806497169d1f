"""How every command prints and ends: results to stdout, all else to stderr, exit statuses.

Results are plain lines, a table, or JSON alone, so that they can be piped.  Remarks and
the progress bar go to stderr, the bar only if stderr is a terminal.  What is printed as a line
stays one, whatever records, games and other files say in it (`printable`).
"""

import json
import sys
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from traceback import format_exception
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import typer

from tatc.base import errors, files, plain_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

    from tatc.evaluation.runs.rows import SessionRow
    from tatc.session.records import SessionEnd

Item = TypeVar("Item")

# rich assumes 80 columns where there is no terminal, and would cut a piped table.
_PIPED_COLUMNS = 200
_HOW_TO_SEE_CALLS = "add --traceback to see the calls before it"


def examples_epilog(*lines: str) -> str:
    """Return the end of a help text: command lines as a person types them."""
    # A form that click keeps as it stands starts with a backspace of its own.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def examples_of(command: str) -> str:
    """Return the end of a command's help text, from `help.toml`."""
    return examples_epilog(*help_words()["examples"][command].splitlines())


def help_words() -> Mapping[str, Any]:
    """Return what `help.toml` holds: words by group or command and parameter, and examples."""
    return files.package_table("tatc.commands", "help.toml")


def print_json(value: object) -> None:
    """Print one JSON value to stdout, on one line, keys in the order given."""
    _write_line(sys.stdout, json.dumps(value, allow_nan=False))


def print_line(text: object = "") -> None:
    """Print a line of results to stdout; line feeds in it show as symbols."""
    _write_line(sys.stdout, plain_text.printable(str(text)))


def print_lines(lines: Iterable[object]) -> None:
    """Print several lines of results to stdout."""
    for line in lines:
        print_line(line)


def remark(text: str) -> None:
    """Print a line for the person at the terminal to stderr; line feeds in it show as symbols."""
    _write_line(sys.stderr, plain_text.printable(text))


def _write_line(stream: TextIO, line: str) -> None:
    # Not typer.echo, which writes beneath the stream and so across a progress bar.
    stream.write(f"{line}\n")
    stream.flush()


@contextmanager
def crash_traceback(*, shown: bool) -> Generator[None]:
    """Print the calls that led to an agent's crash, or say which option does."""
    try:
        yield
    except errors.AgentCrash as crash:
        for part in format_exception(crash.__cause__ or crash) if shown else (_HOW_TO_SEE_CALLS,):
            lines = part.strip("\n").split("\n")
            # Code is indented; a message is one line, so that it cannot pass for lines of tatc's.
            is_code = all(line.startswith("  ") for line in lines)
            for line in lines if is_code else (part.strip("\n"),):
                remark(line)
        raise


def console(*, err: bool = False) -> "Console":
    """Return a rich console on stdout or stderr, without markup; piped output is wide and plain."""
    from tatc.commands.text.printable_console import PrintableConsole

    stream = sys.stderr if err else sys.stdout
    width = None if stream.isatty() else _PIPED_COLUMNS
    return PrintableConsole(file=stream, width=width, highlight=False, markup=False, emoji=False)


def print_table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print rows under their columns to stdout; columns of numbers are aligned right."""
    from rich.table import Table

    kept = [tuple(row) for row in rows]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for at, name in enumerate(columns):
        numbers = all(isinstance(row[at], int | float) for row in kept)
        table.add_column(name, justify="right" if numbers and kept else "left")
    for row in kept:
        table.add_row(*(plain_text.printable(str(cell)) for cell in row))
    shown = console()
    with shown.capture() as captured:
        shown.print(table)
    for line in captured.get().splitlines():
        _write_line(sys.stdout, line.rstrip())  # with the colours of the console


def _progress(*columns: "ProgressColumn") -> "Progress":
    from rich.progress import Progress

    # Left to itself, rich would send what is printed to a pipe to the terminal too.
    to_screen = sys.stdout.isatty()
    return Progress(*columns, console=console(err=True), transient=True, redirect_stdout=to_screen)


def progress_bar(items: Collection[Item], label: str) -> Iterator[Item]:
    """Yield the items and count them in a bar on stderr; without a terminal, no bar."""
    if not sys.stderr.isatty():
        yield from items
        return
    with _progress() as bar:
        yield from bar.track(items, description=label)


@contextmanager
def progress_counter(
    total: int, label: str, *, shown: bool = True
) -> Generator[Callable[[str], None]]:
    """Yield a function that counts an item in a bar on stderr, with a note; in a pipe, no bar."""
    if not (shown and sys.stderr.isatty()):
        yield lambda note: None
        return
    from rich import progress

    with _progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(bar_width=None),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TextColumn("{task.fields[note]}"),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(),
    ) as bar:
        task = bar.add_task(label, total=total, rate="", note="")

        def count(note: str) -> None:
            bar.update(task, advance=1, note=plain_text.printable(note))
            speed = bar.tasks[0].speed
            bar.update(task, rate=f"{speed:.1f}/s" if speed else "")

        yield count


@contextmanager
def told_if_interrupted(*lines: str) -> Generator[None]:
    """Say these lines if the user ends what the block does, such as that the work is kept."""
    try:
        yield
    except KeyboardInterrupt:
        for line in lines:
            remark(line)
        raise


# The exit statuses of the `tatc` command, and which of them a session ends with.

EXIT_NOT_SOLVED = 1  # a task was not solved, or a replay differs from its record
EXIT_INPUTS_SKIPPED = 1  # some inputs could not be read
EXIT_TOO_FEW_MADE = 1  # fewer trajectories were made than asked for
EXIT_BAD_INPUT = 2
EXIT_AGENT_CRASHED = 3


def exit_for_end(end: "SessionEnd") -> None:
    """Leave the command with the status of a session that ended so; return for a success."""
    from tatc.session.records import SessionEnd

    if end is SessionEnd.CRASHED:
        raise typer.Exit(EXIT_AGENT_CRASHED)
    if end is not SessionEnd.SUCCESS:
        raise typer.Exit(EXIT_NOT_SOLVED)


def exit_for_rows(rows: "Iterable[SessionRow]", *, from_files: bool, fail_on_crash: bool) -> None:
    """Leave the command with the status of a run's sessions; return where all is well.

    A room that cannot hold a task is skipped too, and is no input that failed: only sessions
    `from_files` are.  What no model answered has failed wherever it starts.
    """
    kept = tuple(rows)
    if fail_on_crash and any(row.crashed for row in kept):
        raise typer.Exit(EXIT_AGENT_CRASHED)
    unanswered = sum(bool(row.unanswered) for row in kept)
    if unanswered:
        count = plain_text.counted(unanswered, "session")
        remark(f"not answered: {count}; the same command runs again")
    if unanswered or (from_files and any(row.skipped for row in kept)):
        raise typer.Exit(EXIT_INPUTS_SKIPPED)


def exit_for_skipped(count: int, total: int | None = None) -> None:
    """Say how many files were skipped, and leave the command with status 1; return for none."""
    if count:
        of_all = "" if total is None else f"{count} of "
        remark(f"skipped: {of_all}{plain_text.counted(total or count, 'file')}")
        raise typer.Exit(EXIT_INPUTS_SKIPPED)


def exit_for_left_out(faults: Collection[object]) -> None:
    """Say what was left out, and leave the command with status 1; return for nothing."""
    for fault in faults:
        remark(f"left out: {fault}")
    if faults:
        raise typer.Exit(EXIT_INPUTS_SKIPPED)


class InputFiles:
    """Reads files one after the other and counts those that had to be skipped."""

    def __init__(self, paths: Collection[Path]) -> None:
        """Take the files to read."""
        self._paths = paths
        self._skipped = 0

    def read(self, reader: Callable[[Path], Item], label: str) -> Iterator[Item]:
        """Yield what `reader` returns for each file; print a line for each bad one."""
        for path in progress_bar(self._paths, label):
            try:
                item = reader(path)
            except errors.BadInput as fault:
                self._skipped += 1
                remark(f"skipped: {fault.one_line}")
            else:
                yield item

    def finish(self) -> None:
        """End the command with status 1 if a file was skipped."""
        exit_for_skipped(self._skipped, len(self._paths))
