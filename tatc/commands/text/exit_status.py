"""The exit statuses of the `tatc` command, and which of them a session ends with."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tatc.evaluation.runs.rows import SessionRow
    from tatc.session.records import SessionEnd

EXIT_NOT_SOLVED = 1
"""A task was not solved, or a replay differs from its record."""
EXIT_INPUTS_SKIPPED = 1
"""Some inputs could not be read."""
EXIT_TOO_FEW_MADE = 1
"""Fewer trajectories were made than asked for."""
EXIT_BAD_INPUT = 2
EXIT_AGENT_CRASHED = 3


def exit_for_end(end: "SessionEnd") -> None:
    """Leave the command with the status of a session that ended so; return for a success.

    Raises:
        typer.Exit: the task was not solved, or an agent crashed.

    """
    from tatc.session.records import SessionEnd

    if end is SessionEnd.CRASHED:
        raise typer.Exit(EXIT_AGENT_CRASHED)
    if end is not SessionEnd.SUCCESS:
        raise typer.Exit(EXIT_NOT_SOLVED)


def exit_for_rows(rows: "Iterable[SessionRow]", *, from_files: bool, fail_on_crash: bool) -> None:
    """Leave the command with the status of a run's sessions; return where all is well.

    Args:
        rows: the sessions.
        from_files: whether they come from files; a room that cannot hold a task is
            skipped too, and is no input that failed.
        fail_on_crash: whether a crashed session counts.

    Raises:
        typer.Exit: a session crashed and `fail_on_crash` is given, or inputs were skipped.

    """
    kept = tuple(rows)
    if fail_on_crash and any(row.crashed for row in kept):
        raise typer.Exit(EXIT_AGENT_CRASHED)
    if from_files and any(row.skipped for row in kept):
        raise typer.Exit(EXIT_INPUTS_SKIPPED)
