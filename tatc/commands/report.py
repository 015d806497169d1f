"""`tatc report`: the figures of runs, beside those published, and what failed."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.output import examples, print_json, print_table

if TYPE_CHECKING:
    from tatc.evaluation.folder import RunFolder

EXAMPLES = examples("tatc report runs/train", "tatc report runs/train --json")


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Folders of runs, or of shards."),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the figures as one JSON object.")
    ] = False,
) -> None:
    """Report on runs; shards of one run are joined."""
    from tatc.evaluation.folder import find_runs
    from tatc.evaluation.summary import summary

    folders = find_runs(runs)
    if as_json:
        rows = [row for folder in folders for row in folder.rows()]
        seconds = {k: v for folder in folders for k, v in folder.seconds().items()}
        print_json(summary(rows, seconds))
    else:
        tell(folders)


def tell(folders: "Sequence[RunFolder]") -> None:
    """Print the report of these runs."""
    from tatc.evaluation.summary import summary

    rows = [row for folder in folders for row in folder.rows()]
    seconds = {k: v for folder in folders for k, v in folder.seconds().items()}
    value = summary(rows, seconds)
    table = [
        (task, each["sessions"], each["success_rate"], each["actions_ratio"])
        for task, each in (*value["per_task"].items(), ("overall", value))
    ]
    print_table(("task", "sessions", "success", "ratio"), table)
