"""`tatc bench`, the old name of `python -m benchmarks`: it says the new command."""

import shlex
from typing import Any

import typer

from tatc.base.errors import BadInput


def bench(context: typer.Context) -> None:
    """Say which command runs the benchmarks of a checkout."""
    words: list[Any] = context.args
    command = shlex.join(["python", "-m", "benchmarks", *words])
    raise BadInput("benchmarks have a command of their own", fix=f"run `{command}` in a checkout")
