"""The `tatc` command in this process, as a person would type it."""

import json
from functools import cache
from pathlib import Path

from typer import testing
from typer.testing import CliRunner, Result

from tatc.cli import app

# To make all commands of an app takes longer than to run most of them.
setattr(testing, "_get_command", cache(getattr(testing, "_get_command")))  # noqa: B009, B010


def run_tatc(*words: object, input: str | bytes | None = None) -> Result:
    """Run `tatc WORDS` and return what came of it; `input` is what is typed."""
    return CliRunner().invoke(app, [*map(str, words)], input=input)


def forget_marks(run: Path) -> None:
    """Make a run one of the older format, whose rows may be changed: they have no marks."""
    identity = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(identity | {"format": "tatc-run-1"}))
